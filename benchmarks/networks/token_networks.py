# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of fully connected layers on tokens, which only the style of torch-mlir and
PyTorch itself have the layers for (see tokens.py)."""


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
    return net.permute(net.merge(x, 2, 2), [0, 2, 1])


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
