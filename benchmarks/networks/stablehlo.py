# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linalg on tensors as stablehlo-legalize-to-linalg makes it: NHWC, filters HWCF,
every operand first broadcast to the full size, batch norm divided by a deviation."""

from ir import dimensions
from style import BIAS, WEIGHT, Style, aligned_dims, each
from token_steps import TokenSteps

# The initial value of a maximum.
MINUS_INFINITY = "0xFF800000"


class Stablehlo(TokenSteps, Style):
    layout = "nhwc"
    lowest = MINUS_INFINITY

    def operand_dims(self, operand, shape):
        # Operands have the full size, or are bounds without dimensions.
        return dimensions(len(shape)) if operand.shape else ""

    def elementwise(self, body, *operands):
        """Bounds have no dimensions; any other operand is broadcast to the full size."""
        shape = max((o.shape for o in operands), key=lambda shape: (len(shape), shape))

        def whole(x):
            dims = aligned_dims(x, shape, lambda size, result: size == 1 != result)
            return self.broadcast(x, shape, dims)

        return super().elementwise(body, *(whole(o) if o.shape else o for o in operands))

    def full(self, value, shape):
        return self.broadcast(self.splat(value, ()), shape, "")

    def broadcast(self, x, shape, dims):
        """broadcast_in_dim: one op that copies."""
        if x.shape == shape:
            return x
        return self.generic([(x, dims)], self.empty(shape), [])

    # Convolution.

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        if groups > 1:
            raise ValueError("a convolution in groups is not among linalg's of StableHLO")
        self.begin_layer("conv")
        inputs = 1 if depthwise else self.channels(x)
        x, shape = self.windows(x, out, kernel, stride, pad, 0.0, dilation=dilation)
        kernel = each(kernel, 2)
        weight = self.weight("weight", (*kernel, inputs, out), WEIGHT, (2, 3, 1, 0))
        name = "conv_2d_nhwc_hwcf"
        if depthwise:
            name = "depthwise_conv_2d_nhwc_hwc"
            weight = self.collapse(weight, "[[0], [1], [2, 3]]", (*kernel, out))
        init = self.fill(0.0, shape)
        attributes = self.window_attributes(stride, dilation)
        x = self.named(name, [x, weight], init, attributes)
        if bias:
            values = self.weight("bias", (out,), BIAS)
            x = self.add(x, self.broadcast(values, shape, self.channel_dim))
        return x

    # Batch norm.

    def batch_norm(self, x, eps=1e-5):
        weights = self.batch_norm_weights(self.channels(x))
        gamma, beta, mean, variance = weights
        shifted = self.add(variance, self.splat(eps, variance.shape))
        deviation = self.elementwise(["%r = math.sqrt %a : f32"], shifted)
        gamma, beta, mean, deviation = (
            self.broadcast(vector, x.shape, self.channel_dim)
            for vector in (gamma, beta, mean, deviation)
        )
        x = self.mul(self.sub(x, mean), gamma)
        x = self.elementwise(["%r = arith.divf %a, %b : f32"], x, deviation)
        return self.add(x, beta)

    # Activations.

    def relu(self, x):
        body = [f"%r = arith.maximumf %a, {self.scalar(0.0)} : f32"]
        return self.elementwise(body, x)

    def relu6(self, x):
        # A clamp has its bounds as operands, the lower one first.
        body = [
            "%m = arith.maximumf %a, %b : f32",
            "%r = arith.minimumf %m, %c : f32",
        ]
        return self.elementwise(body, self.splat(0.0, ()), x, self.splat(6.0, ()))

    # Layers between convolutions, and the end.

    def divide(self, x, number):
        return self.quotient(x, self.full(number, x.shape))

    def plus(self, x, number):
        return self.add(x, self.full(number, x.shape))

    def scale(self, x, number):
        return self.mul(x, self.full(number, x.shape))

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        channels = self.channels(x)
        x, shape = self.windows(x, channels, kernel, stride, pad, MINUS_INFINITY, ceil)
        init = self.fill(MINUS_INFINITY, shape)
        return self.pool("max", x, init, (kernel, kernel), stride)

    def global_average_pool(self, x):
        # A reduction drops its dimensions; a reshape brings them back.
        height, width = self.spatial(x)
        rows = (x.shape[0], self.channels(x))
        total = self.generic(
            [(x, "d0, d1, d2, d3")],
            self.fill(0.0, rows),
            ["%r = arith.addf %a, %out : f32"],
            init_dims="d0, d3",
            iterators=["parallel", "reduction", "reduction", "parallel"],
        )
        mean = self.divide(total, float(height * width))
        return self.expand(mean, "[[0], [1, 2, 3]]", (rows[0], 1, 1, rows[1]))

    def concat(self, tensors):
        channels = sum(self.channels(tensor) for tensor in tensors)
        shape = self.image(channels, *self.spatial(tensors[0]))
        return self.concatenation(tensors, 3, shape)

    def linear(self, x, out, bias=True):
        self.begin_layer("fc")
        weight = self.weight("weight", (x.shape[-1], out), WEIGHT, (1, 0))
        values = self.weight("bias", (out,), BIAS) if bias else None
        y = self.product(x, weight)
        return self.add(y, values) if bias else y

    # On tokens.

    def product(self, x, y):
        """dot_general: a named op for matrices, a generic for more."""
        shape = (*x.shape[:-1], y.shape[-1])
        init = self.fill(0.0, shape)
        if len(shape) == 2:
            return self.named("matmul", [x, y], init)
        *batch, rows, columns, inner = dimensions(len(shape) + 1).split(", ")
        shared = batch if len(y.shape) > 2 else []
        x_dims, y_dims, dims = (
            ", ".join(d)
            for d in ([*batch, rows, inner], [*shared, inner, columns], [*batch, rows, columns])
        )
        body = ["%p = arith.mulf %a, %b : f32", "%r = arith.addf %out, %p : f32"]
        iterators = ["parallel"] * len(shape) + ["reduction"]
        return self.generic([(x, x_dims), (y, y_dims)], init, body, dims, iterators)

    def reduced(self, x, init, body, dim):
        names = dimensions(len(x.shape)).split(", ")
        iterators = ["reduction" if i == dim else "parallel" for i in range(len(names))]
        kept = ", ".join(names[:dim] + names[dim + 1 :])
        return self.generic([(x, ", ".join(names))], init, body, kept, iterators)
