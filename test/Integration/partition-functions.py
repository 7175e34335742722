#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Partitions a file and runs each public function of it, before and after.

usage: partition-functions.py FILE OPTIONS [--skip=F,F] [--calls=F:N,F:N]
                              [--fused=F:N,F:N] [-- OPTIONS OF fusion-run]

OPTIONS are those of fusion-partition. Each function must agree with its lowering by
upstream passes alone before it is partitioned; after that it must give the same
results, call N private functions (1 where nothing is said), and have N fused ops in it
and in them (as many as calls where nothing is said, or what `all:N` says). Prints a line
for each that does not, and last how many do.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"^\s*func\.func @(\w+)\(", re.M)


def read_counts(text):
    pairs = (item.split(":") for item in text.split(",") if item)
    return {name: int(count) for name, count in pairs}


def run(path, name, options):
    command = ["fusion-run", path, "--entry=" + name, "--json"] + options
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        text = (result.stderr.strip() or result.stdout.strip()).split("\n")
        return "exit code %d: %s" % (result.returncode, " | ".join(text[-3:])), None
    return None, json.loads(result.stdout)


def count_calls(text, name):
    """Calls of private functions in the function `name` of printed IR."""
    start = text.index("func.func @%s(" % name)
    end = text.find("\n  func.func", start + 1)
    body = text[start:end if end >= 0 else len(text)]
    private = set(re.findall(r"func\.func private @(\w+)\(", text))
    return sum(callee in private for callee in re.findall(r"call @(\w+)\(", body))


def check(path, partitioned, name, expected, options):
    with tempfile.TemporaryDirectory() as folder:
        error, _ = run(path, name, ["--verify", "--output=" + folder] + options)
        if error:
            return "as it is: " + error
        results = sorted(glob.glob(os.path.join(folder, "result*.npy")))
        error, report = run(partitioned, name,
                            ["--expect=" + ",".join(results)] + options)
    if error:
        return "partitioned: " + error
    with open(partitioned, encoding="utf-8") as file:
        calls = count_calls(file.read(), name)
    if calls != expected[0]:
        return "%d calls, expected %d" % (calls, expected[0])
    if report["fused_ops"] != expected[1]:
        return "%d fused ops, expected %d" % (report["fused_ops"], expected[1])
    return None if report["expect"] == "agrees" else report["expect"]


def main():
    arguments, options = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, options = arguments[:split], arguments[split + 1:]
    path, passes = arguments[:2]
    given = dict(a.lstrip("-").split("=", 1) for a in arguments[2:])
    if not set(given) <= {"skip", "calls", "fused"}:
        sys.exit(__doc__)
    skipped = set(given.get("skip", "").split(",")) - {""}
    calls = read_counts(given.get("calls", ""))
    fused = read_counts(given.get("fused", ""))
    with open(path, encoding="utf-8") as file:
        names = FUNCTION.findall(file.read())
    usual = fused.pop("all", None)
    unknown = (skipped | set(calls) | set(fused)) - set(names)
    if unknown:
        sys.exit("no such function: " + ", ".join(sorted(unknown)))
    agreeing = 0
    with tempfile.TemporaryDirectory() as folder:
        partitioned = os.path.join(folder, "partitioned.mlir")
        subprocess.run(["fusion-opt", path, "--fusion-partition=" + passes, "-o",
                        partitioned], check=True)
        names = [name for name in names if name not in skipped]
        for name in names:
            expected = calls.get(name, 1)
            ops = fused.get(name, expected if usual is None else usual)
            error = check(path, partitioned, name, (expected, ops), options)
            agreeing += not error
            if error:
                print("%s: %s" % (name, error))
    print("%d functions agree" % agreeing)
    sys.exit(agreeing != len(names))


if __name__ == "__main__":
    main()
