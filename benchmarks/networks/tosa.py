# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linalg on tensors as upstream lowers TOSA: NHWC, filters FHWC, the bias in `outs`,
a clamp that takes the minimum first, batched matmul."""

from ir import size_list
from style import BIAS, LOWEST, WEIGHT, Style, aligned_dims, each


class Tosa(Style):
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
        channels = sum(self.channels(tensor) for tensor in tensors)
        shape = self.image(channels, *self.spatial(tensors[0]))
        result = self.empty(shape, tensors[0].element)
        offset = 0
        for tensor in tensors:
            result = self.op(
                f"tensor.insert_slice {tensor.name} into {result.name}"
                f"[0, 0, 0, {offset}] [{size_list(tensor.shape)}] [1, 1, 1, 1]"
                f" : {tensor.type} into {result.type}",
                result.shape,
                result.element,
            )
            offset += self.channels(tensor)
        return result

    def linear(self, x, out):
        self.begin_layer("fc")
        rows, size = x.shape
        weight = self.weight("weight", (out, size), WEIGHT)
        bias = self.weight("bias", (out,), BIAS)
        weight = self.transpose(weight, [1, 0])
        x = self.expand(x, "[[0, 1], [2]]", (1, rows, size))
        weight = self.expand(weight, "[[0, 1], [2]]", (1, size, out))
        init = self.fill(0.0, (1, rows, out))
        x = self.named("batch_matmul", [x, weight], init)
        x = self.collapse(x, "[[0, 1], [2]]", (rows, out))
        return self.add(self.expand(bias, "[[0, 1]]", (1, out)), x)
