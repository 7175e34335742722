#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Partitions a network in each of its spellings by the preset and counts composites.

usage: partition.py FOLDER NETWORK [OPTIONS OF generate.py]

Files are written to FOLDER; options such as --weights=arguments leave the spellings
that have them. Prints for each result the number of spellings that gave it, and unless
all did, which:

    3 spellings: 52 convolutions: conv2d_bn 7, conv2d_bn_sum 10, ...; others: matmul 1

A convolution outside of composites is counted as `none`.
"""

import collections
import re
import subprocess
import sys

sys.dont_write_bytecode = True

from count import PRINTING
from spellings import choose, generate, print_groups

COMPOSITE = re.compile(
    r'func\.func private @(\w+)\(.*fusion\.composite = "dnnl\.(\w+)"')


def count(folder, network, options):
    path = generate(folder, network, options)
    command = ["fusion-opt", path + ".mlir", "--fusion-partition=patterns=dnnl",
               *PRINTING]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    main = result.stdout.split("func.func private")[0]
    composite = dict(COMPOSITE.findall(result.stdout))
    calls = collections.Counter(
        composite[name] for name in re.findall(r"call @(\w+)\(", main))
    outside = len(re.findall(r"linalg\.(?:depthwise_)?conv_\w+ ", main))
    if outside:
        calls["conv: none"] = outside
    listed = [sorted((name, number) for name, number in calls.items()
                     if name.startswith("conv") == isConv) for isConv in (True, False)]
    texts = [", ".join("%s %d" % entry for entry in part) for part in listed]
    total = sum(number for _, number in listed[0])
    return "%d convolutions: %s; others: %s" % (total, *texts)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    spellings, options = choose(sys.argv[3:])
    print_groups([(spelling, count(*sys.argv[1:3], spelling.split() + options))
                  for spelling in spellings])


if __name__ == "__main__":
    main()
