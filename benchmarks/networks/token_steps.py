# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers on tokens as front ends lower them that have one op for each step, and
reductions that drop a dimension, which a reshape brings back: TOSA and StableHLO."""

from style import aligned_dims
from tokens import Tokens


class TokenSteps(Tokens):
    """To be mixed into a style with the channels last, which defines

    reduced(x, init, body, dim)    a reduction without the dimension
    """

    def tokens_of(self, x):
        return self.merge(x, 1, 2)

    def broadcast_to(self, x, shape):
        if x.shape == shape:
            return x
        dims = aligned_dims(x, shape, lambda size, result: size == 1 != result)
        return self.generic([(x, dims)], self.empty(shape), [])

    def reduce(self, x, start, *body, dim=-1):
        dim %= len(x.shape)
        shape = x.shape[:dim] + x.shape[dim + 1 :]
        y = self.reduced(x, self.fill(start, shape), body, dim)
        if dim == len(shape):
            return self.split(y, dim - 1, (shape[-1], 1))
        return self.split(y, dim, (1, shape[dim]))

    def mean_of_tokens(self, x):
        return self.merge(self.mean(x, 1), 1, 2)

    def gelu(self, x):
        y = self.elementwise(["%r = math.erf %a : f32"], self.scale(x, 0.5**0.5))
        return self.mul(x, self.scale(self.plus(y, 1.0), 0.5))
