# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds docs/tutorials/AddAnActivation.md against the tree.

usage: checklist.py SOURCE_DIR

Each file that a row names is there and has the text of the row's last column. Each file
in the folders below that knows the example, mish, has a row. Prints what is wrong, or how
many files the list has.
"""

import pathlib
import re
import sys

PAGE = "docs/tutorials/AddAnActivation.md"
ROW = re.compile(r"^\| `([\w./-]+)` \| .* \| `(.+)` \|$")
EXAMPLE = re.compile(r"(?<![a-z])mish(?![a-z])", re.I)
FOLDERS = ("include", "lib", "unittests", "test/Fuzz", "docs")
TEXTS = (".cpp", ".h", ".td", ".pdll", ".md", ".py")


def check_rows(root, rows):
    for number, path, text in rows:
        if not (root / path).is_file():
            yield number, "no file %s" % path
        elif text not in (root / path).read_text(encoding="utf-8"):
            yield number, "%s does not have: %s" % (path, text)


def knowing(root):
    """The files that know the example."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in TEXTS and not name.startswith("docs/tutorials/"):
                if EXAMPLE.search(path.read_text(encoding="utf-8")):
                    yield name


def main():
    root = pathlib.Path(sys.argv[1])
    lines = (root / PAGE).read_text(encoding="utf-8").splitlines()
    matches = ((number, ROW.match(line)) for number, line in enumerate(lines, 1))
    rows = [(number, *match.groups()) for number, match in matches if match]
    findings = list(check_rows(root, rows))
    listed = {path for _, path, _ in rows}
    findings += [(0, "no row of " + name) for name in knowing(root)
                 if name not in listed]
    for number, message in findings:
        print("%s:%d: %s" % (PAGE, number, message))
    if findings or not rows:
        sys.exit(1)
    print("%d files" % len(rows))


if __name__ == "__main__":
    main()
