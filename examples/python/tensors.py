# Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays, names, errors: what docs/tutorials/Python.md shows."""

import fusion
import numpy

layer = fusion.compile("""
func.func @layer(%x: tensor<?x3xf32> {fusion.name = "x"},
                 %w: tensor<3x4xf32> {fusion.constant}) -> tensor<?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x4xf32>)
                     outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %m : tensor<?x4xf32>
}""", threads=1)
print(layer["layer"])

x = numpy.arange(6, dtype="f4").reshape(2, 3)
w = numpy.arange(12, dtype="f4").reshape(3, 4)
print(layer(x, w))

y = numpy.empty((2, 4), "f4")
layer(x, w, out=y)  # the result in memory of ours
print((y == x @ w).all())

try:
    layer(x.T, w)
except ValueError as error:
    print(error)
try:
    fusion.compile("func.func @f( {")
except fusion.CompileError as error:
    print(str(error).splitlines()[0])
