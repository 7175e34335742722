# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers on images that only torch-mlir's style has, as torch-mlir lowers them: transposed
convolution, resizing, means and norms over channels, further activations."""

import re
from math import prod

from ir import dimensions, size_list
from style import BETA, GAMMA, WEIGHT

# By the number of an image's dimensions.
CONVOLUTIONS = {1: "conv_1d_ncw_fcw", 2: "conv_2d_nchw_fchw", 3: "conv_3d_ncdhw_fcdhw"}

TOTAL = "%r = arith.addf %a, %out : f32"


class Images:
    """To be mixed into the style of torch-mlir."""

    # Transposed convolution.

    def deconv(self, x, out, kernel, stride=1, pad=0, bias=False):
        """A convolution of stride 1 of an image with zeros between its pixels. Its filter
        has the input channel first; it is transposed, and read backwards."""
        self.begin_layer("deconv")
        rank = len(self.spatial(x))
        shape = (self.channels(x), out, *[kernel] * rank)
        weight = self.weight("transposed", shape, WEIGHT)
        weight = self.transpose(weight, [1, 0, *range(2, rank + 2)])
        edge = kernel - 1 - pad
        sizes = [(size - 1) * stride + 1 + 2 * edge for size in self.spatial(x)]
        zeros = self.fill(0.0, self.image(self.channels(x), *sizes))
        offsets, strides = [0, 0] + [edge] * rank, [1, 1] + [stride] * rank
        x = self.op(
            f"tensor.insert_slice {x.name} into {zeros.name}{offsets}"
            f" [{size_list(x.shape)}] {strides} : {x.type} into {zeros.type}",
            zeros.shape,
        )
        shape = self.image(out, *(size - kernel + 1 for size in sizes))
        init = self.bias_of(shape, bias)
        attributes = self.window_attributes(1, rank=rank)
        return self.named(CONVOLUTIONS[rank], [x, self.flip(weight)], init, attributes)

    def flip(self, x):
        """All dimensions but the first two from the end to the beginning."""
        body = self.indices(x)
        for i, size in list(enumerate(x.shape))[2:]:
            last = self.scalar(size - 1, "index")
            body.append(f"%f{i} = arith.subi {last}, %i{i} : index")
        return self.extraction(x, x.shape, body, "f")

    # Resizing.

    def upsample(self, x, scale):
        """The nearest pixel."""
        factor = self.scalar(scale, "index")
        body = self.indices(x)
        for i in range(2, len(x.shape)):
            body.append(f"%f{i} = arith.floordivsi %i{i}, {factor} : index")
        shape = self.image(self.channels(x), *(size * scale for size in self.spatial(x)))
        return self.extraction(x, shape, body, "f")

    def indices(self, x):
        return [f"%i{i} = linalg.index {i} : index" for i in range(len(x.shape))]

    def extraction(self, x, shape, body, prefix):
        """Elements of x: its first two indices are those of the result, the others are
        values of the body with that prefix."""
        names = ["%i0", "%i1", *(f"%{prefix}{i}" for i in range(2, len(x.shape)))]
        body.append(f"%r = tensor.extract {x.name}[{', '.join(names)}] : {x.type}")
        return self.generic([], self.empty(shape), body)

    def resize(self, x, size):
        """Bilinear, `align_corners` false."""
        body = self.indices(x)
        for i, extent in enumerate(self.spatial(x)):
            body += self.coordinate(i + 2, extent, size[i])
        for i, pixel in enumerate(("%l2, %l3", "%l2, %h3", "%h2, %l3", "%h2, %h3")):
            body.append(f"%p{i} = tensor.extract {x.name}[%i0, %i1, {pixel}] : {x.type}")
        body += [
            "%a0 = arith.mulf %before3, %p0 : f32",
            "%a1 = arith.mulf %after3, %p1 : f32",
            "%as = arith.addf %a0, %a1 : f32",
            "%upper = arith.mulf %before2, %as : f32",
            "%b0 = arith.mulf %before3, %p2 : f32",
            "%b1 = arith.mulf %after3, %p3 : f32",
            "%bs = arith.addf %b0, %b1 : f32",
            "%lower = arith.mulf %after2, %bs : f32",
            "%r = arith.addf %upper, %lower : f32",
        ]
        return self.generic([], self.empty(self.image(self.channels(x), *size)), body)

    def coordinate(self, dim, extent, size):
        """Lines that define the pixels below and above, %l and %h, and their weights."""
        half, one, zero = (self.scalar(number) for number in (0.5, 1.0, 0.0))
        scale, last = self.scalar(size / extent), self.scalar(float(extent - 1))
        lines = [
            "%int = arith.index_cast %i : index to i64",
            "%float = arith.sitofp %int : i64 to f32",
            f"%plus = arith.addf %float, {half} : f32",
            f"%scaled = arith.divf %plus, {scale} : f32",
            f"%raw = arith.subf %scaled, {half} : f32",
            f"%positive = arith.maximumf %raw, {zero} : f32",
            f"%at = arith.minimumf %positive, {last} : f32",
            "%low = math.floor %at : f32",
            f"%next = arith.addf {one}, %at : f32",
            "%high = math.floor %next : f32",
            "%lowint = arith.fptosi %low : f32 to i64",
            "%l = arith.index_cast %lowint : i64 to index",
            f"%inside = arith.minimumf %next, {last} : f32",
            "%highint = arith.fptosi %inside : f32 to i64",
            "%h = arith.index_cast %highint : i64 to index",
            "%before = arith.subf %high, %at : f32",
            "%after = arith.subf %at, %low : f32",
        ]
        # Values of this dimension end with its number; constants are called %cst.
        return [re.sub(r"%(?!cst)([a-z]+)", rf"%\g<1>{dim}", line) for line in lines]

    # Over pixels or channels.

    def mean_of_image(self, x):
        """`mean` over the pixels, which drops their dimensions."""
        rank = len(x.shape)
        iterators = ["parallel"] * 2 + ["reduction"] * (rank - 2)
        init = self.fill(0.0, x.shape[:2])
        x, size = [(x, dimensions(rank))], prod(self.spatial(x))
        return self.divide(self.generic(x, init, [TOTAL], "d0, d1", iterators), float(size))

    def scaled_norm(self, x):
        """Each pixel divided by its length, and a weight for each channel."""
        self.begin_layer("norm")
        square = ["%s = arith.mulf %a, %a : f32", "%r = arith.addf %s, %out : f32"]
        length = self.reduce(x, 0.0, *square, dim=1)
        length = self.elementwise(["%r = math.sqrt %a : f32"], length)
        least = self.scalar(1e-12)
        body = [
            f"%p = arith.cmpf ult, %a, {least} : f32",
            f"%r = arith.select %p, {least}, %a : f32",
        ]
        length = self.broadcast_to(self.elementwise(body, length), x.shape)
        x = self.elementwise(["%r = arith.divf %a, %b : f32"], x, length)
        gamma = self.weight("gamma", (self.channels(x),), GAMMA)
        return self.mul(x, self.split(gamma, 0, (1, self.channels(x), 1, 1)))

    def group_norm(self, x, groups, eps):
        self.begin_layer("gn")
        vectors = (x.shape[1],), (x.shape[1], *(1,) * len(self.spatial(x)))
        gamma = self.split(self.weight("gamma", vectors[0], GAMMA), 0, vectors[1])
        beta = self.split(self.weight("beta", vectors[0], BETA), 0, vectors[1])
        rank, size = len(x.shape), prod(x.shape[1:])
        y = self.split(self.merge(x, 1, rank - 1), 1, (groups, size // groups))
        variance = self.plus(self.variance(y), eps)
        inverse = self.elementwise(["%r = math.rsqrt %a : f32"], variance)
        y = self.mul(self.sub(y, self.mean(y)), inverse)
        y = self.split(self.merge(y, 1, 2), 1, x.shape[1:])
        return self.add(self.mul(y, gamma), beta)

    def variance(self, x):
        """Of the last dimension, in f64."""

        def cast(x, op, element):
            body = [f"%r = arith.{op} %a : {x.element} to {element}"]
            init = self.empty(x.shape, element)
            return self.generic([(x, self.operand_dims(x, x.shape))], init, body)

        x = cast(x, "extf", "f64")
        x = self.sub(x, self.mean(x))
        return cast(self.mean(self.mul(x, x)), "truncf", "f32")

    def shuffle(self, x, groups):
        """Channels of groups in turns."""
        x = self.split(x, 1, (groups, self.channels(x) // groups))
        return self.merge(self.permute(x, [0, 2, 1, 3, 4]), 1, 2)

    # Activations.

    def leaky_relu(self, x, slope):
        zero = self.splat(0.0, ())
        positive = self.chosen("ugt", zero, x)
        negative = self.scale(self.chosen("ult", zero, x), slope)
        return self.add(positive, negative)
