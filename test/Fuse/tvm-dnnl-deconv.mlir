// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM 77: its sweep over groups, padding and strides of transposed convolutions. The
// front end puts the input between zeros and reverses the filter. With a stride of 1 it
// is a convolution, padded by the size of the filter less the padding. Groups are none,
// two, and as many as channels.

// CHECK-LABEL: func @groups_1_pad_0_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [2, 1] pad_high [2, 1] ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_1_pad_0_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x7x5xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x9x6xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x9x6xf32>
  %e = tensor.empty() : tensor<1x6x7x5xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%xi, %w : tensor<1x4x9x6xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x7x5xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x7x5xf32>, tensor<1x6x7x5xf32>) outs(%e : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// CHECK-LABEL: func @groups_1_pad_0_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_1_pad_0_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x11x8xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x13x9xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x13x9xf32>) -> tensor<1x4x13x9xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x13x9xf32>
  %e = tensor.empty() : tensor<1x6x11x8xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x11x8xf32>) -> tensor<1x6x11x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%xi, %w : tensor<1x4x13x9xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x11x8xf32>) -> tensor<1x6x11x8xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x11x8xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x11x8xf32>, tensor<1x6x11x8xf32>) outs(%e : tensor<1x6x11x8xf32>) -> tensor<1x6x11x8xf32>
  return %r : tensor<1x6x11x8xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [1, 0] ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_1_pad_1_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x5x3xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x7x4xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x7x4xf32>) -> tensor<1x4x7x4xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x7x4xf32>
  %e = tensor.empty() : tensor<1x6x5x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x5x3xf32>) -> tensor<1x6x5x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%xi, %w : tensor<1x4x7x4xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x5x3xf32>) -> tensor<1x6x5x3xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x5x3xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x5x3xf32>, tensor<1x6x5x3xf32>) outs(%e : tensor<1x6x5x3xf32>) -> tensor<1x6x5x3xf32>
  return %r : tensor<1x6x5x3xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_1_pad_1_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x9x6xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x11x7xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x11x7xf32>) -> tensor<1x4x11x7xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x11x7xf32>
  %e = tensor.empty() : tensor<1x6x9x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x9x6xf32>) -> tensor<1x6x9x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%xi, %w : tensor<1x4x11x7xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x9x6xf32>) -> tensor<1x6x9x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x9x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x9x6xf32>, tensor<1x6x9x6xf32>) outs(%e : tensor<1x6x9x6xf32>) -> tensor<1x6x9x6xf32>
  return %r : tensor<1x6x9x6xf32>
}

// CHECK-LABEL: func @groups_2_pad_0_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [2, 1] pad_high [2, 1] groups 2 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_2_pad_0_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x7x5xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x9x6xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x9x6xf32>
  %e = tensor.empty() : tensor<1x6x7x5xf32>
  %g = tensor.expand_shape %xi [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 9, 6] : tensor<1x4x9x6xf32> into tensor<1x2x2x9x6xf32>
  %q = tensor.empty() : tensor<1x2x3x7x5xf32>
  %f = linalg.fill ins(%k : f32) outs(%q : tensor<1x2x3x7x5xf32>) -> tensor<1x2x3x7x5xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%g, %w : tensor<1x2x2x9x6xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x7x5xf32>) -> tensor<1x2x3x7x5xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<1x2x3x7x5xf32> into tensor<1x6x7x5xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x7x5xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x7x5xf32>, tensor<1x6x7x5xf32>) outs(%e : tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  return %r : tensor<1x6x7x5xf32>
}

// CHECK-LABEL: func @groups_2_pad_0_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] groups 2 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_2_pad_0_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x11x8xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x13x9xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x13x9xf32>) -> tensor<1x4x13x9xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x13x9xf32>
  %e = tensor.empty() : tensor<1x6x11x8xf32>
  %g = tensor.expand_shape %xi [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 13, 9] : tensor<1x4x13x9xf32> into tensor<1x2x2x13x9xf32>
  %q = tensor.empty() : tensor<1x2x3x11x8xf32>
  %f = linalg.fill ins(%k : f32) outs(%q : tensor<1x2x3x11x8xf32>) -> tensor<1x2x3x11x8xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%g, %w : tensor<1x2x2x13x9xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x11x8xf32>) -> tensor<1x2x3x11x8xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<1x2x3x11x8xf32> into tensor<1x6x11x8xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x11x8xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x11x8xf32>, tensor<1x6x11x8xf32>) outs(%e : tensor<1x6x11x8xf32>) -> tensor<1x6x11x8xf32>
  return %r : tensor<1x6x11x8xf32>
}

