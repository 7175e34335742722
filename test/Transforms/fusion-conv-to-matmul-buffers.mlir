// RUN: fusion-opt %s --fusion-conv-to-matmul | FileCheck %s

// An op on buffers stays a convolution.
// CHECK-LABEL: func.func @buffers(
// CHECK:         fusion.fused_conv_bias_act
func.func @buffers(%x: memref<5x1x3xf32>, %w: memref<7x1x3xf32>, %e: memref<5x1x7xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
    ins(%x, %w : memref<5x1x3xf32>, memref<7x1x3xf32>) outs(%e : memref<5x1x7xf32>)
  return
}
