#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs and verifies each public function of a file by itself.

usage: verify-functions.py FILE [--skip=F,F] [--fused=F:N,F:N] [--others=F:N]
                           [--pools=N] [--kernels=F:N] [-- OPTIONS OF fusion-run]

Each function must agree with its lowering by upstream passes alone, have N fused
ops (1 where nothing is said) and no other convolution (or N of them). With --pools it
has, where nothing is said, no fused op, and N kernels besides. --kernels is for
functions whose fused op becomes several. Prints a line for
each that does not, and last how many do.
"""

import json
import re
import subprocess
import sys

FUNCTION = re.compile(r"^\s*func\.func @(\w+)\(", re.M)


def read_counts(text):
    pairs = (item.split(":") for item in text.split(",") if item)
    return {name: int(count) for name, count in pairs}


def verify(path, name, options):
    command = ["fusion-run", path, "--entry=" + name, "--verify", "--json"]
    result = subprocess.run(command + options, capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        text = (result.stderr.strip() or result.stdout.strip()).split("\n")
        return "exit code %d: %s" % (result.returncode, " | ".join(text[-3:])), None
    return None, json.loads(result.stdout)


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, options = arguments[:split], arguments[split + 1:]
    path = arguments.pop(0)
    given = dict(a.lstrip("-").split("=", 1) for a in arguments)
    if not set(given) <= {"skip", "fused", "others", "pools", "kernels"}:
        sys.exit(__doc__)
    skipped = set(given.get("skip", "").split(",")) - {""}
    fused = read_counts(given.get("fused", ""))
    others = read_counts(given.get("others", ""))
    kernels = read_counts(given.get("kernels", ""))
    pools = int(given.get("pools", "0"))
    with open(path, encoding="utf-8") as file:
        names = FUNCTION.findall(file.read())
    unknown = (skipped | set(fused) | set(others) | set(kernels)) - set(names)
    if unknown:
        sys.exit("no such function: " + ", ".join(sorted(unknown)))
    agreeing = ops = 0
    failed = False
    for name in names:
        if name in skipped:
            continue
        error, report = verify(path, name, options)
        if not error:
            expected = fused.get(name, 0 if "pools" in given else 1)
            creates = kernels.get(name, expected + pools)
            if report["verify"] != "agrees":
                error = report["verify"]
            elif report["fused_ops"] != expected:
                error = "%d fused ops, expected %d" % (report["fused_ops"], expected)
            elif report["other_convolutions"] != others.get(name, 0):
                error = "%d other convolutions" % report["other_convolutions"]
            elif report["creates"] != creates:
                error = "%d creates, expected %d" % (report["creates"], creates)
        if error:
            print("%s: %s" % (name, error))
            failed = True
            continue
        agreeing += 1
        ops += report["fused_ops"]
    print("%d functions agree, %d fused ops" % (agreeing, ops))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
