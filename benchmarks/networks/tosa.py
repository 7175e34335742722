# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linalg on tensors as upstream lowers TOSA: NHWC, filters FHWC, the bias in `outs`,
a clamp that takes the minimum first, batched matmul."""

from ir import listed, size_list
from style import BIAS, LOWEST, WEIGHT, Style, aligned_dims, each
from token_steps import TokenSteps


class Tosa(TokenSteps, Style):
    """In TOSA each window has to end with the padded image. The rest that a stride leaves
    is taken from the padding, or cropped from the image where there is none."""

    layout = "nhwc"
    exact_windows = True
    pooling_attribute_type = "vector"
    # Of the sums of products.
    sum_element = "f32"
    no_sum = 0.0

    def operand_dims(self, operand, shape):
        return aligned_dims(operand, shape, lambda size, result: size == 1 != result)

    # Convolution.

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        if groups > 1:
            raise ValueError("TOSA has no convolution in groups")
        self.begin_layer("conv")
        channels, zero = self.channels(x), self.zero(x)
        x, shape = self.windows(x, out, kernel, stride, pad, zero, dilation=dilation)
        attributes = self.window_attributes(stride, dilation)
        kernel = each(kernel, 2)
        if depthwise:
            weight = self.weight("weight", (*kernel, out, 1), WEIGHT, (2, 3, 0, 1))
            init = self.fill(self.no_sum, (*shape, 1), self.sum_element)
            name = "depthwise_conv_2d_nhwc_hwcm"
            x = self.products(name, x, weight, init, attributes, zero)
            x = self.collapse(x, "[[0], [1], [2], [3, 4]]", shape)
            # The bias is added afterwards, as the first operand.
            return self.add_bias(self.conv_bias(out, bias), x)
        weight = self.weight("weight", (out, *kernel, channels), WEIGHT, (0, 2, 3, 1))
        values = self.conv_bias(out, bias)
        dims = self.operand_dims(values, shape)
        init = self.generic([(values, dims)], self.empty(shape, self.sum_element), [])
        return self.products("conv_2d_nhwc_fhwc", x, weight, init, attributes, zero)

    def zero(self, x):
        """The element of x that means 0."""
        return 0.0

    def products(self, name, x, weight, init, attributes, zero):
        return self.named(name, [x, weight], init, attributes)

    def add_bias(self, bias, x):
        return self.add(bias, x)

    def conv_bias(self, out, bias):
        """Each convolution of TOSA has a bias: without one, a single zero."""
        return self.weight("bias", (out,), BIAS) if bias else self.splat(0.0, (1,))

    # Batch norm.

    def batch_norm(self, x, eps=1e-5):
        def view(vector):
            return self.expand(vector, "[[0, 1, 2, 3]]", (1, 1, 1, *vector.shape))

        weights = self.batch_norm_weights(self.channels(x))
        gamma, beta, mean, variance = map(view, weights)
        shifted = self.add(variance, self.splat(eps, (1, 1, 1, 1)))
        inverse = self.elementwise(["%r = math.rsqrt %a : f32"], shifted)
        x = self.mul(self.sub(x, mean), inverse)
        return self.add(self.mul(x, gamma), beta)

    # Activations.

    def relu(self, x):
        return self.clamp(x, -LOWEST)

    def relu6(self, x):
        return self.clamp(x, 6.0)

    def clamp(self, x, upper):
        body = [
            f"%m = arith.minimumf %a, {self.scalar(upper)} : f32",
            f"%r = arith.maximumf %m, {self.scalar(0.0)} : f32",
        ]
        return self.elementwise(body, x)

    # Layers between convolutions, and the end.

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        channels = self.channels(x)
        lowest = LOWEST if x.element == "f32" else -128
        x, shape = self.windows(x, channels, kernel, stride, pad, lowest, ceil)
        init = self.fill(lowest, shape, x.element)
        return self.pool("max", x, init, (kernel, kernel), stride)

    def concat(self, tensors):
        return self.join(tensors, len(tensors[0].shape) - 1)

    def join(self, tensors, dim):
        shape = list(tensors[0].shape)
        shape[dim] = sum(tensor.shape[dim] for tensor in tensors)
        result = self.empty(tuple(shape), tensors[0].element)
        offsets = [0] * len(shape)
        for tensor in tensors:
            result = self.op(
                f"tensor.insert_slice {tensor.name} into {result.name}"
                f"{offsets} [{size_list(tensor.shape)}] {[1] * len(shape)}"
                f" : {tensor.type} into {result.type}",
                result.shape,
                result.element,
            )
            offsets[dim] += tensor.shape[dim]
        return result

    def linear(self, x, out, bias=True):
        """One matrix of all rows, as a batch."""
        self.begin_layer("fc")
        weight = self.weight("weight", (out, x.shape[-1]), WEIGHT)
        values = self.weight("bias", (out,), BIAS) if bias else None
        weight = self.split(self.transpose(weight, [1, 0]), 0, (1, x.shape[-1]))
        y, outer = x, x.shape[:-1]
        if len(outer) > 1:
            y = self.merge(y, 0, len(outer))
        y = self.split(y, 0, (1, y.shape[0]))
        init = self.fill(0.0, (1, y.shape[1], out))
        y = self.merge(self.named("batch_matmul", [y, weight], init), 0, 2)
        if len(outer) > 1:
            y = self.split(y, 0, outer)
        return self.add(self.aligned(values, y), y) if bias else y

    # On tokens.

    def reduced(self, x, init, body, dim):
        lines = "".join(f"    {line}\n" for line in body)
        return self.op(
            f"linalg.reduce ins({listed(x)}) outs({listed(init)}) dimensions = [{dim}]\n"
            f"  (%a: f32, %out: f32) {{\n{lines}    linalg.yield %r : f32\n  }}",
            init.shape,
        )

    def mean(self, x, dim=-1):
        total = self.reduce(x, 0.0, "%r = arith.addf %a, %out : f32", dim=dim)
        return self.scale(total, 1 / x.shape[dim])

    def aligned(self, vector, x):
        ones = (1,) * (len(x.shape) - 1)
        return self.split(vector, 0, (*ones, *vector.shape))

    def quotient(self, x, y):
        body = [f"%r = arith.divf {self.scalar(1.0)}, %a : f32"]
        return self.mul(x, self.elementwise(body, y))
