# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A statically quantised network as torch-mlir makes it of PyTorch's exporter or of
ONNX."""

from ir import dimensions, literal
from quantized_images import QuantizedImages
from torch_mlir import TorchMlir


class Qdq(QuantizedImages, TorchMlir):
    def __init__(self, batch=1, weights="seeded"):
        super().__init__(batch, weights)

    def quantize(self, x, spread):
        lowest, highest = self.scalar(0.0), self.scalar(255.0)
        body = [
            f"%q = arith.divf %a, {self.scalar(spread.scale)} : f32",
            "%n = math.roundeven %q : f32",
            f"%z = arith.addf %n, {self.scalar(float(spread.zero_point))} : f32",
            f"%l = arith.maximumf %z, {lowest} : f32",
            f"%h = arith.minimumf %l, {highest} : f32",
            "%r = arith.fptoui %h : f32 to i8",
        ]
        return self.generic([self.whole(x)], self.empty(x.shape, "i8"), body)

    def dequantize(self, x, spread):
        body = [
            "%w = arith.extui %a : i8 to i64",
            f"%d = arith.subi %w, {self.scalar(spread.zero_point, 'i64')} : i64",
            "%f = arith.sitofp %d : i64 to f32",
            f"%r = arith.mulf %f, {self.scalar(spread.scale)} : f32",
        ]
        return self.generic([self.whole(x)], self.empty(x.shape), body)

    def whole(self, x):
        return x, dimensions(len(x.shape))

    def filter(self, shape, scales, dim=0):
        """The scales are those along dimension `dim`."""
        tensor = self.seeded_weight("weight", shape, "i8")
        channels = shape[dim : dim + 1]
        scales = self.splat(f"[{', '.join(map(literal, scales))}]", channels)
        zeros = self.splat(0, channels, "i64")
        body = [
            "%w = arith.extsi %a : i8 to i64",
            "%d = arith.subi %w, %c : i64",
            "%f = arith.sitofp %d : i64 to f32",
            "%r = arith.mulf %f, %b : f32",
        ]
        inputs = [self.whole(tensor), (scales, f"d{dim}"), (zeros, f"d{dim}")]
        return self.generic(inputs, self.empty(shape), body)
