#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries every ordered pair of patterns on one convolution with all that follows it.

usage: partition-pairs.py FOLDER

The expected result of each pair comes from the names alone: a pattern takes a run of
steps that begins with the convolution and is named in it, or one op. It is compared with
the ops of each function that fusion-partition makes, and with those that are left.
"""

import itertools
import os
import re
import subprocess
import sys

PATTERNS = ["conv2d", "conv2d_bias", "conv2d_relu", "conv2d_bias_relu", "conv2d_bn",
            "conv2d_bn_relu", "conv2d_bias_bn", "conv2d_bias_bn_relu", "conv2d_sum",
            "conv2d_bias_sum", "add", "relu"]
# The steps of the network, and the ops that each is written in.
STEPS = [("conv2d", ["conv_2d_nchw_fchw"]), ("bias", ["add"]),
         ("bn", ["sub", "mul", "mul", "add"]), ("relu", ["max"])]
OP = re.compile(r"linalg\.(conv_2d_nchw_fchw|add|sub|mul|max)\b")

MODULE = """
func.func @main(%x: T3, %w: TW, %b: TC, %mean: TC, %s: TC, %gamma: TC, %beta: TC) -> T5 {
  %z = arith.constant dense<0.0> : T5
  %e = tensor.empty() : T5
  BCAST b BCAST mean BCAST s BCAST gamma BCAST beta
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : T3, TW) outs(%z : T5) -> T5
  %1 = linalg.add ins(%0, %b5 : T5, T5) outs(%e : T5) -> T5
  %2 = linalg.sub ins(%1, %mean5 : T5, T5) outs(%e : T5) -> T5
  %3 = linalg.mul ins(%2, %s5 : T5, T5) outs(%e : T5) -> T5
  %4 = linalg.mul ins(%3, %gamma5 : T5, T5) outs(%e : T5) -> T5
  %5 = linalg.add ins(%4, %beta5 : T5, T5) outs(%e : T5) -> T5
  %6 = linalg.max ins(%5, %z : T5, T5) outs(%e : T5) -> T5
  return %6 : T5
}
"""


def write_module(path):
    text = re.sub(r"BCAST (\w+) ?", r"%\g<1>5 = linalg.broadcast ins(%\1 : TC) "
                  r"outs(%e : T5) dimensions = [0, 2, 3]\n  ", MODULE)
    for name, shape in (("T3", "2x3x9x11"), ("TW", "5x3x3x2"), ("TC", "5"),
                        ("T5", "2x5x7x10")):
        text = re.sub(r"\b%s\b" % name, "tensor<%sxf32>" % shape, text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def expect(patterns):
    """The ops of each composite, one function for equal ones, and those left."""
    ops = [(step, op) for step, names in STEPS for op in names]
    owner = [None] * len(ops)
    made = []
    for pattern in patterns:
        parts = pattern.split("_")
        if parts[0] == "conv2d":
            names = [step for step, _ in STEPS[:len(parts)]]
            size = sum(len(written) for _, written in STEPS[:len(parts)])
            if names == parts and not any(owner[:size]):
                owner[:size] = [pattern] * size
                made.append((pattern, [op for _, op in ops[:size]]))
            continue
        wanted = {"add": "add", "relu": "max"}[pattern]
        for i, (_, op) in enumerate(ops):
            # Both sums add two tensors of one type: one function.
            if op == wanted and not owner[i]:
                owner[i] = pattern
                made.append((pattern, [op]))
    functions = []
    for entry in made:
        if entry not in functions:
            functions.append(entry)
    left = [op for (_, op), taken in zip(ops, owner) if not taken]
    return functions, left, len(made)


def run(path, patterns):
    result = subprocess.run(
        ["fusion-opt", path, "--fusion-partition=patterns=" + ",".join(patterns)],
        capture_output=True, text=True, check=True)
    bodies = result.stdout.split("func.func ")[1:]
    functions = []
    for body in bodies[1:]:
        name = re.search(r'fusion\.composite = "dnnl\.(\w+)"', body).group(1)
        functions.append((name, OP.findall(body)))
    return functions, OP.findall(bodies[0]), bodies[0].count("call @fused_")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    path = os.path.join(sys.argv[1], "module.mlir")
    write_module(path)
    right = 0
    pairs = list(itertools.product(PATTERNS, repeat=2))
    for pair in pairs:
        expected, got = expect(pair), run(path, pair)
        right += expected == got
        if expected != got:
            print("%s, %s: %s, expected %s" % (*pair, got, expected))
    print("%d of %d pairs" % (right, len(pairs)))
    sys.exit(right != len(pairs))


if __name__ == "__main__":
    main()
