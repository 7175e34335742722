// RUN: fusion-opt %s --fusion-compile=propagate-layout=false --mlir-print-ir-before=fusion-hoist-constants -o /dev/null 2>&1 | FileCheck %s

// A transposed convolution whose output has a size that is not known stays one.

// CHECK-LABEL: func.func @dynamic_size(
// CHECK:         fusion.fused_deconv_bias_act
func.func @dynamic_size(%x: tensor<2x?x3xf32>, %w: tensor<4x4x3xf32>, %e: tensor<2x?x4xf32>) -> tensor<2x?x4xf32> {
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x?x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  return %c : tensor<2x?x4xf32>
}
