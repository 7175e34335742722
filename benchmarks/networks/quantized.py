# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of a statically quantised network, to be mixed into a style: f32 layers
whose operands are quantised to u8 and dequantised (QDQ), filters of i8 with a scale for
each output channel, biases f32. Batch norms are in the filters and biases already.

A style that is quantised defines

    quantize(x, spread), dequantize(x, spread)
    filter(shape, scales)   the dequantised filter of this layer, output channel first

Scales follow from an estimate of the values, so that nothing saturates or vanishes."""

from dataclasses import dataclass
from math import sqrt

from weights import GAIN, count

# Root mean square of integers that are uniform in -127 to 127.
FILTER_RMS = 73.3
# An observer's largest value, in units of the root mean square of what it saw.
REACH = 3.5
# The number that means zero in tensors with values of both signs.
MIDDLE = 121


@dataclass(frozen=True)
class Spread:
    """The values of a tensor, as far as quantisation needs them."""

    rms: float
    positive: bool = False

    @property
    def scale(self):
        return REACH * self.rms * (1 if self.positive else 2) / 255

    @property
    def zero_point(self):
        return 0 if self.positive else MIDDLE


class Quantized:
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.spreads = {}
        self.dequantized = {}
        self.convolutions = set()
        self.layer_input = None  # the spread of what the layer reads

    def keep(self, tensor, spread):
        self.spreads[tensor.name] = spread
        return tensor

    def spread(self, x):
        if x.name not in self.spreads:
            raise ValueError("a network with such an activation is not quantised")
        return self.spreads[x.name]

    def operand(self, x):
        """`x` quantised and dequantised, once for all layers that read it."""
        if x.name not in self.dequantized:
            y = self.dequantize(self.quantize(x, self.spread(x)), self.spread(x))
            self.dequantized[x.name] = self.keep(y, self.spread(x))
        return self.dequantized[x.name]

    def weight(self, role, shape, value):
        if role != "weight":
            return super().weight(role, shape, value)
        # A layer's result has GAIN times the mean square of its operand.
        middle = sqrt(GAIN / count(shape[1:])) / FILTER_RMS
        scales = [middle * (0.75 + (5 * i % 11) / 20) for i in range(shape[0])]
        return self.filter(shape, scales)

    # Layers.

    def input(self, shape):
        return self.keep(super().input(shape), Spread(1.0))

    def conv(self, x, out, kernel, stride=1, pad=0, **options):
        x = self.operand(x)
        self.layer_input = self.spread(x)
        result = super().conv(x, out, kernel, stride, pad, **{**options, "bias": True})
        self.convolutions.add(result.name)
        return self.keep(result, Spread(self.spread(x).rms * sqrt(GAIN)))

    def linear(self, x, out):
        x = self.operand(x)
        self.layer_input = self.spread(x)
        result = super().linear(x, out)
        return self.keep(result, Spread(self.spread(x).rms * sqrt(GAIN)))

    def batch_norm(self, x, eps=1e-5):
        if x.name not in self.convolutions:
            raise ValueError("a batch norm that follows no convolution is not quantised")
        return x

    def relu(self, x):
        return self.positive_part(x, super().relu(x))

    def relu6(self, x):
        return self.positive_part(x, super().relu6(x))

    def positive_part(self, x, result):
        return self.keep(result, Spread(self.spread(x).rms / sqrt(2), positive=True))

    def add(self, x, y):
        if y.name not in self.spreads:  # the bias of a linear layer
            return super().add(x, y)
        x, y = self.operand(x), self.operand(y)
        rms = sqrt(self.spread(x).rms ** 2 + self.spread(y).rms ** 2)
        return self.keep(super().add(x, y), Spread(rms))

    def max_pool(self, x, *arguments, **options):
        """Its result is quantised as its operand is."""
        x = self.operand(x)
        return self.keep(super().max_pool(x, *arguments, **options), self.spread(x))

    def concat(self, tensors):
        tensors = [self.operand(tensor) for tensor in tensors]
        spreads = [self.spread(tensor) for tensor in tensors]
        rms = max(spread.rms for spread in spreads)
        positive = all(spread.positive for spread in spreads)
        return self.keep(super().concat(tensors), Spread(rms, positive))

    def average_pool(self, x, kernel, stride, pad=0):
        x = self.operand(x)
        return self.keep(super().average_pool(x, kernel, stride, pad), self.spread(x))

    def flatten(self, x):
        return self.keep(super().flatten(x), self.spread(x))

    def sigmoid(self, x):
        raise ValueError("a network with a sigmoid is not quantised")

    def write(self, file, result, *arguments):
        super().write(file, self.operand(result), *arguments)
