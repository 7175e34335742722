# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks whose result is a map, boxes, an image or a sound, with layers that only
torch-mlir's style and PyTorch itself have (see images.py). See classifiers.py."""

from blocks import conv_bn, conv_bn_relu, conv_relu
from classifiers import bottleneck, resnet_stages, resnet_stem

# U-Net, with batch norm and padding, after github.com/milesial/Pytorch-UNet.


def twice(net, x, out):
    return conv_bn_relu(net, conv_bn_relu(net, x, out), out)


def unet(net, x, classes, width, depth):
    kept = [twice(net, x, width)]
    for level in range(1, depth + 1):
        kept.append(twice(net, net.max_pool(kept[-1], 2, 2), width << level))
    x = kept.pop()
    for same in reversed(kept):
        x = net.deconv(x, net.channels(same), 2, 2, bias=True)
        x = twice(net, net.concat([same, x]), net.channels(same))
    return net.conv(x, classes, 1, bias=True)


# DeepLabV3 of torchvision.


def spatial_pyramid(net, x, out, dilations):
    size = net.spatial(x)
    branches = [conv_bn_relu(net, x, out, 1)]
    for dilation in dilations:
        branches.append(conv_bn_relu(net, x, out, 3, pad=dilation, dilation=dilation))
    pooled = conv_bn_relu(net, net.global_average_pool(x), out, 1)
    branches.append(net.resize(pooled, size))
    return conv_bn_relu(net, net.concat(branches), out, 1)


def deeplab_v3(net, x, classes, depths):
    size = net.spatial(x)
    dilated = (False, False, True, True)
    x = resnet_stages(net, resnet_stem(net, x), bottleneck, depths, dilated)
    x = conv_bn_relu(net, spatial_pyramid(net, x, 256, (12, 24, 36)), 256)
    return net.resize(net.conv(x, classes, 1, bias=True), size)


# YOLOv5 (version 6) and YOLOv8 of Ultralytics, down to what the heads say of each place:
# where boxes are in the image is not computed.


def yolo_conv(net, x, out, kernel=1, stride=1, pad=None):
    return net.swish(conv_bn(net, x, out, kernel, stride, 1e-3, pad))


def yolo_bottleneck(net, x, kernel, adds):
    out = net.channels(x)
    y = yolo_conv(net, yolo_conv(net, x, out, kernel), out, 3)
    return net.add(x, y) if adds else y


