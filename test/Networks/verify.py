#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a network in each of its spellings and compares with upstream's lowering.

usage: verify.py FOLDER NETWORK [OPTIONS OF generate.py]

Files are written to FOLDER; options such as --weights=arguments leave the spellings
that have them. A batch known at run time is 2. Prints for each result the number of
spellings that gave it, and unless all did, which:

    3 spellings: agrees, 20 fused ops, 0 other convolutions, 20 kernels
"""

import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True

from spellings import choose, generate, print_groups


def verify(folder, network, options):
    path = generate(folder, network, options) + ".mlir"
    command = ["fusion-run", path, "--verify", "--json", "--randomize-constants"]
    with open(path, encoding="utf-8") as file:
        shape = re.search(r"%input: tensor<(.*?)xf32>", file.read()).group(1)
    if "?" in shape:
        command.append("--shape=0:" + shape.replace("?", "2"))
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        text = result.stderr.strip() or result.stdout.strip()
        return f"exit code {result.returncode}: {text}"
    report = json.loads(result.stdout)
    return (
        f"{report['verify']}, {report['fused_ops']} fused ops,"
        f" {report['other_convolutions']} other convolutions,"
        f" {report['creates']} kernels"
    )


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, network = sys.argv[1:3]
    spellings, options = choose(sys.argv[3:])
    print_groups(
        (spelling, verify(folder, network, spelling.split() + options))
        for spelling in spellings
    )


if __name__ == "__main__":
    main()
