# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds docs/tutorials/AddAnActivation.md against the tree.

usage: checklist.py SOURCE_DIR [COPY]

The page's table has at most eight files, and the diffs of its example are of files of
the table; each of these is there, unless a diff makes it. The lines of context of each
diff are in its file once. Each file in the folders below that knows an activation by
name, mish, has a row. Prints what is wrong, or how many files the list has. With COPY
the changed files are written there, beside copies of those that scripts/doc.sh reads.
"""

import pathlib
import re
import shutil
import sys

PAGE = "docs/tutorials/AddAnActivation.md"
MOST = 8
ROW = re.compile(r"^\| `([\w./-]+)` \|", re.M)
DIFF = re.compile(r"^```diff (\S+)\n(.*?)^```$", re.M | re.S)
KNOWN = re.compile(r"(?<![a-z])mish(?![a-z])", re.I)
FOLDERS = ("include", "lib", "unittests", "test/Fuzz", "docs")
TEXTS = (".cpp", ".h", ".def", ".td", ".pdll", ".md", ".py")


def knowing(root):
    """The files that know an activation by name."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in TEXTS and not name.startswith("docs/tutorials/"):
                if KNOWN.search(path.read_text(encoding="utf-8")):
                    yield name


def apply(root, path, diff):
    """The text of a file after a diff, or None if the diff does not fit."""
    lines = [(line[:1] or " ", line[1:]) for line in diff.splitlines()]
    old = "".join(text + "\n" for mark, text in lines if mark in " -")
    new = "".join(text + "\n" for mark, text in lines if mark in " +")
    if not old:
        return None if (root / path).exists() else new
    if not (root / path).is_file():
        return None
    text, count = re.subn("^" + re.escape(old), lambda _: new,
                          (root / path).read_text(encoding="utf-8"), flags=re.M)
    return text if count == 1 else None


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / PAGE).read_text(encoding="utf-8")
    rows, diffs = ROW.findall(page), DIFF.findall(page)
    changed = {path: apply(root, path, diff) for path, diff in diffs}
    findings = ["the diff of %s does not fit" % path
                for path, text in changed.items() if text is None]
    findings += ["no file " + path for path in rows
                 if path not in changed and not (root / path).is_file()]
    findings += ["no row of " + path for path in [*changed, *knowing(root)]
                 if path not in rows]
    if not diffs or len(rows) > MOST:
        findings.append("%d files and %d diffs, at most %d and some are wanted"
                        % (len(rows), len(diffs), MOST))
    for message in findings:
        print("%s: %s" % (PAGE, message))
    if findings:
        sys.exit(1)
    if len(sys.argv) == 3:
        copy = pathlib.Path(sys.argv[2])
        for folder in ("include", "docs", "scripts"):
            shutil.copytree(root / folder, copy / folder, dirs_exist_ok=True)
        for path, text in changed.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text(text, encoding="utf-8")
    print("%d files" % len(rows))


if __name__ == "__main__":
    main()
