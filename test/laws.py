# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the laws in the description of fusion-fuse with those of the source.

usage: laws.py SOURCE_DIR

Prints each difference of names or formulas, and how many laws there are.
"""

import itertools
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
laws = re.findall(r'^    \{"([\w-]+)",\s*"([^"]+)",',
                  (root / "lib/Fuse/Laws/Laws.cpp").read_text(), re.M)
rows = re.findall(r"^    \| `([\w-]+)` +\| `([^`]+)`",
                  (root / "include/FusionDialect/Transforms/OptimizePasses.td").read_text()
                  .partition("def FusionFuse ")[2].partition("\ndef ")[0], re.M)
for law, row in itertools.zip_longest(laws, rows):
    if law != row:
        print("Laws.cpp has %s, the table %s" % (law, row))
print("%d laws, %d rows" % (len(laws), len(rows)))
sys.exit(laws != rows)
