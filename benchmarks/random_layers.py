#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times small networks with random sizes (networks/families.py) in Fusion and in ONNX
Runtime, in alternating rounds, to find slow kernels for shapes that no network has.

A line for each has the median of the ratios of the rounds, Fusion to ONNX Runtime, with
their range; Fusion's time; the largest difference of the results, relative to the largest
one; and the sizes. At the end come the geometric mean of each family, and the lines with
the largest ratios. A number, with its family, is the same network on every machine. In u8
networks are statically quantised, families are those of images, and ONNX Runtime gets the
same graph. Needs node with onnxruntime-node, and PyTorch for f32 or python3-onnx for u8.
"""

import argparse
import os
import statistics
import sys
import tempfile

sys.dont_write_bytecode = True
FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(FOLDER, "networks"), os.path.join(FOLDER, "peers")]

import agreement
import contenders
import npy
from families import ACTIVATIONS, FAMILIES, IMAGE_FAMILIES, TOKEN_FAMILIES, Draw
from generate import STYLES, positive
from weights import write_npy

# The styles of integers have all activations but these.
FLOAT_ACTIVATIONS = ("gelu",)
SEED = 1  # of weights


class RandomCase:
    """The files of a network, and how programs are to run it; see case.py."""

    is_channels_last = False

    def __init__(self, options, folder, family, number):
        self.options, self.folder = options, folder
        self.threads = options.threads
        self.environment = contenders.plain_environment()
        self.environment["NODE_PATH"] = options.folder + "/node_modules"
        left_out = () if options.precision == "f32" else FLOAT_ACTIVATIONS
        draw = Draw(f"{family} {number}", [a for a in ACTIVATIONS if a not in left_out])
        self.shape, self.layers = FAMILIES[family](draw)
        self.is_of_tokens = family in TOKEN_FAMILIES
        sizes = ", ".join(f"{name} {value}" for name, value in draw.drawn.items())
        self.name = f"{family} {number}: {sizes}"

    def path(self, name):
        return os.path.join(self.folder, name)

    def module(self, _precision):
        return self.path("module.mlir")

    def input(self, _precision):
        return self.path("input.npy")

    def tool(self, name):
        return os.path.join(self.options.build, "bin", name)

    def build(self, style):
        begin = style.token_input if self.is_of_tokens else style.image_input
        return self.layers(style, begin(self.shape))

    def write(self):
        write_npy(self.input("f32"), "input", self.shape, SEED)
        is_quantized = self.options.precision == "u8"
        style = STYLES["qdq" if is_quantized else "torch-mlir"](1, "seeded")
        result = self.build(style)
        with open(self.module("f32"), "w", encoding="utf-8") as file:
            style.write(file, result, SEED)
        if is_quantized:
            from onnx_qdq import OnnxQdq  # which alone needs a package

            style = OnnxQdq(1, SEED)
            style.write(self.path("u8.onnx"), self.build(style))
        else:
            write_model(self)


def write_model(case):
    # Quantised networks need none of these.
    import numpy
    import torch
    from torch_layers import Layers

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleDict()
            self.forward(torch.zeros(case.shape))

        def forward(self, x):
            return case.build(Layers(self.layers, SEED, x))

    with torch.no_grad():
        x = torch.from_numpy(numpy.load(case.input("f32")))
        torch.onnx.export(Network().eval(), x, case.path("model.onnx"), opset_version=13)


def measure(case):
    """Ratios by round, Fusion's times, and the relative error."""
    precision, options = case.options.precision, case.options
    fusion = contenders.Fusion(case, precision)
    peer = contenders.OnnxRuntime(case, precision)
    case.write()
    try:
        slowest = max(fusion.prepare(), peer.prepare())
        _, error = npy.compare(agreement.result(fusion), agreement.result(peer))
        repeat = max(5, int(options.seconds * 1e6 / slowest))
        times, ratios = [], []
        for number in range(options.rounds):
            pair = [fusion, peer]
            both = {c.name: c.measure(repeat) for c in (pair if number % 2 else pair[::-1])}
            times.append(both["Fusion"]["median_us"])
            ratios.append(times[-1] / both["ONNX Runtime"]["median_us"])
    finally:
        peer.close()
    return ratios, times, error


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    names = ", ".join(FAMILIES)
    add("--family", action="append", choices=FAMILIES, metavar="NAME",
        help=f"one of {names} (default: all)")  # fmt: skip
    add("--first", type=int, default=0, metavar="N", help="first number (default: 0)")
    add("--count", type=positive, default=10, metavar="N",
        help="networks of each family (default: 10)")  # fmt: skip
    add("--precision", choices=("f32", "u8"), default="f32", help="default: f32")
    add("--threads", type=positive, default=1, metavar="N", help="default: 1")
    add("--rounds", type=positive, default=3, metavar="N", help="default: 3")
    add("--seconds", type=float, default=0.06, metavar="S",
        help="of a contender in a round (default: 0.06)")  # fmt: skip
    add("--slowest", type=int, default=10, metavar="N",
        help="how many lines come again at the end (default: 10)")  # fmt: skip
    add("--build", default=os.path.join(FOLDER, "..", "build"), metavar="DIR",
        help="build folder (default: build)")  # fmt: skip
    options = parser.parse_args()
    options.folder = os.path.join(options.build, "benchmarks")
    options.patience = None
    possible = IMAGE_FAMILIES if options.precision == "u8" else FAMILIES
    options.family = options.family or list(possible)
    for family in options.family:
        if family not in possible:
            parser.error(f"no quantised style has the family '{family}'")
    if missing := contenders.missing_onnxruntime(options.folder):
        parser.error(missing)
    run_with("numpy", "onnx" if options.precision == "u8" else "torch", parser=parser)
    return options


def run_with(*packages, parser):
    """Starts this program again with a Python that has these packages, unless it has."""
    python = contenders.find_python(*packages)
    if not python:
        parser.error(f"there is no Python with the packages {', '.join(packages)}")
    if python != sys.executable:
        os.execv(python, [python, *sys.argv])


def run(case, tolerance):
    """The ratios of a network, after its line is printed; None if that fails."""
    try:
        ratios, times, error = measure(case)
    except contenders.Failure as failure:
        print(f"{case.name}: {failure}", file=sys.stderr, flush=True)
        return None
    line = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    line += f"  {statistics.median(times):.0f} us  error {error:.0e}  {case.name}"
    print(line, flush=True)
    if not error <= tolerance:
        print(f"{case.name}: the results differ by {error:.2g}", file=sys.stderr)
        return None
    return statistics.median(ratios), line


def summarize(name, medians):
    slow = sum(median > 1 for median in medians)
    mean = statistics.geometric_mean(medians)
    print(f"{name}: {mean:.2f}, {slow} of {len(medians)} above 1.00")


def main():
    options = parse_options()
    tolerance = agreement.TOLERANCE[options.precision]
    results = {family: [] for family in options.family}
    for family in options.family:
        for number in range(options.first, options.first + options.count):
            with tempfile.TemporaryDirectory() as folder:
                case = RandomCase(options, folder, family, number)
                results[family].append(run(case, tolerance))
    good = {family: [r for r in rows if r] for family, rows in results.items()}
    rows = sum(good.values(), [])
    for family in filter(good.get, good):
        summarize(family, [median for median, _ in good[family]])
    if rows:
        summarize("all", [median for median, _ in rows])
    for _, line in sorted(rows, reverse=True)[: options.slowest]:
        print(line)
    return 0 if len(rows) == options.count * len(options.family) else 1


if __name__ == "__main__":
    sys.exit(main())
