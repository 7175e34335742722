# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts that several networks have."""


def halves(kernel):
    """The padding that keeps the size with a stride of 1."""
    return tuple(k // 2 for k in kernel) if isinstance(kernel, tuple) else kernel // 2


def conv_bn(net, x, out, kernel=3, stride=1, eps=1e-5, pad=None, **options):
    """Convolution that keeps the size but for its stride, and batch norm."""
    pad = halves(kernel) if pad is None else pad
    x = net.conv(x, out, kernel, stride, pad=pad, **options)
    return net.batch_norm(x, eps)


def conv_bn_relu(net, x, out, *arguments, **options):
    return net.relu(conv_bn(net, x, out, *arguments, **options))


def conv_relu(net, x, out, kernel=3, stride=1, pad=None, **options):
    pad = halves(kernel) if pad is None else pad
    return net.relu(net.conv(x, out, kernel, stride, pad=pad, bias=True, **options))


def squeeze_excite(net, x, width, activate, gate=None):
    """Scales each channel by what `width` numbers say of all."""
    y = net.global_average_pool(x)
    y = activate(net.conv(y, width, 1, bias=True))
    y = net.conv(y, net.channels(x), 1, bias=True)
    return net.mul(x, (gate or net.sigmoid)(y))


def classify(net, x, classes):
    """Average over the image and one fully connected layer."""
    return net.linear(net.flatten(net.global_average_pool(x)), classes)


def rounded(channels, multiple=8):
    """A number of channels that is a multiple, and less by a tenth at most."""
    result = max(multiple, int(channels + multiple / 2) // multiple * multiple)
    return result + multiple if result < 0.9 * channels else result
