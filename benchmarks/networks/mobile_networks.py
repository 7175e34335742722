# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks for telephones, layer by layer as in torchvision, which all but MobileNet of
2017 are from: depthwise convolutions and squeezes. See classifiers.py."""

from math import ceil

from blocks import classify, conv_bn, conv_bn_relu, rounded, squeeze_excite

# MobileNet of 2017, and MobileNetV2.


MOBILENET_V1 = [  # output channels, stride
    *((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)),
    *[(512, 1)] * 5,
    *((1024, 2), (1024, 1)),
]


def mobilenet_v1(net, x, classes):
    x = conv_bn_relu(net, x, 32, 3, 2)
    for out, stride in MOBILENET_V1:
        x = conv_bn_relu(net, x, net.channels(x), 3, stride, depthwise=True)
        x = conv_bn_relu(net, x, out, 1)
    return classify(net, x, classes)


def inverted_residual(net, x, out, stride, expansion):
    inputs = net.channels(x)
    hidden = inputs * expansion
    y = x
    if expansion != 1:
        y = net.relu6(conv_bn(net, y, hidden, 1))
    y = net.relu6(conv_bn(net, y, hidden, 3, stride, depthwise=True))
    y = conv_bn(net, y, out, 1)
    return net.add(x, y) if stride == 1 and inputs == out else y


MOBILENET_V2 = [  # expansion, output channels, blocks, stride of the first
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]


def mobilenet_v2(net, x, classes):
    x = net.relu6(conv_bn(net, x, 32, 3, 2))
    for expansion, out, depth, stride in MOBILENET_V2:
        for number in range(depth):
            x = inverted_residual(net, x, out, stride if number == 0 else 1, expansion)
    x = net.relu6(conv_bn(net, x, 1280, 1))
    return classify(net, x, classes)


# MobileNetV3.


def mobilenet_v3_block(net, x, out, kernel, stride, hidden, squeezed, activate):
    inputs = net.channels(x)
    y = x
    if hidden != inputs:
        y = activate(conv_bn(net, y, hidden, 1, eps=1e-3))
    y = activate(conv_bn(net, y, hidden, kernel, stride, 1e-3, depthwise=True))
    if squeezed:
        y = squeeze_excite(net, y, rounded(hidden // 4), net.relu, net.hard_sigmoid)
    y = conv_bn(net, y, out, 1, eps=1e-3)
    return net.add(y, x) if stride == 1 and inputs == out else y


# Kernel, channels in the middle, output channels, squeeze, hard swish, stride.
MOBILENET_V3_LARGE = [
    (3, 16, 16, False, False, 1),
    (3, 64, 24, False, False, 2),
    (3, 72, 24, False, False, 1),
    (5, 72, 40, True, False, 2),
    *[(5, 120, 40, True, False, 1)] * 2,
    (3, 240, 80, False, True, 2),
    (3, 200, 80, False, True, 1),
    *[(3, 184, 80, False, True, 1)] * 2,
    (3, 480, 112, True, True, 1),
    (3, 672, 112, True, True, 1),
    (5, 672, 160, True, True, 2),
    *[(5, 960, 160, True, True, 1)] * 2,
]
MOBILENET_V3_SMALL = [
    (3, 16, 16, True, False, 2),
    (3, 72, 24, False, False, 2),
    (3, 88, 24, False, False, 1),
    (5, 96, 40, True, True, 2),
    *[(5, 240, 40, True, True, 1)] * 2,
    (5, 120, 48, True, True, 1),
    (5, 144, 48, True, True, 1),
    (5, 288, 96, True, True, 2),
    *[(5, 576, 96, True, True, 1)] * 2,
]


def mobilenet_v3(net, x, classes, blocks, last):
    x = net.hard_swish(conv_bn(net, x, 16, 3, 2, 1e-3))
    for kernel, hidden, out, squeezed, hard, stride in blocks:
        activate = net.hard_swish if hard else net.relu
        x = mobilenet_v3_block(net, x, out, kernel, stride, hidden, squeezed, activate)
    x = net.hard_swish(conv_bn(net, x, 6 * net.channels(x), 1, eps=1e-3))
    x = net.flatten(net.global_average_pool(x))
    return net.linear(net.hard_swish(net.linear(x, last)), classes)


# MNASNet.


MNASNET = [  # kernel, stride of the first, expansion, output channels, blocks
    (3, 2, 3, 24, 3),
    (5, 2, 3, 40, 3),
    (5, 2, 6, 80, 3),
    (3, 1, 6, 96, 2),
    (5, 2, 6, 192, 4),
    (3, 1, 6, 320, 1),
]


def mnasnet_block(net, x, out, kernel, stride, expansion):
    inputs = net.channels(x)
    y = conv_bn_relu(net, x, inputs * expansion, 1)
    y = conv_bn_relu(net, y, inputs * expansion, kernel, stride, depthwise=True)
    y = conv_bn(net, y, out, 1)
    return net.add(y, x) if stride == 1 and inputs == out else y


def mnasnet(net, x, classes):
    x = conv_bn_relu(net, x, 32, 3, 2)
    x = conv_bn_relu(net, x, 32, 3, depthwise=True)
    x = conv_bn(net, x, 16, 1)
    for kernel, stride, expansion, out, depth in MNASNET:
        for number in range(depth):
            x = mnasnet_block(net, x, out, kernel, stride if number == 0 else 1, expansion)
    return net.linear(net.mean_of_image(conv_bn_relu(net, x, 1280, 1)), classes)


# ShuffleNetV2.


def shufflenet_branch(net, x, width, stride):
    x = conv_bn_relu(net, x, width, 1)
    x = conv_bn(net, x, width, 3, stride, depthwise=True)
    return conv_bn_relu(net, x, width, 1)


def shufflenet_block(net, x, out, stride):
    """Of a block with stride 1 half of the channels are as they were."""
    half = out // 2
    if stride == 1:
        kept, x = net.cut(x, (half, half), 1)
    else:
        kept = conv_bn(net, x, net.channels(x), 3, stride, depthwise=True)
        kept = conv_bn_relu(net, kept, half, 1)
    x = net.concat([kept, shufflenet_branch(net, x, half, stride)])
    return net.shuffle(x, 2)


def shufflenet_v2(net, x, classes, widths, depths):
    x = net.max_pool(conv_bn_relu(net, x, 24, 3, 2), 3, 2, pad=1)
    for width, depth in zip(widths, depths):
        for number in range(depth):
            x = shufflenet_block(net, x, width, 2 if number == 0 else 1)
    return net.linear(net.mean_of_image(conv_bn_relu(net, x, 1024, 1)), classes)


# EfficientNet.


def mbconv(net, x, out, kernel, stride, expansion, eps):
    inputs = net.channels(x)
    y = x
    if expansion != 1:
        y = net.swish(conv_bn(net, y, inputs * expansion, 1, eps=eps))
    y = conv_bn(net, y, net.channels(y), kernel, stride, eps, depthwise=True)
    y = squeeze_excite(net, net.swish(y), inputs // 4, net.swish)
    y = conv_bn(net, y, out, 1, eps=eps)
    return net.add(y, x) if stride == 1 and inputs == out else y


EFFICIENTNET = [  # expansion, kernel, stride of the first, output channels, blocks
    (1, 3, 1, 16, 1),
    (6, 3, 2, 24, 2),
    (6, 5, 2, 40, 2),
    (6, 3, 2, 80, 3),
    (6, 5, 1, 112, 3),
    (6, 5, 2, 192, 4),
    (6, 3, 1, 320, 1),
]


def efficientnet(net, x, classes, wider, deeper, eps):
    """EFFICIENTNET with `wider` times the channels, and `deeper` times the blocks."""

    def widened(channels):
        return max(8, int(channels * wider + 4) // 8 * 8)

    x = net.swish(conv_bn(net, x, widened(32), 3, 2, eps))
    for expansion, kernel, stride, out, depth in EFFICIENTNET:
        for number in range(ceil(depth * deeper)):
            first = stride if number == 0 else 1
            x = mbconv(net, x, widened(out), kernel, first, expansion, eps)
    x = net.swish(conv_bn(net, x, 4 * widened(320), 1, eps=eps))
    return classify(net, x, classes)


# EfficientNetV2.


def fused_mbconv(net, x, out, kernel, stride, expansion, eps):
    """One convolution where MBConv has two."""
    inputs = net.channels(x)
    if expansion == 1:
        y = net.swish(conv_bn(net, x, out, kernel, stride, eps))
    else:
        y = net.swish(conv_bn(net, x, inputs * expansion, kernel, stride, eps))
        y = conv_bn(net, y, out, 1, eps=eps)
    return net.add(y, x) if stride == 1 and inputs == out else y


EFFICIENTNET_V2_S = [  # block, expansion, stride of the first, output channels, blocks
    (fused_mbconv, 1, 1, 24, 2),
    (fused_mbconv, 4, 2, 48, 4),
    (fused_mbconv, 4, 2, 64, 4),
    (mbconv, 4, 2, 128, 6),
    (mbconv, 6, 1, 160, 9),
    (mbconv, 6, 2, 256, 15),
]


def efficientnet_v2_s(net, x, classes, eps=1e-3):
    x = net.swish(conv_bn(net, x, 24, 3, 2, eps))
    for block, expansion, stride, out, depth in EFFICIENTNET_V2_S:
        for number in range(depth):
            x = block(net, x, out, 3, stride if number == 0 else 1, expansion, eps)
    x = net.swish(conv_bn(net, x, 1280, 1, eps=eps))
    return classify(net, x, classes)
