#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a document, as a reader would.

usage: doc-commands.py DOCUMENT FOLDER

The commands are the lines of the blocks that begin with ```sh. They run one after the
other in FOLDER, where the source tree of the document seems to lie, with the build
that `fusion-opt` in PATH belongs to. Prints each command
and what it printed.
"""

import os
import re
import shutil
import subprocess
import sys


def commands_of(path):
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
    return [line for block in blocks
            for line in block.replace("\\\n", "").splitlines() if line]


def main():
    document, folder = sys.argv[1:]
    tree = os.path.dirname(os.path.dirname(os.path.abspath(document)))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name in ("examples", "test"):
        os.symlink(os.path.join(tree, name), os.path.join(folder, name))
    tool = shutil.which("fusion-opt")
    os.symlink(os.path.dirname(os.path.dirname(tool)), os.path.join(folder, "build"))
    commands = commands_of(document)
    for command in commands:
        print("$ " + command, flush=True)
        status = subprocess.run(["bash", "-c", command], cwd=folder,
                                stderr=subprocess.STDOUT).returncode
        if status:
            sys.exit("failed with %d: %s" % (status, command))
    print("%d commands ran" % len(commands))


if __name__ == "__main__":
    main()
