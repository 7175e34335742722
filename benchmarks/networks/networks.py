# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks, layer by layer as in torchvision, which all but MobileNet of 2017 are
from. Each is a function of a style (see style.py), the input, the number of classes and
the parameters of its row in NETWORKS; the members of a family share one. Those on tokens
are in token_networks.py. Layers that do nothing when a network is used (dropout,
auxiliary classifiers) are left out."""

from collections import namedtuple
from math import ceil

from token_networks import convnext, mlp_mixer, vit

# `channels` and `size` are those of the input, unless others are given. `parameters`
# are further arguments of `build`; the command line may change `planes` and `depth`.
Network = namedtuple(
    "Network", "build channels size classes summary parameters", defaults=[{}]
)


def conv_bn(net, x, out, kernel=3, stride=1, eps=1e-5, **options):
    """Convolution that keeps the size but for its stride, and batch norm."""
    x = net.conv(x, out, kernel, stride, pad=kernel // 2, **options)
    return net.batch_norm(x, eps)


def conv_bn_relu(net, x, out, *arguments, **options):
    return net.relu(conv_bn(net, x, out, *arguments, **options))


def squeeze_excite(net, x, width, activate):
    """Scales each channel by what `width` numbers say of all."""
    gate = net.global_average_pool(x)
    gate = activate(net.conv(gate, width, 1, bias=True))
    gate = net.sigmoid(net.conv(gate, net.channels(x), 1, bias=True))
    return net.mul(x, gate)


def classify(net, x, classes):
    """Average over the image and one fully connected layer."""
    return net.linear(net.flatten(net.global_average_pool(x)), classes)


# ResNet.


def basic_block(net, x, width, stride):
    y = conv_bn_relu(net, x, width, 3, stride)
    return conv_bn(net, y, width, 3)


def bottleneck(net, x, width, stride):
    y = conv_bn_relu(net, x, width, 1)
    y = conv_bn_relu(net, y, width, 3, stride)
    return conv_bn(net, y, 4 * width, 1)


def resnet(net, x, classes, block, depths):
    x = conv_bn_relu(net, x, 64, 7, 2)
    x = net.max_pool(x, 3, 2, pad=1)
    for stage, depth in enumerate(depths):
        for number in range(depth):
            stride = 2 if stage > 0 and number == 0 else 1
            y = block(net, x, 64 << stage, stride)
            out = net.channels(y)
            if stride > 1 or net.channels(x) != out:
                x = conv_bn(net, x, out, 1, stride)
            x = net.relu(net.add(y, x))
    return classify(net, x, classes)


# DenseNet.


def bn_relu_conv(net, x, out, kernel):
    x = net.relu(net.batch_norm(x))
    return net.conv(x, out, kernel, pad=kernel // 2)


def densenet(net, x, classes, growth, depths):
    """Each layer of a block reads what all layers before it gave."""
    x = conv_bn_relu(net, x, 2 * growth, 7, 2)
    x = net.max_pool(x, 3, 2, pad=1)
    for stage, depth in enumerate(depths):
        if stage > 0:
            x = bn_relu_conv(net, x, net.channels(x) // 2, 1)
            x = net.average_pool(x, 2, 2)
        features = [x]
        for _ in range(depth):
            y = bn_relu_conv(net, x, 4 * growth, 1)
            features.append(bn_relu_conv(net, y, growth, 3))
            x = net.concat(features)
    return classify(net, net.relu(net.batch_norm(x)), classes)


# VGG.


def vgg16_bn(net, x, classes):
    """The pooling to 7x7 after the convolutions is left out: at 224x224 it does
    nothing, and at other sizes the first fully connected layer takes what there is."""
    for width, depth in (64, 2), (128, 2), (256, 3), (512, 3), (512, 3):
        for _ in range(depth):
            x = conv_bn_relu(net, x, width, bias=True)
        x = net.max_pool(x, 2, 2)
    x = net.flatten(x)
    for _ in range(2):
        x = net.relu(net.linear(x, 4096))
    return net.linear(x, classes)


def vgg_head(net, x, classes):
    return conv_bn_relu(net, x, 64, bias=True)


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


# GoogLeNet.


def inception(net, x, plain, narrow3, out3, narrow5, out5, pooled):
    """Four branches, one after the other in the channels. That of the 5x5 convolution
    is 3x3, as torchvision has it."""

    def layer(x, out, kernel):
        return conv_bn_relu(net, x, out, kernel, eps=1e-3)

    return net.concat(
        [
            layer(x, plain, 1),
            layer(layer(x, narrow3, 1), out3, 3),
            layer(layer(x, narrow5, 1), out5, 3),
            layer(net.max_pool(x, 3, 1, pad=1, ceil=True), pooled, 1),
        ]
    )


GOOGLENET = [  # the blocks between poolings
    [(64, 96, 128, 16, 32, 32), (128, 128, 192, 32, 96, 64)],
    [
        (192, 96, 208, 16, 48, 64),
        (160, 112, 224, 24, 64, 64),
        (128, 128, 256, 24, 64, 64),
        (112, 144, 288, 32, 64, 64),
        (256, 160, 320, 32, 128, 128),
    ],
    [(256, 160, 320, 32, 128, 128), (384, 192, 384, 48, 128, 128)],
]


def googlenet(net, x, classes):
    x = conv_bn_relu(net, x, 64, 7, 2, eps=1e-3)
    x = net.max_pool(x, 3, 2, ceil=True)
    x = conv_bn_relu(net, x, 64, 1, eps=1e-3)
    x = conv_bn_relu(net, x, 192, 3, eps=1e-3)
    for kernel, blocks in zip((3, 3, 2), GOOGLENET):
        x = net.max_pool(x, kernel, 2, ceil=True)
        for widths in blocks:
            x = inception(net, x, *widths)
    return classify(net, x, classes)


# Small ones.


def se_block(net, x, classes):
    """A residual block whose channels are scaled by what a squeeze says of them."""
    y = squeeze_excite(net, conv_bn_relu(net, x, 64), 16, net.relu)
    y = conv_bn(net, y, 64)
    return net.relu(net.add(y, x))


def weenet(net, x, classes, planes, depth):
    for _ in range(depth):
        x = conv_bn_relu(net, x, planes)
    return x


def conv_1x1(net, x, classes, planes):
    return conv_bn_relu(net, x, planes, 1)


def depthwise_3x3(net, x, classes, planes):
    return conv_bn_relu(net, x, planes, depthwise=True)


def lenet(net, x, classes):
    x = net.max_pool(net.relu(net.conv(x, 6, 5, pad=2, bias=True)), 2, 2)
    x = net.max_pool(net.relu(net.conv(x, 16, 5, bias=True)), 2, 2)
    x = net.flatten(x)
    for width in 120, 84:
        x = net.relu(net.linear(x, width))
    return net.linear(x, classes)


# Networks with layers that only torch-mlir's style has.
TOKEN_NETWORKS = {
    "convnext_t": Network(
        *(convnext, 3, 224, 1000, "ConvNeXt-T, 22 convolutions, 37 linear layers"),
        {"widths": [96, 192, 384, 768], "depths": [3, 3, 9, 3]},
    ),
    "vit_b16": Network(
        *(vit, 3, 224, 1000, "ViT-B/16, 49 linear layers, 24 products"),
        {"width": 768, "depth": 12, "heads": 12, "side": 16},
    ),
    "mlp_mixer_b16": Network(
        *(mlp_mixer, 3, 224, 1000, "MLP-Mixer B/16, 49 linear layers"),
        {"width": 768, "depth": 12, "side": 16},
    ),
}

NETWORKS = {
    **TOKEN_NETWORKS,
    "resnet18": Network(
        *(resnet, 3, 224, 1000, "ResNet-18, 20 convolutions"),
        {"block": basic_block, "depths": [2, 2, 2, 2]},
    ),
    "resnet50": Network(
        *(resnet, 3, 224, 1000, "ResNet-50 (v1.5), 53 convolutions"),
        {"block": bottleneck, "depths": [3, 4, 6, 3]},
    ),
    "resnet152": Network(
        *(resnet, 3, 224, 1000, "ResNet-152 (v1.5), 155 convolutions"),
        {"block": bottleneck, "depths": [3, 8, 36, 3]},
    ),
    "densenet201": Network(
        *(densenet, 3, 224, 1000, "DenseNet-201, 200 convolutions"),
        {"growth": 32, "depths": [6, 12, 48, 32]},
    ),
    "efficientnet_b7": Network(
        *(efficientnet, 3, 600, 1000, "EfficientNet-B7, 273 convolutions"),
        {"wider": 2.0, "deeper": 3.1, "eps": 1e-3},
    ),
    "vgg16_bn": Network(vgg16_bn, 3, 224, 1000, "VGG-16, batch norm, 13 convolutions"),
    "mobilenet_v1": Network(mobilenet_v1, 3, 224, 1000, "MobileNet, 27 convolutions"),
    "mobilenet_v2": Network(mobilenet_v2, 3, 224, 1000, "MobileNetV2, 52 convolutions"),
    "googlenet": Network(googlenet, 3, 224, 1000, "GoogLeNet, 57 convolutions"),
    "lenet": Network(lenet, 1, 28, 10, "LeNet-5 with relu, 2 convolutions"),
    "se_block": Network(se_block, 64, 56, None, "squeeze and excite, 4 convolutions"),
    "weenet": Network(
        *(weenet, 64, 128, None, "64 -> 64 3x3, batch norm, relu"),
        {"planes": 64, "depth": 1},
    ),
    "conv_1x1": Network(
        *(conv_1x1, 128, 28, None, "128 -> 128 1x1, batch norm, relu"),
        {"planes": 128},
    ),
    "depthwise_3x3": Network(
        *(depthwise_3x3, 512, 14, None, "512 depthwise 3x3, batch norm, relu"),
        {"planes": 512},
    ),
    "vgg_head": Network(vgg_head, 3, 224, None, "3 -> 64, bias, batch norm, relu"),
}


def build(network, style, size=None, classes=None, **parameters):
    """The result of the network written with a style. A parameter that is None has its
    default; `planes` are the channels of the input as well."""
    chosen = NETWORKS[network]
    given = {name: value for name, value in parameters.items() if value}
    given = {**chosen.parameters, **given}
    channels = given.get("planes", chosen.channels)
    x = style.image_input(channels, size or chosen.size)
    return chosen.build(style, x, classes or chosen.classes, **given)
