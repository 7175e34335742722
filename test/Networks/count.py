#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizes a network in each of its spellings and counts what was fused.

usage: count.py FOLDER NETWORK [OPTIONS OF generate.py]

Files are written to FOLDER; options such as --weights=arguments leave the spellings
that have them. Prints for each result the number of spellings that gave
it, and unless all did, which:

    10 spellings: 20 convolutions, 20 fused; pad 17, bn 20, ...; left: nothing; 1 transposes

Left are assertions, and element-wise ops whose result has the shape of a
convolution's with more than one pixel. Transposes are those of images: of filters of
fully connected layers there may be more. Reasons of convolutions that are not fused
follow, each once.
"""

import collections
import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True

from spellings import choose, generate, print_groups

FOLDED = ("pad", "transpose", "scale", "bn", "bias", "residual")
CONVOLUTION = re.compile(r"fusion\.fused_conv_bias_act (.*) -> tensor<(.*)>$", re.M)
# The first word of the text of an op, unless it is another one.
ACTIVATION = re.compile(
    r"(?!strides|dilations|pad_low|pad_high|groups|layouts|ins)(\w+)(?:\((.*?)\))?"
)
# An op of linalg with outs. Ops that read windows, or only move elements, do not count.
ELEMENTWISE = re.compile(
    r"(linalg\.(?!conv|depthwise|pooling|fill|transpose|matmul|batch_matmul)\w+)"
    r".* outs\(%\w+ : tensor<(.*?)>"
)
TRANSPOSE = re.compile(r"linalg\.transpose ins\(%[\w#]+ : tensor<(?:[\d?]+x){3,}f32>\)")
# Large constants do not matter here, and take long to print.
PRINTING = [
    "--mlir-elide-elementsattrs-if-larger=16",
    "--mlir-elide-resource-strings-if-larger=16",
]


def optimize(folder, network, options):
    """The optimized module and what --fusion-explain says of each convolution."""
    path = generate(folder, network, options)
    explain = f"--fusion-explain=format=json output={path}.json"
    command = ["fusion-opt", path + ".mlir", "--fusion-optimize", explain, *PRINTING]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    with open(path + ".json", encoding="utf-8") as file:
        explanations = json.load(file)
    # The fully connected layers at the end are no convolutions.
    return result.stdout, [e for e in explanations if "conv" in e["op"]]


def counted(names):
    return [f"{name} {number}" for name, number in collections.Counter(names).items()]


def is_feature_map(shape):
    """Whether a shape is that of images with more than one pixel, in any layout."""
    sizes = shape.split("x")[1:-1]
    return len(sizes) == 3 and sizes.count("1") < 2


def left_over(text):
    maps = {shape for _, shape in CONVOLUTION.findall(text) if is_feature_map(shape)}
    found = ELEMENTWISE.findall(text)
    names = [f"{op} {shape}" for op, shape in found if shape in maps]
    return counted(names + re.findall(r"cf\.assert", text))


def activation(op):
    """Its name with the parameters, "clip 0 to 6"; none is a list of none."""
    match = ACTIVATION.match(op)
    if not match:
        return []
    name, parameters = match.groups()
    if not parameters:
        return [name]
    numbers = [f"{float(number):g}" for number in parameters.split(",")]
    return [f"{name} {' to '.join(numbers)}:"]


def summarize(text, explanations):
    folded = [name for e in explanations for name in e["folded"]]
    parts = [f"{name} {folded.count(name)}" for name in FOLDED if name in folded]
    ops = [op for op, _ in CONVOLUTION.findall(text)]
    parts += sorted(counted(name for op in ops for name in activation(op)))
    # The report and the ops must agree.
    for name in ("bias", "residual"):
        number = sum(len(re.findall(rf" {name}(?:_after_activation)?\(", op)) for op in ops)
        if number != folded.count(name):
            parts.append(f"but {number} ops with {name}")
    fused = sum(e["status"] == "fused" for e in explanations)
    return (
        f"{len(explanations)} convolutions, {fused} fused; {', '.join(parts)};"
        f" left: {', '.join(left_over(text)) or 'nothing'};"
        f" {len(TRANSPOSE.findall(text))} transposes"
    )


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, network = sys.argv[1:3]
    spellings, options = choose(sys.argv[3:])
    results, reasons = [], set()
    for spelling in spellings:
        text, explanations = optimize(folder, network, spelling.split() + options)
        results.append((spelling, summarize(text, explanations)))
        reasons |= {re.sub(r" at \S+:\d+:\d+", "", e["reason"]) for e in explanations}
    print_groups(results)
    for reason in sorted(reasons - {""}):
        print(f"reason: {reason}")


if __name__ == "__main__":
    main()
