// RUN: fusion-opt %s --fusion-raise --canonicalize | FileCheck %s

// Strides and dilations in each form, other attributes, slack, dynamic sizes.

// torch-mlir writes vectors.
// CHECK-LABEL: func @vector_attributes(
// CHECK:         fusion.fused_conv_bias_act strides [1, 3] dilations [2, 1] ins(
func.func @vector_attributes(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : vector<2xi64>, strides = dense<[1, 3]> : vector<2xi64>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  return %r : tensor<1x4x5x4xf32>
}

// CHECK-LABEL: func @tensor_attributes(
// CHECK:         fusion.fused_conv_bias_act strides [1, 3] dilations [2, 1] ins(
func.func @tensor_attributes(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
  return %r : tensor<1x4x5x4xf32>
}

// CHECK-LABEL: func @splat_attributes(
// CHECK:         fusion.fused_conv_bias_act strides [3, 3] dilations [2, 2] ins(
func.func @splat_attributes(%x: tensor<1x3x11x9xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<2> : vector<2xi64>, strides = dense<3> : vector<2xi64>}
         ins(%x, %w : tensor<1x3x11x9xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  return %r : tensor<1x4x3x3xf32>
}

// CHECK-LABEL: func @missing_attributes(
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @missing_attributes(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  return %r : tensor<1x4x7x10xf32>
}

// CHECK-LABEL: func @one_missing_attribute(
// CHECK:         fusion.fused_conv_bias_act strides [2, 3] ins(
func.func @one_missing_attribute(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %r : tensor<1x4x4x4xf32>
}

// StableHLO leaves attributes of its own behind.
// CHECK-LABEL: func @discardable_attributes(
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, hwcf, nhwc) ins(
func.func @discardable_attributes(%x: tensor<1x9x11x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<1x7x10x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x10x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x10x4xf32>) -> tensor<1x7x10x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {batch_group_count = 1 : i64, strides = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<1x7x10x4xf32>) -> tensor<1x7x10x4xf32>
  return %r : tensor<1x7x10x4xf32>
}

// The stride leaves a row that nothing reads.
// CHECK-LABEL: func @slack_below_stride(
// CHECK:         fusion.fused_conv_bias_act{{.*}} : tensor<1x3x10x11xf32>, {{.*}} -> tensor<1x4x4x10xf32>
func.func @slack_below_stride(%x: tensor<1x3x10x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x10xf32>) -> tensor<1x4x4x10xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x10x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x4x10xf32>) -> tensor<1x4x4x10xf32>
  return %r : tensor<1x4x4x10xf32>
}

// CHECK-LABEL: func @dynamic_batch(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x3x9x11xf32>,
// CHECK:         %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x3x9x11xf32>
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x4x7x10xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(%[[E]] : tensor<?x4x7x10xf32>) -> tensor<?x4x7x10xf32>
func.func @dynamic_batch(%x: tensor<?x3x9x11xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<?x4x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %n = tensor.dim %x, %i0 : tensor<?x3x9x11xf32>
  %e = tensor.empty(%n) : tensor<?x4x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4x7x10xf32>) -> tensor<?x4x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<?x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<?x4x7x10xf32>) -> tensor<?x4x7x10xf32>
  return %r : tensor<?x4x7x10xf32>
}

// CHECK-LABEL: func @dynamic_everything(
// CHECK:         fusion.fused_conv_bias_act strides [1, 3] dilations [2, 1] ins(
// CHECK-SAME:      {{.*}} : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs({{.*}} : tensor<?x?x?x?xf32>)
func.func @dynamic_everything(%x: tensor<?x?x?x?xf32>, %w: tensor<?x?x?x?xf32>, %e: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) outs(%f : tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// CHECK-LABEL: func @dynamic_grouped(
// CHECK:         tensor.collapse_shape {{.*}} : tensor<?x2x3x?x?xf32> into tensor<?x6x?x?xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:      -> tensor<?x8x?x?xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<?x8x?x?xf32> into tensor<?x2x4x?x?xf32>
// CHECK:         return %[[Y]]
func.func @dynamic_grouped(%x: tensor<?x2x3x?x?xf32>, %w: tensor<2x4x3x3x2xf32>, %e: tensor<?x2x4x?x?xf32>) -> tensor<?x2x4x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x2x4x?x?xf32>) -> tensor<?x2x4x?x?xf32>
  %r = linalg.conv_2d_ngchw_gfchw
         ins(%x, %w : tensor<?x2x3x?x?xf32>, tensor<2x4x3x3x2xf32>) outs(%f : tensor<?x2x4x?x?xf32>) -> tensor<?x2x4x?x?xf32>
  return %r : tensor<?x2x4x?x?xf32>
}

// CHECK-LABEL: func @bf16_into_f32(
// CHECK:         fusion.fused_conv_bias_act{{.*}} tensor<1x3x9x11xbf16>, tensor<4x3x3x2xbf16>) outs({{.*}}) -> tensor<1x4x7x10xf32>
func.func @bf16_into_f32(%x: tensor<1x3x9x11xbf16>, %w: tensor<4x3x3x2xbf16>) -> tensor<1x4x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<1x3x9x11xbf16>, tensor<4x3x3x2xbf16>) outs(%f : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
  return %r : tensor<1x4x7x10xf32>
}

// CHECK-LABEL: func @f16(
// CHECK:         fusion.fused_conv_bias_act{{.*}} tensor<1x3x9x11xf16>, tensor<4x3x3x2xf16>) outs({{.*}}) -> tensor<1x4x7x10xf16>
func.func @f16(%x: tensor<1x3x9x11xf16>, %w: tensor<4x3x3x2xf16>) -> tensor<1x4x7x10xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<1x4x7x10xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<1x4x7x10xf16>) -> tensor<1x4x7x10xf16>
  %r = linalg.conv_2d_nchw_fchw
         ins(%x, %w : tensor<1x3x9x11xf16>, tensor<4x3x3x2xf16>) outs(%f : tensor<1x4x7x10xf16>) -> tensor<1x4x7x10xf16>
  return %r : tensor<1x4x7x10xf16>
}

// In a nested region, and in a function of another kind.
// CHECK-LABEL: func @nested(
// CHECK:         scf.if
// CHECK:           fusion.fused_conv_bias_act
func.func @nested(%p: i1, %x: tensor<1x3x9x11xf32>, %w: tensor<4x3x3x2xf32>, %s: tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32> {
  %r = scf.if %p -> tensor<1x4x7x10xf32> {
    %c = linalg.conv_2d_nchw_fchw
           ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%s : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
    scf.yield %c : tensor<1x4x7x10xf32>
  } else {
    scf.yield %s : tensor<1x4x7x10xf32>
  }
  return %r : tensor<1x4x7x10xf32>
}

// Steps beyond what the runtime takes, of windows that never make one, are no error.
// CHECK-LABEL: func @large_steps(
// CHECK:         fusion.fused_conv_bias_act strides [4294967296, 1] dilations [1, 4294967296]
func.func @large_steps(%x: tensor<1x3x9x11xf32>, %w: tensor<4x3x1x1xf32>, %s: tensor<1x4x1x11xf32>) -> tensor<1x4x1x11xf32> {
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[4294967296, 1]> : tensor<2xi64>, dilations = dense<[1, 4294967296]> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<4x3x1x1xf32>) outs(%s : tensor<1x4x1x11xf32>) -> tensor<1x4x1x11xf32>
  return %c : tensor<1x4x1x11xf32>
}
