#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times what is left between convolutions (softmax, concatenation, element-wise ops)
as Fusion compiles it, against oneDNN's primitives and memcpy, in alternating rounds.

usage: loops.py [--build=DIR] [--rounds=N] [--repeat=N] [--before=FUSION_RUN] [CASE...]

A round runs each contender once, with one thread and with two. The table has the median
over the rounds of their medians, and below the median and the range of the ratios of the
rounds: Fusion with one thread to oneDNN with one, and with two threads to two. `--before`
names another fusion-run to compare with, of another version.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

SOFTMAX = """\
func.func @main(%x: tensor<{t}>) -> tensor<{t}> {{
  %e = tensor.empty() : tensor<{t}>
  %r = linalg.softmax dimension(1) ins(%x : tensor<{t}>) outs(%e : tensor<{t}>) -> tensor<{t}>
  return %r : tensor<{t}>
}}
"""
EXP = """\
func.func @main(%x: tensor<{t}>) -> tensor<{t}> {{
  %r = math.exp %x : tensor<{t}>
  return %r : tensor<{t}>
}}
"""
ADD = """\
func.func @main(%x: tensor<{t}>, %y: tensor<{t}>) -> tensor<{t}> {{
  %r = arith.addf %x, %y : tensor<{t}>
  return %r : tensor<{t}>
}}
"""


def concat(rows, columns):
    types = [f"tensor<{rows}x{width}xf32>" for width in columns]
    names = ", ".join(f"%x{i}" for i in range(len(columns)))
    arguments = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types))
    result = f"tensor<{rows}x{sum(columns)}xf32>"
    return (
        f"func.func @main({arguments}) -> {result} {{\n"
        f"  %r = tensor.concat dim(1) {names} : ({', '.join(types)}) -> {result}\n"
        f"  return %r : {result}\n}}\n"
    )


# operation, rows, columns
CASES = {
    "softmax 1x1000": ("softmax", 1, [1000]),
    "softmax 32x1000": ("softmax", 32, [1000]),
    "softmax 12x128x128": ("softmax", 1536, [128]),
    "softmax 12x512x512": ("softmax", 6144, [512]),
    "concat 28x28x(64+128+32+32)": ("concat", 784, [64, 128, 32, 32]),
    "concat 56x56x(128+128)": ("concat", 3136, [128, 128]),
    "exp 56x56x64": ("exp", 3136, [64]),
    "exp 112x112x128": ("exp", 12544, [128]),
    "add 56x56x64": ("add", 3136, [64]),
    "add 112x112x128": ("add", 12544, [128]),
}
MODULES = {"softmax": SOFTMAX, "exp": EXP, "add": ADD}


def module(op, rows, columns):
    if op == "concat":
        return concat(rows, columns)
    return MODULES[op].format(t=f"{rows}x{columns[0]}xf32")


def run(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    environment.setdefault("OMP_WAIT_POLICY", "passive")
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return json.loads(done.stdout)["median_us"]


def contenders(options, path, case):
    op, rows, columns = case
    raw = [os.path.join(options.build, "bin", "raw-loops")]
    sizes = [str(options.repeat), str(rows)] + [str(width) for width in columns]
    found = {"oneDNN": raw + [op] + sizes}
    programs = {"Fusion": os.path.join(options.build, "bin", "fusion-run")}
    if options.before:
        programs["before"] = options.before
    for name, program in programs.items():
        found[name] = [program, path, "--json", f"--repeat={options.repeat}", "--warmup=5"]
    return found


def ratio(times, a, b):
    ratios = [x / y for x, y in zip(times[a], times[b])]
    return "%.2f (%.2f to %.2f)" % (statistics.median(ratios), min(ratios), max(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--before")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    options = parser.parse_args()
    names = ["before", "Fusion", "oneDNN"] if options.before else ["Fusion", "oneDNN"]
    columns = [(name, threads) for name in names for threads in (1, 2)]
    print("| case | " + " | ".join(f"{n}, {t} thr., us" for n, t in columns)
          + " | 1 thread: Fusion / oneDNN | 2 threads: Fusion / oneDNN"
          + (" | 2 threads: Fusion / before |" if options.before else " |"))
    print("|---" * (len(columns) + 3 + bool(options.before)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loops.mlir")
        for name in options.cases:
            with open(path, "w") as file:
                file.write(module(*CASES[name]))
            commands = contenders(options, path, CASES[name])
            times = {column: [] for column in columns}
            for number in range(options.rounds):
                order = columns if number % 2 else columns[::-1]
                for who, threads in order:
                    times[who, threads].append(run(commands[who], threads))
            cells = ["%.1f" % statistics.median(times[column]) for column in columns]
            for threads in (1, 2):
                cells.append(ratio(times, ("Fusion", threads), ("oneDNN", threads)))
            if options.before:
                cells.append(ratio(times, ("Fusion", 2), ("before", 2)))
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
