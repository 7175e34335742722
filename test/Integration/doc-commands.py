#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of documents, as a reader would.

usage: doc-commands.py DOCUMENT... FOLDER
       doc-commands.py --excerpts DOCUMENT...

The commands are the lines of the blocks that begin with ```sh. They run one after the
other in FOLDER, where the source tree of the documents seems to lie, with the build
that `fusion-opt` in PATH belongs to, and the Python that runs this for `python3`.
Prints each command and what it printed.

A block that begins with ```output shows what the block of commands in front of it
prints. Each of its lines must be a line of that, in this order, whatever blanks there
are; `...` stands for anything, in a line or as a line, and a time or a number with a
point for any other.

A block that begins with ```LANGUAGE FILE is an excerpt of a file of the source tree:
its lines stand there one after the other, but for those that are left out at `...`.
With --excerpts nothing else is looked at.
"""

import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^```([\w+-]+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?|\b\d+(?= [mu]s\b)")


def settings_of(build):
    """Compilers and generator of a build, for commands that build something themselves."""
    cache = os.path.join(build, "CMakeCache.txt")
    if not os.path.exists(cache):
        return {}
    with open(cache, encoding="utf-8") as file:
        text = file.read()
    names = {"CMAKE_C_COMPILER": "CC", "CMAKE_CXX_COMPILER": "CXX",
             "CMAKE_GENERATOR": "CMAKE_GENERATOR"}
    return {names[key]: value for key, value in re.findall(r"^(\w+):\w+=(.+)$", text, re.M)
            if key in names}


def commands_of(block):
    return [line for line in block.replace("\\\n", "").splitlines() if line]


def run(command, folder):
    print("$ " + command, flush=True)
    done = subprocess.run(["bash", "-c", command], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout, end="", flush=True)
    if done.returncode:
        sys.exit("failed with %d: %s" % (done.returncode, command))
    return done.stdout.splitlines()


def pattern_of(line):
    parts = [NUMBER.sub("\0", part) for part in " ".join(line.split()).split("...")]
    text = ".*".join(re.escape(part) for part in parts)
    return re.compile(text.replace("\0", r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"))


def check_shown(block, printed):
    """Whether the lines of `block` are among those that were printed."""
    rest = iter(printed)
    for line in block.splitlines():
        if line.strip() in ("", "..."):
            continue
        pattern = pattern_of(line)
        if not any(pattern.fullmatch(" ".join(other.split())) for other in rest):
            sys.exit("the document shows what was not printed: " + line)


def check_excerpt(block, path):
    """Whether the lines of `block` stand in a file, blank ones and indentation aside."""
    with open(path, encoding="utf-8") as file:
        there = [line.strip() for line in file if line.strip()]
    position = 0
    for piece in re.split(r"^ *(?:// |# )?\.\.\.$", block, flags=re.M):
        lines = [line.strip() for line in piece.splitlines() if line.strip()]
        while there[position:position + len(lines)] != lines:
            position += 1
            if position > len(there):
                sys.exit("not in %s: %s" % (path, lines[0]))
        position += len(lines)


def tree_of(document):
    """The source tree around a document."""
    tree = os.path.dirname(os.path.abspath(document))
    while not os.path.isdir(os.path.join(tree, "examples")):
        tree = os.path.dirname(tree)
    return tree


def blocks_of(document):
    with open(document, encoding="utf-8") as file:
        return BLOCK.findall(file.read())


def check_excerpts(documents):
    count = 0
    for document in documents:
        for _, path, block in blocks_of(document):
            if path:
                check_excerpt(block, os.path.join(tree_of(document), path))
                count += 1
    print("%d excerpts are there" % count)


def main():
    if sys.argv[1:2] == ["--excerpts"]:
        return check_excerpts(sys.argv[2:])
    *documents, folder = sys.argv[1:]
    if not documents:
        sys.exit(__doc__)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    tree = tree_of(documents[0])
    for name in ("benchmarks", "docs", "examples", "include", "lib", "test"):
        os.symlink(os.path.join(tree, name), os.path.join(folder, name))
    build = os.path.dirname(os.path.dirname(shutil.which("fusion-opt")))
    os.symlink(build, os.path.join(folder, "build"))
    os.environ.update(settings_of(build))
    os.environ["PATH"] = os.pathsep.join([os.path.join(build, "bin"),
                                          os.path.dirname(sys.executable),
                                          os.environ["PATH"]])
    count = 0
    for document in documents:
        printed = []
        for language, path, block in blocks_of(document):
            if path:
                check_excerpt(block, os.path.join(tree, path))
            elif language == "output":
                check_shown(block, printed)
            elif language == "sh":
                commands = commands_of(block)
                printed = [line for each in commands for line in run(each, folder)]
                count += len(commands)
    print("%d commands ran" % count)


if __name__ == "__main__":
    main()
