# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same quantised network as an ONNX file, with the numbers of the style qdq, but
for biases, which are rounded to integers in units of a layer's sum; needs
Debian's python3-onnx. The peers of benchmarks run it."""

import numpy
import onnx
from onnx import helper, numpy_helper

from ir import Tensor
from quantized_images import QuantizedImages
from style import each, window_count
from weights import count, values

OPSET = 13


class Onnx:
    """The layers of a network in f32, as nodes of an ONNX graph."""

    def __init__(self, batch, seed):
        self.batch = batch
        self.seed = seed
        self.nodes = []
        self.constants = []
        self.graph_inputs = []
        self.numbers = {}
        self.layer = ""

    # Nodes and constants.

    def name(self, kind):
        self.numbers[kind] = self.numbers.get(kind, -1) + 1
        return f"{kind}{self.numbers[kind]}"

    def node(self, op, inputs, shape, **attributes):
        result = self.name("value")
        self.nodes.append(helper.make_node(op, inputs, [result], **attributes))
        return Tensor(result, tuple(shape))

    def constant(self, array):
        name = self.name("constant")
        self.constants.append(numpy_helper.from_array(numpy.array(array, order="C"), name))
        return name

    def seeded(self, role, shape, element="f32"):
        name = f"{self.layer}_{role}"
        chunk = values(name, shape, self.seed, element)
        kind = {"f32": "<f4", "i8": "i1"}[element]
        return numpy.frombuffer(chunk, kind).reshape(shape)

    def weight(self, role, shape, _value):
        return Tensor(self.constant(self.seeded(role, shape)), shape)

    # Layers.

    def image_input(self, shape):
        return self.input(shape)

    def input(self, shape):
        kind = onnx.TensorProto.FLOAT
        self.graph_inputs.append(helper.make_tensor_value_info("input", kind, shape))
        return Tensor("input", shape)

    def channels(self, x):
        return x.shape[1]

    def spatial(self, x):
        return x.shape[2:]

    def windows(self, x, channels, kernel, stride, pad, ceil=False, dilation=1):
        sizes = x.shape[2:]
        kernel, stride, pad, dilation = (
            each(number, len(sizes)) for number in (kernel, stride, pad, dilation)
        )
        numbers = zip(sizes, kernel, stride, pad, dilation)
        counts = (window_count(*window, ceil)[0] for window in numbers)
        attributes = {"kernel_shape": kernel, "strides": stride, "pads": pad + pad}
        if max(dilation) > 1:
            attributes["dilations"] = dilation
        return attributes, (x.shape[0], channels, *counts)

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        self.layer = self.name("conv")
        groups = self.channels(x) if depthwise else groups
        attributes, result = self.windows(x, out, kernel, stride, pad, False, dilation)
        shape = (out, self.channels(x) // groups, *attributes["kernel_shape"])
        inputs = [x.name, self.weight("weight", shape, 0).name]
        if bias:
            inputs.append(self.weight("bias", (out,), 0).name)
        return self.node("Conv", inputs, result, group=groups, **attributes)

    def linear(self, x, out):
        self.layer = self.name("fc")
        weight = self.weight("weight", (out, x.shape[1]), 0).name
        bias = self.weight("bias", (out,), 0).name
        return self.node("Gemm", [x.name, weight, bias], (x.shape[0], out), transB=1)

    def relu(self, x):
        return self.node("Relu", [x.name], x.shape)

    def relu6(self, x):
        bounds = [self.constant(numpy.float32(bound)) for bound in (0, 6)]
        return self.node("Clip", [x.name, *bounds], x.shape)

    def sigmoid(self, x):
        return self.node("Sigmoid", [x.name], x.shape)

    def tanh(self, x):
        return self.node("Tanh", [x.name], x.shape)

    def softmax(self, x, dim=-1):
        return self.node("Softmax", [x.name], x.shape, axis=dim)

    def leaky_relu(self, x, slope):
        return self.node("LeakyRelu", [x.name], x.shape, alpha=slope)

    def hard_sigmoid(self, x):
        return self.node("HardSigmoid", [x.name], x.shape, alpha=1 / 6, beta=0.5)

    def swish(self, x):
        return self.mul(x, self.sigmoid(x))

    def hard_swish(self, x):
        return self.mul(x, self.hard_sigmoid(x))

    def batch_norm(self, x, eps=1e-5):
        self.layer = self.name("bn")
        roles = "gamma", "beta", "mean", "variance"
        vectors = [self.weight(role, (self.channels(x),), 0).name for role in roles]
        return self.node("BatchNormalization", [x.name, *vectors], x.shape, epsilon=eps)

    def add(self, x, y):
        return self.node("Add", [x.name, y.name], x.shape)

    def mul(self, x, y):
        return self.node("Mul", [x.name, y.name], x.shape)

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        attributes, shape = self.windows(x, x.shape[1], kernel, stride, pad, ceil)
        return self.node("MaxPool", [x.name], shape, ceil_mode=int(ceil), **attributes)

    def average_pool(self, x, kernel, stride, pad=0):
        attributes, shape = self.windows(x, x.shape[1], kernel, stride, pad)
        return self.node("AveragePool", [x.name], shape, count_include_pad=1, **attributes)

    def global_average_pool(self, x):
        return self.average_pool(x, x.shape[2:], 1)

    def mean_of_image(self, x):
        return self.flatten(self.global_average_pool(x))

    def flatten(self, x):
        return self.node("Flatten", [x.name], (x.shape[0], count(x.shape[1:])))

    def concat(self, tensors):
        return self.join(tensors, 1)

    def deconv(self, x, out, kernel, stride=1, pad=0, bias=False):
        self.layer = self.name("deconv")
        rank = len(self.spatial(x))
        shape = (self.channels(x), out, *[kernel] * rank)
        inputs = [x.name, self.weight("transposed", shape, 0).name]
        if bias:
            inputs.append(self.weight("bias", (out,), 0).name)
        sizes = ((size - 1) * stride + kernel - 2 * pad for size in self.spatial(x))
        attributes = {"strides": [stride] * rank, "pads": [pad] * 2 * rank}
        return self.node("ConvTranspose", inputs, (x.shape[0], out, *sizes), **attributes)

    # Moves.

    def integers(self, numbers):
        return self.constant(numpy.array(numbers, "i8"))

    def upsample(self, x, scale):
        """The nearest pixel."""
        scales = self.constant(numpy.float32([1, 1] + [scale] * len(self.spatial(x))))
        shape = (*x.shape[:2], *(size * scale for size in self.spatial(x)))
        modes = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return self.node("Resize", [x.name, "", scales], shape, **modes)

    def resize(self, x, size):
        """Bilinear, `align_corners` false."""
        shape = (*x.shape[:2], *size)
        return self.node("Resize", [x.name, "", "", self.integers(shape)], shape, mode="linear")

    def permute(self, x, permutation):
        shape = (x.shape[i] for i in permutation)
        return self.node("Transpose", [x.name], shape, perm=permutation)

    def reshape(self, x, shape):
        return self.node("Reshape", [x.name, self.integers(shape)], shape)

    def merge(self, x, first, number):
        size = count(x.shape[first : first + number])
        return self.reshape(x, (*x.shape[:first], size, *x.shape[first + number :]))

    def split(self, x, dim, sizes):
        return self.reshape(x, (*x.shape[:dim], *sizes, *x.shape[dim + 1 :]))

    def shuffle(self, x, groups):
        x = self.split(x, 1, (groups, self.channels(x) // groups))
        return self.merge(self.permute(x, [0, 2, 1, 3, 4]), 1, 2)

    def cut(self, x, sizes, dim):
        pieces, first = [], 0
        for size in sizes:
            inputs = [x.name, *(self.integers([i]) for i in (first, first + size, dim))]
            shape = (*x.shape[:dim], size, *x.shape[dim + 1 :])
            pieces.append(self.node("Slice", inputs, shape))
            first += size
        return pieces

    def join(self, tensors, dim):
        shape = list(tensors[0].shape)
        shape[dim] = sum(tensor.shape[dim] for tensor in tensors)
        return self.node("Concat", [tensor.name for tensor in tensors], shape, axis=dim)

    def pad(self, x, low, high, value):
        shape = (sum(sizes) for sizes in zip(x.shape, low, high))
        inputs = [x.name, self.integers([*low, *high]), self.constant(numpy.float32(value))]
        return self.node("Pad", inputs, shape)

    def write(self, path, result):
        kind = onnx.TensorProto.FLOAT
        outputs = [helper.make_tensor_value_info(result.name, kind, result.shape)]
        graph = helper.make_graph(
            self.nodes, "forward", self.graph_inputs, outputs, self.constants
        )
        opset = helper.make_opsetid("", OPSET)
        onnx.save(helper.make_model(graph, opset_imports=[opset], ir_version=8), path)


class OnnxQdq(QuantizedImages, Onnx):
    def parameters_of(self, spread):
        return [
            self.constant(numpy.float32(spread.scale)),
            self.constant(numpy.uint8(spread.zero_point)),
        ]

    def quantize(self, x, spread):
        inputs = [x.name, *self.parameters_of(spread)]
        return self.node("QuantizeLinear", inputs, x.shape)

    def dequantize(self, x, spread):
        inputs = [x.name, *self.parameters_of(spread)]
        return self.node("DequantizeLinear", inputs, x.shape)

    def weight(self, role, shape, value):
        """ONNX Runtime computes a layer in integers only if its bias is in i32."""
        if role != "bias":
            return super().weight(role, shape, value)
        scales = numpy.float32(self.layer_input.scale * numpy.float64(self.filter_scales))
        bias = numpy.rint(self.seeded(role, shape) / scales)
        zeros = numpy.zeros(shape[0], "i4")
        inputs = [self.constant(array) for array in (bias.astype("i4"), scales, zeros)]
        return self.node("DequantizeLinear", inputs, shape, axis=0)

    def filter(self, shape, scales, dim=0):
        self.filter_scales = scales
        inputs = [
            self.constant(self.seeded("weight", shape, "i8")),
            self.constant(numpy.float32(scales)),
            self.constant(numpy.zeros(shape[dim], "i1")),
        ]
        return self.node("DequantizeLinear", inputs, shape, axis=dim)
