#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times what is left between convolutions (softmax, concatenation, element-wise ops)
as Fusion compiles it, against oneDNN's primitives and memcpy, in alternating rounds.

usage: loops.py [--build=DIR] [--rounds=N] [--repeat=N] [--before=FUSION_RUN] [CASE...]

A round runs each contender once, with one thread and with two. The table has the median
over the rounds of their medians; the median and the range of the ratios of the rounds,
Fusion to oneDNN with as many threads; and the ratio of the best calls with one thread,
which suffer least from what else the machine does. `--before` names a fusion-run of
another version, which is compared with by its best call alone.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from contenders import RAW_OPENMP, plain_environment

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
    """Median and least time of a call."""
    environment = plain_environment()
    if os.path.basename(command[0]) == "raw-loops":
        environment.update(RAW_OPENMP, OMP_NUM_THREADS=str(threads))
    else:
        command = [*command, f"--threads={threads}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    result = json.loads(done.stdout)
    return result["median_us"], result["min_us"]


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


def ratio(times, threads):
    pairs = zip(times["Fusion", threads], times["oneDNN", threads])
    ratios = [fusion[0] / raw[0] for fusion, raw in pairs]
    return "%.2f (%.2f to %.2f)" % (statistics.median(ratios), min(ratios), max(ratios))


def best(times, who):
    return min(least for _, least in times[who, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=200)
    parser.add_argument("--before")
    parser.add_argument("cases", nargs="*", default=list(CASES))
    options = parser.parse_args()
    columns = [(name, threads) for name in ("Fusion", "oneDNN") for threads in (1, 2)]
    timed = columns + [("before", 1)] * bool(options.before)
    titles = ["case"] + ["%s, %d thr., us" % column for column in columns]
    titles += ["1 thr.: Fusion / oneDNN", "2 thr.: Fusion / oneDNN", "best / best"]
    if options.before:
        titles += ["before, best, us", "Fusion / before, best"]
    print("| " + " | ".join(titles) + " |\n" + "|---" * len(titles) + "|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "loops.mlir")
        for name in options.cases:
            with open(path, "w") as file:
                file.write(module(*CASES[name]))
            commands = contenders(options, path, CASES[name])
            times = {column: [] for column in timed}
            for number in range(options.rounds):
                for who, threads in timed if number % 2 else timed[::-1]:
                    times[who, threads].append(run(commands[who], threads))
            cells = ["%.1f" % statistics.median(median for median, _ in times[column])
                     for column in columns]
            cells += [ratio(times, 1), ratio(times, 2)]
            cells.append("%.2f" % (best(times, "Fusion") / best(times, "oneDNN")))
            if options.before:
                before = best(times, "before")
                cells += ["%.1f" % before, "%.2f" % (best(times, "Fusion") / before)]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
