// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-operands.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="patterns=first_times,times_second pattern-file=%t.pdl.mlir" | FileCheck %s

// `ReadsPattern` gives the first operand that the pattern makes, of which the rest must
// hold; `ReadsPatternAt` the one that is asked for.

// CHECK-LABEL: func.func @first_is_free(
// CHECK:         call @fused_first_times(
func.func @first_is_free(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.mul ins(%c, %d : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %s, %d : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// CHECK-LABEL: func.func @second_is_free(
// CHECK:         call @fused_times_second(
func.func @second_is_free(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.mul ins(%c, %d : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %s, %c : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}
