// RUN: fusion-opt %s --fusion-decompose-softmax | FileCheck %s

// Types that cannot be compiled, or not decomposed.

// Where a type has no infinity, the maximum starts with the least number.
// CHECK-LABEL: func.func @no_infinity(
// CHECK:         arith.constant -4.480000e+02 : f8E4M3FN
// CHECK:         arith.maximumf
func.func @no_infinity(%x: tensor<3x5xf8E4M3FN>, %e: tensor<3x5xf8E4M3FN>) -> tensor<3x5xf8E4M3FN> {
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x5xf8E4M3FN>) outs(%e : tensor<3x5xf8E4M3FN>) -> tensor<3x5xf8E4M3FN>
  return %r : tensor<3x5xf8E4M3FN>
}

// Ops that upstream cannot decompose stay.
// CHECK-LABEL: func.func @left(
// CHECK-COUNT-2: linalg.softmax
func.func @left(%x: memref<3x5xf32>, %e: memref<3x5xf32>, %y: tensor<3x5xi32>, %f: tensor<3x5xi32>) -> tensor<3x5xi32> {
  linalg.softmax dimension(1) ins(%x : memref<3x5xf32>) outs(%e : memref<3x5xf32>)
  %r = linalg.softmax dimension(1) ins(%y : tensor<3x5xi32>) outs(%f : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}
