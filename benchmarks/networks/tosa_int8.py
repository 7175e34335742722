# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A statically quantised network of TFLite as TOSA has it and upstream lowers it: i8
tensors, sums of products in i32, and tosa.apply_scale with a multiplier and a shift."""

from dataclasses import dataclass
from math import frexp, prod

from ir import dimensions
from quantized import Estimated, filter_scales, spread_of_all
from style import each
from tosa import Tosa
from weights import count

# TFLite adds numbers that have so many bits more.
SUM_SHIFT = 20


@dataclass(frozen=True)
class Scalar:
    """An SSA value that is an operand of a named op."""

    name: str
    type: str


@dataclass(frozen=True)
class Factor:
    """multiplier / 2^shift"""

    multiplier: int
    shift: int


def factor(number):
    fraction, exponent = frexp(number)
    multiplier = round(fraction * 2**31)
    if multiplier == 2**31:
        multiplier, exponent = multiplier // 2, exponent + 1
    return Factor(multiplier, 31 - exponent)


def reciprocal(number):
    """As TOSA divides by the size of a window."""
    bits = (number - 1).bit_length()
    return Factor((((1 << 30) + 1) << bits) // number, 30 + bits)


def signed_zero_point(spread):
    return spread.zero_point - 128


class TosaInt8(Estimated, Tosa):
    sum_element = "i32"
    no_sum = 0

    def __init__(self, batch=1, weights="seeded"):
        super().__init__(batch, weights)
        self.integers = {}  # name of a tensor -> the same in i8
        self.units = {}  # name of an i32 tensor -> the number that a 1 means, by channel

    def operand(self, x):
        """`x` in i8, once for all layers that read it."""
        if x.name not in self.integers:
            self.integers[x.name] = self.in_bytes(x, self.spread(x))
        return self.integers[x.name]

    def in_bytes(self, x, spread):
        if x.element == "i8":
            return x
        if x.element == "f32":
            return self.quantize(x, spread)
        factors = [factor(unit / spread.scale) for unit in self.units[x.name]]
        return self.rescale(x, factors, 0, spread)

    # At the ends of the network.

    def quantize(self, x, spread):
        ones = (1,) * len(x.shape)
        x = self.mul(x, self.splat(1 / spread.scale, ones))
        x = super().add(x, self.splat(float(signed_zero_point(spread)), ones))
        body = [
            "%n = math.roundeven %a : f32",
            f"%l = arith.minimumf %n, {self.scalar(127.0)} : f32",
            f"%h = arith.maximumf %l, {self.scalar(-128.0)} : f32",
            "%r = arith.fptosi %h : f32 to i8",
        ]
        y = self.generic([self.whole(x)], self.empty(x.shape, "i8"), body)
        return self.keep(y, spread)

    def dequantize(self, x, spread):
        ones = (1,) * len(x.shape)
        x = self.generic([self.whole(x)], self.empty(x.shape), ["%r = arith.sitofp %a : i8 to f32"])
        x = self.sub(x, self.splat(float(signed_zero_point(spread)), ones))
        return self.mul(x, self.splat(spread.scale, ones))

    def write(self, file, result, *arguments):
        x = self.operand(result)
        super().write(file, self.dequantize(x, self.spread(x)), *arguments)

    # Rescaling.

    def whole(self, x):
        return x, dimensions(len(x.shape))

    def scaled(self, x, factors, zero, rounding=None):
        """Inputs and body of an op that defines %s: x - zero times one factor, or one for
        each channel, as an integer."""
        inputs, body, value = [self.whole(x)], [], "%a"
        if x.element == "i8":
            body.append("%w = arith.extsi %a : i8 to i32")
            value = "%w"
        if zero != 0:
            body.append(f"%d = arith.subi {value}, {self.scalar(zero, 'i32')} : i32")
            value = "%d"
        multipliers = [f.multiplier for f in factors]
        shifts = [f.shift for f in factors]
        if len(factors) == 1:
            multiplier = self.scalar(multipliers[0], "i32")
            shift = self.scalar(shifts[0], "i8")
        else:
            channel = f"d{len(x.shape) - 1}"
            inputs.append((self.splat(multipliers, (len(factors),), "i32"), channel))
            inputs.append((self.splat(shifts, (len(factors),), "i8"), channel))
            multiplier, shift = "%b", "%c"
        rounding = rounding or ("DOUBLE" if max(shifts) > 31 else "SINGLE")
        body.append(
            f"%s = tosa.apply_scale {value}, {multiplier}, {shift}"
            f" {{rounding_mode = {rounding}_ROUND}} : (i32, i32, i8) -> i32"
        )
        return inputs, body

    def rescale(self, x, factors, zero, spread, rounding=None):
        inputs, body = self.scaled(x, factors, zero, rounding)
        lower, upper = self.scalar(-128, "i32"), self.scalar(127, "i32")
        body += [
            f"%z = arith.addi %s, {self.scalar(signed_zero_point(spread), 'i32')} : i32",
            f"%l = arith.maxsi %z, {lower} : i32",
            f"%h = arith.minsi %l, {upper} : i32",
            "%r = arith.trunci %h : i32 to i8",
        ]
        return self.keep(self.generic(inputs, self.empty(x.shape, "i8"), body), spread)

    def widen(self, x, number):
        """The numbers of i8 times one, in i32."""
        zero = signed_zero_point(self.spread(x))
        inputs, body = self.scaled(x, [factor(number)], zero)
        body[-1] = body[-1].replace("%s", "%r")
        return self.generic(inputs, self.empty(x.shape, "i32"), body)

    def add_integers(self, x, x_dims, y):
        inputs = [(x, x_dims), self.whole(y)]
        return self.generic(inputs, self.empty(y.shape, "i32"), ["%r = arith.addi %a, %b : i32"])

    # Convolution.

    def conv(self, x, out, kernel, stride=1, pad=0, depthwise=False, **options):
        x = self.operand(x)
        options = {**options, "depthwise": depthwise, "bias": True}
        result = super().conv(x, out, kernel, stride, pad, **options)
        terms = prod(each(kernel, 2)) * (1 if depthwise else self.channels(x))
        unit = self.spread(x).scale
        self.units[result.name] = [unit * scale for scale in filter_scales(out, terms)]
        self.convolutions.add(result.name)
        return self.keep(result, self.spread(x).of_product())

    def weight(self, role, shape, value, order=None):
        return self.seeded_weight(role, shape, "i32" if role == "bias" else "i8")

    def zero(self, x):
        return signed_zero_point(self.spread(x))

    def products(self, name, x, weight, init, attributes, zero):
        zeros = [Scalar(self.scalar(number, "i32"), "i32") for number in (zero, 0)]
        return self.named(f"{name}_q", [x, weight, *zeros], init, attributes)

    def add_bias(self, bias, x):
        return self.add_integers(bias, self.channel_dim, x)

    def linear(self, x, out):
        """A convolution of images with one pixel."""
        x = self.operand(x)
        rows, size = x.shape
        image = self.expand(x, "[[0], [1, 2, 3]]", (rows, 1, 1, size))
        image = self.conv(self.keep(image, self.spread(x)), out, 1)
        result = self.collapse(image, "[[0], [1, 2, 3]]", (rows, out))
        self.units[result.name] = self.units[image.name]
        return self.keep(result, self.spread(image))

    # Activations: a zero point is the least number.

    def relu(self, x):
        if x.element != "i32":
            raise ValueError("an activation that follows no sum is not quantised")
        return self.in_bytes(x, self.spread(x).of_positive_part())

    def relu6(self, x):
        y = self.relu(x)
        upper = round(6 / self.spread(y).scale) + signed_zero_point(self.spread(y))
        if upper >= 127:
            return y
        body = [f"%r = arith.minsi %a, {self.scalar(upper, 'i8')} : i8"]
        bounded = self.generic([self.whole(y)], self.empty(y.shape, "i8"), body)
        return self.keep(bounded, self.spread(y))

    # Layers between convolutions.

    def add(self, x, y):
        x, y = self.operand(x), self.operand(y)
        twice = 2 * max(self.spread(x).scale, self.spread(y).scale)
        x_sum, y_sum = (
            self.widen(z, self.spread(z).scale / twice * 2**SUM_SHIFT) for z in (x, y)
        )
        result = self.add_integers(x_sum, dimensions(len(x.shape)), y_sum)
        self.units[result.name] = [twice / 2**SUM_SHIFT]
        return self.keep(result, self.spread(x).of_sum(self.spread(y)))

    def max_pool(self, x, *arguments, **options):
        x = self.operand(x)
        return self.keep(super().max_pool(x, *arguments, **options), self.spread(x))

    def concat(self, tensors):
        tensors = [self.operand(tensor) for tensor in tensors]
        spread = spread_of_all([self.spread(tensor) for tensor in tensors])
        parts = [
            x if self.spread(x) == spread else self.requantize(x, spread) for x in tensors
        ]
        return self.keep(super().concat(parts), spread)

    def requantize(self, x, spread):
        own = self.spread(x)
        return self.rescale(x, [factor(own.scale / spread.scale)], signed_zero_point(own), spread)

    def average_pool(self, x, kernel, stride, pad=0):
        x = self.operand(x)
        spread, zero = self.spread(x), self.zero(x)
        kernel = each(kernel, len(self.spatial(x)))
        x, shape = self.windows(x, self.channels(x), kernel, stride, pad, zero)
        total = self.pool("sum", x, self.fill(0, shape, "i32"), kernel, stride)
        size = prod(kernel)
        return self.rescale(total, [reciprocal(size)], zero * size, spread, "SINGLE")

    def global_average_pool(self, x):
        """TFLite's MEAN: one dimension after the other."""
        x = self.operand(x)
        total = self.widen(x, 1.0)
        for dim in range(1, len(x.shape) - 1):
            total = self.reduce_sum(total, dim)
        size = count(self.spatial(x))
        return self.rescale(total, [factor(1 / size)], 0, self.spread(x))

    def reduce_sum(self, x, dim):
        """Keeps the dimension, with a size of 1."""
        shape = (*x.shape[:dim], *x.shape[dim + 1 :])
        init = self.fill(0, shape, "i32")
        reduced = self.op(
            f"linalg.reduce ins({x.name} : {x.type}) outs({init.name} : {init.type})"
            f" dimensions = [{dim}]\n"
            "  (%a: i32, %b: i32) {\n"
            "    %r = arith.addi %a, %b : i32\n"
            "    linalg.yield %r : i32\n"
            "  }",
            shape,
            "i32",
        )
        groups = [[i] for i in range(dim)] + [[dim, dim + 1]]
        groups += [[i + 1] for i in range(dim + 1, len(shape))]
        return self.expand(reduced, str(groups), (*x.shape[:dim], 1, *x.shape[dim + 1 :]))

    def flatten(self, x):
        x = self.operand(x)
        return self.keep(super().flatten(x), self.spread(x))
