# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads .npy files of f32 and compares them; needs Python alone."""

import array
import ast
import math
import struct


def read(path):
    """The shape, and the values in order."""
    with open(path, "rb") as file:
        magic = file.read(8)
        form = "<H" if magic[6] == 1 else "<I"
        (length,) = struct.unpack(form, file.read(struct.calcsize(form)))
        header = ast.literal_eval(file.read(length).decode("latin1"))
        data = file.read()
    if header["descr"] != "<f4" or header["fortran_order"]:
        raise ValueError(f"{path}: expected f32 in C order")
    return tuple(header["shape"]), array.array("f", data)


def compare(got, expected):
    """The largest difference, and that relative to the largest expected value."""
    (shape, values), (expected_shape, reference) = got, expected
    if shape != expected_shape:
        raise ValueError(f"a result has the shape {shape}, expected {expected_shape}")
    if not all(map(math.isfinite, values)):
        return math.inf, math.inf
    largest = max(abs(max(reference)), abs(min(reference)))
    difference = max(abs(a - b) for a, b in zip(values, reference))
    return difference, difference / largest if largest else math.inf