def c3(net, x, out, depth, adds=True):
    y = yolo_conv(net, x, out // 2)
    for _ in range(depth):
        y = yolo_bottleneck(net, y, 1, adds)
    return yolo_conv(net, net.concat([y, yolo_conv(net, x, out // 2)]), out)


def c2f(net, x, out, depth, adds=True):
    """All that the bottlenecks give is kept."""
    parts = list(net.cut(yolo_conv(net, x, out), (out // 2, out // 2), 1))
    for _ in range(depth):
        parts.append(yolo_bottleneck(net, parts[-1], 3, adds))
    return yolo_conv(net, net.concat(parts), out)


def pooled_pyramid(net, x):
    out = net.channels(x)
    parts = [yolo_conv(net, x, out // 2)]
    for _ in range(3):
        parts.append(net.max_pool(parts[-1], 5, 1, pad=2))
    return yolo_conv(net, net.concat(parts), out)


def yolo_backbone(net, x, block, widths, depths):
    """The features of the last three stages."""
    features = []
    for width, depth in zip(widths, depths):
        x = block(net, yolo_conv(net, x, width, 3, 2), width, depth)
        features.append(x)
    return features[-3], features[-2], pooled_pyramid(net, features[-1])


def yolo_neck(net, block, narrow, features):
    """Down to the finest features and up again; before each way down a convolution
    may halve the channels."""
    fine, middle, coarse = features
    widths = [net.channels(feature) for feature in features]
    coarse = narrow(coarse, widths[1])
    middle = net.concat([net.upsample(coarse, 2), middle])
    middle = narrow(block(net, middle, widths[1], 1, False), widths[0])
    fine = block(net, net.concat([net.upsample(middle, 2), fine]), widths[0], 1, False)
    middle = net.concat([yolo_conv(net, fine, widths[0], 3, 2), middle])
    middle = block(net, middle, widths[1], 1, False)
    coarse = net.concat([yolo_conv(net, middle, widths[1], 3, 2), coarse])
    return fine, middle, block(net, coarse, widths[2], 1, False)


def yolo_v5(net, x, classes, widths, depths):
    """Three boxes for each place: what they are, by numbers of 0 to 1."""
    x = yolo_conv(net, x, widths[0] // 2, 6, 2, pad=2)
    features = yolo_backbone(net, x, c3, widths, depths)

    def narrow(x, out):
        return yolo_conv(net, x, out)

    results = []
    for feature in yolo_neck(net, c3, narrow, features):
        y = net.conv(feature, 3 * (classes + 5), 1, bias=True)
        y = net.permute(net.split(y, 1, (3, classes + 5)), [0, 1, 3, 4, 2])
        results.append(net.merge(net.sigmoid(y), 1, 3))
    return net.join(results, 1)


def yolo_v8_head(net, x, widths, outs):
    """Two layers and a convolution each for boxes and for classes."""
    branches = []
    for width, out in zip(widths, outs):
        y = yolo_conv(net, yolo_conv(net, x, width, 3), width, 3)
        branches.append(net.conv(y, out, 1, bias=True))
    return net.merge(net.concat(branches), 2, 2)


def yolo_v8(net, x, classes, widths, depths, bins):
    """Of each place the distances to the four sides of a box, each an average of what
    `bins` numbers say, and its classes."""
    x = yolo_conv(net, x, widths[0] // 2, 3, 2)
    features = yolo_backbone(net, x, c2f, widths, depths)
    features = yolo_neck(net, c2f, lambda x, out: x, features)
    heads = max(64, widths[1] // 4), max(widths[1], min(classes, 100))
    outs = 4 * bins, classes
    x = net.join([yolo_v8_head(net, feature, heads, outs) for feature in features], 2)
    boxes, scores = net.cut(x, outs, 1)
    boxes = net.permute(net.split(boxes, 1, (4, bins)), [0, 2, 1, 3])
    boxes = net.merge(net.conv(net.softmax(boxes, 1), 1, 1), 1, 2)
    return net.join([boxes, net.sigmoid(scores)], 1)


# SSD of torchvision, on VGG-16, down to the heads.


def ssd_features(net, x):
    features = []
    for width, depth in (64, 2), (128, 2), (256, 3), (512, 3):
        for _ in range(depth):
            x = conv_relu(net, x, width)
        features = [net.scaled_norm(x)] if width == 512 else []
        x = net.max_pool(x, 2, 2, ceil=True)
    for _ in range(3):
        x = conv_relu(net, x, 512)
    x = net.max_pool(x, 3, 1, pad=1)
    x = conv_relu(net, conv_relu(net, x, 1024, pad=6, dilation=6), 1024, 1)
    features.append(x)
    for width, stride, pad in (256, 2, 1), (128, 2, 1), (128, 1, 0), (128, 1, 0):
        x = conv_relu(net, conv_relu(net, x, width, 1), 2 * width, 3, stride, pad)
        features.append(x)
    return features


def ssd_head(net, x, anchors, numbers):
    """So many numbers for each anchor of each place."""
    x = net.conv(x, anchors * numbers, 3, pad=1, bias=True)
    x = net.permute(net.split(x, 1, (anchors, numbers)), [0, 3, 4, 1, 2])
    return net.merge(x, 1, 3)


def ssd(net, x, classes, anchors):
    features = ssd_features(net, x)
    heads = [
        net.join([ssd_head(net, *pair, numbers) for pair in zip(features, anchors)], 1)
        for numbers in (classes, 4)
    ]
    return net.join(heads, 2)


# An autoencoder of the discriminator and the generator of DCGAN.


def autoencoder(net, x, classes, width, depth, code):
    x = net.leaky_relu(net.conv(x, width, 4, 2, pad=1), 0.2)
    for level in range(1, depth):
        x = net.leaky_relu(conv_bn(net, x, width << level, 4, 2, pad=1), 0.2)
    x = net.conv(x, code, 4)
    for level in reversed(range(depth)):
        stride, pad = (1, 0) if level == depth - 1 else (2, 1)
        x = net.relu(net.batch_norm(net.deconv(x, width << level, 4, stride, pad)))
    return net.tanh(net.deconv(x, 3, 4, 2, 1))


# The decoder of Stable Diffusion's autoencoder, which makes an image of latents.


def norm_swish(net, x):
    return net.swish(net.group_norm(x, 32, 1e-6))


def norm_block(net, x, out):
    y = net.conv(norm_swish(net, x), out, 3, pad=1, bias=True)
    y = net.conv(norm_swish(net, y), out, 3, pad=1, bias=True)
    if net.channels(x) != out:
        x = net.conv(x, out, 1, bias=True)
    return net.add(x, y)


def pixel_attention(net, x):
    """Of one head."""
    channels = net.channels(x)
    y = net.group_norm(x, 32, 1e-6)
    q, k, v = (net.merge(net.conv(y, channels, 1, bias=True), 2, 2) for _ in range(3))
    weights = net.scale(net.product(net.permute(q, [0, 2, 1]), k), channels**-0.5)
    weights = net.permute(net.softmax(weights), [0, 2, 1])
    y = net.split(net.product(v, weights), 2, net.spatial(x))
    return net.add(x, net.conv(y, channels, 1, bias=True))


def latent_decoder(net, x, classes, widths, depth):
    x = net.conv(x, net.channels(x), 1, bias=True)
    x = norm_block(net, net.conv(x, widths[0], 3, pad=1, bias=True), widths[0])
    x = norm_block(net, pixel_attention(net, x), widths[0])
    for stage, width in enumerate(widths):
        if stage > 0:
            x = net.conv(net.upsample(x, 2), net.channels(x), 3, pad=1, bias=True)
        for _ in range(depth):
            x = norm_block(net, x, width)
    return net.conv(norm_swish(net, x), 3, 3, pad=1, bias=True)


# WaveNet: gated convolutions that see the past alone, twice as far from layer to layer.


def causal_conv(net, x, out, dilation=1):
    x = net.pad(x, [0, 0, dilation], [0, 0, 0], 0.0)
    return net.conv(x, out, 2, bias=True, dilation=dilation)


def wavenet(net, x, classes, width, skipped, stacks, depth):
    x = causal_conv(net, x, width)
    total = None
    for number in range(stacks * depth):
        if number > 0:
            x = net.add(net.conv(y, width, 1, bias=True), x)
        dilation = 1 << number % depth
        gate = net.sigmoid(causal_conv(net, x, width, dilation))
        y = net.mul(net.tanh(causal_conv(net, x, width, dilation)), gate)
        skip = net.conv(y, skipped, 1, bias=True)
        total = skip if total is None else net.add(total, skip)
    return net.conv(conv_relu(net, net.relu(total), skipped, 1), classes, 1, bias=True)
