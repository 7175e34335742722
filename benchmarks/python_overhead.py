#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call through the Python package costs beside one of the C API.

usage: python_overhead.py [--calls=N]

Both call functions that have nothing to compute, on arrays of four elements. The call
of the C API is made by ctypes, on tensors that were described before. Blocks of N calls
(default: 2000) take turns, seven of each; the medians are printed, in us. The package
and NumPy must be in PYTHONPATH; with PyTorch there is a row for its tensors.
"""

import argparse
import statistics
import timeit

import fusion
import numpy
from fusion import _library, _tensors

try:
    import torch
except ImportError:
    torch = None


def compile_sum(dtype, count):
    """A function of `count` arguments that gives the sum, or for i1 the product, of the
    first and last."""
    tensor = "tensor<4x%s>" % dtype
    arguments = ", ".join("%%a%d: %s" % (i, tensor) for i in range(count))
    text = """func.func @main(%(arguments)s) -> %(tensor)s {
      %%e = tensor.empty() : %(tensor)s
      %%r = linalg.%(op)s ins(%%a0, %%a%(last)d : %(tensor)s, %(tensor)s)
                       outs(%%e : %(tensor)s) -> %(tensor)s
      return %%r : %(tensor)s
    }""" % {"arguments": arguments, "tensor": tensor, "last": count - 1,
            "op": "mul" if dtype == "i1" else "add"}
    return fusion.compile(text, threads=1).default


def bare_call(function, arguments):
    """The same call by the C API alone, and the release of its result."""
    keep = []
    pointers = function._pointers(*[
        _tensors.borrow(value, argument, torch, keep)
        for value, argument in zip(function.arguments, arguments)])

    def call(keep=keep):
        outcomes = function._outcomes()
        _library.lib.fusionExecutableCallDLPack(
            function._handle, function._number, pointers, len(pointers), outcomes, 1)
        _library.delete(outcomes[0])

    return call


def time_calls(ways, count):
    """The median time of a call of each, in us."""
    times = [[] for _ in ways]
    for _ in range(7):
        for way, found in zip(ways, times):
            found.append(timeit.timeit(way, number=count) / count * 1e6)
    return [statistics.median(found) for found in times]


def cases():
    f32 = numpy.ones(4, "f4")
    frozen = f32.copy()
    frozen.flags.writeable = False
    yield "1 f32", "f32", [f32]
    yield "8 f32", "f32", [f32.copy() for _ in range(8)]
    yield "32 f32", "f32", [f32.copy() for _ in range(32)]
    yield "1 f32, read-only", "f32", [frozen]
    yield "1 bf16", "bf16", [numpy.ones(4, "u2")]
    yield "1 i1", "i1", [numpy.ones(4, "?")]
    if torch:
        yield "1 f32 of PyTorch", "f32", [torch.ones(4)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    parser.add_argument("--calls", type=int, default=2000)
    count = parser.parse_args().calls
    print("%-18s %8s %8s %8s" % ("arguments", "C API", "Python", "more"))
    for name, dtype, arguments in cases():
        function = compile_sum(dtype, len(arguments))
        bare, python = time_calls(
            [bare_call(function, arguments), lambda: function(*arguments)], count)
        print("%-18s %8.1f %8.1f %8.1f" % (name, bare, python, python - bare))


if __name__ == "__main__":
    main()
