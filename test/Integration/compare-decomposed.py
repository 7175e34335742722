#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the kernel of each fusion op with its decomposition to linalg.

usage: compare-decomposed.py FILE FOLDER [--skip=F,F] [-- OPTIONS OF fusion-run]

FILE holds functions on tensors with one fusion op each, FOLDER takes the results.
The decomposition runs with all laws off, so that only the convolution itself is a
kernel and what is fused in FILE runs through upstream's lowering. Prints a line for
each function that differs, and last how many agree.
"""

import json
import os
import re
import subprocess
import sys

FUNCTION = re.compile(r"^func\.func @(\w+)\((.*)\) ->", re.M)
LAWS = "--disable=pad,deconv,bias,residual,activation,transpose,broadcast,cast"


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        text = (result.stderr.strip() or result.stdout.strip()).split("\n")
        return "exit code %d: %s" % (result.returncode, " | ".join(text[-3:])), ""
    return None, result.stdout


def compare(path, decomposed, name, arguments, folder, options):
    # Roles of arguments may differ between the two forms: name the range.
    random = ["--random=%d:-1:1" % number for number in range(arguments)]
    common = ["--entry=" + name, "--json"] + random + options
    output = os.path.join(folder, name)
    error, text = run("fusion-run", path, "--output=" + output, *common)
    if error:
        return "fused: " + error
    if json.loads(text)["fused_ops"] != 1:
        return "%d fused ops" % json.loads(text)["fused_ops"]
    error, text = run("fusion-run", decomposed, LAWS, *common,
                      "--expect=" + os.path.join(output, "result0.npy"))
    if error:
        return "decomposed: " + error
    verdict = json.loads(text)["expect"]
    return None if verdict == "agrees" else verdict


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, options = arguments[:split], arguments[split + 1:]
    if len(arguments) not in (2, 3):
        sys.exit(__doc__)
    path, folder = arguments[:2]
    skipped = set()
    if len(arguments) == 3:
        skipped = set(arguments[2].split("=")[1].split(","))
    os.makedirs(folder, exist_ok=True)
    decomposed = os.path.join(folder, "decomposed.mlir")
    subprocess.run(["fusion-opt", path, "--convert-fusion-to-linalg", "-o",
                    decomposed], check=True)
    with open(path, encoding="utf-8") as file:
        functions = FUNCTION.findall(file.read())
    agreeing = 0
    failed = False
    for name, signature in functions:
        if name in skipped:
            continue
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        error = compare(path, decomposed, name, signature.count("%"), folder, options)
        if error:
            print("%s: %s" % (name, error))
            failed = True
        else:
            agreeing += 1
    print("%d functions agree" % agreeing)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
