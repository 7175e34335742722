# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a matrix multiplication, and an op that adds one tensor to it many times.

usage: long-body.py NUMBER
"""

import sys

number = int(sys.argv[1])
additions = "\n".join(
    "    %%s%d = arith.addf %%s%d, %%v : f32" % (i + 1, i) for i in range(1, number))
print("""
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%%x: tensor<4x7xf32>, %%w: tensor<7x5xf32>, %%y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %%z = arith.constant dense<0.0> : tensor<4x5xf32>
  %%c = linalg.matmul ins(%%x, %%w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %%r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%%c, %%y : tensor<4x5xf32>, tensor<4x5xf32>) outs(%%z : tensor<4x5xf32>) {
  ^bb0(%%p: f32, %%v: f32, %%o: f32):
    %%s1 = arith.addf %%p, %%v : f32
%s
    linalg.yield %%s%d : f32
  } -> tensor<4x5xf32>
  return %%r : tensor<4x5xf32>
}""" % (additions, number))
