# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the pages of the fused ops against the sources and the negative tests.

usage: check-constraints.py SOURCE_DIR

Each marker OP_iN, OP_oN, OP_cN of the sources needs one row on the page of the op,
each row a marker in the function it names and at least one test, each such test a
function with an expected error, and each such function a row that names it.
"""

import pathlib
import re
import sys

PAGES = {"conv": "docs/FusedConvBiasAct.md", "deconv": "docs/FusedDeconvBiasAct.md",
         "matmul": "docs/FusedMatmulBiasAct.md", "pool": "docs/Pool.md",
         "quantized": "docs/QuantizedOps.md"}
DEFINITIONS = ["FusionOps.td", "FusionQuantizedOps.td"]
VERIFIERS = ["FusedConvVerifier.cpp", "FusedMatmulVerifier.cpp", "PoolOp.cpp",
             "FusedOpVerifier.cpp", "QuantizedOpVerifier.cpp"]
LABEL = re.compile(r"\b(?:%s)_[ioc]\d+\b" % "|".join(PAGES))
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
            current = (match.group(1) or match.group(2)).replace("fusion::", "")
            where.update((label, current) for label in documented)
            documented = []
        where.update((label, current) for label in labels)
    return where


def expect(condition, message):
    if not condition:
        findings.append(message)


def check_numbers(labels, prefix):
    numbers = sorted(int(label[len(prefix):]) for label in labels
                     if label.startswith(prefix))
    expect(numbers == list(range(1, len(numbers) + 1)),
           "numbers of %s are not 1 to %d: %s" % (prefix, len(numbers), numbers))


def read_tests(root):
    """The functions named after a label, and whether they expect an error."""
    tests = {}
    for path in sorted((root / "test/IR").glob("invalid*.mlir")):
        for name, body in re.findall(
                r"^func\.func @(\w+)(.*?)(?=^// -----|\Z)", path.read_text(),
                re.MULTILINE | re.DOTALL):
            if LABEL.match(name.rsplit("_", name.count("_") - 1)[0]):
                tests[name] = "expected-error" in body
    return tests


def read_rows(root):
    rows = {}
    for op, page in PAGES.items():
        for line in (root / page).read_text().split("\n"):
            match = re.match(r"\| (%s_[ioc]\d+) \|" % op, line)
            if match:
                label = match.group(1)
                expect(label not in rows, "%s has two rows" % label)
                rows[label] = line
    return rows


def check_row(label, row, in_verifier, tests):
    """Returns the tests that the row names."""
    if label in in_verifier:
        expect("`%s`" % in_verifier[label] in row,
               "%s is checked in %s, not where its row says"
               % (label, in_verifier[label]))
    named = re.findall(r"`@(\w+)`", row)
    expect(named, "%s has no negative test" % label)
    for name in named:
        expect(name.startswith(label + "_"), "%s is not named after %s" % (name, label))
        expect(tests.get(name, False), "%s is no test with an expected error" % name)
    return named


def main():
    root = pathlib.Path(sys.argv[1])
    tests = read_tests(root)
    folder = root / "include/FusionDialect/IR"
    in_ods = LABEL.findall("".join((folder / name).read_text() for name in DEFINITIONS))
    in_verifier = {}
    markers = list(in_ods)
    for name in VERIFIERS:
        found = functions_of_markers((root / "lib/IR" / name).read_text())
        markers += found
        in_verifier.update(found)
    expect(len(set(markers)) == len(markers), "a marker stands twice in the sources")
    for op in PAGES:
        for kind in "ioc":
            check_numbers(markers, "%s_%s" % (op, kind))
    rows = read_rows(root)
    for label in markers:
        expect(label in rows, "%s has no row on its page" % label)
    named = set()
    for label, row in rows.items():
        expect(label in markers, "%s has no marker in the sources" % label)
        named.update(check_row(label, row, in_verifier, tests))
    for name in tests:
        expect(name in named, "%s is on no page" % name)

    for finding in findings:
        print(finding)
    print("%d inputs, outputs and constraints, %d negative tests"
          % (len(rows), len(tests)))
    sys.exit(1 if findings else 0)


main()
