# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The base class of styles: the layers of a network, each spelled as a front end does.

A style derives from `Style` and defines

    conv(x, out, kernel, stride=1, pad=0, depthwise=False, bias=False)
    batch_norm(x, eps=1e-5)
    relu(x), relu6(x)
    max_pool(x, kernel, stride, pad=0, ceil=False)
    concat(tensors)         along the channel
    linear(x, out)

and may redefine what is here. Networks use no other methods than these and `add`,
`mul`, `sigmoid`, `swish`, `average_pool`, `global_average_pool`, `flatten`, `channels`
and `image_input`, but for those on tokens (see tokens.py).
"""

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
    attribute_type = "tensor<2xi64>"
    pooling_attribute_type = "tensor<2xi64>"

    def __init__(self, batch=1, weights="constants"):
        super().__init__("forward", weights)
        self.batch = batch

    # Shapes.

    def image(self, channels, height, width):
        sizes = {"n": self.batch, "c": channels, "h": height, "w": width}
        return tuple(sizes[letter] for letter in self.layout)

    def image_input(self, channels, size):
        return self.input(self.image(channels, size, size))

    def channels(self, x):
        return x.shape[self.layout.index("c")]

    def spatial(self, x):
        return x.shape[self.layout.index("h")], x.shape[self.layout.index("w")]

    @property
    def channel_dim(self):
        """The dimension of the channel, as affine maps name it."""
        return f"d{self.layout.index('c')}"

    # Windows of convolution and pooling.

    def windows(self, x, channels, kernel, stride, pad, value, ceil=False):
        """The padded input and the shape of the result. With `ceil` the last window
        may begin inside and end outside. With `exact_windows` no element is left over:
        the padding at the end is as much as the windows need, and may be negative."""
        ends, sizes = [], []
        for size in self.spatial(x):
            rest = size + 2 * pad - kernel
            count = (rest + (stride - 1 if ceil else 0)) // stride + 1
            if ceil and (count - 1) * stride >= size + pad:
                count -= 1
            if count < 1:
                raise ValueError(
                    f"{size} pixels are too few for a window of {kernel};"
                    " choose a larger --size"
                )
            end = (count - 1) * stride + kernel - size - pad
            ends.append(end if self.exact_windows else max(end, pad))
            sizes.append(count)
        if min(ends) < 0:
            x = self.crop(x, ends)
        low = self.padding((pad, pad))
        high = self.padding([max(end, 0) for end in ends])
        return self.pad(x, low, high, value), self.image(channels, *sizes)

    def padding(self, ends):
        sizes = dict(zip("hw", ends))
        return [sizes.get(letter, 0) for letter in self.layout]

    def crop(self, x, ends):
        """Without as many rows and columns at the end as `ends` is negative."""
        height, width = (size + min(e, 0) for size, e in zip(self.spatial(x), ends))
        shape = self.image(self.channels(x), height, width)
        return self.op(
            f"tensor.extract_slice {x.name}[0, 0, 0, 0] [{size_list(shape)}]"
            f" [1, 1, 1, 1] : {x.type} to {type_of(shape)}",
            shape,
        )

    def pool(self, name, x, init, window, stride=1):
        """A pooling op of linalg over an input that is padded already."""
        attributes = self.window_attributes(stride, self.pooling_attribute_type)
        op = f"pooling_{self.layout}_{name}"
        return self.named(op, [x, self.empty(window)], init, attributes)

    def average_pool(self, x, kernel, stride):
        channels = self.channels(x)
        x, shape = self.windows(x, channels, kernel, stride, 0, 0.0)
        x = self.pool("sum", x, self.fill(0.0, shape), (kernel, kernel), stride)
        return self.divide(x, float(kernel * kernel))

    def global_average_pool(self, x):
        """One element for each channel, in as many dimensions as x has."""
        return self.average_pool(x, self.spatial(x)[0], 1)

    def window_attributes(self, stride, type_=None):
        type_ = type_ or self.attribute_type
        return f"dilations = dense<1> : {type_}, strides = dense<{stride}> : {type_}"

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
        return self.generic(inputs, self.empty(shape), body)

    def add(self, x, y):
        return self.elementwise(["%r = arith.addf %a, %b : f32"], x, y)

    def sub(self, x, y):
        return self.elementwise(["%r = arith.subf %a, %b : f32"], x, y)

    def mul(self, x, y):
        return self.elementwise(["%r = arith.mulf %a, %b : f32"], x, y)

    def divide(self, x, number):
        return self.elementwise([f"%r = arith.divf %a, {self.scalar(number)} : f32"], x)

    def swish(self, x):
        return self.mul(x, self.sigmoid(x))

    def sigmoid(self, x):
        one = self.scalar(1.0)
        body = [
            "%n = arith.negf %a : f32",
            "%e = math.exp %n : f32",
            f"%s = arith.addf %e, {one} : f32",
            f"%r = arith.divf {one}, %s : f32",
        ]
        return self.elementwise(body, x)

    def flatten(self, x):
        """Images to rows."""
        size = 1
        for extent in x.shape[1:]:
            size *= extent
        return self.collapse(x, "[[0], [1, 2, 3]]", (x.shape[0], size))

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
