// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM 72: its sweep over groups, padding, strides and dilations.

// CHECK-LABEL: func @groups_1_pad_0_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_0_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x6x8xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x8x9xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %r : tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func @groups_1_pad_0_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_0_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x4x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x4x7xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x8x9xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x4x7xf32>) -> tensor<1x6x4x7xf32>
  return %r : tensor<1x6x4x7xf32>
}

// CHECK-LABEL: func @groups_1_pad_0_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_0_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x3x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x7x8xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x3x4xf32>) -> tensor<1x6x3x4xf32>
  return %r : tensor<1x6x3x4xf32>
}

// CHECK-LABEL: func @groups_1_pad_0_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_0_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x2x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x2x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x7x9xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x2x4xf32>) -> tensor<1x6x2x4xf32>
  return %r : tensor<1x6x2x4xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 1] pad_high [1, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_1_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x6x8x10xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x10x11xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32>
  return %r : tensor<1x6x8x10xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] pad_low [1, 1] pad_high [1, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_1_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x6x6x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x10x11xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x6x9xf32>) -> tensor<1x6x6x9xf32>
  return %r : tensor<1x6x6x9xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_1_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x8xf32> to tensor<1x32x9x10xf32>
  %z = arith.constant dense<0.0> : tensor<1x6x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x9x10xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x4x5xf32>) -> tensor<1x6x4x5xf32>
  return %r : tensor<1x6x4x5xf32>
}

// CHECK-LABEL: func @groups_1_pad_1_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] pad_low [1, 1] pad_high [1, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_1_pad_1_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x9xf32> to tensor<1x32x9x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x6x3x5xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x9x11xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x3x5xf32>) -> tensor<1x6x3x5xf32>
  return %r : tensor<1x6x3x5xf32>
}

// CHECK-LABEL: func @groups_32_pad_0_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_0_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x32x6x8xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x8x9xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x6x8xf32>) -> tensor<1x32x6x8xf32>
  return %r : tensor<1x32x6x8xf32>
}

// CHECK-LABEL: func @groups_32_pad_0_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_0_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x4x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x32x4x7xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x8x9xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x4x7xf32>) -> tensor<1x32x4x7xf32>
  return %r : tensor<1x32x4x7xf32>
}

// CHECK-LABEL: func @groups_32_pad_0_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_0_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x32x3x4xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x7x8xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x3x4xf32>) -> tensor<1x32x3x4xf32>
  return %r : tensor<1x32x3x4xf32>
}

// CHECK-LABEL: func @groups_32_pad_0_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_0_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x2x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x32x2x4xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%x, %w : tensor<1x32x7x9xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x2x4xf32>) -> tensor<1x32x2x4xf32>
  return %r : tensor<1x32x2x4xf32>
}

// CHECK-LABEL: func @groups_32_pad_1_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 1] pad_high [1, 1] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_1_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x32x8x10xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x10x11xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x8x10xf32>) -> tensor<1x32x8x10xf32>
  return %r : tensor<1x32x8x10xf32>
}

// CHECK-LABEL: func @groups_32_pad_1_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] pad_low [1, 1] pad_high [1, 1] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_1_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x32x6x9xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x10x11xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x6x9xf32>) -> tensor<1x32x6x9xf32>
  return %r : tensor<1x32x6x9xf32>
}

// CHECK-LABEL: func @groups_32_pad_1_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_1_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x8xf32> to tensor<1x32x9x10xf32>
  %z = arith.constant dense<0.0> : tensor<1x32x4x5xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x9x10xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x4x5xf32>) -> tensor<1x32x4x5xf32>
  return %r : tensor<1x32x4x5xf32>
}

// CHECK-LABEL: func @groups_32_pad_1_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] pad_low [1, 1] pad_high [1, 1] groups 32 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_32_pad_1_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<32x3x2xf32>) -> tensor<1x32x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x9xf32> to tensor<1x32x9x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x32x3x5xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%p, %w : tensor<1x32x9x11xf32>, tensor<32x3x2xf32>) outs(%z : tensor<1x32x3x5xf32>) -> tensor<1x32x3x5xf32>
  return %r : tensor<1x32x3x5xf32>
}

