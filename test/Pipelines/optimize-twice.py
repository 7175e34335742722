#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs fusion-optimize on each .mlir file of folders once and twice.

usage: optimize-twice.py FOLDER...

Prints the first line in which the results differ, and last a sum.
"""

import glob
import os
import subprocess
import sys


def optimize(path, times):
    command = ["fusion-opt", path] + ["--allow-unregistered-dialect"] + ["--fusion-optimize"] * times
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(" ".join(command) + "\n" + result.stderr)
    return result.stdout


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    files = []
    for folder in sys.argv[1:]:
        pattern = os.path.join(folder, "**", "fusion-*.mlir")
        files += sorted(glob.glob(pattern, recursive=True))
    differing = ops = 0
    for path in files:
        once, twice = optimize(path, 1), optimize(path, 2)
        ops += once.count("fusion.fused_conv_bias_act")
        if once == twice:
            continue
        differing += 1
        pairs = zip(once.split("\n"), twice.split("\n"))
        first = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        print("%s:\n  once:  %s\n  twice: %s" % (os.path.basename(path), *first))
    print("%d files, %d fused ops, %d differ" % (len(files), ops, differing))
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
