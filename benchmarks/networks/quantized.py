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

    def of_product(self):
        return Spread(self.rms * sqrt(GAIN))

    def of_positive_part(self):
        return Spread(self.rms / sqrt(2), positive=True)

    def of_sum(self, other):
        return Spread(sqrt(self.rms**2 + other.rms**2))


def spread_of_all(spreads):
    return Spread(max(s.rms for s in spreads), all(s.positive for s in spreads))


def filter_scales(channels, terms):
    """One for each output channel, so that a layer's result has GAIN times the mean
    square of its operand."""
    middle = sqrt(GAIN / terms) / FILTER_RMS
    return [middle * (0.75 + (5 * i % 11) / 20) for i in range(channels)]


class Estimated:
    """Layers whose values are estimated; spelled out in classes that derive."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.spreads = {}
        self.convolutions = set()

    def keep(self, tensor, spread):
        self.spreads[tensor.name] = spread
        return tensor

    def spread(self, x):
        if x.name not in self.spreads:
            raise ValueError("a network with such an activation is not quantised")
        return self.spreads[x.name]

    def input(self, shape):
        return self.keep(super().input(shape), Spread(1.0))

    def batch_norm(self, x, eps=1e-5):
        if x.name not in self.convolutions:
            raise ValueError("a batch norm that follows no convolution is not quantised")
        return x

    def sigmoid(self, x):
        raise ValueError("a network with a sigmoid is not quantised")


class Quantized(Estimated):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.dequantized = {}
        self.layer_input = None  # the spread of what the layer reads

    def operand(self, x):
        """`x` quantised and dequantised, once for all layers that read it."""
        if x.name not in self.dequantized:
            y = self.dequantize(self.quantize(x, self.spread(x)), self.spread(x))
            self.dequantized[x.name] = self.keep(y, self.spread(x))
            self.dequantized[y.name] = y
        return self.dequantized[x.name]

    def weight(self, role, shape, value):
        if role != "weight":
            return super().weight(role, shape, value)
        return self.filter(shape, filter_scales(shape[0], count(shape[1:])))

    # Layers.

    def conv(self, x, out, kernel, stride=1, pad=0, **options):
        x = self.operand(x)
        self.layer_input = self.spread(x)
        result = super().conv(x, out, kernel, stride, pad, **{**options, "bias": True})
        self.convolutions.add(result.name)
        return self.keep(result, self.spread(x).of_product())

    def linear(self, x, out):
        x = self.operand(x)
        self.layer_input = self.spread(x)
        result = super().linear(x, out)
        return self.keep(result, self.spread(x).of_product())

    def relu(self, x):
        return self.positive_part(x, super().relu(x))

    def relu6(self, x):
        return self.positive_part(x, super().relu6(x))

    def positive_part(self, x, result):
        return self.keep(result, self.spread(x).of_positive_part())

    def add(self, x, y):
        if y.name not in self.spreads:  # the bias of a linear layer
            return super().add(x, y)
        x, y = self.operand(x), self.operand(y)
        return self.keep(super().add(x, y), self.spread(x).of_sum(self.spread(y)))

    def max_pool(self, x, *arguments, **options):
        """Its result is quantised as its operand is."""
        x = self.operand(x)
        return self.keep(super().max_pool(x, *arguments, **options), self.spread(x))

    def concat(self, tensors):
        tensors = [self.operand(tensor) for tensor in tensors]
        spread = spread_of_all([self.spread(tensor) for tensor in tensors])
        return self.keep(super().concat(tensors), spread)

    def average_pool(self, x, kernel, stride, pad=0):
        x = self.operand(x)
        return self.keep(super().average_pool(x, kernel, stride, pad), self.spread(x))

    def flatten(self, x):
        return self.keep(super().flatten(x), self.spread(x))

    def write(self, file, result, *arguments):
        super().write(file, self.operand(result), *arguments)
