# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers of networks in PyTorch (see style.py of the networks)."""

import torch
import torch.nn.functional as F

from weights import values

# By the number of an image's dimensions.
CONVOLUTIONS = {1: torch.nn.Conv1d, 2: torch.nn.Conv2d, 3: torch.nn.Conv3d}
TRANSPOSED = {1: torch.nn.ConvTranspose1d, 2: torch.nn.ConvTranspose2d}
BATCH_NORMS = {1: torch.nn.BatchNorm1d, 2: torch.nn.BatchNorm2d, 3: torch.nn.BatchNorm3d}


class Layers:
    """The style (see style.py) that computes: a network written with it runs. Layers
    are made the first time they are asked for."""

    def __init__(self, modules, seed, x):
        self.modules = modules
        self.seed = seed
        self.batch = int(x.shape[0])
        self.numbers = {}
        self.x = x

    def image_input(self, shape):
        return self.x

    def channels(self, x):
        return int(x.shape[1])

    def shape(self, x):
        """As numbers; a tracer has tensors."""
        return tuple(map(int, x.shape))

    def spatial(self, x):
        return self.shape(x)[2:]

    def layer(self, kind, make):
        number = self.numbers.get(kind, 0)
        self.numbers[kind] = number + 1
        name = f"{kind}{number}"
        if name not in self.modules:
            module = make()
            roles = {
                "bn": {
                    "weight": "gamma",
                    "bias": "beta",
                    "running_mean": "mean",
                    "running_var": "variance",
                },
                "ln": {"weight": "gamma", "bias": "beta"},
                "gn": {"weight": "gamma", "bias": "beta"},
                "deconv": {"weight": "transposed", "bias": "bias"},
            }.get(kind, {"weight": "weight", "bias": "bias"})
            if isinstance(module, Value):
                roles = {module.role: module.role}
            for attribute, role in roles.items():
                self.set_values(getattr(module, attribute), f"{name}_{role}")
            # A batch norm in training would change its own mean and variance.
            self.modules[name] = module.eval()
        return self.modules[name]

    def set_values(self, tensor, name):
        if tensor is not None:
            data = bytearray(values(name, tuple(tensor.shape), self.seed))
            data = torch.frombuffer(data, dtype=torch.float32)
            tensor.data.copy_(data.reshape(tensor.shape))

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        channels = self.channels(x)
        groups = channels if depthwise else groups
        options = {"groups": groups, "dilation": dilation, "bias": bias}
        kind = CONVOLUTIONS[x.dim() - 2]
        window = channels, out, kernel, stride, pad
        return self.layer("conv", lambda: kind(*window, **options))(x)

    def deconv(self, x, out, kernel, stride=1, pad=0, bias=False):
        window = self.channels(x), out, kernel, stride, pad
        kind = TRANSPOSED[x.dim() - 2]
        return self.layer("deconv", lambda: kind(*window, bias=bias))(x)

    def batch_norm(self, x, eps=1e-5):
        channels = self.channels(x)
        return self.layer("bn", lambda: BATCH_NORMS[x.dim() - 2](channels, eps))(x)

    def linear(self, x, out, bias=True):
        size = int(x.shape[-1])
        return self.layer("fc", lambda: torch.nn.Linear(size, out, bias))(x)

    def relu(self, x):
        return F.relu(x)

    def relu6(self, x):
        return F.relu6(x)

    def sigmoid(self, x):
        return torch.sigmoid(x)

    def swish(self, x):
        return F.silu(x)

    def hard_swish(self, x):
        return F.hardswish(x)

    def hard_sigmoid(self, x):
        return F.hardsigmoid(x)

    def leaky_relu(self, x, slope):
        return F.leaky_relu(x, slope)

    def tanh(self, x):
        return torch.tanh(x)

    def add(self, x, y):
        return x + y

    def mul(self, x, y):
        return x * y

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        return F.max_pool2d(x, kernel, stride, pad, ceil_mode=ceil)

    def average_pool(self, x, kernel, stride, pad=0):
        return F.avg_pool2d(x, kernel, stride, pad)

    def global_average_pool(self, x):
        return F.adaptive_avg_pool2d(x, 1)

    def mean_of_image(self, x):
        return x.mean(tuple(range(2, x.dim())))

    def flatten(self, x):
        return torch.flatten(x, 1)

    def concat(self, tensors):
        return torch.cat(tensors, 1)

    # Layers on images; see images.py of the networks.

    def upsample(self, x, scale):
        return F.interpolate(x, scale_factor=scale, mode="nearest")

    def resize(self, x, size):
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)

    def scaled_norm(self, x):
        gamma = self.value("norm", "gamma", (self.channels(x),))
        return F.normalize(x) * gamma.view(1, -1, 1, 1)

    def group_norm(self, x, groups, eps):
        channels = self.channels(x)
        # With channels last PyTorch 1.13 sums up in bf16, which is wrong by a tenth.
        x = x.contiguous() if x.dtype == torch.bfloat16 else x
        return self.layer("gn", lambda: torch.nn.GroupNorm(groups, channels, eps))(x)

    def shuffle(self, x, groups):
        batch, channels, height, width = x.shape
        x = x.view(batch, groups, channels // groups, height, width)
        return x.transpose(1, 2).contiguous().view(batch, channels, height, width)

    def pad(self, x, low, high, value):
        ends = [end for pair in zip(low[::-1], high[::-1]) for end in pair]
        return F.pad(x, ends, value=value)

    # Layers on tokens; see tokens.py of the networks.

    def token_input(self, shape):
        return self.x

    def tokens_of(self, x):
        return x.flatten(2).permute(0, 2, 1)

    def permute(self, x, permutation):
        return x.permute(permutation)

    def merge(self, x, first, count):
        return torch.flatten(x, first, first + count - 1)

    def split(self, x, dim, sizes):
        shape = x.shape[:dim] + tuple(map(int, sizes)) + x.shape[dim + 1 :]
        return x.reshape(shape)

    def select(self, x, dim, index):
        return x.select(dim, index)

    def slice(self, x, shape, offsets=None, strides=None):
        offsets = offsets or [0] * len(shape)
        strides = strides or [1] * len(shape)
        for dim, (size, first, step) in enumerate(zip(shape, offsets, strides)):
            if (first, step, size) != (0, 1, int(x.shape[dim])):
                index = [slice(None)] * dim + [slice(first, first + size * step, step)]
                x = x[tuple(index)]
        return x

    def cut(self, x, sizes, dim):
        return torch.split(x, sizes, dim)

    def join(self, tensors, dim):
        return torch.cat(tensors, dim)

    def roll(self, x, shifts, dims):
        return torch.roll(x, tuple(shifts), dims)

    def table(self, numbers, shape):
        return torch.tensor(numbers).reshape(shape)

    def rows(self, x, indices):
        return x[torch.tensor(indices)]

    def layer_norm(self, x, eps=1e-5):
        size = int(x.shape[-1])
        return self.layer("ln", lambda: torch.nn.LayerNorm(size, eps))(x)

    def value(self, kind, role, shape):
        return self.layer(kind, lambda: Value(role, shape))()

    def parameter(self, shape):
        return self.value("parameter", "bias", shape)

    def layer_scale(self, x):
        return x * self.value("scale", "gamma", (self.channels(x), 1, 1))

    def prepend(self, token, x):
        return torch.cat([token.expand(x.shape[0], -1, -1), x], 1)

    def gelu(self, x):
        return F.gelu(x)

    def softmax(self, x, dim=-1):
        return torch.softmax(x, dim)

    def scale(self, x, number):
        return x * number

    def product(self, x, y):
        return x @ y

    def mean_of_tokens(self, x):
        return x.mean(1)


class Value(torch.nn.Module):
    """A weight that is no part of a layer."""

    def __init__(self, role, shape):
        super().__init__()
        self.role = role
        setattr(self, role, torch.nn.Parameter(torch.zeros(tuple(map(int, shape)))))

    def forward(self):
        return getattr(self, self.role)
