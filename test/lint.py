#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks of the source text that no compiler makes.

usage: lint.py SOURCE_DIR [COMMIT]

Prints one line for each finding and exits with 1 if there is any. Subjects of
commits after COMMIT are checked where SOURCE_DIR is a git checkout that has it.
"""

import os
import re
import subprocess
import sys

SOURCES = (".c", ".cpp", ".h", ".def", ".td", ".pdll", ".py", ".sh")
TESTS = (".mlir", ".test", ".pdll", ".c")
TEXTS = SOURCES + TESTS + (".md", ".txt", ".cmake", ".in", ".json")
# Words and paths are put together here so that this file does not find itself.
MARKS = re.compile(r"\b(?:%s)\b" % "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)))
MACHINE_PATH = re.compile(r"(?:^|[^.\w/])/(?:%s)/[A-Za-z.]" % "|".join(
    ("home", "root", "opt", "work", "farm")))
REGISTRY = re.compile(r"https?://(?:deb|registry|security|archive)\.")
# A sentence whose subject is a clause. A question ends with its mark on the line.
CLAUSE = re.compile(r"(?:^|^//+ |^# |^- |[.:] )What (?!.*\?)")
WEAK = re.compile("|".join(("--allow-" + "empty", "XF" + "AIL:")))
RUN = re.compile(r"(?://|#)\s*RUN:(.*)")
DIRECTIVE = re.compile(
    r"(?://|#)\s*([A-Za-z][\w-]*?)"
    r"(?:-(?:NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\d+))?(?:\{LITERAL\})?:")
PREFIX = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")
EXECUTES = re.compile(r"\b(?:fusion-run|mlir-runner)\b(?! *--help)")
MAX_LINES = 500
# Subjects of commits up to this one are as they are.
LAST_UNCHECKED = "e52ddf23ab4de8ba260e2b3d03bc764bdd06dba9"
MAX_SUBJECT = 72
SUBJECT = re.compile(r"[\w./-][\w./, -]*: \S|[A-Z][a-z]+ ")


def files_of(root):
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            f for f in folders
            if not f.startswith("build")
            and f not in (".git", "__pycache__", "Inputs"))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(TEXTS) or name == "CMakeLists.txt":
                yield path, os.path.relpath(path, root)


def run_lines(lines):
    """The RUN lines of a test, continued lines joined."""
    joined, current = [], ""
    for line in lines:
        match = RUN.search(line)
        if not match:
            continue
        current += match.group(1).strip()
        if current.endswith("\\"):
            current = current[:-1]
            continue
        joined.append(current)
        current = ""
    return joined


def check_text(lines):
    for number, line in enumerate(lines, 1):
        if line.endswith("\r"):
            yield number, "carriage return"
        elif line != line.rstrip():
            yield number, "white space at the end of the line"
        if "\t" in line:
            yield number, "tab"
        if MARKS.search(line):
            yield number, "unfinished work is no comment's business"
        if MACHINE_PATH.search(line):
            yield number, "path of one machine"
        if REGISTRY.search(line):
            yield number, "host of a package registry"
        if CLAUSE.search(line.strip()):
            yield number, "a sentence begins with a clause as its subject"


def check_length(lines):
    if len(lines) > MAX_LINES:
        yield len(lines), "file of more than %d lines" % MAX_LINES


def check_source(name, lines):
    if not any("Apache-2.0 WITH LLVM-exception" in line for line in lines[:8]):
        yield 1, "no licence banner"


def check_test(name, lines):
    for number, line in enumerate(lines, 1):
        if WEAK.search(line):
            yield number, "keeps the test from failing"
    runs = run_lines(lines)
    if not runs:
        yield 1, "test without a RUN line"
    file_checks = [run for run in runs if "FileCheck" in run]
    used = set()
    for run in file_checks:
        run = run.replace("%llvm", "LLVM22,LLVM23")
        prefixes = [p for group in PREFIX.findall(run) for p in group.split(",")]
        used.update(prefixes or ["CHECK"])
    for prefix in sorted(used):
        found = [m for m in map(DIRECTIVE.match, map(str.strip, lines))
                 if m and m.group(1) == prefix]
        if not found:
            yield 1, "FileCheck with the prefix %s has nothing to check" % prefix
    for number, line in enumerate(lines, 1):
        match = DIRECTIVE.match(line.strip())
        if match and "CHECK" in match.group(1) and match.group(1) not in used:
            yield number, "%s lines reach no FileCheck" % match.group(1)
    executed = re.search(r"test/(((CAPI|Networks)/)?Integration|Tools/fusion-run)/", name)
    if not executed and any(EXECUTES.search(run) for run in runs):
        yield 1, "executes, so that it belongs in test/Integration"


def git(root, *arguments):
    return subprocess.run(("git", "-C", root) + arguments, capture_output=True,
                          check=True, encoding="utf-8", errors="replace").stdout


def subjects_after(root, commit):
    """The commits after `commit`, merges aside; none, and a note, without them."""
    if not os.path.exists(os.path.join(root, ".git")):
        print("lint.py: no subjects checked: no git checkout", file=sys.stderr)
        return []
    try:
        git(root, "merge-base", "--is-ancestor", commit, "HEAD")
        log = git(root, "log", "--no-merges", "--format=%h %s", commit + "..HEAD")
    except (OSError, subprocess.CalledProcessError) as error:
        print("lint.py: no subjects checked: no history since %s: %s"
              % (commit, getattr(error, "stderr", None) or error), file=sys.stderr)
        return []
    return [line.split(" ", 1) for line in log.splitlines()]


def check_subject(subject):
    if len(subject) > MAX_SUBJECT:
        yield "subject of %d columns, more than %d" % (len(subject), MAX_SUBJECT)
    if not SUBJECT.match(subject):
        yield "subject begins neither with a part and a colon nor with a capital"
    if subject.endswith("."):
        yield "subject ends with a full stop"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    findings = 0
    for commit, subject in subjects_after(*(sys.argv[1:] + [LAST_UNCHECKED])[:2]):
        for message in check_subject(subject):
            findings += 1
            print("%s: %s: %s" % (commit, message, subject))
    for path, name in files_of(sys.argv[1]):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = text.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        checks = [check_text(lines)]
        if lines and not text.endswith("\n"):
            checks.append([(len(lines), "no line feed at the end of the file")])
        if name.endswith(SOURCES) and lines:
            checks.append(check_source(name, lines))
        if name.startswith("test" + os.sep) and name.endswith(TESTS):
            checks.append(check_test(name.replace(os.sep, "/"), lines))
        if name.endswith(SOURCES + TESTS):
            checks.append(check_length(lines))
        for check in checks:
            for number, message in check:
                findings += 1
                print("%s:%d: %s" % (name, number, message))
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
