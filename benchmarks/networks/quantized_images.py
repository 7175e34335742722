# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More layers of statically quantised networks on images. Activations are computed in f32
behind the layer that they belong to, before its result is quantised. Ops that move elements
move dequantised ones, and keep their scale. Operands of products are quantised."""

import contextlib

from quantized import Estimated, Quantized, Spread, filter_scales, spread_of_all


def activation(name, spread_of):
    """The activation of that name; `spread_of` estimates its result."""

    def method(self, x, *arguments):
        with self.in_floats():
            result = getattr(super(Estimated, self), name)(x, *arguments)
        return self.keep(result, spread_of(self.spread(x)))

    return method


def move(name):
    """The op of that name, which moves elements of one tensor, or means of them. It may
    have several results. Weights are moved in f32."""

    def method(self, x, *arguments):
        if x.name not in self.spreads:
            return getattr(super(Estimated, self), name)(x, *arguments)
        x = self.operand(x)
        with self.in_floats():
            results = getattr(super(Estimated, self), name)(x, *arguments)
        if isinstance(results, list):
            return [self.keep(result, self.spread(x)) for result in results]
        return self.keep(results, self.spread(x))

    return method


class QuantizedImages(Quantized):
    is_in_floats = False

    @contextlib.contextmanager
    def in_floats(self):
        """In the block, layers are what they are in f32."""
        before, self.is_in_floats = self.is_in_floats, True
        yield
        self.is_in_floats = before

    def operand(self, x):
        return x if self.is_in_floats else super().operand(x)

    def keep(self, tensor, spread):
        return tensor if self.is_in_floats else super().keep(tensor, spread)

    def spread(self, x):
        return Spread(1.0) if self.is_in_floats else super().spread(x)

    sigmoid = activation("sigmoid", lambda _: Spread(0.6, positive=True))
    hard_sigmoid = activation("hard_sigmoid", lambda _: Spread(0.6, positive=True))
    softmax = activation("softmax", lambda _: Spread(0.3, positive=True))
    tanh = activation("tanh", lambda _: Spread(0.6))
    swish = activation("swish", lambda x: Spread(0.7 * x.rms))
    hard_swish = activation("hard_swish", lambda x: Spread(0.7 * x.rms))
    leaky_relu = activation("leaky_relu", lambda x: Spread(0.8 * x.rms))

    upsample = move("upsample")
    resize = move("resize")
    shuffle = move("shuffle")
    permute = move("permute")
    merge = move("merge")
    split = move("split")
    cut = move("cut")
    pad = move("pad")
    mean_of_image = move("mean_of_image")

    def batch_norm(self, x, eps=1e-5):
        """One that follows no convolution is computed in f32."""
        if x.name in self.convolutions:
            return x
        x = self.operand(x)
        with self.in_floats():
            result = super(Estimated, self).batch_norm(x, eps)
        return self.keep(result, self.spread(x))

    def mul(self, x, y):
        x, y = self.operand(x), self.operand(y)
        return self.keep(super().mul(x, y), Spread(self.spread(x).rms * self.spread(y).rms))

    def join(self, tensors, dim):
        tensors = [self.operand(tensor) for tensor in tensors]
        spread = spread_of_all([self.spread(tensor) for tensor in tensors])
        return self.keep(super().join(tensors, dim), spread)

    def deconv(self, x, out, kernel, stride=1, *arguments, **options):
        x = self.operand(x)
        self.terms = self.channels(x) * (kernel / stride) ** len(self.spatial(x))
        with self.in_floats():
            result = super().deconv(x, out, kernel, stride, *arguments, **options)
        self.convolutions.add(result.name)
        return self.keep(result, self.spread(x).of_product())

    def weight(self, role, shape, value):
        """The filter of a transposed convolution has the input channel first."""
        if role != "transposed":
            return super().weight(role, shape, value)
        return self.filter(shape, filter_scales(shape[1], self.terms), dim=1)
