// RUN: fusion-opt %s --fusion-split-batch="cache-bytes=2048 start-bytes=0" --canonicalize | FileCheck %s

// Weights that are packed once are read again in each iteration, which costs less than
// the traffic that a loop saves; those that change are packed in each, which costs more.

// CHECK-LABEL: func @constant_weights(
// CHECK:         scf.for
func.func @constant_weights(%x: tensor<8x8x8x4xf32>, %v: tensor<4x5x5x4xf32> {fusion.constant}, %w: tensor<4x5x5x4xf32> {fusion.constant}) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 2, 2>, pad_high = array<i64: 2, 2>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
    ins(%x, %v : tensor<8x8x8x4xf32>, tensor<4x5x5x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 2, 2>, pad_high = array<i64: 2, 2>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
    ins(%a, %w : tensor<8x8x8x4xf32>, tensor<4x5x5x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
}

// CHECK-LABEL: func @changing_weights(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @changing_weights(%x: tensor<8x8x8x4xf32>, %v: tensor<4x5x5x4xf32>, %w: tensor<4x5x5x4xf32>) -> tensor<8x8x8x4xf32> {
  %e = tensor.empty() : tensor<8x8x8x4xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 2, 2>, pad_high = array<i64: 2, 2>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
    ins(%x, %v : tensor<8x8x8x4xf32>, tensor<4x5x5x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  %b = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 2, 2>, pad_high = array<i64: 2, 2>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
    ins(%a, %w : tensor<8x8x8x4xf32>, tensor<4x5x5x4xf32>) outs(%e : tensor<8x8x8x4xf32>) -> tensor<8x8x8x4xf32>
  return %b : tensor<8x8x8x4xf32>
}
