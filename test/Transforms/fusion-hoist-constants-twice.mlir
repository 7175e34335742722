// RUN: fusion-opt %s --fusion-hoist-constants --fusion-hoist-constants | FileCheck %s
// RUN: fusion-opt %s --fusion-hoist-constants > %t.once
// RUN: fusion-opt %s --fusion-hoist-constants --fusion-hoist-constants > %t.twice
// RUN: cmp %t.once %t.twice

// A second run finds nothing: the function that runs once is not hoisted from.

// CHECK-LABEL: func @main(
// CHECK-NEXT:    fusion.rt.once @main_constants(
// CHECK-NOT:     fusion.rt.once
// CHECK:       func private @main_constants(
// CHECK-NEXT:    math.exp
// CHECK-NOT:   func
// CHECK-NOT:   fusion.rt.once
func.func @main(%x: tensor<5x3xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<5x3xf32> {
  %e = math.exp %w : tensor<5x3xf32>
  %r = arith.addf %x, %e : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
