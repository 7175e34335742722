# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of fully connected layers on tokens (see tokens.py). ConvNeXt and Swin have
images with the channels in front, as torch-mlir's style has them."""


def mlp(net, x, width):
    """Two layers with a gelu between them, which keep the number of channels."""
    return net.linear(net.gelu(net.linear(x, width)), int(x.shape[-1]))


# ConvNeXt.


def image_norm(net, x):
    """Layer norm over the channels of an image."""
    x = net.layer_norm(net.permute(x, [0, 2, 3, 1]), 1e-6)
    return net.permute(x, [0, 3, 1, 2])


def convnext_block(net, x):
    width = net.channels(x)
    y = net.conv(x, width, 7, pad=3, depthwise=True, bias=True)
    y = net.layer_norm(net.permute(y, [0, 2, 3, 1]), 1e-6)
    y = net.permute(mlp(net, y, 4 * width), [0, 3, 1, 2])
    return net.add(net.layer_scale(y), x)


def convnext(net, x, classes, widths, depths):
    x = image_norm(net, net.conv(x, widths[0], 4, 4, bias=True))
    for stage, (width, depth) in enumerate(zip(widths, depths)):
        if stage > 0:
            x = net.conv(image_norm(net, x), width, 2, 2, bias=True)
        for _ in range(depth):
            x = convnext_block(net, x)
    x = image_norm(net, net.global_average_pool(x))
    return net.linear(net.flatten(x), classes)


# Vision transformer, MLP-Mixer.


def patches(net, x, width, side):
    """The patches of an image as tokens."""
    x = net.conv(x, width, side, side, bias=True)
    return net.tokens_of(x)


def attention(net, x, heads):
    batch, tokens, width = x.shape
    size = int(width) // heads
    x = net.split(net.linear(x, 3 * width), 2, (3, heads, size))
    x = net.permute(x, [2, 0, 3, 1, 4])
    q, k, v = (net.select(x, 0, i) for i in range(3))
    q = net.scale(q, size**-0.5)
    weights = net.softmax(net.product(q, net.permute(k, [0, 1, 3, 2])))
    x = net.permute(net.product(weights, v), [0, 2, 1, 3])
    return net.linear(net.merge(x, 2, 2), width)


def vit(net, x, classes, width, depth, heads, side):
    x = patches(net, x, width, side)
    x = net.prepend(net.parameter((1, 1, width)), x)
    x = net.add(x, net.parameter((1, *x.shape[1:])))
    for _ in range(depth):
        x = net.add(attention(net, net.layer_norm(x, 1e-6), heads), x)
        x = net.add(mlp(net, net.layer_norm(x, 1e-6), 4 * width), x)
    return net.linear(net.select(net.layer_norm(x, 1e-6), 1, 0), classes)


