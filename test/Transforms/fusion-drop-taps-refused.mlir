// RUN: fusion-opt %s --fusion-drop-taps | FileCheck %s --implicit-check-not=tensor.extract_slice

// Filters that stay whole, each for one reason.

// The last element that the first tap reads is the first of the image.
// CHECK-LABEL: func.func @first_reads_one(
// CHECK:         fusion.fused_conv_bias_act dilations [4] pad_low [4] pad_high [1] ins(
func.func @first_reads_one(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  %e = tensor.empty() : tensor<2x4x5xf32>
  %c = fusion.fused_conv_bias_act dilations [4] pad_low [4] pad_high [1]
         ins(%x, %w : tensor<2x3x8xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// The first element that the last tap reads is the last of the image.
// CHECK-LABEL: func.func @last_reads_one(
// CHECK:         fusion.fused_conv_bias_act dilations [4] pad_low [1] pad_high [4] ins(
func.func @last_reads_one(%x: tensor<2x3x8xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x5xf32> {
  %e = tensor.empty() : tensor<2x4x5xf32>
  %c = fusion.fused_conv_bias_act dilations [4] pad_low [1] pad_high [4]
         ins(%x, %w : tensor<2x3x8xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// A stride brings the first tap to the image.
// CHECK-LABEL: func.func @stride_reaches(
// CHECK:         fusion.fused_conv_bias_act strides [2] pad_low [2] pad_high [1] ins(
func.func @stride_reaches(%x: tensor<2x3x2xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x2xf32> {
  %e = tensor.empty() : tensor<2x4x2xf32>
  %c = fusion.fused_conv_bias_act strides [2] pad_low [2] pad_high [1]
         ins(%x, %w : tensor<2x3x2xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  return %c : tensor<2x4x2xf32>
}

// CHECK-LABEL: func.func @dynamic_image(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] ins(
func.func @dynamic_image(%x: tensor<2x3x?xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x?xf32>) -> tensor<2x4x?xf32> {
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<2x3x?xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  return %c : tensor<2x4x?xf32>
}

// CHECK-LABEL: func.func @dynamic_kernel(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] ins(
func.func @dynamic_kernel(%x: tensor<2x3x1xf32>, %w: tensor<4x3x?xf32>) -> tensor<2x4x1xf32> {
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<2x3x1xf32>, tensor<4x3x?xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}

// No tap reads an element, and one has to be left.
// CHECK-LABEL: func.func @all_padding(
// CHECK:         fusion.fused_conv_bias_act dilations [3] pad_low [4] pad_high [2] ins(
func.func @all_padding(%x: tensor<2x3x1xf32>, %w: tensor<4x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x1xf32> {
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_conv_bias_act dilations [3] pad_low [4] pad_high [2]
         ins(%x, %w : tensor<2x3x1xf32>, tensor<4x3x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}

// Without the first tap two elements would be left in front of the first window.
// CHECK-LABEL: func.func @image_before(
// CHECK:         fusion.fused_conv_bias_act dilations [5] pad_low [3] pad_high [1] ins(
func.func @image_before(%x: tensor<2x3x4xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x3xf32> {
  %e = tensor.empty() : tensor<2x4x3xf32>
  %c = fusion.fused_conv_bias_act dilations [5] pad_low [3] pad_high [1]
         ins(%x, %w : tensor<2x3x4xf32>, tensor<4x3x2xf32>) outs(%e : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %c : tensor<2x4x3xf32>
}

// Without the last tap there would be room for another window.
// CHECK-LABEL: func.func @image_behind(
// CHECK:         fusion.fused_conv_bias_act strides [3] dilations [5] pad_high [2] ins(
func.func @image_behind(%x: tensor<2x3x4xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x1xf32> {
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_conv_bias_act strides [3] dilations [5] pad_high [2]
         ins(%x, %w : tensor<2x3x4xf32>, tensor<4x3x2xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}

// A padding that is not part of the op.
// CHECK-LABEL: func.func @padded(
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @padded(%x: tensor<2x3x1xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x1xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%n: index, %c: index, %i: index):
    tensor.yield %zero : f32
  } : tensor<2x3x1xf32> to tensor<2x3x3xf32>
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_conv_bias_act
         ins(%p, %w : tensor<2x3x3xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}

// A transposed convolution cuts off its result.
// CHECK-LABEL: func.func @transposed(
// CHECK:         fusion.fused_deconv_bias_act pad_low [1] pad_high [1] ins(
func.func @transposed(%x: tensor<2x3x1xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x1xf32> {
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_deconv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<2x3x1xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}
