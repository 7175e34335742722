# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linalg on tensors as torch-mlir makes it: NCHW, filters FCHW, attributes that are
vectors, comparison and select for a relu."""

from images import CONVOLUTIONS, Images
from ir import dimensions, listed
from style import BIAS, LOWEST, WEIGHT, Style, aligned_dims, each
from tokens import Tokens


class TorchMlir(Tokens, Images, Style):
    """The batch norm has one of three forms: A, one op (until March 2026); B, an op
    for each step on 1xCx1x1; C, as the FX importer decomposes it, on Cx1x1, with an
    assertion that the deviation is not zero."""

    layout = "nchw"
    attribute_type = "vector"
    pooling_attribute_type = "vector"

    def __init__(self, batch=1, weights="constants", batch_norm_form="B"):
        super().__init__(batch, weights)
        self.batch_norm_form = batch_norm_form

    def operand_dims(self, operand, shape):
        # A dimension that is statically 1 is broadcast even if there is no need.
        return aligned_dims(operand, shape, lambda size, _: size == 1)

    # Convolution.

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        self.begin_layer("conv")
        rank = len(self.spatial(x))
        groups = self.channels(x) if depthwise else groups
        filter_shape = (out, self.channels(x) // groups, *each(kernel, rank))
        x, shape = self.windows(x, out, kernel, stride, pad, 0.0, dilation=dilation)
        weight = self.weight("weight", filter_shape, WEIGHT)
        init = self.bias_of(shape, bias)
        attributes = self.window_attributes(stride, dilation, rank=rank)
        if depthwise:
            name = "depthwise_conv_2d_nchw_chw"
            weight = self.merge(weight, 0, 2)
        elif groups > 1:
            return self.grouped(x, weight, init, groups, attributes)
        else:
            name = CONVOLUTIONS[rank]
        return self.named(name, [x, weight], init, attributes)

    def bias_of(self, shape, bias):
        """The tensor that a convolution adds to."""
        if not bias:
            return self.fill(0.0, shape)
        values = self.weight("bias", shape[1:2], BIAS)
        dims = [i for i in range(len(shape)) if i != 1]
        return self.op(
            f"linalg.broadcast ins({listed(values)})"
            f" outs({listed(self.empty(shape))}) dimensions = {dims}",
            shape,
        )

    def grouped(self, x, weight, init, groups, attributes):
        x, init = (self.split(y, 1, (groups, y.shape[1] // groups)) for y in (x, init))
        weight = self.split(weight, 0, (groups, weight.shape[0] // groups))
        x = self.named("conv_2d_ngchw_gfchw", [x, weight], init, attributes)
        return self.merge(x, 1, 2)

    # Batch norm.

    def batch_norm(self, x, eps=1e-5):
        weights = self.batch_norm_weights(self.channels(x))
        form = getattr(self, "batch_norm_" + self.batch_norm_form)
        return form(x, eps, *weights)

    def batch_norm_A(self, x, eps, gamma, beta, mean, variance):
        false = self.constant("arith.constant false")
        if "training" not in self.shared:
            self.shared["training"] = "%training"
            self.effect(f"%training = arith.cmpi eq, {false}, {false} : i1")
        self.effect('cf.assert %training, "training is not supported for now"')
        body = [
            f"%eps = arith.truncf {self.scalar(eps, 'f64')} : f64 to f32",
            "%v = arith.addf %e, %eps : f32",
            "%i = math.rsqrt %v : f32",
            "%s = arith.subf %a, %d : f32",
            "%n = arith.mulf %s, %i : f32",
            "%g = arith.mulf %n, %b : f32",
            "%r = arith.addf %g, %c : f32",
        ]
        inputs = [(x, dimensions(len(x.shape)))]
        inputs += [(tensor, "d1") for tensor in (gamma, beta, mean, variance)]
        return self.generic(inputs, x, body)

    def batch_norm_B(self, x, eps, gamma, beta, mean, variance):
        ones = (1,) * len(self.spatial(x))

        def view(vector):
            return self.split(vector, 0, (1, *vector.shape, *ones))

        mean, variance = view(mean), view(variance)
        body = [f"%r = arith.addf %a, {self.scalar(eps)} : f32"]
        shifted = self.elementwise(body, variance)
        inverse = self.elementwise(["%r = math.rsqrt %a : f32"], shifted)
        x = self.mul(self.sub(x, mean), inverse)
        return self.add(self.mul(x, view(gamma)), view(beta))

    def batch_norm_C(self, x, eps, gamma, beta, mean, variance):
        ones = (1,) * len(self.spatial(x))

        def view(vector):
            return self.split(vector, 0, (*vector.shape, *ones))

        def step(vector, *body):
            return self.generic([(vector, "d0")], self.empty(vector.shape), body)

        zero, one = self.scalar(0.0), self.scalar(1.0)
        shifted = step(variance, f"%r = arith.addf %a, {self.scalar(eps)} : f32")
        deviation = step(shifted, "%r = math.sqrt %a : f32")
        inverse = step(
            deviation,
            f"%p = arith.cmpf one, %a, {zero} : f32",
            'cf.assert %p, "unimplemented: tensor with zero element"',
            f"%r = arith.divf {one}, %a : f32",
        )
        x = self.mul(self.sub(x, view(mean)), view(inverse))
        return self.add(self.mul(x, view(gamma)), view(beta))

    # Activations.

    def relu(self, x):
        zero = self.scalar(0.0)
        body = [
            f"%p = arith.cmpf ugt, %a, {zero} : f32",
            f"%r = arith.select %p, %a, {zero} : f32",
        ]
        return self.elementwise(body, x)

    def relu6(self, x):
        # The bounds are operands without dimensions; the upper one comes first.
        x = self.chosen("ugt", x, self.splat(0.0, ()))
        return self.chosen("ult", self.splat(6.0, ()), x)

    def hard_sigmoid(self, x):
        x = self.divide(self.plus(x, 3.0), 6.0)
        x = self.chosen("ult", self.splat(1.0, ()), x)
        return self.chosen("ugt", self.splat(0.0, ()), x)

    def chosen(self, predicate, x, y):
        """The greater element (ugt) or the smaller one (ult)."""
        body = [
            f"%p = arith.cmpf {predicate}, %a, %b : f32",
            "%r = arith.select %p, %a, %b : f32",
        ]
        return self.elementwise(body, x, y)

    # Layers between convolutions, and the end.

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        channels = self.channels(x)
        x, shape = self.windows(x, channels, kernel, stride, pad, LOWEST, ceil)
        init = self.fill(LOWEST, shape)
        return self.pool("max", x, init, (kernel, kernel), stride)

    def concat(self, tensors):
        channels = sum(self.channels(tensor) for tensor in tensors)
        shape = self.image(channels, *self.spatial(tensors[0]))
        return self.concatenation(tensors, 1, shape)
