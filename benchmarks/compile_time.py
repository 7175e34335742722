#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times fusion-compile on networks of many ops, by pass, with the memory it takes.

usage: compile_time.py [--build=DIR] [--sizes=N,N] [--rounds=N] [--before=PROGRAM]
                       [--object] [KIND...]

Kinds are convolutions, residuals (each adds its input), preact (the same, and each reads its
input rectified), attention (blocks of six matrix multiplications and a softmax; each block
adds its input), loops (an element-wise op that is not fused behind each convolution),
concatenations (each of all results before it, as in a dense block) and slices (a grouped
convolution, a slice for each group). For each number of ops the table has the median over
the rounds of the time of the whole process, the most memory it took, and its slowest
passes; and the exponent with which the time grows from the number before. With --object it
is the time of `fusion-run --emit-object`, machine code included, which does not tell those of
its passes. `--before` names the fusion-opt (with --object fusion-run) of another version,
timed in the same rounds; a process that takes longer than `--limit` seconds is ended.
"""

import argparse
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

IMAGE = "tensor<1x4x8x8xf32>"
FILTER = "tensor<4x4x1x1xf32>"
PASS = re.compile(r"^ +([\d.]+) \( *[\d.]+%\) +(?:[\d.]+ \( *[\d.]+%\) +)?(\w+)$", re.M)

NOT_PASSES = {"root", "Rest", "Total"}


def tensor(channels):
    return f"tensor<1x{channels}x8x8xf32>"


def begin(arguments, result):
    """The first lines of the function, with %f as a tensor of zeros."""
    return [
        f"func.func @main({', '.join(arguments)}) -> {result} {{",
        "  %z = arith.constant 0.0 : f32",
        f"  %e = tensor.empty() : {IMAGE}",
        f"  %f = linalg.fill ins(%z : f32) outs(%e : {IMAGE}) -> {IMAGE}",
    ]


def convolution(name, image, image_type, filter_name, filter_type):
    return (
        f"  {name} = linalg.conv_2d_nchw_fchw ins({image}, {filter_name} : {image_type},"
        f" {filter_type}) outs(%f : {IMAGE}) -> {IMAGE}"
    )


def end(lines, value, result):
    return "\n".join(lines + [f"  return {value} : {result}", "}", ""])


def chain(count, behind):
    """`behind` gives the lines behind a convolution: of its number and input."""
    filters = [f"%w{i}: {FILTER}" for i in range(count)]
    lines, value = begin([f"%x: {IMAGE}"] + filters, IMAGE), "%x"
    for i in range(count):
        lines.append(convolution(f"%c{i}", value, IMAGE, f"%w{i}", FILTER))
        more = behind(i, value)
        lines += more
        value = f"%r{i}" if more else f"%c{i}"
    return end(lines, value, IMAGE)


def convolutions(count):
    return chain(count, lambda i, value: [])


def residuals(count):
    return chain(count, lambda i, value: [f"  %r{i} = arith.addf %c{i}, {value} : {IMAGE}"])


def loops(count):
    return chain(
        count,
        lambda i, value: [
            f"  %a{i} = math.floor %c{i} : {IMAGE}",
            f"  %r{i} = arith.addf %a{i}, %c{i} : {IMAGE}",
        ],
    )


def preact(count):
    lines = begin([f"%x: {IMAGE}", f"%w: {FILTER}"], IMAGE)
    value = "%x"
    for i in range(count):
        lines.append(f"  %a{i} = linalg.max ins({value}, %f : {IMAGE}, {IMAGE})"
                     f" outs(%e : {IMAGE}) -> {IMAGE}")
        lines.append(convolution(f"%c{i}", f"%a{i}", IMAGE, "%w", FILTER))
        lines.append(f"  %r{i} = arith.addf %c{i}, {value} : {IMAGE}")
        value = f"%r{i}"
    return end(lines, value, IMAGE)


def attention(count):
    rows, square = "tensor<8x16xf32>", "tensor<16x16xf32>"
    scores = "tensor<8x8xf32>"
    lines = [
        f"func.func @main(%x: {rows}, %w: {square}) -> {rows} {{",
        "  %z = arith.constant 0.0 : f32",
        f"  %e = tensor.empty() : {rows}",
        f"  %f = linalg.fill ins(%z : f32) outs(%e : {rows}) -> {rows}",
        f"  %d = tensor.empty() : {scores}",
        f"  %g = linalg.fill ins(%z : f32) outs(%d : {scores}) -> {scores}",
        "  %t = tensor.empty() : tensor<16x8xf32>",
    ]

    def multiply(name, left, right, types, out, result):
        lines.append(f"  {name} = linalg.matmul ins({left}, {right} : {types})"
                     f" outs({out} : {result}) -> {result}")
    value = "%x"
    for i in range(max(count // 6, 1)):
        for name in "qkv":
            multiply(f"%{name}{i}", value, "%w", f"{rows}, {square}", "%f", rows)
        lines.append(f"  %l{i} = linalg.transpose ins(%k{i} : {rows})"
                     " outs(%t : tensor<16x8xf32>) permutation = [1, 0]")
        multiply(f"%s{i}", f"%q{i}", f"%l{i}", f"{rows}, tensor<16x8xf32>", "%g", scores)
        lines.append(f"  %p{i} = linalg.softmax dimension(1) ins(%s{i} : {scores})"
                     f" outs(%d : {scores}) -> {scores}")
        multiply(f"%m{i}", f"%p{i}", f"%v{i}", f"{scores}, {rows}", "%f", rows)
        multiply(f"%o{i}", f"%m{i}", "%w", f"{rows}, {square}", "%f", rows)
        lines.append(f"  %r{i} = arith.addf %o{i}, {value} : {rows}")
        value = f"%r{i}"
    return end(lines, value, rows)


def concatenations(count):
    types = [f"tensor<4x{4 * (i + 1)}x1x1xf32>" for i in range(count)]
    filters = [f"%w{i}: {type}" for i, type in enumerate(types)]
    result = tensor(4 * (count + 1))
    lines, value, parts = begin([f"%x: {IMAGE}"] + filters, result), "%x", ["%x"]
    for i in range(count):
        lines.append(
            convolution(f"%c{i}", value, tensor(4 * (i + 1)), f"%w{i}", types[i]))
        parts.append(f"%c{i}")
        value = f"%k{i}"
        lines.append(
            f"  {value} = tensor.concat dim(1) {', '.join(parts)} :"
            f" ({', '.join([IMAGE] * len(parts))}) -> {tensor(4 * (i + 2))}")
    return end(lines, value, result)


def slices(count):
    whole = tensor(4 * count)
    lines = begin([f"%x: {whole}", f"%w: {FILTER}"], whole)
    lines.append(f"  %o0 = tensor.empty() : {whole}")
    for i in range(count):
        place = f"[0, {4 * i}, 0, 0] [1, 4, 8, 8] [1, 1, 1, 1]"
        lines.append(
            f"  %i{i} = tensor.extract_slice %x{place} : {whole} to {IMAGE}")
        lines.append(convolution(f"%c{i}", f"%i{i}", IMAGE, "%w", FILTER))
        lines.append(
            f"  %o{i + 1} = tensor.insert_slice %c{i} into %o{i}{place} :"
            f" {IMAGE} into {whole}")
    return end(lines, f"%o{count}", whole)


KINDS = {
    kind.__name__: kind
    for kind in (convolutions, residuals, preact, attention, loops, concatenations, slices)
}


def get_command(program, path, options):
    if options.object:
        return [program, path, f"--emit-object={os.path.splitext(path)[0]}.o"]
    return [
        program, path, "--fusion-compile", "-o", os.devnull, "--mlir-timing",
        "--mlir-timing-display=list"
    ]


def compile_file(command, limit):
    """Seconds, the peak memory in MB, and the seconds of each pass; None if it takes
    longer than `limit` seconds."""
    begin_time = time.monotonic()
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stderr=errors)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            seconds = time.monotonic() - begin_time
            if pid:
                break
            if seconds > limit:
                process.kill()
                os.wait4(process.pid, 0)
                process.returncode = 0
                return None
            time.sleep(0.005)
        process.returncode = status
        errors.seek(0)
        text = errors.read()
    if status != 0:
        sys.exit(f"{' '.join(command)} failed:\n{text}")
    passes = {
        name: float(took)
        for took, name in PASS.findall(text) if name not in NOT_PASSES
    }
    return seconds, usage.ru_maxrss / 1000, passes


def measure(program, path, options):
    runs = []
    for _ in range(options.rounds):
        run = compile_file(get_command(program, path, options), options.limit)
        if run is None:
            return None
        runs.append(run)
    names = {name for _, _, passes in runs for name in passes}
    passes = {
        name: statistics.median(passes.get(name, 0) for _, _, passes in runs)
        for name in names
    }
    return (statistics.median(run[0] for run in runs), max(run[1] for run in runs), passes)


def format_row(kind, count, result, previous, limit):
    if result is None:
        return f"| {kind} | {count} | over {limit:g} | – | – | – |"
    seconds, memory, passes = result
    growth = "–"
    if previous and previous[1]:
        exponent = math.log(seconds / previous[1][0]) / math.log(count / previous[0])
        growth = f"{exponent:.2f}"
    slowest = sorted(passes.items(), key=lambda item: -item[1])[:4]
    text = ", ".join(f"{name} {took:.2f}" for name, took in slowest) or "–"
    return f"| {kind} | {count} | {seconds:.2f} | {growth} | {memory:.0f} | {text} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("kinds", metavar="KIND", nargs="*", choices=[[], *KINDS],
                        help="default: all: " + ", ".join(KINDS))
    parser.add_argument("--build", default="build", metavar="DIR")
    parser.add_argument("--sizes", default="250,1000,4000", metavar="N,N",
                        help="numbers of ops (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--before", metavar="PROGRAM")
    parser.add_argument("--object", action="store_true",
                        help="machine code included, by fusion-run --emit-object")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS")
    options = parser.parse_args()
    try:
        sizes = [int(size) for size in options.sizes.split(",")]
    except ValueError:
        parser.error(f"--sizes must be numbers, got {options.sizes}")
    if options.rounds < 1:
        parser.error(f"--rounds must be at least 1, got {options.rounds}")
    name = "fusion-run" if options.object else "fusion-opt"
    programs = [("", os.path.join(options.build, "bin", name))]
    if options.before:
        programs.append((" before", options.before))
    print("| kind | ops | seconds | exponent | MB | slowest passes |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for kind in options.kinds or KINDS:
            previous = {}
            for size in sizes:
                path = os.path.join(folder, f"{kind}.mlir")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(KINDS[kind](size))
                for suffix, program in programs:
                    result = measure(program, path, options)
                    print(format_row(kind + suffix, size, result,
                                     previous.get(suffix), options.limit), flush=True)
                    previous[suffix] = (size, result)


if __name__ == "__main__":
    main()
