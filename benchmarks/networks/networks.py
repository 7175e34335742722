# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks by name, each a function of a style (see style.py), the input, the number
of classes and the parameters of its row here; the members of a family share one."""

from collections import namedtuple

import classifiers
import image_networks
import mobile_networks
import token_networks
from classifiers import basic_block, bottleneck, resnet
from mobile_networks import efficientnet, mobilenet_v3

# `channels` and `size` are those of the input, unless others are given. `parameters`
# are further arguments of `build`; the command line may change `planes` and `depth`.
# `kind` says which dimensions the input has (see input_shape).
Network = namedtuple(
    "Network", "build channels size classes summary parameters kind", defaults=[{}, "image"]
)
# Images of a video.
FRAMES = 16


def image_network(build, summary, size=224, classes=1000, **parameters):
    return Network(build, 3, size, classes, summary, parameters)


def block(build, channels, size, summary, **parameters):
    """A network that does not classify."""
    return Network(build, channels, size, None, summary, parameters)


# Networks with layers that only torch-mlir's style has, but for TOKEN_NETWORKS.
TORCH_NETWORKS = {
    "convnext_t": image_network(
        token_networks.convnext,
        "ConvNeXt-T, 22 convolutions, 37 linear layers",
        widths=[96, 192, 384, 768],
        depths=[3, 3, 9, 3],
    ),
    "vit_b16": image_network(
        token_networks.vit,
        "ViT-B/16, 49 linear layers, 24 products",
        **{"width": 768, "depth": 12, "heads": 12, "side": 16},
    ),
    "mlp_mixer_b16": image_network(
        token_networks.mlp_mixer,
        "MLP-Mixer B/16, 49 linear layers",
        **{"width": 768, "depth": 12, "side": 16},
    ),
    "swin_t": image_network(
        token_networks.swin,
        "Swin-T, 1 convolution, 52 linear layers, 24 products",
        **{"width": 96, "depths": [2, 2, 6, 2], "heads": [3, 6, 12, 24], "side": 7},
    ),
    "bert_base": Network(
        *(token_networks.bert, 768, 128, None),
        "BERT-base on the embeddings of tokens, 73 linear layers, 24 products",
        {"depth": 12, "heads": 12},
        "tokens",
    ),
    "resnext50": image_network(
        *(resnet, "ResNeXt-50 32x4d, 53 convolutions"),
        **{"block": bottleneck, "depths": [3, 4, 6, 3], "groups": 32, "base": 4},
    ),
    "regnet_y_800mf": image_network(
        *(classifiers.regnet, "RegNetY-800MF, 75 convolutions"),
        **{"widths": [64, 144, 320, 784], "depths": [1, 3, 8, 2], "group_width": 16},
    ),
    "shufflenet_v2": image_network(
        *(mobile_networks.shufflenet_v2, "ShuffleNetV2 x1.0, 56 convolutions"),
        **{"widths": [116, 232, 464], "depths": [4, 8, 4]},
    ),
    "r3d_18": Network(
        *(classifiers.video_resnet, 3, 112, 400, "R3D-18 on 16 images, 20 convolutions"),
        {"depths": [2, 2, 2, 2]},
        "video",
    ),
    "unet": image_network(
        *(image_networks.unet, "U-Net, 19 convolutions, 4 transposed", 256, 1),
        **{"width": 64, "depth": 4},
    ),
    "deeplab_v3": image_network(
        *(image_networks.deeplab_v3, "DeepLabV3 on ResNet-50, 61 convolutions", 256, 21),
        depths=[3, 4, 6, 3],
    ),
    "yolo_v5s": image_network(
        *(image_networks.yolo_v5, "YOLOv5s without decoding, 60 convolutions", 640, 80),
        **{"widths": [64, 128, 256, 512], "depths": [1, 2, 3, 1]},
    ),
    "yolo_v8n": image_network(
        *(image_networks.yolo_v8, "YOLOv8n without decoding, 64 convolutions", 640, 80),
        **{"widths": [32, 64, 128, 256], "depths": [1, 2, 2, 1], "bins": 16},
    ),
    "ssd300": image_network(
        *(image_networks.ssd, "SSD on VGG-16 without decoding, 35 convolutions", 300, 91),
        anchors=[4, 6, 6, 6, 4, 4],
    ),
    "autoencoder": image_network(
        *(image_networks.autoencoder, "DCGAN's, 5 convolutions, 5 transposed", 64, None),
        **{"width": 64, "depth": 4, "code": 100},
    ),
    "latent_decoder": Network(
        *(image_networks.latent_decoder, 4, 16, None),
        "Stable Diffusion's decoder of latents, 40 convolutions, 2 products",
        {"widths": [512, 512, 256, 128], "depth": 3},
    ),
    "wavenet": Network(
        *(image_networks.wavenet, 1, 4096, 256, "WaveNet-like, 83 convolutions"),
        {"width": 64, "skipped": 256, "stacks": 2, "depth": 10},
        "sound",
    ),
}

NETWORKS = {
    **TORCH_NETWORKS,
    "resnet18": image_network(
        *(resnet, "ResNet-18, 20 convolutions"),
        **{"block": basic_block, "depths": [2, 2, 2, 2]},
    ),
    "resnet50": image_network(
        *(resnet, "ResNet-50 (v1.5), 53 convolutions"),
        **{"block": bottleneck, "depths": [3, 4, 6, 3]},
    ),
    "resnet152": image_network(
        *(resnet, "ResNet-152 (v1.5), 155 convolutions"),
        **{"block": bottleneck, "depths": [3, 8, 36, 3]},
    ),
    "wide_resnet50": image_network(
        *(resnet, "Wide-ResNet-50-2, 53 convolutions"),
        **{"block": bottleneck, "depths": [3, 4, 6, 3], "base": 128},
    ),
    "densenet121": image_network(
        *(classifiers.densenet, "DenseNet-121, 120 convolutions"),
        **{"growth": 32, "depths": [6, 12, 24, 16]},
    ),
    "densenet201": image_network(
        *(classifiers.densenet, "DenseNet-201, 200 convolutions"),
        **{"growth": 32, "depths": [6, 12, 48, 32]},
    ),
    "efficientnet_b0": image_network(
        *(efficientnet, "EfficientNet-B0, 81 convolutions"),
        **{"wider": 1.0, "deeper": 1.0, "eps": 1e-5},
    ),
    "efficientnet_b7": image_network(
        *(efficientnet, "EfficientNet-B7, 273 convolutions", 600),
        **{"wider": 2.0, "deeper": 3.1, "eps": 1e-3},
    ),
    "efficientnet_v2_s": image_network(
        *(mobile_networks.efficientnet_v2_s, "EfficientNetV2-S, 170 convolutions", 384)
    ),
    "alexnet": image_network(classifiers.alexnet, "AlexNet, 5 convolutions"),
    "vgg16_bn": image_network(classifiers.vgg16_bn, "VGG-16, batch norm, 13 convolutions"),
    "squeezenet": image_network(classifiers.squeezenet, "SqueezeNet 1.1, 26 convolutions"),
    "mobilenet_v1": image_network(
        mobile_networks.mobilenet_v1, "MobileNet, 27 convolutions"
    ),
    "mobilenet_v2": image_network(
        mobile_networks.mobilenet_v2, "MobileNetV2, 52 convolutions"
    ),
    "mobilenet_v3_large": image_network(
        *(mobilenet_v3, "MobileNetV3-large, 62 convolutions"),
        **{"blocks": mobile_networks.MOBILENET_V3_LARGE, "last": 1280},
    ),
    "mobilenet_v3_small": image_network(
        *(mobilenet_v3, "MobileNetV3-small, 52 convolutions"),
        **{"blocks": mobile_networks.MOBILENET_V3_SMALL, "last": 1024},
    ),
    "mnasnet": image_network(mobile_networks.mnasnet, "MNASNet 1.0, 52 convolutions"),
    "googlenet": image_network(classifiers.googlenet, "GoogLeNet, 57 convolutions"),
    "inception_v3": image_network(
        classifiers.inception_v3, "Inception-v3, 94 convolutions", 299
    ),
    "lenet": Network(classifiers.lenet, 1, 28, 10, "LeNet-5 with relu, 2 convolutions"),
    "se_block": block(
        classifiers.se_block, 64, 56, "squeeze and excite, 4 convolutions"
    ),
    "weenet": block(
        *(classifiers.weenet, 64, 128, "64 -> 64 3x3, batch norm, relu"),
        **{"planes": 64, "depth": 1},
    ),
    "conv_1x1": block(
        classifiers.conv_1x1, 128, 28, "128 -> 128 1x1, batch norm, relu", planes=128
    ),
    "depthwise_3x3": block(
        *(classifiers.depthwise_3x3, 512, 14, "512 depthwise 3x3, batch norm, relu"),
        planes=512,
    ),
    "vgg_head": block(classifiers.vgg_head, 3, 224, "3 -> 64, bias, batch norm, relu"),
}

# Those of the first ones that have layers on tokens alone, as other styles do.
TOKEN_NETWORKS = "vit_b16", "mlp_mixer_b16", "bert_base"
# And those whose layers are quantised.
QUANTIZED_NETWORKS = {
    *("resnext50", "regnet_y_800mf", "shufflenet_v2", "r3d_18", "unet", "deeplab_v3"),
    *("yolo_v5s", "yolo_v8n", "autoencoder", "wavenet"),
}


def can_spell(style, network):
    """Whether a style, by name, has all layers of the network."""
    if style in ("tosa", "stablehlo") and network in TOKEN_NETWORKS:
        return True
    if style == "qdq" and network in QUANTIZED_NETWORKS:
        return True
    return style == "torch-mlir" or network not in TORCH_NETWORKS


# Too small to stand for a network.
BLOCKS = "lenet", "se_block", "weenet", "conv_1x1", "depthwise_3x3", "vgg_head"

# Sizes at which a network takes next to no time, where that is not 64.
SMALL_SIZES = {
    "bert_base": 16,
    "conv_1x1": 28,
    "depthwise_3x3": 14,
    "inception_v3": 96,
    "latent_decoder": 2,
    "lenet": 28,
    "r3d_18": 32,
    "ssd300": 300,
    "wavenet": 512,
}


def small_size(network):
    return SMALL_SIZES.get(network, 64)


def input_shape(network, batch, size=None, planes=None):
    """Channels behind the batch, but those of tokens at the end."""
    chosen = NETWORKS[network]
    size = size or chosen.size
    channels = planes or chosen.parameters.get("planes", chosen.channels)
    return {
        "image": (batch, channels, size, size),
        "video": (batch, channels, FRAMES, size, size),
        "sound": (batch, channels, size),
        "tokens": (batch, size, channels),
    }[chosen.kind]


def build(network, style, size=None, classes=None, **parameters):
    """The result of the network written with a style. A parameter that is None has its
    default; `planes` are the channels of the input as well."""
    chosen = NETWORKS[network]
    given = {name: value for name, value in parameters.items() if value}
    given = {**chosen.parameters, **given}
    shape = input_shape(network, style.batch, size, given.get("planes"))
    x = style.token_input(shape) if chosen.kind == "tokens" else style.image_input(shape)
    return chosen.build(style, x, classes or chosen.classes, **given)
