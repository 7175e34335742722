# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the programs that bench.py times compute the same."""

import array
import os
import sys

import npy
from weights import permuted

# Relative to the largest value of the reference. In bf16 the twelve layers of BERT-base come to
# 0.037, and PyTorch's to 0.045. In u8 an element that rounds the other
# way moves results by a few steps of the last quantisation, and these are large.
TOLERANCE = {"f32": 1e-4, "bf16": 6e-2, "u8": 0.2}
# Results are compared with those of the first of these that runs. A quantised
# network computes something else, and PyTorch in u8 a third thing: it cannot read the scales.
REFERENCES = ["PyTorch f32", "ONNX Runtime f32", "unfused f32"]
REFERENCES_U8 = ["ONNX Runtime u8", "unfused u8"]


def result(contender):
    """Its shape and its values, those of an image with the channels in front."""
    output = contender.output
    file = os.path.join(output, "result0.npy") if os.path.isdir(output) else output
    shape, data = npy.read(file)
    if contender.is_channels_last and len(shape) == 4:
        order = (0, 3, 1, 2)
        data = array.array("f", permuted(data.tobytes(), shape, order))
        shape = tuple(shape[i] for i in order)
    return shape, data


def compare(network, ready, problems):
    """The largest errors by title, and the title they are relative to in f32."""
    floats = {c.title: c for c, _ in ready if c.output and c.precision != "u8"}
    integers = {
        c.title: c
        for c, _ in ready
        if c.output and c.precision == "u8" and c.name != "PyTorch"
    }
    errors, reference = compare_with(REFERENCES, floats, network, problems)
    return {**errors, **compare_with(REFERENCES_U8, integers, network, problems)[0]}, reference


def compare_with(references, with_result, network, problems):
    reference = next((title for title in references if title in with_result), None)
    errors = {}
    for title, contender in with_result.items():
        if reference in (None, title):
            continue
        absolute, relative = npy.compare(result(contender), result(with_result[reference]))
        errors[title] = {"max_abs_error": absolute, "max_rel_error": relative}
        if not relative <= TOLERANCE[contender.precision]:
            message = f"{network}: {title} differs from {reference} by {relative:.2g}"
            print(message, file=sys.stderr, flush=True)
            problems.append(message)
    return errors, reference
