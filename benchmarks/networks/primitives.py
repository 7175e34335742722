# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A network as the primitives of a library that fuses all it can: batch norms in the
filters, a residual and an activation in the convolution before. benchmarks/limit runs
what is written here, one primitive a line:

    input    dst=0 n=1 c=3 h=224 w=224
    conv     dst=1 src=0 channels=64 kernel=7 stride=2 pad=3 groups=1 activation=relu
    maximum  dst=2 src=1 kernel=3 stride=2 pad=1 end=0
    conv     dst=3 src=2 channels=64 kernel=1 stride=1 pad=0 groups=1 residual=2
    average  dst=4 src=3
    linear   dst=5 src=4 channels=1000
    output   src=5

The shape of a result follows from that of its operand. A dst is a buffer of its own.
"""

from dataclasses import dataclass, field

from style import Style


@dataclass
class Primitive:
    kind: str
    fields: dict
    reads: int = 0

    def can_take(self, name):
        return self.kind in ("conv", "linear") and not (
            self.reads or "activation" in self.fields or name in self.fields
        )


@dataclass
class Value:
    shape: tuple
    producer: Primitive = field(repr=False)


class Primitives(Style):
    layout = "nchw"

    def __init__(self, batch=1):
        super().__init__(batch)
        self.primitives = []

    def append(self, kind, shape, *operands, **fields):
        for operand in operands:
            operand.producer.reads += 1
            fields = {"src": operand.producer.fields["dst"], **fields}
        fields = {"dst": len(self.primitives), **fields}
        self.primitives.append(Primitive(kind, fields))
        return Value(shape, self.primitives[-1])

    def input(self, shape):
        return self.append("input", shape, **dict(zip("nchw", shape)))

    # Windows are described, not cut out.

    def pad(self, x, low, high, value):
        return x

    def window_end(self, x, shape, kernel, stride, pad):
        """Padding after the last row; before the first it is `pad`."""
        size, count = self.spatial(x)[0], shape[self.layout.index("h")]
        return max((count - 1) * stride + kernel - size - pad, 0)

    def conv(
        self, x, out, kernel, stride=1, pad=0, depthwise=False, bias=False, groups=1, dilation=1
    ):
        if isinstance(kernel, tuple) or dilation != 1:
            raise ValueError("there is no description of such a window as a primitive")
        _, shape = self.windows(x, out, kernel, stride, pad, 0.0)
        groups = self.channels(x) if depthwise else groups
        window = {"kernel": kernel, "stride": stride, "pad": pad, "groups": groups}
        return self.append("conv", shape, x, channels=out, **window)

    def max_pool(self, x, kernel, stride, pad=0, ceil=False):
        channels = self.channels(x)
        _, shape = self.windows(x, channels, kernel, stride, pad, 0.0, ceil)
        end = self.window_end(x, shape, kernel, stride, pad)
        window = {"kernel": kernel, "stride": stride, "pad": pad, "end": end}
        return self.append("maximum", shape, x, **window)

    def global_average_pool(self, x):
        return self.append("average", self.image(self.channels(x), 1, 1), x)

    def flatten(self, x):
        size = 1
        for extent in x.shape[1:]:
            size *= extent
        return Value((x.shape[0], size), x.producer)

    def linear(self, x, out):
        return self.append("linear", (x.shape[0], out), x, channels=out)

    # Layers that are fused.

    def batch_norm(self, x, eps=1e-5):
        self.take(x, "batch_norm")
        return x

    def relu(self, x):
        self.take(x, "activation")["activation"] = "relu"
        return x

    def relu6(self, x):
        self.take(x, "activation")["activation"] = "relu6"
        return x

    def add(self, x, y):
        """A residual goes to the later of two convolutions."""
        number = self.primitives.index
        x, y = sorted((x, y), key=lambda value: number(value.producer))
        self.take(y, "residual")["residual"] = x.producer.fields["dst"]
        x.producer.reads += 1
        return y

    def take(self, x, name):
        if not x.producer.can_take(name):
            raise ValueError(f"a {x.producer.kind} primitive has no {name}")
        return x.producer.fields

    def concat(self, tensors):
        raise ValueError("there is no description of concatenation as a primitive")

    def average_pool(self, x, kernel, stride, pad=0):
        raise ValueError("there is no description of an average pool as a primitive")

    def elementwise(self, body, *operands):
        raise ValueError("there is no description of an element-wise op as a primitive")

    def write(self, file, result):
        self.primitives.append(Primitive("output", {"src": result.producer.fields["dst"]}))
        for primitive in self.primitives:
            fields = " ".join(f"{name}={value}" for name, value in primitive.fields.items())
            file.write(f"{primitive.kind:<8} {fields}\n")
