#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the JSON results of lit or of GoogleTest. The first line that is printed has the
numbers of tests that passed and failed; the others have each test that failed, with some of
its output. Skipped tests are not counted."""

import json
import re
import sys

LINES_OF_OUTPUT = 12
SKIPPED_BY_LIT = ("UNSUPPORTED", "EXCLUDED", "SKIPPED")


def of_lit(results):
    """The number of tests that ran, and the name and output of each that failed."""
    ran = [test for test in results["tests"] if test["code"] not in SKIPPED_BY_LIT]
    return len(ran), [
        (test["name"], test.get("output", "")) for test in ran if test["code"] != "PASS"
    ]


def of_googletest(results):
    tests = [test for suite in results["testsuites"] for test in suite["testsuite"]]
    # Disabled tests are NOTRUN.
    ran = [t for t in tests if t["status"] == "RUN" and t["result"] != "SKIPPED"]
    return len(ran), [
        (f"{t['classname']}.{t['name']}", "\n".join(f["failure"] for f in t["failures"]))
        for t in ran
        if "failures" in t
    ]


def find_error(output):
    """The lines about the first error."""
    # lit puts each command before its output.
    lines = [
        line for line in output.splitlines() if line.strip(" |#-`") and "RUN" not in line
        and "executed command" not in line
    ]
    errors = [i for i, line in enumerate(lines) if re.search(r"\berror\b|[a-z]Error\b", line)]
    begin = max(errors[0] - 2, 0) if errors else 0
    return lines[begin : begin + LINES_OF_OUTPUT]


def main():
    with open(sys.argv[1]) as file:
        results = json.load(file)
    ran, failed = (of_googletest if "testsuites" in results else of_lit)(results)
    print(ran - len(failed), len(failed))
    for name, output in failed:
        print("FAIL:", name)
        for line in find_error(output):
            print("   ", line[:200])


if __name__ == "__main__":
    main()
