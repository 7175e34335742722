// RUN: fusion-opt %s --fusion-hoist-constants --split-input-file \
// RUN:   --remarks-filter='fusion.*' --remark-format=emitRemark 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// An argument marked `fusion.constant` stays one where each call passes a constant in
// memory of its own. Anything else is copied or computed into memory that is used again.

// CHECK-LABEL: func @slices(
// CHECK-LABEL: func private @of_slices(
// CHECK-SAME:    %{{.*}}: tensor<3x4xf32>, %{{.*}}: tensor<3x4xf32>)
// CHECK-NOT:     fusion.rt.once
// REMARK: fusion-hoist-constants-calls.mlir:[[@LINE+7]]:10: remark: {{.*}}argument 1 of '@of_slices' is used as any other, not as a constant: what is passed for it here may change
func.func @slices(%x: tensor<3x4xf32>, %w: tensor<7x3x4xf32> {fusion.constant}) -> tensor<3x4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %7 = arith.constant 7 : index
  %r = scf.for %i = %0 to %7 step %1 iter_args(%a = %x) -> tensor<3x4xf32> {
    %s = tensor.extract_slice %w[%i, 0, 0] [1, 3, 4] [1, 1, 1] : tensor<7x3x4xf32> to tensor<3x4xf32>
    %c = func.call @of_slices(%a, %s) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    scf.yield %c : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}
func.func private @of_slices(%x: tensor<3x4xf32>, %w: tensor<3x4xf32> {fusion.constant}) -> tensor<3x4xf32> {
  %e = math.exp %w : tensor<3x4xf32>
  %r = arith.addf %x, %e : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// -----

// A constant of the module, and an argument that is one, behind a reshape.
// CHECK-LABEL: func @constants(
// CHECK-LABEL: func private @of_constants(
// CHECK-SAME:    %{{.*}}: tensor<12xf32> {bufferization.writable = false, fusion.constant})
// CHECK:         fusion.rt.once
func.func @constants(%x: tensor<12xf32>, %w: tensor<3x4xf32> {fusion.constant}) -> tensor<12xf32> {
  %k = arith.constant dense<[1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.]> : tensor<12xf32>
  %flat = tensor.collapse_shape %w [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %a = call @of_constants(%x, %k) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  %b = call @of_constants(%a, %flat) : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
  return %b : tensor<12xf32>
}
func.func private @of_constants(%x: tensor<12xf32>, %w: tensor<12xf32> {fusion.constant}) -> tensor<12xf32> {
  %e = math.exp %w : tensor<12xf32>
  %r = arith.addf %x, %e : tensor<12xf32>
  return %r : tensor<12xf32>
}

// -----

// One call of two, two calls deep: the caller's argument is not marked, or no longer.
// CHECK-LABEL: func @outer(
// CHECK-LABEL: func private @middle(
// CHECK-SAME:    %{{.*}}: tensor<5xf32>, %{{.*}}: tensor<5xf32>)
// CHECK-LABEL: func private @inner(
// CHECK-SAME:    %{{.*}}: tensor<5xf32>, %{{.*}}: tensor<5xf32>)
// CHECK-NOT:     fusion.rt.once
// REMARK: argument 1 of '@middle'
// REMARK: argument 1 of '@inner'
func.func @outer(%x: tensor<5xf32>, %w: tensor<5xf32> {fusion.constant}) -> tensor<5xf32> {
  %a = call @middle(%x, %w) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %b = call @middle(%a, %x) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %b : tensor<5xf32>
}
func.func private @middle(%x: tensor<5xf32>, %w: tensor<5xf32> {fusion.constant}) -> tensor<5xf32> {
  %a = call @inner(%x, %w) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  return %a : tensor<5xf32>
}
func.func private @inner(%x: tensor<5xf32>, %w: tensor<5xf32> {fusion.constant}) -> tensor<5xf32> {
  %e = math.exp %w : tensor<5xf32>
  %r = arith.addf %x, %e : tensor<5xf32>
  return %r : tensor<5xf32>
}
