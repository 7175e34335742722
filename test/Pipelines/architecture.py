# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the picture in docs/Architecture.md against a pipeline.

usage: architecture.py PAGE < PIPELINE

PIPELINE is what --dump-pass-pipeline says. The square boxes of the picture, in their
order, are passes of it in its order, and no pass of ours that has a name is missing.
"""

import re
import sys

BOX = re.compile(r"\w+\[([a-z-]+)\]")
PASS = re.compile(r"^\s*(?:func\.func\()?([a-z][a-z-]+)", re.M)
OURS = re.compile(r"fusion")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        picture = file.read().split("```mermaid\n")[1].split("```")[0]
    boxes = BOX.findall(picture)
    passes = PASS.findall(sys.stdin.read())
    rest = iter(passes)
    for name in boxes:
        if name not in rest:
            sys.exit("not in the pipeline, or not in this order: " + name)
    for name in passes:
        if OURS.search(name) and name not in boxes:
            sys.exit("not in the picture: " + name)
    print("%d passes in the picture" % len(boxes))


if __name__ == "__main__":
    main()
