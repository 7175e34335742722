# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds TVM-CASES.md against the tests.

usage: tvm-cases.py TEST_DIR

Each number from 1 on has a row. Each file that a row names is there, has the functions
that are named behind it, and says `TVM NUMBER` in a comment; of several files that a
`*` stands for one does. Prints what is wrong, or last how many cases there are and how
many have no test.
"""

import fnmatch
import pathlib
import re
import sys

PAGE = "TVM-CASES.md"
FOLDERS = ("Fuse", "Partition", "Transforms")
ROW = re.compile(r"^\| (\d+(?:(?:, | to )\d+)*) \| .*")
NAMED = re.compile(r"`([\w/*.-]+\.(?:mlir|test)|@[\w*?]+)`")
FUNCTION = re.compile(r"func\.func (?:private )?@(\w+)\(")
COMMENT = re.compile(r"^\s*(?://|#)(?! (?:RUN|[A-Z0-9]+(?:-[A-Z0-9-]+)?):)\s*(.*)$", re.M)
NUMBERS = re.compile(r"\bTVM (\d+(?:(?:, | to | and )\d+)*)")


def numbers_of(text):
    """`4, 6 to 8` is {4, 6, 7, 8}."""
    found = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        found.update(range(int(first), int(last or first) + 1))
    return found


def files_of(root, name):
    folders = [root] if "/" in name else [root / folder for folder in FOLDERS]
    return sorted(path for folder in folders for path in folder.rglob(name))


def check_row(root, numbers, row):
    """The errors of a row."""
    functions, found = [], False
    for name in NAMED.findall(row):
        if name.startswith("@"):
            if not fnmatch.filter(functions, name[1:]):
                yield "no function %s" % name
            continue
        texts = [path.read_text() for path in files_of(root, name)]
        functions = sum(map(FUNCTION.findall, texts), [])
        said = [numbers_of(" ".join(NUMBERS.findall(" ".join(COMMENT.findall(text)))))
                for text in texts]
        if not texts:
            yield "no file %s" % name
        missing = [n for n in sorted(numbers) if not any(n in s for s in said)]
        if texts and missing:
            yield "%s does not say: TVM %s" % (name, ", ".join(map(str, missing)))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    findings, cases, tested = [], set(), set()
    for line, row in enumerate((root / PAGE).read_text().split("\n"), 1):
        match = ROW.match(row)
        if not match:
            continue
        numbers = numbers_of(match.group(1))
        cases |= numbers
        if NAMED.search(row):
            tested |= numbers
        findings += ["%s:%d: %s" % (PAGE, line, f) for f in check_row(root, numbers, row)]
    for number in sorted(set(range(1, max(cases) + 1)) - cases):
        findings.append("%s: no row of %d" % (PAGE, number))
    for finding in findings:
        print(finding)
    if findings:
        sys.exit(1)
    print("%d cases, %d of them without a test" % (len(cases), len(cases - tested)))


if __name__ == "__main__":
    main()