// CHECK-LABEL: func @groups_2_pad_1_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [1, 0] groups 2 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_2_pad_1_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x5x3xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x7x4xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x7x4xf32>) -> tensor<1x4x7x4xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x7x4xf32>
  %e = tensor.empty() : tensor<1x6x5x3xf32>
  %g = tensor.expand_shape %xi [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 7, 4] : tensor<1x4x7x4xf32> into tensor<1x2x2x7x4xf32>
  %q = tensor.empty() : tensor<1x2x3x5x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%q : tensor<1x2x3x5x3xf32>) -> tensor<1x2x3x5x3xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%g, %w : tensor<1x2x2x7x4xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x5x3xf32>) -> tensor<1x2x3x5x3xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<1x2x3x5x3xf32> into tensor<1x6x5x3xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x5x3xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x5x3xf32>, tensor<1x6x5x3xf32>) outs(%e : tensor<1x6x5x3xf32>) -> tensor<1x6x5x3xf32>
  return %r : tensor<1x6x5x3xf32>
}

// CHECK-LABEL: func @groups_2_pad_1_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] groups 2 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_2_pad_1_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x9x6xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x11x7xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x11x7xf32>) -> tensor<1x4x11x7xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x11x7xf32>
  %e = tensor.empty() : tensor<1x6x9x6xf32>
  %g = tensor.expand_shape %xi [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 11, 7] : tensor<1x4x11x7xf32> into tensor<1x2x2x11x7xf32>
  %q = tensor.empty() : tensor<1x2x3x9x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%q : tensor<1x2x3x9x6xf32>) -> tensor<1x2x3x9x6xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%g, %w : tensor<1x2x2x11x7xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x9x6xf32>) -> tensor<1x2x3x9x6xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<1x2x3x9x6xf32> into tensor<1x6x9x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x9x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x6x9x6xf32>, tensor<1x6x9x6xf32>) outs(%e : tensor<1x6x9x6xf32>) -> tensor<1x6x9x6xf32>
  return %r : tensor<1x6x9x6xf32>
}

// CHECK-LABEL: func @groups_4_pad_0_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [2, 1] pad_high [2, 1] groups 4 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_4_pad_0_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x7x5xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x9x6xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x9x6xf32>
  %e = tensor.empty() : tensor<1x4x7x5xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%xi, %w : tensor<1x4x9x6xf32>, tensor<4x3x2xf32>) outs(%f : tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32>
  %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x7x5xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x4x7x5xf32>, tensor<1x4x7x5xf32>) outs(%e : tensor<1x4x7x5xf32>) -> tensor<1x4x7x5xf32>
  return %r : tensor<1x4x7x5xf32>
}

// CHECK-LABEL: func @groups_4_pad_0_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] groups 4 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_4_pad_0_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x11x8xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x13x9xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x13x9xf32>) -> tensor<1x4x13x9xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 2, 1] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x13x9xf32>
  %e = tensor.empty() : tensor<1x4x11x8xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x4x11x8xf32>) -> tensor<1x4x11x8xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%xi, %w : tensor<1x4x13x9xf32>, tensor<4x3x2xf32>) outs(%f : tensor<1x4x11x8xf32>) -> tensor<1x4x11x8xf32>
  %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x11x8xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x4x11x8xf32>, tensor<1x4x11x8xf32>) outs(%e : tensor<1x4x11x8xf32>) -> tensor<1x4x11x8xf32>
  return %r : tensor<1x4x11x8xf32>
}

// CHECK-LABEL: func @groups_4_pad_1_stride_1(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [1, 0] groups 4 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_4_pad_1_stride_1(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x5x3xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x7x4xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x7x4xf32>) -> tensor<1x4x7x4xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 1, 1] : tensor<1x4x5x4xf32> into tensor<1x4x7x4xf32>
  %e = tensor.empty() : tensor<1x4x5x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%xi, %w : tensor<1x4x7x4xf32>, tensor<4x3x2xf32>) outs(%f : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x5x3xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x4x5x3xf32>, tensor<1x4x5x3xf32>) outs(%e : tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return %r : tensor<1x4x5x3xf32>
}

// CHECK-LABEL: func @groups_4_pad_1_stride_2(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] groups 4 ins(%arg0, {{.*}}) bias(%arg2 :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
func.func @groups_4_pad_1_stride_2(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x9x6xf32> {
  %k = arith.constant 0.0 : f32
  %ei = tensor.empty() : tensor<1x4x11x7xf32>
  %zi = linalg.fill ins(%k : f32) outs(%ei : tensor<1x4x11x7xf32>) -> tensor<1x4x11x7xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 0] [1, 4, 5, 4] [1, 1, 2, 2] : tensor<1x4x5x4xf32> into tensor<1x4x11x7xf32>
  %e = tensor.empty() : tensor<1x4x9x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%xi, %w : tensor<1x4x11x7xf32>, tensor<4x3x2xf32>) outs(%f : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x9x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %v : tensor<1x4x9x6xf32>, tensor<1x4x9x6xf32>) outs(%e : tensor<1x4x9x6xf32>) -> tensor<1x4x9x6xf32>
  return %r : tensor<1x4x9x6xf32>
}
