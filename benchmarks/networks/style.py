# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The base class of styles: the layers of a network, each spelled as a front end does.

A style derives from `Style` and defines

    conv(x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1,
         dilation=1)
    batch_norm(x, eps=1e-5)
    relu(x), relu6(x)
    max_pool(x, kernel, stride, pad=0, ceil=False)
    concat(tensors)         along the channel
    linear(x, out)

and may redefine what is here. Kernel, stride, padding and dilation are a number for all
dimensions of an image, or one for each. Networks use no other methods than these and
`add`, `mul`, `sigmoid`, `swish`, `hard_sigmoid`, `hard_swish`, `average_pool`,
`global_average_pool`, `mean_of_image`, `flatten`, `tanh`, `channels` and `image_input`, but for
those on tokens (see tokens.py) and those that torch-mlir's style alone has (images.py).
"""

from math import prod

from ir import Function, dimensions, size_list, type_of

# The lowest f32, as a front end writes it for an empty maximum.
LOWEST = -3.40282347e38
# Weights that are constants. `fusion-run --randomize-constants` replaces each of their
# elements by a value of its own. A variance is positive.
WEIGHT, BIAS, GAMMA, BETA, MEAN, VARIANCE = 0.01, 0.01, 1.0, 0.01, 0.01, 1.0


class Style(Function):
    """Layers in terms of the layout, `nchw` or `nhwc`."""

    layout = ""
    # Whether each window has to end with the padded image.
    exact_windows = False
    # Type of the attributes for strides and dilations.
    attribute_type = "tensor"
    pooling_attribute_type = "tensor"

    def __init__(self, batch=1, weights="constants"):
        super().__init__("forward", weights)
        self.batch = batch

    # Shapes.

    def image(self, channels, *sizes):
        """One of any number of dimensions."""
        if self.layout == "nchw":
            return (self.batch, channels, *sizes)
        return (self.batch, *sizes, channels)

    def image_input(self, shape):
        """`shape` has the channel behind the batch, whatever the layout."""
        return self.input(self.image(*shape[1:]))

    def channels(self, x):
        return x.shape[1 if self.layout == "nchw" else -1]

    def spatial(self, x):
        return x.shape[2:] if self.layout == "nchw" else x.shape[1:-1]

    @property
    def channel_dim(self):
        """The dimension of the channel, as affine maps name it."""
        return f"d{self.layout.index('c')}"

    # Windows of convolution and pooling.

    def windows(self, x, channels, kernel, stride, pad, value, ceil=False, dilation=1):
        """The padded input and the shape of the result. With `ceil` the last window
        may begin inside and end outside. With `exact_windows` no element is left over:
        the padding at the end is as much as the windows need, and may be negative."""
        sizes = self.spatial(x)
        rank = len(sizes)
        pads = each(pad, rank)
        ends, counts = [], []
        numbers = each(kernel, rank), each(stride, rank), pads, each(dilation, rank)
        for size, *window in zip(sizes, *numbers):
            count, end = window_count(size, *window, ceil)
            ends.append(end if self.exact_windows else max(end, window[2]))
            counts.append(count)
        if min(ends) < 0:
            x = self.crop(x, ends)
        low, high = self.padding(pads), self.padding([max(end, 0) for end in ends])
        return self.pad(x, low, high, value), self.image(channels, *counts)

    def padding(self, ends):
        return [0, 0, *ends] if self.layout == "nchw" else [0, *ends, 0]

    def crop(self, x, ends):
        """Without as many rows and columns at the end as `ends` is negative."""
        sizes = (size + min(e, 0) for size, e in zip(self.spatial(x), ends))
        return self.slice(x, self.image(self.channels(x), *sizes))

    def slice(self, x, shape, offsets=None, strides=None):
        """`shape` elements of x, from `offsets` on."""
        offsets = list(offsets or [0] * len(shape))
        strides = list(strides or [1] * len(shape))
        return self.op(
            f"tensor.extract_slice {x.name}{offsets} [{size_list(shape)}] {strides}"
            f" : {x.type} to {type_of(shape, x.element)}",
            shape,
            x.element,
        )

    def pool(self, name, x, init, window, stride=1):
        """A pooling op of linalg over an input that is padded already."""
        attributes = self.window_attributes(stride, 1, self.pooling_attribute_type)
        op = f"pooling_{self.layout}_{name}"
        return self.named(op, [x, self.empty(window, init.element)], init, attributes)

    def average_pool(self, x, kernel, stride, pad=0):
        """Zeros of the padding count."""
        channels = self.channels(x)
        kernel = each(kernel, len(self.spatial(x)))
        x, shape = self.windows(x, channels, kernel, stride, pad, 0.0)
        x = self.pool("sum", x, self.fill(0.0, shape), kernel, stride)
        return self.divide(x, float(prod(kernel)))

    def global_average_pool(self, x):
        """One element for each channel, in as many dimensions as x has."""
        return self.average_pool(x, self.spatial(x), 1)

    def mean_of_image(self, x):
        return self.flatten(self.global_average_pool(x))

    def window_attributes(self, stride, dilation=1, kind=None, rank=2):
        type_ = f"{kind or self.attribute_type}<{rank}xi64>"
        dilations, strides = dense(dilation), dense(stride)
        return f"dilations = {dilations} : {type_}, strides = {strides} : {type_}"

    def concatenation(self, tensors, dim, shape):
        names = ", ".join(tensor.name for tensor in tensors)
        types = ", ".join(tensor.type for tensor in tensors)
        result = type_of(shape)
        return self.op(
            f"tensor.concat dim({dim}) {names} : ({types}) -> {result}", shape
        )

    # Element by element.

    def operand_dims(self, operand, shape):
        """The dimensions of an operand that an op of `shape` reads."""
        raise NotImplementedError

    def elementwise(self, body, *operands):
        """One generic over operands that broadcast to one shape, as those of NumPy."""
        rank = max(len(operand.shape) for operand in operands)
        aligned = [(1,) * (rank - len(o.shape)) + o.shape for o in operands]
        shape = tuple(next((s for s in sizes if s != 1), 1) for sizes in zip(*aligned))
        inputs = [(operand, self.operand_dims(operand, shape)) for operand in operands]
        return self.generic(inputs, self.empty(shape, operands[0].element), body)

    def add(self, x, y):
        return self.elementwise(["%r = arith.addf %a, %b : f32"], x, y)

    def sub(self, x, y):
        return self.elementwise([f"%r = arith.subf %a, %b : {x.element}"], x, y)

    def mul(self, x, y):
        return self.elementwise([f"%r = arith.mulf %a, %b : {x.element}"], x, y)

    def divide(self, x, number):
        number = self.scalar(number, x.element)
        return self.elementwise([f"%r = arith.divf %a, {number} : {x.element}"], x)

    def swish(self, x):
        return self.mul(x, self.sigmoid(x))

    def hard_swish(self, x):
        return self.divide(self.mul(x, self.relu6(self.plus(x, 3.0))), 6.0)

    def hard_sigmoid(self, x):
        return self.divide(self.relu6(self.plus(x, 3.0)), 6.0)

    def plus(self, x, number):
        return self.elementwise([f"%r = arith.addf %a, {self.scalar(number)} : f32"], x)

    def sigmoid(self, x):
        one = self.scalar(1.0)
        body = [
            "%n = arith.negf %a : f32",
            "%e = math.exp %n : f32",
            f"%s = arith.addf %e, {one} : f32",
            f"%r = arith.divf {one}, %s : f32",
        ]
        return self.elementwise(body, x)

    def tanh(self, x):
        return self.elementwise(["%r = math.tanh %a : f32"], x)

    def flatten(self, x):
        """Images to rows."""
        groups = [[0], list(range(1, len(x.shape)))]
        return self.collapse(x, str(groups), (x.shape[0], prod(x.shape[1:])))

    def batch_norm_weights(self, channels):
        """Scale, offset, mean and variance."""
        self.begin_layer("bn")
        roles = ("gamma", GAMMA), ("beta", BETA), ("mean", MEAN), ("variance", VARIANCE)
        return [self.weight(role, (channels,), value) for role, value in roles]


def aligned_dims(operand, shape, is_broadcast):
    """The last dimensions of `shape`, with a 0 where `is_broadcast`(size of the
    operand, size of the result)."""
    first = len(shape) - len(operand.shape)
    names = dimensions(len(shape)).split(", ")[first:]
    return ", ".join(
        "0" if is_broadcast(size, shape[first + i]) else names[i]
        for i, size in enumerate(operand.shape)
    )


def each(number, rank):
    """One number for each dimension."""
    return tuple(number) if isinstance(number, (tuple, list)) else (number,) * rank


def dense(numbers):
    numbers = each(numbers, 1)
    same = len(set(numbers)) == 1
    return f"dense<{numbers[0] if same else list(numbers)}>"


def window_count(size, kernel, stride, pad, dilation, ceil):
    """How many windows there are, and how much padding they need at the end."""
    kernel = (kernel - 1) * dilation + 1
    rest = size + 2 * pad - kernel
    count = (rest + (stride - 1 if ceil else 0)) // stride + 1
    if ceil and (count - 1) * stride >= size + pad:
        count -= 1
    if count < 1:
        raise ValueError(
            f"{size} pixels are too few for a window of {kernel}; choose a larger --size"
        )
    return count, (count - 1) * stride + kernel - size - pad
