# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks that classify images, layer by layer as in torchvision: those with ordinary
convolutions for the most part. A network is a function of a style (see style.py), the
input, the number of classes and the parameters of its row in networks.py; the members of
a family share one. Layers that do nothing when a network is used (dropout, auxiliary
classifiers) are left out, and so are poolings to a fixed size before fully connected
layers: at a network's own size they do nothing, and at another one the first layer takes
what there is."""

from blocks import classify, conv_bn, conv_bn_relu, conv_relu, squeeze_excite

# ResNet, ResNeXt, Wide ResNet, the ResNet of videos.


def basic_block(net, x, width, stride, dilation):
    y = conv_bn_relu(net, x, width, 3, stride)
    return conv_bn(net, y, width, 3)


def bottleneck(net, x, width, stride, dilation, groups=1, base=64):
    inner = width * base // 64 * groups
    y = conv_bn_relu(net, x, inner, 1)
    options = {"pad": dilation, "dilation": dilation, "groups": groups}
    y = conv_bn_relu(net, y, inner, 3, stride, **options)
    return conv_bn(net, y, 4 * width, 1)


def resnet_stages(net, x, block, depths, is_dilated=(False,) * 4, **options):
    """A stage that is dilated has a stride of 1, and the convolutions after the first
    one read pixels that are further apart."""
    dilation = 1
    for stage, depth in enumerate(depths):
        for number in range(depth):
            stride = 2 if stage > 0 and number == 0 and not is_dilated[stage] else 1
            y = block(net, x, 64 << stage, stride, dilation, **options)
            out = net.channels(y)
            if stride > 1 or net.channels(x) != out:
                x = conv_bn(net, x, out, 1, stride)
            x = net.relu(net.add(y, x))
            if is_dilated[stage] and number == 0:
                dilation *= 2
    return x


def resnet_stem(net, x):
    x = conv_bn_relu(net, x, 64, 7, 2)
    return net.max_pool(x, 3, 2, pad=1)


def resnet(net, x, classes, block, depths, **options):
    x = resnet_stages(net, resnet_stem(net, x), block, depths, **options)
    return classify(net, x, classes)


def video_resnet(net, x, classes, depths):
    """Its images have a third dimension, the time, of which the stem keeps all."""
    x = conv_bn_relu(net, x, 64, (3, 7, 7), (1, 2, 2))
    x = resnet_stages(net, x, basic_block, depths)
    return net.linear(net.mean_of_image(x), classes)


# RegNetY.


def regnet_block(net, x, out, stride, group_width):
    inputs = net.channels(x)
    y = conv_bn_relu(net, x, out, 1)
    y = conv_bn_relu(net, y, out, 3, stride, groups=out // group_width)
    y = squeeze_excite(net, y, round(inputs / 4), net.relu)
    y = conv_bn(net, y, out, 1)
    if stride > 1 or inputs != out:
        x = conv_bn(net, x, out, 1, stride)
    return net.relu(net.add(x, y))


def regnet(net, x, classes, widths, depths, group_width):
    x = conv_bn_relu(net, x, 32, 3, 2)
    for width, depth in zip(widths, depths):
        for number in range(depth):
            x = regnet_block(net, x, width, 2 if number == 0 else 1, group_width)
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


# VGG, AlexNet, SqueezeNet.


def vgg16_bn(net, x, classes):
    for width, depth in (64, 2), (128, 2), (256, 3), (512, 3), (512, 3):
        for _ in range(depth):
            x = conv_bn_relu(net, x, width, bias=True)
        x = net.max_pool(x, 2, 2)
    x = net.flatten(x)
    for _ in range(2):
        x = net.relu(net.linear(x, 4096))
    return net.linear(x, classes)


def alexnet(net, x, classes):
    x = conv_relu(net, x, 64, 11, 4, pad=2)
    x = conv_relu(net, net.max_pool(x, 3, 2), 192, 5)
    x = net.max_pool(x, 3, 2)
    for width in 384, 256, 256:
        x = conv_relu(net, x, width)
    x = net.flatten(net.max_pool(x, 3, 2))
    for _ in range(2):
        x = net.relu(net.linear(x, 4096))
    return net.linear(x, classes)


def fire(net, x, squeezed, out):
    """Half of the channels see one pixel, the other half nine."""
    x = conv_relu(net, x, squeezed, 1)
    return net.concat([conv_relu(net, x, out, 1), conv_relu(net, x, out, 3)])


SQUEEZENET = [  # the blocks between poolings: channels in the middle and of each half
    [(16, 64), (16, 64)],
    [(32, 128), (32, 128)],
    [(48, 192), (48, 192), (64, 256), (64, 256)],
]


def squeezenet(net, x, classes):
    x = conv_relu(net, x, 64, 3, 2, pad=0)
    for blocks in SQUEEZENET:
        x = net.max_pool(x, 3, 2, ceil=True)
        for widths in blocks:
            x = fire(net, x, *widths)
    x = conv_relu(net, x, classes, 1)
    return net.flatten(net.global_average_pool(x))


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


# Inception-v3.


def inception_layer(net, x, out, kernel=1, stride=1, pad=None):
    return conv_bn_relu(net, x, out, kernel, stride, eps=1e-3, pad=pad)


def inception_branch(net, x, *layers):
    """Layers one behind the other: channels, kernel, and if need be stride and pad."""
    for layer in layers:
        x = inception_layer(net, x, *layer)
    return x


def inception_a(net, x, pooled):
    return net.concat(
        [
            inception_layer(net, x, 64),
            inception_branch(net, x, (48,), (64, 5)),
            inception_branch(net, x, (64,), (96, 3), (96, 3)),
            inception_layer(net, net.average_pool(x, 3, 1, pad=1), pooled),
        ]
    )


def inception_b(net, x):
    return net.concat(
        [
            inception_layer(net, x, 384, 3, 2, 0),
            inception_branch(net, x, (64,), (96, 3), (96, 3, 2, 0)),
            net.max_pool(x, 3, 2),
        ]
    )


def inception_c(net, x, width):
    row, column = (1, 7), (7, 1)
    twice = [(width,), (width, column), (width, row), (width, column), (192, row)]
    return net.concat(
        [
            inception_layer(net, x, 192),
            inception_branch(net, x, (width,), (width, row), (192, column)),
            inception_branch(net, x, *twice),
            inception_layer(net, net.average_pool(x, 3, 1, pad=1), 192),
        ]
    )


def inception_d(net, x):
    return net.concat(
        [
            inception_branch(net, x, (192,), (320, 3, 2, 0)),
            inception_branch(net, x, (192,), (192, (1, 7)), (192, (7, 1)), (192, 3, 2, 0)),
            net.max_pool(x, 3, 2),
        ]
    )


def inception_e(net, x):
    def both(x):
        return net.concat([inception_layer(net, x, 384, kernel) for kernel in ((1, 3), (3, 1))])

    return net.concat(
        [
            inception_layer(net, x, 320),
            both(inception_layer(net, x, 384)),
            both(inception_branch(net, x, (448,), (384, 3))),
            inception_layer(net, net.average_pool(x, 3, 1, pad=1), 192),
        ]
    )


def inception_v3(net, x, classes):
    x = inception_branch(net, x, (32, 3, 2, 0), (32, 3, 1, 0), (64, 3))
    x = inception_branch(net, net.max_pool(x, 3, 2), (80,), (192, 3, 1, 0))
    x = net.max_pool(x, 3, 2)
    for pooled in 32, 64, 64:
        x = inception_a(net, x, pooled)
    x = inception_b(net, x)
    for width in 128, 160, 160, 192:
        x = inception_c(net, x, width)
    x = inception_d(net, x)
    for _ in range(2):
        x = inception_e(net, x)
    return classify(net, x, classes)


# Small ones and single blocks.


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


def vgg_head(net, x, classes):
    return conv_bn_relu(net, x, 64, bias=True)
