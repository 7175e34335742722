# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The spellings of a network that the tests go through; used by count.py, verify.py."""

import collections
import os
import re
import subprocess
import sys

SPELLINGS = [
    f"--style={style} --weights={weights}"
    for style in (
        "torch-mlir --bn=A",
        "torch-mlir --bn=B",
        "torch-mlir --bn=C",
        "tosa",
        "stablehlo",
    )
    for weights in ("constants", "arguments")
]
GENERATE = os.path.join(
    os.path.dirname(os.path.abspath(__file__)),
    *("..", "..", "benchmarks", "networks", "generate.py"),
)


def choose(options):
    """The spellings that contradict none of the options, and the other options:
    `--weights=constants --bn=B` leaves one spelling of each style."""

    def name(option):
        return option.split("=")[0]

    asked = {name(o): o for o in options if name(o) in ("--style", "--bn", "--weights")}
    spellings = [
        spelling
        for spelling in SPELLINGS
        if all(asked.get(name(o), o) == o for o in spelling.split())
    ]
    return spellings, [o for o in options if name(o) not in asked]


def generate(folder, network, options):
    """Writes the network to a file of `folder`; its path without the ending."""
    os.makedirs(folder, exist_ok=True)
    name = "-".join([network, *re.findall(r"=(\w[\w-]*)", " ".join(options))])
    path = os.path.join(folder, name)
    command = [sys.executable, GENERATE, network, "-o", path + ".mlir", *options]
    subprocess.run(command, check=True)
    return path


def print_groups(results):
    """One line for each result of the pairs (spelling, result): how many spellings
    gave it, and unless all did, which."""
    groups = collections.defaultdict(list)
    for spelling, result in results:
        groups[result].append(spelling)
    for result, spellings in groups.items():
        print(f"{len(spellings)} spellings: {result}")
        if len(groups) > 1:
            for spelling in spellings:
                print("  " + spelling)
