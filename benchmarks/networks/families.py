# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families of small networks, of two or three layers each, whose sizes are random: for
kernels that no network of networks.py has. Each family is a function that draws sizes and
returns the shape of the input, with channels behind the batch, and a function of a style
(see style.py) and the input."""

from random import Random

from blocks import halves, squeeze_excite

# Few are multiples of 16, as a vector has elements.
CHANNELS = [*(3, 7, 12, 17, 20, 24, 30, 36, 44, 48, 56, 60, 72, 80, 90, 96, 100, 112, 120)]
CHANNELS += [*(128, 144, 160, 176, 200, 224, 256, 300, 320, 384, 448, 512)]
SIZES = [5, 7, 8, 10, 13, 14, 17, 20, 26, 28, 35, 40, 48, 56, 64, 80, 100, 112, 128, 160]
# Most elements of an image, and most multiplications of a layer.
ELEMENTS, MULTIPLICATIONS = 400000, 200000000

ACTIVATIONS = {
    "none": lambda net, x: x,
    "relu": lambda net, x: net.relu(x),
    "relu6": lambda net, x: net.relu6(x),
    "leaky_relu": lambda net, x: net.leaky_relu(x, 0.1),
    "swish": lambda net, x: net.swish(x),
    "hard_swish": lambda net, x: net.hard_swish(x),
    "hard_sigmoid": lambda net, x: net.hard_sigmoid(x),
    "sigmoid": lambda net, x: net.sigmoid(x),
    "tanh": lambda net, x: net.tanh(x),
    "gelu": lambda net, x: net.gelu(x),
}


class Draw:
    """Random choices, which are kept by name in `drawn`."""

    def __init__(self, seed, activations):
        self.random = Random(seed)
        self.activations = activations
        self.drawn = {}

    def one(self, name, choices):
        self.drawn[name] = self.random.choice(choices)
        return self.drawn[name]

    def channels(self, name):
        return self.one(name, CHANNELS)

    def activation(self, name="activation"):
        return ACTIVATIONS[self.one(name, self.activations)]

    def image(self, channels, multiplications=1):
        """Height and width, for so many multiplications in each pixel."""
        pixels = min(ELEMENTS // channels, MULTIPLICATIONS // multiplications)
        fitting = [(h, w) for h in SIZES for w in SIZES if h * w <= max(pixels, 35)]
        return self.one("image", fitting)


def twice(draw, window, outputs, **options):
    """A convolution, and one more that keeps its sizes."""
    first, second = draw.activation("first"), draw.activation("second")
    kernel, stride, dilation = window
    pad = halves(kernel)
    pad = tuple(dilation * p for p in pad) if isinstance(pad, tuple) else dilation * pad
    options = {"pad": pad, "bias": True, "dilation": dilation, **options}

    def build(net, x):
        x = first(net, net.conv(x, outputs, kernel, stride, **options))
        return second(net, net.conv(x, outputs, kernel, 1, **options))

    return build


def draw_window(draw, kernels):
    """Kernel, stride and dilation."""
    kernel, stride = draw.one("kernel", kernels), draw.one("stride", [1, 1, 2])
    return kernel, stride, draw.one("dilation", [1, 1, 2, 6]) if stride == 1 else 1


def dense(draw):
    inputs, outputs = draw.channels("inputs"), draw.channels("outputs")
    window = draw_window(draw, [3, 3, 5, 7, (1, 7), (3, 5)])
    image = draw.image(max(inputs, outputs), max(inputs, outputs) ** 2 * 25)
    return (1, inputs, *image), twice(draw, window, outputs)


def grouped(draw):
    groups = draw.one("groups", [2, 3, 4, 8, 16, 32])
    inputs = groups * draw.one("inputs", [2, 3, 4, 8, 10, 12, 16, 24, 32, 48])
    outputs = groups * draw.one("outputs", [4, 8, 12, 16, 24, 32])
    window = draw_window(draw, [3, 3, 5])
    image = draw.image(max(inputs, outputs), max(inputs, outputs) ** 2 // groups * 25)
    return (1, inputs, *image), twice(draw, window, outputs, groups=groups)


def depthwise(draw):
    channels = draw.channels("channels")
    window = draw_window(draw, [3, 3, 5, 7, 9, (1, 11), (11, 1)])
    image = draw.image(channels)
    return (1, channels, *image), twice(draw, window, channels, depthwise=True)


def pointwise(draw):
    inputs, outputs = draw.channels("inputs"), draw.channels("outputs")
    image = draw.image(max(inputs, outputs), max(inputs, outputs) ** 2)
    return (1, inputs, *image), twice(draw, (1, draw.one("stride", [1, 2]), 1), outputs)


def few_pixels(draw):
    inputs, outputs = (draw.one(n, [128, 200, 256, 320, 512]) for n in ("inputs", "outputs"))
    image = draw.one("image", [(1, 1), (2, 3), (4, 4), (5, 7), (1, 10)])
    return (1, inputs, *image), twice(draw, (draw.one("kernel", [1, 3]), 1, 1), outputs)


def lines(draw):
    inputs, outputs = draw.channels("inputs"), draw.channels("outputs")
    kernel, stride = draw.one("kernel", [1, 3, 5, 9, 15, 25]), draw.one("stride", [1, 1, 2])
    dilation = draw.one("dilation", [1, 2, 8]) if stride == 1 else 1
    size = draw.one("size", [50, 100, 257, 500, 1000, 2000])
    return (1, inputs, size), twice(draw, (kernel, stride, dilation), outputs)


def volumes(draw):
    inputs, outputs = (draw.one(n, [3, 8, 20, 32, 48, 64]) for n in ("inputs", "outputs"))
    volume = tuple(draw.one(n, [4, 7, 9, 14, 16]) for n in ("depth", "height", "width"))
    return (1, inputs, *volume), twice(draw, (draw.one("kernel", [1, 3]), 1, 1), outputs)


def transposed(draw):
    inputs = draw.one("inputs", [8, 16, 21, 32, 64, 100, 128, 256])
    outputs = draw.one("outputs", [3, 8, 16, 24, 32, 64, 128])
    window = draw.one("window", [(2, 2, 0), (4, 2, 1), (3, 2, 1), (5, 2, 2), (8, 4, 2)])
    image, activation = draw.image(inputs * 16), draw.activation()

    def build(net, x):
        x = activation(net, net.deconv(x, outputs, *window, bias=True))
        return net.conv(x, 16, 3, 1, 1, bias=True)

    return (1, inputs, *image), build


def pooled(draw):
    channels, activation = draw.channels("channels"), draw.activation()
    image = draw.image(channels, channels**2)
    pools = {
        "maxima": lambda net, x: net.max_pool(x, 3, 2, 1),
        "wide maxima": lambda net, x: net.max_pool(x, 5, 1, 2),
        "means": lambda net, x: net.average_pool(x, 2, 2),
        "upsampled": lambda net, x: net.upsample(x, 2),
        "resized": lambda net, x: net.resize(x, tuple(2 * size for size in image)),
    }
    pool = pools[draw.one("pool", list(pools))]

    def build(net, x):
        x = activation(net, net.conv(x, channels, 1, bias=True))
        return net.conv(pool(net, x), 32, 1, bias=True)

    return (1, channels, *image), build


def residual(draw):
    channels, kernel = draw.channels("channels"), draw.one("kernel", [1, 3])
    image = draw.image(channels, channels**2 * kernel**2)
    activation, is_after = draw.activation(), draw.one("is_after", [False, True])

    def build(net, x):
        y = net.relu(net.conv(x, channels, kernel, 1, halves(kernel), bias=True))
        y = net.conv(y, channels, kernel, 1, halves(kernel), bias=True)
        return net.add(activation(net, y), x) if is_after else activation(net, net.add(y, x))

    return (1, channels, *image), build


def concatenated(draw):
    sizes = [draw.channels(name) for name in ("inputs", "first", "second")]
    image = draw.image(sum(sizes), sum(sizes) ** 2)
    activation = draw.activation()

    def build(net, x):
        y = activation(net, net.conv(x, sizes[1], 1, bias=True))
        z = activation(net, net.conv(x, sizes[2], 3, 1, 1, bias=True))
        return net.relu(net.conv(net.concat([y, z, x]), sizes[0], 1, bias=True))

    return (1, sizes[0], *image), build


def squeezed(draw):
    channels, width = draw.channels("channels"), draw.one("width", [8, 10, 16, 24, 48])
    image, activation = draw.image(channels), draw.activation()

    def build(net, x):
        x = activation(net, net.conv(x, channels, 3, 1, 1, depthwise=True, bias=True))
        return net.conv(squeeze_excite(net, x, width, net.relu), 32, 1, bias=True)

    return (1, channels, *image), build


def linear(draw):
    rows = draw.one("rows", [1, 2, 5, 12, 33, 50, 100, 196, 300])
    sizes = [100, 196, 256, 384, 500, 768, 1024, 2000]
    inputs, outputs = draw.one("inputs", sizes), draw.one("outputs", sizes)
    activation, is_normed = draw.activation(), draw.one("is_normed", [False, True])

    def build(net, x):
        y = net.layer_norm(x) if is_normed else x
        return net.add(x, net.linear(activation(net, net.linear(y, outputs)), inputs))

    return (1, rows, inputs), build


def attention(draw):
    tokens = draw.one("tokens", [16, 49, 50, 100, 128, 196, 257])
    heads, size = draw.one("heads", [2, 3, 4, 6, 8, 12]), draw.one("size", [16, 24, 40, 64])
    width = heads * size

    def build(net, x):
        def split(y, order):
            return net.permute(net.split(y, 2, [heads, size]), order)

        query, value = (split(net.linear(x, width), [0, 2, 1, 3]) for _ in range(2))
        key = split(net.linear(x, width), [0, 2, 3, 1])
        y = net.softmax(net.scale(net.product(query, key), size**-0.5))
        y = net.merge(net.permute(net.product(y, value), [0, 2, 1, 3]), 2, 2)
        return net.add(x, net.linear(y, width))

    return (1, tokens, width), build


IMAGE_FAMILIES = {
    **{"dense": dense, "grouped": grouped, "depthwise": depthwise, "pointwise": pointwise},
    **{"few pixels": few_pixels, "lines": lines, "volumes": volumes, "pooled": pooled},
    **{"residual": residual, "concatenated": concatenated, "squeezed": squeezed},
}
TOKEN_FAMILIES = {"linear": linear, "attention": attention}
FAMILIES = {**IMAGE_FAMILIES, "transposed": transposed, **TOKEN_FAMILIES}
