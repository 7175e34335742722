# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of networks on tokens, whose channels are the last dimension, as torch-mlir
lowers them: fully connected layers and products of batches, layer norm, gelu, softmax,
and the ops that move elements between them."""

import struct
from math import prod

from ir import DYNAMIC, dimensions
from style import BETA, BIAS, GAMMA, LOWEST, WEIGHT


class Tokens:
    """To be mixed into the style of torch-mlir."""

    # Of an empty maximum.
    lowest = LOWEST

    def token_input(self, shape):
        return self.input(shape)

    def tokens_of(self, x):
        """The pixels of an image as tokens."""
        return self.permute(self.merge(x, 2, 2), [0, 2, 1])

    # Ops that move elements.

    def shape(self, x):
        return x.shape

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
        x = self.slice(x, x.shape[:dim] + (1,) + x.shape[dim + 1 :], offsets)
        return self.merge(x, dim, 2) if dim == 0 else self.merge(x, dim - 1, 2)

    def join(self, tensors, dim):
        """One after the other in any dimension; `concat` is for channels of images."""
        shape = list(tensors[0].shape)
        shape[dim] = sum(tensor.shape[dim] for tensor in tensors)
        return self.concatenation(tensors, dim, tuple(shape))

    def roll(self, x, shifts, dims):
        """As slices and concatenations."""
        for shift, dim in zip(shifts, dims):
            first = -shift % x.shape[dim]
            x = self.join(self.cut(x, (first, x.shape[dim] - first), dim)[::-1], dim)
        return x

    def cut(self, x, sizes, dim):
        """Pieces of a dimension, one behind the other."""
        pieces, offset = [], 0
        for size in sizes:
            shape = x.shape[:dim] + (size,) + x.shape[dim + 1 :]
            offsets = [offset if i == dim else 0 for i in range(len(shape))]
            pieces.append(self.slice(x, shape, offsets))
            offset += size
        return pieces

    def broadcast_to(self, x, shape):
        """As torch-mlir does it: nothing if there is nothing to repeat, but a dimension
        of size 1 is one to repeat."""
        if 1 not in x.shape and len(x.shape) == len(shape):
            return x
        return self.generic([(x, self.operand_dims(x, shape))], self.empty(shape), [])

    def parameter(self, shape):
        self.begin_layer("parameter")
        return self.weight("bias", shape, BIAS)

    def table(self, numbers, shape):
        """A constant that is not learned."""
        data = struct.pack(f"<{len(numbers)}f", *numbers).hex()
        return self.splat(f'"0x{data}"', shape)

    def rows(self, x, indices):
        """Those rows of x, as `aten.index.Tensor` gathers them."""
        columns = x.shape[1]
        data = struct.pack(f"<{len(indices)}q", *indices).hex()
        indices = self.splat(f'"0x{data}"', (len(indices),), "i64")
        body = [
            "%row = arith.index_cast %a : i64 to index",
            "%column = linalg.index 1 : index",
            f"%r = tensor.extract {x.name}[%row, %column] : {x.type}",
        ]
        return self.generic([(indices, "d0")], self.empty((*indices.shape, columns)), body)

    def prepend(self, token, x):
        """The token in front of those of each image."""
        token = self.broadcast_to(token, (x.shape[0],) + token.shape[1:])
        return self.join([token, x], 1)

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

    def linear(self, x, out, bias=True):
        self.begin_layer("fc")
        weight = self.weight("weight", (out, x.shape[-1]), WEIGHT)
        values = self.weight("bias", (out,), BIAS) if bias else None
        weight = self.transpose(weight, [1, 0])
        if len(x.shape) > 2:
            y = self.product(x, weight)
        else:
            init = self.fill(0.0, (x.shape[0], out))
            y = self.named("matmul", [x, weight], init)
        return self.add(y, values) if bias else y

    # Norms and activations.

    def reduce(self, x, start, *body, dim=-1):
        """Over one dimension, which stays with size 1."""
        rank = len(x.shape)
        dim %= rank
        shape = x.shape[:dim] + (1,) + x.shape[dim + 1 :]
        init = self.fill(start, shape, x.element)
        kept = ", ".join("0" if i == dim else f"d{i}" for i in range(rank))
        iterators = ["reduction" if i == dim else "parallel" for i in range(rank)]
        return self.generic([(x, dimensions(rank))], init, body, kept, iterators)

    def mean(self, x, dim=-1):
        body = f"%r = arith.addf %a, %out : {x.element}"
        total = self.reduce(x, 0.0, body, dim=dim)
        return self.divide(total, float(x.shape[dim]))

    def aligned(self, vector, x):
        """The vector in a form that is an operand of an op beside x."""
        return vector

    def layer_norm(self, x, eps=1e-5):
        self.begin_layer("ln")
        gamma = self.weight("gamma", x.shape[-1:], GAMMA)
        beta = self.weight("beta", x.shape[-1:], BETA)
        x = self.sub(x, self.mean(x))
        variance = self.mean(self.mul(x, x))
        inverse = self.elementwise(["%r = math.rsqrt %a : f32"], self.plus(variance, eps))
        x = self.mul(self.mul(x, inverse), self.aligned(gamma, x))
        return self.add(x, self.aligned(beta, x))

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

    def softmax(self, x, dim=-1):
        most = self.reduce(x, self.lowest, "%r = arith.maximumf %a, %out : f32", dim=dim)
        x = self.elementwise(["%r = math.exp %a : f32"], self.sub(x, most))
        total = self.reduce(x, 0.0, "%r = arith.addf %a, %out : f32", dim=dim)
        return self.quotient(x, total)

    def quotient(self, x, y):
        return self.elementwise(["%r = arith.divf %a, %b : f32"], x, y)

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
