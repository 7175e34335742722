// RUN: fusion-opt %s --fusion-fuse | FileCheck %s
// RUN: fusion-opt %s --fusion-fuse=disable=pad,deconv,transpose,broadcast | FileCheck %s --check-prefix=OFF

// The laws that fold a step of the input, on steps that are spelled by name, and the
// near misses, one reason each.

// CHECK-LABEL: func @pad(
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] ins(%arg0, %arg1 :
// OFF-LABEL:   func @pad(
// OFF:           fusion.pad %arg0
// OFF:           fusion.fused_conv_bias_act ins(
func.func @pad(%x: tensor<1x2x5x7xf32>, %w: tensor<4x2x3x2xf32>) -> tensor<1x4x6x9xf32> {
  %p = fusion.pad %x low [0, 0, 1, 0] high [0, 0, 2, 3] : tensor<1x2x5x7xf32> to tensor<1x2x8x10xf32>
  %e = tensor.empty() : tensor<1x4x6x9xf32>
  %r = fusion.fused_conv_bias_act ins(%p, %w : tensor<1x2x8x10xf32>, tensor<4x2x3x2xf32>) outs(%e : tensor<1x4x6x9xf32>) -> tensor<1x4x6x9xf32>
  return %r : tensor<1x4x6x9xf32>
}

// The channel is padded.
// CHECK-LABEL: func @pad_channel(
// CHECK:         %[[P:.*]] = fusion.pad %arg0
// CHECK:         fusion.fused_conv_bias_act ins(%[[P]], %arg1 :
func.func @pad_channel(%x: tensor<1x2x5x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x3x6xf32> {
  %p = fusion.pad %x low [0, 1, 0, 0] high [0, 0, 0, 0] : tensor<1x2x5x7xf32> to tensor<1x3x5x7xf32>
  %e = tensor.empty() : tensor<1x4x3x6xf32>
  %r = fusion.fused_conv_bias_act ins(%p, %w : tensor<1x3x5x7xf32>, tensor<4x3x3x2xf32>) outs(%e : tensor<1x4x3x6xf32>) -> tensor<1x4x3x6xf32>
  return %r : tensor<1x4x3x6xf32>
}

// A row is cropped.
// CHECK-LABEL: func @crop(
// CHECK:         fusion.pad %arg0
func.func @crop(%x: tensor<1x2x5x7xf32>, %w: tensor<4x2x3x2xf32>) -> tensor<1x4x2x6xf32> {
  %p = fusion.pad %x low [0, 0, -1, 0] high [0, 0, 0, 0] : tensor<1x2x5x7xf32> to tensor<1x2x4x7xf32>
  %e = tensor.empty() : tensor<1x4x2x6xf32>
  %r = fusion.fused_conv_bias_act ins(%p, %w : tensor<1x2x4x7xf32>, tensor<4x2x3x2xf32>) outs(%e : tensor<1x4x2x6xf32>) -> tensor<1x4x2x6xf32>
  return %r : tensor<1x4x2x6xf32>
}

// CHECK-LABEL: func @insert_zeros(
// CHECK:         fusion.fused_deconv_bias_act strides [2, 3] pad_low [1, 1] pad_high [0, 2] ins(%arg0,
// OFF-LABEL:   func @insert_zeros(
// OFF:           fusion.insert_zeros %arg0
func.func @insert_zeros(%x: tensor<1x2x5x4xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x10x9xf32> {
  %z = fusion.insert_zeros %x strides [1, 1, 2, 3] low [0, 0, 1, 1] high [0, 0, 2, 0] : tensor<1x2x5x4xf32> to tensor<1x2x12x11xf32>
  %e = tensor.empty() : tensor<1x4x10x9xf32>
  %r = fusion.fused_conv_bias_act ins(%z, %w : tensor<1x2x12x11xf32>, tensor<4x2x3x3xf32>) outs(%e : tensor<1x4x10x9xf32>) -> tensor<1x4x10x9xf32>
  return %r : tensor<1x4x10x9xf32>
}

// The convolution has a stride.
// CHECK-LABEL: func @strides(
// CHECK:         fusion.insert_zeros %arg0
// CHECK-NOT:     fused_deconv
func.func @strides(%x: tensor<1x2x5x4xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x5x9xf32> {
  %z = fusion.insert_zeros %x strides [1, 1, 2, 3] low [0, 0, 1, 1] high [0, 0, 2, 0] : tensor<1x2x5x4xf32> to tensor<1x2x12x11xf32>
  %e = tensor.empty() : tensor<1x4x5x9xf32>
  %r = fusion.fused_conv_bias_act strides [2, 1] ins(%z, %w : tensor<1x2x12x11xf32>, tensor<4x2x3x3xf32>) outs(%e : tensor<1x4x5x9xf32>) -> tensor<1x4x5x9xf32>
  return %r : tensor<1x4x5x9xf32>
}

// The zeros are between channels.
// CHECK-LABEL: func @zero_channels(
// CHECK:         fusion.insert_zeros %arg0
// CHECK-NOT:     fused_deconv
func.func @zero_channels(%x: tensor<1x2x5x4xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x3x3xf32> {
  %z = fusion.insert_zeros %x strides [1, 2, 1, 1] low [0, 0, 0, 0] high [0, 0, 0, 0] : tensor<1x2x5x4xf32> to tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %r = fusion.fused_conv_bias_act ins(%z, %w : tensor<1x3x5x4xf32>, tensor<4x3x3x2xf32>) outs(%e : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %r : tensor<1x4x3x3xf32>
}

// More zeros come first than the filter reaches over.
// CHECK-LABEL: func @far(
// CHECK:         fusion.insert_zeros %arg0
// CHECK-NOT:     fused_deconv
func.func @far(%x: tensor<1x2x5x4xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x10x8xf32> {
  %z = fusion.insert_zeros %x strides [1, 1, 2, 3] low [0, 0, 3, 0] high [0, 0, 0, 0] : tensor<1x2x5x4xf32> to tensor<1x2x12x10xf32>
  %e = tensor.empty() : tensor<1x4x10x8xf32>
  %r = fusion.fused_conv_bias_act ins(%z, %w : tensor<1x2x12x10xf32>, tensor<4x2x3x3xf32>) outs(%e : tensor<1x4x10x8xf32>) -> tensor<1x4x10x8xf32>
  return %r : tensor<1x4x10x8xf32>
}

// A transposed convolution reads the pad, for which there is no law.
// CHECK-LABEL: func @transposed_convolution(
// CHECK:         %[[P:.*]] = fusion.pad %arg0
// CHECK:         fusion.fused_deconv_bias_act strides [2, 2] ins(%[[P]], %arg1 :
func.func @transposed_convolution(%x: tensor<1x2x4x3xf32>, %w: tensor<4x2x3x2xf32>) -> tensor<1x4x11x8xf32> {
  %p = fusion.pad %x low [0, 0, 1, 0] high [0, 0, 0, 1] : tensor<1x2x4x3xf32> to tensor<1x2x5x4xf32>
  %e = tensor.empty() : tensor<1x4x11x8xf32>
  %r = fusion.fused_deconv_bias_act strides [2, 2] ins(%p, %w : tensor<1x2x5x4xf32>, tensor<4x2x3x2xf32>) outs(%e : tensor<1x4x11x8xf32>) -> tensor<1x4x11x8xf32>
  return %r : tensor<1x4x11x8xf32>
}
