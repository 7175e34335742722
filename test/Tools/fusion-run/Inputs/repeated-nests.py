#!/usr/bin/env python3
# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a function of many blocks: each subtracts the maxima of the rows, and scales.

Blocks differ in their factor only, of which there are two.
"""

import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--blocks", type=int, default=60)

T, ROWS = "tensor<3x5xf32>", "tensor<3xf32>"

print("func.func @main(%%x: %s) -> %s {" % (T, T))
print("  %low = arith.constant 0xFF800000 : f32")
print("  %%e = tensor.empty() : %s" % T)
print("  %%r = tensor.empty() : %s" % ROWS)
value = "%x"
for i in range(parser.parse_args().blocks):
    factor = 0.75 if i % 3 else 1.5
    print(f"""  %f{i} = linalg.fill ins(%low : f32) outs(%r : {ROWS}) -> {ROWS}
  %m{i} = linalg.reduce ins({value} : {T}) outs(%f{i} : {ROWS}) dimensions = [1]
    (%in: f32, %out: f32) {{
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }}
  %c{i} = arith.constant {factor} : f32
  %s{i} = linalg.generic {{
      indexing_maps = [affine_map<(h, w) -> (h, w)>, affine_map<(h, w) -> (h)>,
                       affine_map<(h, w) -> (h, w)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({value}, %m{i} : {T}, {ROWS}) outs(%e : {T}) {{
    ^bb0(%in: f32, %max: f32, %out: f32):
      %0 = arith.subf %in, %max : f32
      %1 = arith.mulf %0, %c{i} : f32
      linalg.yield %1 : f32
    }} -> {T}""")
    value = "%%s%d" % i
print("  return %s : %s\n}" % (value, T))
