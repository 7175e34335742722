// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-alternatives.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d|conv_then_relu,relu_then_tanh,tanh_then_exp pattern-file=%t.pdl.mlir" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="patterns=conv_then_relu|conv2d,relu_then_tanh,tanh_then_exp pattern-file=%t.pdl.mlir" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="patterns=conv_then_relu|relu_then_tanh|conv2d_relu|tanh|tanh_then_exp pattern-file=%t.pdl.mlir" | FileCheck %s --check-prefix=SAME

// Of several alternatives the larger one is taken, also where one is of a file and begins
// with its last op.

// CHECK-LABEL: func.func @both(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv_then_relu(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @both(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// CHECK-LABEL: func.func @smaller(
// CHECK-NEXT:    %[[E:.*]] = tensor.empty()
// CHECK-NEXT:    %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    linalg.exp ins(%[[C]]
func.func @smaller(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.exp ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// Two matches of equal size: the first in the module wins, and of its alternatives the
// first. The rest for the other root is smaller.
// CHECK-LABEL: func.func @three(
// CHECK-NEXT:    %[[E:.*]] = tensor.empty()
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv_then_relu(%arg0, %arg1)
// CHECK-NEXT:    linalg.tanh ins(%[[R]]
// SAME-LABEL: func.func @three(
// SAME-NEXT:    %[[R:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// SAME-NEXT:    %[[T:.*]] = call @fused_tanh(%[[R]])
// SAME-NEXT:    return %[[T]]
func.func @three(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%r : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// The rest is compared again with the matches that are left.
// SAME-LABEL: func.func @four(
// SAME-NEXT:    %[[R:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// SAME-NEXT:    %[[T:.*]] = call @fused_tanh_then_exp(%[[R]])
// SAME-NEXT:    return %[[T]]
func.func @four(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%r : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %p = linalg.exp ins(%t : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %p : tensor<1x5x7x10xf32>
}