// CHECK-LABEL: func @groups_16_pad_0_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_0_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x2x6x8xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 8, 9] : tensor<1x32x8x9xf32> into tensor<1x16x2x8x9xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x8x9xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x6x8xf32>) -> tensor<1x16x2x6x8xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x6x8xf32> into tensor<1x32x6x8xf32>
  return %r : tensor<1x32x6x8xf32>
}

// CHECK-LABEL: func @groups_16_pad_0_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_0_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x4x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x2x4x7xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 8, 9] : tensor<1x32x8x9xf32> into tensor<1x16x2x8x9xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x8x9xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x4x7xf32>) -> tensor<1x16x2x4x7xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x4x7xf32> into tensor<1x32x4x7xf32>
  return %r : tensor<1x32x4x7xf32>
}

// CHECK-LABEL: func @groups_16_pad_0_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_0_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x2x3x4xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 7, 8] : tensor<1x32x7x8xf32> into tensor<1x16x2x7x8xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x7x8xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x3x4xf32>) -> tensor<1x16x2x3x4xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x3x4xf32> into tensor<1x32x3x4xf32>
  return %r : tensor<1x32x3x4xf32>
}

// CHECK-LABEL: func @groups_16_pad_0_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_0_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x2x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x2x2x4xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 7, 9] : tensor<1x32x7x9xf32> into tensor<1x16x2x7x9xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x7x9xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x2x4xf32>) -> tensor<1x16x2x2x4xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x2x4xf32> into tensor<1x32x2x4xf32>
  return %r : tensor<1x32x2x4xf32>
}

// CHECK-LABEL: func @groups_16_pad_1_stride_1_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 1] pad_high [1, 1] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_1_stride_1_dilation_1(%x: tensor<1x32x8x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x8x10xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 10, 11] : tensor<1x32x10x11xf32> into tensor<1x16x2x10x11xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x10x11xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x8x10xf32>) -> tensor<1x16x2x8x10xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x8x10xf32> into tensor<1x32x8x10xf32>
  return %r : tensor<1x32x8x10xf32>
}

// CHECK-LABEL: func @groups_16_pad_1_stride_1_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2, 2] pad_low [1, 1] pad_high [1, 1] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_1_stride_1_dilation_2(%x: tensor<1x32x8x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x8x9xf32> to tensor<1x32x10x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x6x9xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 10, 11] : tensor<1x32x10x11xf32> into tensor<1x16x2x10x11xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x10x11xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x6x9xf32>) -> tensor<1x16x2x6x9xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x6x9xf32> into tensor<1x32x6x9xf32>
  return %r : tensor<1x32x6x9xf32>
}

// CHECK-LABEL: func @groups_16_pad_1_stride_2_dilation_1(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_1_stride_2_dilation_1(%x: tensor<1x32x7x8xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x8xf32> to tensor<1x32x9x10xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x4x5xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 9, 10] : tensor<1x32x9x10xf32> into tensor<1x16x2x9x10xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x9x10xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x4x5xf32>) -> tensor<1x16x2x4x5xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x4x5xf32> into tensor<1x32x4x5xf32>
  return %r : tensor<1x32x4x5xf32>
}

// CHECK-LABEL: func @groups_16_pad_1_stride_2_dilation_2(
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 2] dilations [2, 2] pad_low [1, 1] pad_high [1, 1] groups 16 ins(
// CHECK-NEXT:    return %[[R]]
func.func @groups_16_pad_1_stride_2_dilation_2(%x: tensor<1x32x7x9xf32>, %w: tensor<16x2x2x3x2xf32>) -> tensor<1x32x3x5xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x9xf32> to tensor<1x32x9x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x3x5xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 16, 2, 9, 11] : tensor<1x32x9x11xf32> into tensor<1x16x2x9x11xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<2> : vector<2xi64>, dilations = dense<2> : vector<2xi64>}
         ins(%g, %w : tensor<1x16x2x9x11xf32>, tensor<16x2x2x3x2xf32>) outs(%z : tensor<1x16x2x3x5xf32>) -> tensor<1x16x2x3x5xf32>
  %r = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x16x2x3x5xf32> into tensor<1x32x3x5xf32>
  return %r : tensor<1x32x3x5xf32>
}
