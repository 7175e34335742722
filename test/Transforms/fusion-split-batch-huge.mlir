// RUN: fusion-opt %s --fusion-optimize --fusion-split-batch="cache-bytes=4096 start-bytes=0" | FileCheck %s

// Batches of the largest sizes there are, which hash tables have for themselves, and of which no
// part is computed by itself.

// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     scf.for
// CHECK:         fusion.fused_conv_bias_act
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @nothing(%x: tensor<9223372036854775807x3x2x5xf32>, %w: tensor<4x3x1x2xf32>, %b: tensor<4xf32>) -> tensor<9223372036854775807x4x2x0xf32> {
  %e = tensor.empty() : tensor<9223372036854775807x4x2x0xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<9223372036854775807x4x2x0xf32>) dimensions = [0, 2, 3]
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<[1, 5]> : tensor<2xi64>} ins(%x, %w : tensor<9223372036854775807x3x2x5xf32>, tensor<4x3x1x2xf32>) outs(%f : tensor<9223372036854775807x4x2x0xf32>) -> tensor<9223372036854775807x4x2x0xf32>
  return %y : tensor<9223372036854775807x4x2x0xf32>
}

// CHECK-LABEL: func.func @batches(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @batches(%x: tensor<9223372036854775807x0x3xf32>, %y: tensor<9223372036854775806x2x3xf32>) -> (tensor<9223372036854775807x0x3xf32>, tensor<9223372036854775806x2x3xf32>) {
  %e = tensor.empty() : tensor<9223372036854775807x0x3xf32>
  %f = tensor.empty() : tensor<9223372036854775806x2x3xf32>
  %a = linalg.exp ins(%x : tensor<9223372036854775807x0x3xf32>) outs(%e : tensor<9223372036854775807x0x3xf32>) -> tensor<9223372036854775807x0x3xf32>
  %b = linalg.exp ins(%y : tensor<9223372036854775806x2x3xf32>) outs(%f : tensor<9223372036854775806x2x3xf32>) -> tensor<9223372036854775806x2x3xf32>
  return %a, %b : tensor<9223372036854775807x0x3xf32>, tensor<9223372036854775806x2x3xf32>
}
