// RUN: fusion-opt %s --fusion-split-deconvolutions --remarks-filter='fusion.*' --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Transposed convolutions that stay, of tensors that cannot be executed as they are.

// An output whose size is not known.
// CHECK-LABEL: func.func @dynamic_size(
// CHECK:         fusion.fused_deconv_bias_act
func.func @dynamic_size(%x: tensor<2x?x3xf32>, %w: tensor<4x4x3xf32>, %e: tensor<2x?x4xf32>) -> tensor<2x?x4xf32> {
  // expected-remark @below {{runs as a transposed convolution: dynamic size of spatial dimension 0}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x?x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  return %c : tensor<2x?x4xf32>
}

// An input without elements.
// CHECK-LABEL: func.func @empty_input(
// CHECK:         fusion.fused_deconv_bias_act
func.func @empty_input(%x: tensor<2x0x3xf32>, %w: tensor<4x4x3xf32>, %e: tensor<2x2x4xf32>) -> tensor<2x2x4xf32> {
  // expected-remark @below {{runs as a transposed convolution: one of its operands has no elements}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x0x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  return %c : tensor<2x2x4xf32>
}

// A filter whose elements no integer counts: 0, modulo 2^64.
// CHECK-LABEL: func.func @uncounted_filter(
// CHECK:         fusion.fused_deconv_bias_act
func.func @uncounted_filter(%x: tensor<2x5x3xf32>, %w: tensor<4x4611686018427387904x3xf32>, %e: tensor<2x4611686018427387920x4xf32>) -> tensor<2x4611686018427387920x4xf32> {
  // expected-remark @below {{runs as a transposed convolution: the filter has 2^63 elements or more}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 4>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<4x4611686018427387904x3xf32>) outs(%e : tensor<2x4611686018427387920x4xf32>) -> tensor<2x4611686018427387920x4xf32>
  return %c : tensor<2x4611686018427387920x4xf32>
}

// Buffers.
// CHECK-LABEL: func.func @buffers(
// CHECK:         fusion.fused_deconv_bias_act
func.func @buffers(%x: memref<2x5x3xf32>, %w: memref<4x4x3xf32>, %e: memref<2x12x4xf32>) {
  // expected-remark @below {{runs as a transposed convolution: its operands are buffers}}
  fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
    ins(%x, %w : memref<2x5x3xf32>, memref<4x4x3xf32>) outs(%e : memref<2x12x4xf32>)
  return
}

// No images.
// CHECK-LABEL: func.func @no_images(
// CHECK:         fusion.fused_deconv_bias_act
func.func @no_images(%x: tensor<0x5x3xf32>, %w: tensor<4x4x3xf32>, %e: tensor<0x12x4xf32>) -> tensor<0x12x4xf32> {
  // expected-remark @below {{runs as a transposed convolution: one of its operands has no elements}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<0x5x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<0x12x4xf32>) -> tensor<0x12x4xf32>
  return %c : tensor<0x12x4xf32>
}
