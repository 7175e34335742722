// RUN: fusion-opt %s --fusion-partition=patterns=add,relu,conv2d_bias | FileCheck %s
// RUN: fusion-opt %s --fusion-partition=patterns=relu,conv2d_bias,add | FileCheck %s --check-prefix=LATER
// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-taken.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="patterns=matmul,matmul_transposed_b pattern-file=%t.pdl.mlir" | FileCheck %s --check-prefix=FILTER

// An op that computes a bias may be a composite itself: taken by an earlier pattern it
// is an argument. A pattern that has copied it leaves the op to later ones, if
// something else still needs it.

// CHECK-LABEL: func.func @shared_sum(
// CHECK-NEXT:    %[[S:.*]] = call @fused_add(%arg2, %arg3)
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias(%arg0, %arg1, %[[S]])
// CHECK-NEXT:    return %[[R]], %[[S]]
// LATER-LABEL: func.func @shared_sum(
// LATER-NEXT:    %[[S:.*]] = call @fused_add(%arg2, %arg3)
// LATER-NEXT:    %[[R:.*]] = call @fused_conv2d_bias(%arg0, %arg1, %arg2, %arg3)
// LATER-NEXT:    return %[[R]], %[[S]]
func.func @shared_sum(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>) -> (tensor<1x5x7x10xf32>, tensor<5xf32>) {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%b, %c : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %v = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %s : tensor<1x5x7x10xf32>, tensor<5xf32>
}

// Both convolutions have copied it, and nothing else needs it.
// CHECK-LABEL: func.func @two_copies(
// CHECK-NEXT:    %[[S:.*]] = call @fused_add(%arg2, %arg3)
// CHECK-NEXT:    call @fused_conv2d_bias(%arg0, %arg1, %[[S]])
// CHECK-NEXT:    call @fused_conv2d_bias(%arg0, %arg4, %[[S]])
// LATER-LABEL: func.func @two_copies(
// LATER-NEXT:    call @fused_conv2d_bias(%arg0, %arg1, %arg2, %arg3)
// LATER-NEXT:    call @fused_conv2d_bias(%arg0, %arg4, %arg2, %arg3)
// LATER-NEXT:    return
func.func @two_copies(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>, %u: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%b, %c : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %v = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %q = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %q : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// Its other user is a composite that has not copied it, an op in a loop, or a copy that
// is needed itself.
// CHECK-LABEL: func.func @other_composite(
// CHECK-NEXT:    %[[S:.*]] = call @fused_add(%arg2, %arg3)
// CHECK-NEXT:    call @fused_conv2d_bias(%arg0, %arg1, %[[S]])
// CHECK-NEXT:    call @fused_relu(%[[S]])
// LATER-LABEL: func.func @other_composite(
// LATER-NEXT:    %[[S:.*]] = call @fused_add(%arg2, %arg3)
// LATER-NEXT:    call @fused_conv2d_bias(%arg0, %arg1, %arg2, %arg3)
// LATER-NEXT:    call @fused_relu(%[[S]])
func.func @other_composite(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>) -> (tensor<1x5x7x10xf32>, tensor<5xf32>) {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<5xf32>
  %s = linalg.add ins(%b, %c : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %v = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %m = linalg.max ins(%s, %z : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  return %r, %m : tensor<1x5x7x10xf32>, tensor<5xf32>
}

// LATER-LABEL: func.func @loop(
// LATER:         %[[S:.*]] = call @fused_add(
// LATER:         call @fused_conv2d_bias(%arg0, %arg1, %arg2, %arg3)
// LATER:         scf.for
// LATER:           arith.mulf %{{.*}}, %[[S]]
func.func @loop(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>, %n: index) -> (tensor<1x5x7x10xf32>, tensor<5xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%b, %c : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %v = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %b) -> tensor<5xf32> {
    %p = arith.mulf %acc, %s : tensor<5xf32>
    scf.yield %p : tensor<5xf32>
  }
  return %r, %l : tensor<1x5x7x10xf32>, tensor<5xf32>
}

// LATER-LABEL: func.func @needed_copy(
// LATER-NEXT:    %[[E:.*]] = tensor.empty()
// LATER-NEXT:    %[[S:.*]] = call @fused_add(
// LATER-NEXT:    %[[V:.*]] = linalg.broadcast ins(%[[S]]
// LATER-NEXT:    call @fused_conv2d_bias(%arg0, %arg1, %arg2, %arg3)
func.func @needed_copy(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %c: tensor<5xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<5xf32>
  %s = linalg.add ins(%b, %c : tensor<5xf32>, tensor<5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %v = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %v : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// A transpose of the filter.
// FILTER-LABEL: func.func @filter(
// FILTER-NEXT:    %[[T:.*]] = call @fused_any_transpose(%arg1)
// FILTER-NEXT:    call @fused_matmul(%arg0, %[[T]])
func.func @filter(%x: tensor<2x4xf32>, %w: tensor<5x4xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5xf32>
  %e = tensor.empty() : tensor<4x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x4xf32>) outs(%e : tensor<4x5xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x5xf32>) outs(%z : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
