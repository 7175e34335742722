#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a whole network as linalg on tensors, spelled as a front end spells it.

Needs Python alone: the layers are torchvision's, the weights are one number each,
arguments of the function `forward`, or seeded: a value for each element, inside the
file. For example

    generate.py resnet18 --size=64 -o resnet18.mlir
    fusion-opt resnet18.mlir --fusion-optimize --fusion-explain -o /dev/null
    fusion-run resnet18.mlir --randomize-constants --verify

    generate.py resnet18 --weights=seeded -o resnet18.mlir --input=x.npy
    fusion-run resnet18.mlir --input=x.npy --output=results

styles:
  torch-mlir   NCHW; batch norm in one of three forms, relu as compare and select
  qdq          the same statically quantised: f32 layers, operands quantised to 8 bits
               and dequantised, a scale for each output channel of a filter
  tosa         NHWC, filters FHWC; bias in outs, relu as clamp
  tosa-int8    the same statically quantised: i8 throughout, sums in i32 that
               tosa.apply_scale makes i8, sums of a residual block in i32
  stablehlo    NHWC, filters HWCF; every operand broadcast to full size

networks:
"""

import argparse
import sys

sys.dont_write_bytecode = True

from networks import NETWORKS, TORCH_NETWORKS, build, can_spell, input_shape
from primitives import Primitives
from qdq import Qdq
from stablehlo import Stablehlo
from torch_mlir import TorchMlir
from tosa import Tosa
from tosa_int8 import TosaInt8
from weights import write_npy

STYLES = {
    "torch-mlir": TorchMlir,
    "qdq": Qdq,
    "tosa": Tosa,
    "tosa-int8": TosaInt8,
    "stablehlo": Stablehlo,
}
QUANTIZED_STYLES = ("qdq", "tosa-int8")


def write(options, file):
    """The module as text, and its style; options are those of the command line."""
    style_options = {"batch_norm_form": options.bn} if options.bn else {}
    style = STYLES[options.style](options.batch, options.weights, **style_options)
    result = build_network(options, style)
    file.write(f"// {options.network} in the style of {options.style},")
    file.write(f" {style.parameters} parameters.\n\n")
    style.write(file, result, options.seed)
    return style


def build_network(options, style):
    parameters = {"planes": options.planes, "depth": options.depth}
    return build(options.network, style, options.size, options.classes, **parameters)


def write_beside(options, style):
    """Writes the files beside the module: input, description for benchmarks/limit."""
    if options.input:
        shape, order = style.input_shape, None
        if len(shape) == 4 and style.layout == "nhwc":
            order = (0, 2, 3, 1)
            shape = tuple(shape[i] for i in (0, 3, 1, 2))
        write_npy(options.input, "input", shape, options.seed, order)
    if options.onnx:
        from onnx_qdq import OnnxQdq  # which alone needs a package

        style = OnnxQdq(options.batch, options.seed)
        result = build_network(options, style)
        style.write(options.onnx, result)
    if options.primitives:
        style = Primitives(options.batch)
        result = build_network(options, style)
        with open(options.primitives, "w", encoding="utf-8") as file:
            style.write(file, result)


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def batch_size(text):
    return text if text == "?" else positive(text)


def parse_options():
    summaries = "\n".join(
        f"  {name:<18} {network.summary}, {'x'.join(map(str, input_shape(name, 1)[1:]))}"
        for name, network in NETWORKS.items()
    )
    parser = argparse.ArgumentParser(
        description=__doc__ + summaries,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("network", choices=NETWORKS, metavar="NETWORK", help="one of those above")
    add("--style", choices=STYLES, default="torch-mlir", help="default: torch-mlir")
    add(
        "--bn",
        choices="ABC",
        help="form of the batch norm in torch-mlir's style: A one op, B an op for each"
        " step (default), C with a reciprocal that asserts",
    )
    add(
        "--size",
        type=positive,
        metavar="N",
        help="height and width of the image (default: the network's own)",
    )
    add(
        "--batch",
        type=batch_size,
        default=1,
        metavar="N",
        help="number of images, or ? for one known at run time (default: 1)",
    )
    add(
        "--weights",
        choices=("constants", "arguments", "seeded"),
        help="splat constants (default), arguments marked fusion.constant, or constants"
        " with seeded values (the only ones of quantised styles)",
    )
    add("--seed", type=int, default=0, metavar="N", help="of seeded values (default: 0)")
    add(
        "--classes",
        type=positive,
        metavar="N",
        help="size of the result of a classifier (default: the network's own)",
    )
    add("--planes", type=positive, metavar="N", help="channels, where one number says all")
    add("--depth", type=positive, metavar="N", help="number of layers or blocks, likewise")
    add("--input", metavar="FILE.npy", help="write an input with seeded values")
    add(
        "--primitives",
        metavar="FILE",
        help="write the fused primitives of the network, as benchmarks/limit reads them",
    )
    add(
        "--onnx",
        metavar="FILE",
        help="write the network of the style qdq as an ONNX file too (needs python3-onnx)",
    )
    add("-o", dest="output", metavar="FILE", help="default: standard output")
    options = parser.parse_args()
    if options.bn and options.style != "torch-mlir":
        parser.error("--bn is about torch-mlir's style; the others have one form")
    if options.style in QUANTIZED_STYLES:
        options.weights = options.weights or "seeded"
        if options.weights != "seeded":
            parser.error(f"the style {options.style} has seeded weights alone")
    if options.onnx and options.style != "qdq":
        parser.error("--onnx is for the style qdq alone")
    options.weights = options.weights or "constants"
    if not can_spell(options.style, options.network):
        parser.error(f"{options.network} has layers that the style {options.style} has not")
    if options.network in TORCH_NETWORKS and options.primitives:
        parser.error(f"there are no primitives for {options.network}")
    if options.batch == "?" and (options.input or options.primitives):
        parser.error("--input and --primitives need a batch that is known")
    for name in "planes", "depth":
        if getattr(options, name) and name not in NETWORKS[options.network].parameters:
            parser.error(f"{options.network} has no parameter {name}")
    return options


def main():
    options = parse_options()
    try:
        if options.output:
            with open(options.output, "w", encoding="utf-8") as file:
                style = write(options, file)
        else:
            style = write(options, sys.stdout)
        write_beside(options, style)
    except (ImportError, ValueError) as error:
        sys.exit(f"generate.py: {error}")


if __name__ == "__main__":
    main()
