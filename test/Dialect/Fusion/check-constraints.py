# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds docs/FusedConvBiasAct.md against the sources and the negative tests.

usage: check-constraints.py SOURCE_DIR

Each marker conv_iN, conv_oN, conv_cN of the sources needs one row on the page,
each row a marker in the function it names and at least one test, each such test a
function with an expected error, and each such function a row that names it.
"""

import pathlib
import re
import sys

LABEL = re.compile(r"conv_[ioc]\d+\b")
FUNCTION = re.compile(r"^[\w:<>]+[\w:<> ]* \**([\w:]+)\($|^[\w:<>]+[\w:<> ]* \**([\w:]+)\(")
findings = []


def functions_of_markers(text):
    """The function in which each marker stands, or which it documents."""
    where, current, documented = {}, "", []
    for line in text.split("\n"):
        labels = LABEL.findall(line)
        if line.startswith("///"):
            documented += labels
            continue
        match = FUNCTION.match(line)
        if match:
            current = match.group(1) or match.group(2)
            where.update((label, current) for label in documented)
            documented = []
        where.update((label, current) for label in labels)
    return where


def expect(condition, message):
    if not condition:
        findings.append(message)


def check_numbers(labels, kind):
    numbers = sorted(int(label[6:]) for label in labels if label[5] == kind)
    expect(numbers == list(range(1, len(numbers) + 1)),
           "numbers of conv_%s are not 1 to %d: %s" % (kind, len(numbers), numbers))


def main():
    root = pathlib.Path(sys.argv[1])
    ods = (root / "include/FusionDialect/IR/FusionOps.td").read_text()
    verifier = (root / "lib/IR/FusionOpsVerifier.cpp").read_text()
    page = (root / "docs/FusedConvBiasAct.md").read_text()
    tests = {}
    for path in sorted((root / "test/Dialect/Fusion").glob("invalid*.mlir")):
        for name, body in re.findall(
                r"^func\.func @(\w+)(.*?)(?=^// -----|\Z)", path.read_text(),
                re.MULTILINE | re.DOTALL):
            if LABEL.match(name.rsplit("_", name.count("_") - 1)[0]):
                tests[name] = "expected-error" in body

    in_ods = LABEL.findall(ods)
    in_verifier = functions_of_markers(verifier)
    markers = in_ods + list(in_verifier)
    expect(len(set(markers)) == len(markers), "a marker stands twice in the sources")
    for kind in "ioc":
        check_numbers(markers, kind)

    rows = {}
    for line in page.split("\n"):
        match = re.match(r"\| (conv_[ioc]\d+) \|", line)
        if match:
            label = match.group(1)
            expect(label not in rows, "%s has two rows" % label)
            rows[label] = line
    for label in markers:
        expect(label in rows, "%s has no row in docs/FusedConvBiasAct.md" % label)
    named = set()
    for label, row in rows.items():
        expect(label in markers, "%s has no marker in the sources" % label)
        if label in in_verifier:
            expect("`%s`" % in_verifier[label] in row,
                   "%s is checked in %s, not where its row says"
                   % (label, in_verifier[label]))
        in_row = re.findall(r"`@(\w+)`", row)
        expect(in_row, "%s has no negative test" % label)
        for name in in_row:
            named.add(name)
            expect(name.startswith(label + "_"),
                   "%s is not named after %s" % (name, label))
            expect(tests.get(name, False),
                   "%s is no test with an expected error" % name)
    for name in tests:
        expect(name in named, "%s is not on the page" % name)

    for finding in findings:
        print(finding)
    print("%d inputs, outputs and constraints, %d negative tests"
          % (len(rows), len(tests)))
    sys.exit(1 if findings else 0)


main()
