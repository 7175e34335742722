# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes .npy files with the standard library alone.

usage: npy.py write FILE DESCR SHAPE EXPRESSION
       npy.py show FILE
       npy.py check FILE... EXPRESSION

EXPRESSION of `write` is evaluated for each element with its row-major position as
`i`. `check` binds the values of the files, as flat lists, to `a`, `b`, ... and
their shapes to `shape_a`, ..., and fails unless EXPRESSION is true.
"""

import ast
import math
import struct
import sys

CODES = {"f4": "f", "f8": "d", "f2": "e", "i1": "b", "i2": "h", "i4": "i",
         "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "b1": "?"}


def write(path, descr, shape, values, fortran=False):
    values = list(values)
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (
        descr, fortran, tuple(shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode("latin1"))
        code = CODES[descr.lstrip("<|")]
        file.write(struct.pack("<%d%s" % (len(values), code), *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
    header = ast.literal_eval(data[10:10 + length].decode("latin1"))
    assert not header["fortran_order"]
    code = CODES[header["descr"].lstrip("<|")]
    count = math.prod(header["shape"])
    values = struct.unpack("<%d%s" % (count, code), data[10 + length:])
    return header["descr"], header["shape"], list(values)


def main():
    command, *args = sys.argv[1:]
    if command == "write":
        path, descr, shape, expression = args
        shape = [int(size) for size in shape.split("x") if size]
        write(path, descr, shape,
              (eval(expression, {"i": i}) for i in range(math.prod(shape))))
    elif command == "show":
        print(*read(args[0]))
    elif command == "check":
        *paths, expression = args
        names = {"math": math}
        for name, path in zip("abcdefgh", paths):
            names["descr_" + name], names["shape_" + name], names[name] = read(path)
        if not eval(expression, names):
            sys.exit("false: %s\nwith %s" % (expression, {
                n: v for n, v in names.items() if len(n) == 1 or n.startswith("shape")}))


if __name__ == "__main__":
    main()
