#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes functions in which 64 ops in a chain read one value twice.

There are 2^64 paths through each chain.
"""

COUNT = 64


def chain(start, shape):
    """Ops that compute the mean of a tensor and itself, and the last result."""
    kind = "tensor<%sxf32>" % "x".join(str(size) for size in shape)
    dims = ", ".join("d%d" % i for i in range(len(shape)))
    same = "affine_map<(%s) -> (%s)>" % (dims, dims)
    loops = ", ".join(['"parallel"'] * len(shape))
    value = start
    print("  %%half = arith.constant 0.5 : f32\n  %%to = tensor.empty() : %s" % kind)
    for i in range(COUNT):
        print("  %%s%d = linalg.generic {indexing_maps = [%s, %s, %s], "
              "iterator_types = [%s]} ins(%s, %s : %s, %s) outs(%%to : %s) {"
              % (i, same, same, same, loops, value, value, kind, kind, kind))
        print("  ^bb0(%%left: f32, %%right: f32, %%o: f32):\n"
              "    %%sum = arith.addf %%left, %%right : f32\n"
              "    %%mean = arith.mulf %%sum, %%half : f32\n"
              "    linalg.yield %%mean : f32\n  } -> %s" % kind)
        value = "%%s%d" % i
    return value


print("func.func @weights(%w: tensor<2x3xf32> {fusion.constant}, "
      "%x: tensor<3x5xf32>) -> tensor<2x5xf32> {")
weights = chain("%w", (2, 3))
print("""  %%zero = arith.constant 0.0 : f32
  %%e = tensor.empty() : tensor<2x5xf32>
  %%f = linalg.fill ins(%%zero : f32) outs(%%e : tensor<2x5xf32>) -> tensor<2x5xf32>
  %%r = linalg.matmul ins(%s, %%x : tensor<2x3xf32>, tensor<3x5xf32>) outs(%%f : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %%r : tensor<2x5xf32>
}""" % weights)

print("func.func @bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, "
      "%b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {")
bias = chain("%b", (5,))
print("""  %%zero = arith.constant 0.0 : f32
  %%e = tensor.empty() : tensor<2x5x7x10xf32>
  %%f = linalg.fill ins(%%zero : f32) outs(%%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %%c = linalg.conv_2d_nchw_fchw ins(%%x, %%w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%%f : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %%p = linalg.broadcast ins(%s : tensor<5xf32>) outs(%%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %%r = linalg.add ins(%%c, %%p : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %%r : tensor<2x5x7x10xf32>
}""" % bias)