def mlp_mixer(net, x, classes, width, depth, side):
    x = patches(net, x, width, side)
    for _ in range(depth):
        y = net.permute(net.layer_norm(x, 1e-6), [0, 2, 1])
        x = net.add(net.permute(mlp(net, y, width // 2), [0, 2, 1]), x)
        x = net.add(mlp(net, net.layer_norm(x, 1e-6), 4 * width), x)
    return net.linear(net.mean_of_tokens(net.layer_norm(x, 1e-6)), classes)


# Swin transformer.


def windows(net, x, side):
    """Windows of side x side as batches of tokens."""
    batch, height, width, channels = net.shape(x)
    x = net.split(x, 1, (height // side, side))
    x = net.permute(net.split(x, 3, (width // side, side)), [0, 1, 3, 2, 4, 5])
    return net.merge(net.merge(x, 0, 3), 1, 2)


def from_windows(net, x, shape, side):
    batch, height, width, channels = shape
    x = net.split(net.split(x, 1, (side, side)), 0, (batch, height // side, width // side))
    return net.merge(net.merge(net.permute(x, [0, 1, 3, 2, 4, 5]), 1, 2), 2, 2)


def window_indices(side):
    """For each pair of pixels of a window the row of the table that has their bias."""
    pixels = [(y, x) for y in range(side) for x in range(side)]
    return [
        (y - v + side - 1) * (2 * side - 1) + x - u + side - 1
        for y, x in pixels
        for v, u in pixels
    ]


def window_mask(height, width, side, shifts):
    """-100 for pairs of pixels that are in a window only because the image was rolled."""

    def part(place, size, shift):
        return (place >= size - side) + (shift > 0 and place >= size - shift)

    numbers = []
    for top in range(0, height, side):
        for left in range(0, width, side):
            parts = [
                (part(top + y, height, shifts[0]), part(left + x, width, shifts[1]))
                for y in range(side)
                for x in range(side)
            ]
            numbers += [0.0 if p == q else -100.0 for p in parts for q in parts]
    return numbers


def window_attention(net, x, heads, side, mask):
    """Attention within windows, with a bias for the places of each pair of pixels."""
    batch, tokens, width = net.shape(x)
    size = width // heads
    y = net.split(net.linear(x, 3 * width), 2, (3, heads, size))
    q, k, v = (net.select(net.permute(y, [2, 0, 3, 1, 4]), 0, i) for i in range(3))
    weights = net.product(net.scale(q, size**-0.5), net.permute(k, [0, 1, 3, 2]))
    bias = net.rows(net.parameter(((2 * side - 1) ** 2, heads)), window_indices(side))
    bias = net.permute(net.split(bias, 0, (tokens, tokens)), [2, 0, 1])
    weights = net.add(weights, net.split(bias, 0, (1, heads)))
    if mask:
        count = len(mask) // tokens**2
        mask = net.table(mask, (1, count, 1, tokens, tokens))
        weights = net.add(net.split(weights, 0, (batch // count, count)), mask)
        weights = net.merge(weights, 0, 2)
    x = net.permute(net.product(net.softmax(weights), v), [0, 2, 1, 3])
    return net.linear(net.merge(x, 2, 2), width)


def shifted_attention(net, x, heads, side, is_shifted):
    """Windows of the image, which is padded to whole ones, and rolled by half of one."""
    shape = net.shape(x)
    ends = [-size % side for size in shape[1:3]]
    if any(ends):
        x = net.pad(x, [0, 0, 0, 0], [0, *ends, 0], 0.0)
    height, width = net.shape(x)[1:3]
    shifts = [side // 2 if is_shifted and size > side else 0 for size in (height, width)]
    mask = window_mask(height, width, side, shifts) if any(shifts) else None
    if mask:
        x = net.roll(x, [-shift for shift in shifts], (1, 2))
    padded = net.shape(x)
    x = window_attention(net, windows(net, x, side), heads, side, mask)
    x = from_windows(net, x, padded, side)
    if mask:
        x = net.roll(x, shifts, (1, 2))
    return net.slice(x, shape) if any(ends) else x


def patch_merging(net, x):
    """Four pixels become one with twice the channels."""
    batch, height, width, channels = net.shape(x)
    shape = (batch, height // 2, width // 2, channels)
    starts = ((0, 0), (1, 0), (0, 1), (1, 1))
    parts = [net.slice(x, shape, [0, y, z, 0], [1, 2, 2, 1]) for y, z in starts]
    x = net.layer_norm(net.join(parts, 3))
    return net.linear(x, 2 * channels, bias=False)


def swin(net, x, classes, width, depths, heads, side):
    x = net.permute(net.conv(x, width, 4, 4, bias=True), [0, 2, 3, 1])
    x = net.layer_norm(x)
    for stage, depth in enumerate(depths):
        if stage > 0:
            x = patch_merging(net, x)
        for number in range(depth):
            y = net.layer_norm(x)
            x = net.add(x, shifted_attention(net, y, heads[stage], side, number % 2 == 1))
            x = net.add(x, mlp(net, net.layer_norm(x), 4 * net.shape(x)[-1]))
    x = net.permute(net.layer_norm(x), [0, 3, 1, 2])
    return net.linear(net.flatten(net.global_average_pool(x)), classes)


# BERT.


def self_attention(net, x, heads):
    batch, tokens, width = net.shape(x)
    size = width // heads

    def apart(y):
        return net.permute(net.split(y, 2, (heads, size)), [0, 2, 1, 3])

    q, k, v = (apart(net.linear(x, width)) for _ in range(3))
    weights = net.product(q, net.permute(k, [0, 1, 3, 2]))
    weights = net.softmax(net.scale(weights, size**-0.5))
    x = net.permute(net.product(weights, v), [0, 2, 1, 3])
    return net.linear(net.merge(x, 2, 2), width)


def bert(net, x, classes, depth, heads):
    """The sums of the embeddings of tokens, from their norm on, to what the pooler says
    of the first token."""
    x = net.layer_norm(x, 1e-12)
    for _ in range(depth):
        x = net.layer_norm(net.add(self_attention(net, x, heads), x), 1e-12)
        x = net.layer_norm(net.add(mlp(net, x, 4 * net.shape(x)[-1]), x), 1e-12)
    return net.tanh(net.linear(net.select(x, 1, 0), net.shape(x)[-1]))
