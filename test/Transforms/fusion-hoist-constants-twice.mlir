// RUN: fusion-opt %s --fusion-hoist-constants --fusion-hoist-constants | FileCheck %s
// RUN: fusion-opt %s --fusion-hoist-constants > %t.once
// RUN: fusion-opt %s --fusion-hoist-constants --fusion-hoist-constants > %t.twice
// RUN: cmp %t.once %t.twice

// A second run finds nothing: the function that runs once is not hoisted from.

// CHECK-LABEL: func @main(
// CHECK-NEXT:    fusion.rt.once @main_constants(
// CHECK-NOT:     fusion.rt.once
// CHECK:       func private @main_constants(
// CHECK:         linalg.transpose
// CHECK:         math.exp
// CHECK-NOT:   func
// CHECK-NOT:   fusion.rt.once
func.func @main(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<3x5xf32>
  %i = tensor.empty() : tensor<5x3xf32>
  %t = linalg.transpose ins(%c : tensor<3x5xf32>) outs(%i : tensor<5x3xf32>) permutation = [1, 0]
  %e = math.exp %w : tensor<5x3xf32>
  %s = arith.addf %t, %x : tensor<5x3xf32>
  %r = arith.addf %s, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
