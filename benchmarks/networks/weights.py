# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeded values for weights and inputs, the same on every machine; needs Python alone.

The values of a tensor depend on the seed and on its name, not on the order in which
they are asked for. They are uniform around what a trained network has: filters whose
sums keep the size of what they read, so that nothing vanishes or overflows in a deep
network, variances and scales near 1.
"""

import array
import random
import struct

# Mean square of a result relative to that of its operand, before the activation. With 2
# a relu would keep the size exactly, but the sums of a residual network would grow and
# grow. With 1.5 they still do in EfficientNetV2, whose gates then magnify rounding. With 1
# a network without residuals would come out near zero.
GAIN = 1.2

# The middle of a tensor's values, and their largest distance from it.
RANGES = {
    "bias": (0.0, 0.1),
    "gamma": (1.0, 0.2),
    "beta": (0.0, 0.1),
    "mean": (0.0, 0.1),
    "variance": (1.0, 0.2),
    "input": (0.0, 3.0**0.5),
}
# Number of levels of the upper half of a value; the lower half is random.
LEVELS = 256
CHUNK = 1 << 20
# The largest bias that is an integer.
SUM_REACH = 1 << 13


def value_range(name, shape):
    role = name.rpartition("_")[2]
    if role not in ("weight", "transposed"):
        return RANGES[role]
    # A filter or the matrix of a fully connected layer has its output channel first, the
    # filter of a transposed convolution its input channel.
    fan_in = count(shape) // shape[role == "transposed"]
    return 0.0, (3.0 * GAIN / fan_in) ** 0.5


def count(shape):
    result = 1
    for size in shape:
        result *= size
    return result


def chunks(name, shape, seed=0, element="f32"):
    """The values of a tensor in little endian, piece by piece."""
    generator = random.Random(f"{seed}/{name}")
    numbers = (min(CHUNK, count(shape) - i) for i in range(0, count(shape), CHUNK))
    if element == "i8":
        return integer_chunks(generator, numbers)
    if element == "i32":
        return sum_chunks(generator, numbers)
    return float_chunks(generator, numbers, *value_range(name, shape))


def integer_chunks(generator, numbers):
    """Numbers of -127 to 127, as quantisers that are symmetric choose them."""
    for number in numbers:
        yield generator.randbytes(number).replace(b"\x80", b"\x00")


def sum_chunks(generator, numbers):
    """Biases in units of a sum of such products: a few of these."""
    for number in numbers:
        values = (generator.randrange(-SUM_REACH, SUM_REACH) for _ in range(number))
        yield struct.pack(f"<{number}i", *values)


def float_chunks(generator, numbers, middle, reach):
    steps = ((2 * i + 1) / LEVELS - 1 for i in range(LEVELS))
    levels = [struct.pack("<f", middle + reach * step) for step in steps]
    upper, highest = (bytes(level[i] for level in levels) for i in (2, 3))
    for number in numbers:
        draw = generator.randbytes(3 * number)
        values = bytearray(4 * number)
        values[0::4] = draw[:number]
        values[1::4] = draw[number : 2 * number]
        values[2::4] = draw[2 * number :].translate(upper)
        values[3::4] = draw[2 * number :].translate(highest)
        yield bytes(values)


def values(name, shape, seed=0, element="f32"):
    return b"".join(chunks(name, shape, seed, element))


def permuted(data, shape, order):
    """The bytes of a tensor of 4-byte elements with its dimensions in another order: the
    i-th one is order[i] of `shape`."""
    strides = [count(shape[i + 1 :]) for i in range(len(shape))]
    *outer, (size, step) = [(shape[i], strides[i]) for i in order]
    firsts = [0]
    for number, stride in outer:
        firsts = [first + i * stride for first in firsts for i in range(number)]
    elements, result = array.array("I", data), array.array("I")
    for first in firsts:
        result.extend(elements[first : first + size * step : step])
    return result.tobytes()


def write_npy(path, name, shape, seed=0, order=None):
    """A file that NumPy and fusion-run read, of a tensor of `shape` whose dimensions are
    written in another order."""
    data = values(name, shape, seed)
    if order:
        data = permuted(data, shape, order)
        shape = [shape[i] for i in order]
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode("ascii"))
        file.write(data)
