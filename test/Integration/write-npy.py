#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a NumPy file without NumPy.

usage: write-npy.py FILE TYPE SHAPE VALUES

TYPE is i4, i8 or f4, SHAPE as 2x3, VALUES numbers apart by commas, nan among them;
fewer than the shape has are repeated.
"""

import itertools
import math
import struct
import sys

CODES = {"i4": "i", "i8": "q", "f4": "f"}


def main():
    if len(sys.argv) != 5 or sys.argv[2] not in CODES:
        sys.exit(__doc__)
    path, kind, shape, values = sys.argv[1:]
    sizes = [int(size) for size in shape.split("x")]
    convert = float if kind == "f4" else int
    numbers = itertools.cycle(convert(value) for value in values.split(","))
    data = list(itertools.islice(numbers, math.prod(sizes)))
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%s,), }" % (
        kind, ", ".join(map(str, sizes)))
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode())
        file.write(struct.pack("<%d%s" % (len(data), CODES[kind]), *data))


if __name__ == "__main__":
    main()
