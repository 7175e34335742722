// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Padding by zero of rows and columns becomes padding of the fusion op.

// CHECK-LABEL: func @asymmetric(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>,
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] ins(%[[X]],
// CHECK:         return %[[R]]
func.func @asymmetric(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x10x13xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x10x13xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x12x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x10x13xf32>) -> tensor<2x5x10x13xf32>
  return %r : tensor<2x5x10x13xf32>
}

// CHECK-LABEL: func @channels_last(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, hwcf, nhwc) ins(%arg0,
func.func @channels_last(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x5x13x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x13x5xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x9x11x3xf32> to tensor<2x12x14x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x14x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x5x13x5xf32>) -> tensor<2x5x13x5xf32>
  return %r : tensor<2x5x13x5xf32>
}

// One padding around another: they add up.
// CHECK-LABEL: func @twice(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 3] pad_high [2, 4] ins(%arg0,
func.func @twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x10x17xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x10x17xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x10x14xf32>
  %q = tensor.pad %p low[0, 0, 0, 3] high[0, 0, 2, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x14xf32> to tensor<2x3x12x18xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%q, %w : tensor<2x3x12x18xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x10x17xf32>) -> tensor<2x5x10x17xf32>
  return %r : tensor<2x5x10x17xf32>
}

// Another op still reads the padded tensor.
// CHECK-LABEL: func @two_users(
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] ins(%arg0,
// CHECK:         return %[[R]], %[[P]]
func.func @two_users(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x10x13xf32>, tensor<2x3x12x14xf32>) {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x10x13xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x14xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x12x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x10x13xf32>) -> tensor<2x5x10x13xf32>
  return %r, %p : tensor<2x5x10x13xf32>, tensor<2x3x12x14xf32>
}

// The amounts are operands that turn out to be constant; the sizes are dynamic.
// CHECK-LABEL: func @constant_operands(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] ins(%arg0,
// CHECK-SAME:      : tensor<?x3x?x?xf32>,
func.func @constant_operands(%x: tensor<?x3x?x?xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %p = tensor.pad %x low[0, 0, %i1, %i0] high[0, 0, %i2, %i3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<?x3x?x?xf32> to tensor<?x3x?x?xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<?x3x?x?xf32>, tensor<5x3x3x2xf32>) outs(%s : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  return %r : tensor<?x5x?x?xf32>
}

// CHECK-LABEL: func @conv_1d(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [2] layouts(nwc, wcf, nwc) ins(%arg0,
func.func @conv_1d(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x9x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  return %r : tensor<2x10x5xf32>
}

// TVM 78: three dimensions.
// CHECK-LABEL: func @conv_3d(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [3, 0, 1] pad_high [0, 1, 2] ins(%arg0,
func.func @conv_3d(%x: tensor<2x3x4x9x11xf32>, %w: tensor<5x3x2x3x2xf32>) -> tensor<2x5x6x8x13xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x6x8x13xf32>
  %p = tensor.pad %x low[0, 0, 3, 0, 1] high[0, 0, 0, 1, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index, %m: index):
    tensor.yield %zero : f32
  } : tensor<2x3x4x9x11xf32> to tensor<2x3x7x10x14xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%p, %w : tensor<2x3x7x10x14xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x6x8x13xf32>) -> tensor<2x5x6x8x13xf32>
  return %r : tensor<2x5x6x8x13xf32>
}

// torch-mlir pads, then splits the channels into groups.
// CHECK-LABEL: func @grouped(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] groups 2 ins(%arg0,
func.func @grouped(%x: tensor<2x6x9x11xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<2x2x4x10x13xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x2x4x10x13xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x6x9x11xf32> to tensor<2x6x12x14xf32>
  %g = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [2, 2, 3, 12, 14] : tensor<2x6x12x14xf32> into tensor<2x2x3x12x14xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%g, %w : tensor<2x2x3x12x14xf32>, tensor<2x4x3x3x2xf32>) outs(%z : tensor<2x2x4x10x13xf32>) -> tensor<2x2x4x10x13xf32>
  return %r : tensor<2x2x4x10x13xf32>
}

// CHECK-LABEL: func @minus_zero(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [2] layouts(nwc, wcf, nwc) ins(
func.func @minus_zero(%x: tensor<2x9x3xf32>, %w: tensor<3x3x5xf32>) -> tensor<2x10x5xf32> {
  %zero = arith.constant -0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x5xf32>
  %p = tensor.pad %x low[0, 1, 0] high[0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<2x9x3xf32> to tensor<2x12x3xf32>
  %r = linalg.conv_1d_nwc_wcf ins(%p, %w : tensor<2x12x3xf32>, tensor<3x3x5xf32>) outs(%z : tensor<2x10x5xf32>) -> tensor<2x10x5xf32>
  return %r : tensor<2x10x5xf32>
}

// Grouped convolutions of linalg have a dimension of groups, which the op merges with the channels.
// CHECK-LABEL: func @groups(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 1] groups 2
func.func @groups(%x: tensor<1x2x3x7x9xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<1x2x4x8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x2x4x8x9xf32>
  %p = tensor.pad %x low[0, 0, 0, 1, 0] high[0, 0, 0, 2, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %zero : f32
  } : tensor<1x2x3x7x9xf32> to tensor<1x2x3x10x10xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%p, %w : tensor<1x2x3x10x10xf32>, tensor<2x4x3x3x2xf32>) outs(%z : tensor<1x2x4x8x9xf32>) -> tensor<1x2x4x8x9xf32>
  return %r : tensor<1x2x4x8x9xf32>
}
