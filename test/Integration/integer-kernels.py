# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says in which kernels a network of 8-bit integers runs.

usage: fusion-run NETWORK --json --profile | integer-kernels.py

Prints the kernels of each kind; how many convolutions and matrix multiplications convert
their integers to f32, and how many have instructions for integers of 8 bits; kernels of the
reference implementation; and the loop nests between the first and the last convolution.
"""

import collections
import json
import re
import sys

# In names of oneDNN's kernels.
INSTRUCTIONS = re.compile("vnni|amx|avx10")


def get_line(row):
    """The line of the file that a row of the profile is about."""
    return int(row["location"].split(":")[-2])


def main():
    report = json.load(sys.stdin)
    rows = report["profile"]["rows"]
    kernels = [row for row in rows if row["kernel"]]
    kinds = collections.Counter()
    for row in kernels:
        kinds[row["what"]] += row["calls"]
    lines = [get_line(row) for row in kernels if "conv" in row["what"]]
    between = [row for row in rows if not row["kernel"] and min(lines) < get_line(row) < max(lines)]
    wide = sum(row["calls"] for row in kernels if "integers in f32" in row["steps"])
    narrow = sum(row["calls"] for row in kernels if INSTRUCTIONS.search(row["kernel"]))
    print(", ".join("%d %s" % (kinds[kind], kind) for kind in sorted(kinds)))
    print("%d in f32, %d with instructions for integers, %d reference kernels"
          % (wide, narrow, report["reference_kernels"]))
    for row in between:
        print("loop between: %s %s" % (row["location"], row["what"]))
    print("%d loops between" % len(between))


if __name__ == "__main__":
    main()
