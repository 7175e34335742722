#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a whole network as linalg on tensors, spelled as a front end spells it.

Needs Python alone: the layers are torchvision's, the weights are one number each or
arguments of the function `forward`. For example

    generate.py resnet18 --size=64 -o resnet18.mlir
    fusion-opt resnet18.mlir --fusion-optimize --fusion-explain -o /dev/null
    fusion-run resnet18.mlir --randomize-constants --verify

styles:
  torch-mlir   NCHW; batch norm in one of three forms, relu as compare and select
  tosa         NHWC, filters FHWC; bias in outs, relu as clamp
  stablehlo    NHWC, filters HWCF; every operand broadcast to full size

networks:
"""

import argparse
import sys

sys.dont_write_bytecode = True

from networks import NETWORKS
from stablehlo import Stablehlo
from torch_mlir import TorchMlir
from tosa import Tosa

STYLES = {"torch-mlir": TorchMlir, "tosa": Tosa, "stablehlo": Stablehlo}


def generate(network, style="torch-mlir", size=None, batch=1, classes=None, **options):
    """The text of the module; options are those of the style."""
    chosen = NETWORKS[network]
    net = STYLES[style](batch, **options)
    x = net.image_input(chosen.channels, size or chosen.size)
    result = chosen.build(net, x, classes or chosen.classes)
    return f"// {network} in the style of {style}.\n\n{net.text(result)}"


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def batch_size(text):
    return text if text == "?" else positive(text)


def parse_options():
    summaries = "\n".join(
        f"  {name:<12} {network.summary}, {network.size}x{network.size}"
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
        choices=("constants", "arguments"),
        default="constants",
        help="splat constants (default), or arguments marked fusion.constant",
    )
    add(
        "--classes",
        type=positive,
        metavar="N",
        help="size of the result of a classifier (default: the network's own)",
    )
    add("-o", dest="output", metavar="FILE", help="default: standard output")
    options = parser.parse_args()
    if options.bn and options.style != "torch-mlir":
        parser.error("--bn is about torch-mlir's style; the others have one form")
    return options


def main():
    options = parse_options()
    style_options = {"batch_norm_form": options.bn} if options.bn else {}
    try:
        text = generate(
            options.network,
            options.style,
            options.size,
            options.batch,
            options.classes,
            weights=options.weights,
            **style_options,
        )
    except ValueError as error:
        sys.exit(f"generate.py: {error}; choose a larger --size")
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
