# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of networks on tokens, whose channels are the last dimension, as torch-mlir
lowers them: fully connected layers and products of batches, layer norm, gelu, softmax,
and the ops that move elements between them."""

from math import prod

from ir import DYNAMIC, dimensions, size_list, type_of
from style import BETA, BIAS, GAMMA, LOWEST, WEIGHT


class Tokens:
    """To be mixed into the style of torch-mlir."""

    # Ops that move elements.

    def permute(self, x, permutation):
        return self.transpose(x, permutation)

    def merge(self, x, first, count):
        """Makes one dimension of `count`, of which `first` is the first."""
        groups = [[i] for i in range(first)]
        groups.append(list(range(first, first + count)))
        groups += [[i] for i in range(first + count, len(x.shape))]
        merged = x.shape[first : first + count]
        if DYNAMIC in merged and any(size not in (1, DYNAMIC) for size in merged):
            raise ValueError("batches are merged: choose a --batch known now")
        size = DYNAMIC if DYNAMIC in merged else prod(merged)
        shape = x.shape[:first] + (size,) + x.shape[first + count :]
        return self.collapse(x, str(groups), shape)

    def split(self, x, dim, sizes):
        """Makes dimensions of `sizes` of one."""
        groups = [[i] for i in range(dim)]
        groups.append(list(range(dim, dim + len(sizes))))
        groups += [[i + len(sizes) - 1] for i in range(dim + 1, len(x.shape))]
        return self.expand(x, str(groups), x.shape[:dim] + tuple(sizes) + x.shape[dim + 1 :])

    def select(self, x, dim, index):
        """The slice at `index`, without the dimension."""
        offsets = [index if i == dim else 0 for i in range(len(x.shape))]
        shape = x.shape[:dim] + (1,) + x.shape[dim + 1 :]
        x = self.op(
            f"tensor.extract_slice {x.name}{offsets} [{size_list(shape)}]"
            f" {[1] * len(shape)} : {x.type} to {type_of(shape)}",
            shape,
        )
        return self.merge(x, dim, 2) if dim == 0 else self.merge(x, dim - 1, 2)

    def broadcast_to(self, x, shape):
        """As torch-mlir does it: nothing if there is nothing to repeat, but a dimension
        of size 1 is one to repeat."""
        if 1 not in x.shape and len(x.shape) == len(shape):
            return x
        return self.generic([(x, self.operand_dims(x, shape))], self.empty(shape), [])

    def parameter(self, shape):
        self.begin_layer("parameter")
        return self.weight("bias", shape, BIAS)

    def prepend(self, token, x):
        """The token in front of those of each image."""
        token = self.broadcast_to(token, (x.shape[0],) + token.shape[1:])
        shape = (x.shape[0], x.shape[1] + 1, x.shape[2])
        return self.concatenation([token, x], 1, shape)

    # Products.

    def product(self, x, y):
        """`aten.matmul` of tensors that have the same batch, or of which the second one
        has none: both are broadcast, their batches collapsed."""
        batch, rows, columns = x.shape[:-2], x.shape[-2], y.shape[-1]
        x = self.broadcast_to(x, batch + x.shape[-2:])
        y = self.broadcast_to(y, batch + y.shape[-2:])
        if len(batch) > 1:
            x, y = self.merge(x, 0, len(batch)), self.merge(y, 0, len(batch))
        init = self.fill(0.0, (x.shape[0], rows, columns))
        result = self.named("batch_matmul", [x, y], init)
        return self.split(result, 0, batch) if len(batch) > 1 else result

    def linear(self, x, out):
        self.begin_layer("fc")
        weight = self.weight("weight", (out, x.shape[-1]), WEIGHT)
        bias = self.weight("bias", (out,), BIAS)
        weight = self.transpose(weight, [1, 0])
        if len(x.shape) > 2:
            return self.add(self.product(x, weight), bias)
        init = self.fill(0.0, (x.shape[0], out))
        return self.add(self.named("matmul", [x, weight], init), bias)

    # Norms and activations.

    def reduce(self, x, start, body):
        """Over the last dimension, which stays with size 1."""
        rank = len(x.shape)
        names = dimensions(rank)
        init = self.fill(start, x.shape[:-1] + (1,))
        kept = ", ".join(names.split(", ")[:-1] + ["0"])
        iterators = ["parallel"] * (rank - 1) + ["reduction"]
        return self.generic([(x, names)], init, [body], kept, iterators)

    def mean(self, x):
        total = self.reduce(x, 0.0, "%r = arith.addf %a, %out : f32")
        return self.divide(total, float(x.shape[-1]))

    def layer_norm(self, x, eps=1e-5):
        self.begin_layer("ln")
        gamma = self.weight("gamma", x.shape[-1:], GAMMA)
        beta = self.weight("beta", x.shape[-1:], BETA)
        x = self.sub(x, self.mean(x))
        variance = self.mean(self.mul(x, x))
        body = [f"%r = arith.addf %a, {self.scalar(eps)} : f32"]
        shifted = self.elementwise(body, variance)
        inverse = self.elementwise(["%r = math.rsqrt %a : f32"], shifted)
        return self.add(self.mul(self.mul(x, inverse), gamma), beta)

    def layer_scale(self, x):
        self.begin_layer("scale")
        return self.mul(x, self.weight("gamma", (self.channels(x), 1, 1), GAMMA))

    def gelu(self, x):
        body = [
            f"%d = arith.divf %a, {self.scalar(2.0**0.5)} : f32",
            "%e = math.erf %d : f32",
            f"%s = arith.addf %e, {self.scalar(1.0)} : f32",
            f"%h = arith.mulf %s, {self.scalar(0.5)} : f32",
            "%r = arith.mulf %a, %h : f32",
        ]
        return self.elementwise(body, x)

    def softmax(self, x):
        most = self.reduce(x, LOWEST, "%r = arith.maximumf %a, %out : f32")
        x = self.elementwise(["%r = math.exp %a : f32"], self.sub(x, most))
        total = self.reduce(x, 0.0, "%r = arith.addf %a, %out : f32")
        return self.elementwise(["%r = arith.divf %a, %b : f32"], x, total)

    def scale(self, x, number):
        return self.elementwise([f"%r = arith.mulf %a, {self.scalar(number)} : f32"], x)

    def mean_of_tokens(self, x):
        total = self.generic(
            [(x, "d0, d2, d1")],
            self.fill(0.0, (x.shape[0], x.shape[2])),
            ["%r = arith.addf %a, %out : f32"],
            "d0, d1",
            ["parallel", "parallel", "reduction"],
        )
        return self.divide(total, float(x.shape[1]))
