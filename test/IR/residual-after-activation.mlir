// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// A residual that is added to the activation has a word of its own.

// CHECK-LABEL: func @conv(
// CHECK:         bias(%{{.*}} : tensor<6xf32>) residual_after_activation(%{{.*}} : tensor<1x6x8x10xf32>) outs(
// CHECK-NOT:     residual_after_activation
// CHECK:         return
func.func @conv(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x3xf32>, %b: tensor<6xf32>, %s: tensor<1x6x8x10xf32>,
                %e: tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<swish, 1.0>}
       ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>) bias(%b : tensor<6xf32>)
       residual_after_activation(%s : tensor<1x6x8x10xf32>) outs(%e : tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32>
  return %r : tensor<1x6x8x10xf32>
}

// The attribute in braces says the same.
// CHECK-LABEL: func @deconv(
// CHECK:         residual_after_activation(%{{.*}} : tensor<1x6x4xbf16>) outs(
// CHECK-NOT:     residual_after_activation
// CHECK:         return
func.func @deconv(%x: tensor<1x3x4xbf16>, %w: tensor<6x3x1xbf16>, %s: tensor<1x6x4xbf16>, %e: tensor<1x6x4xbf16>) -> tensor<1x6x4xbf16> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>,
         residual_after_activation}
       ins(%x, %w : tensor<1x3x4xbf16>, tensor<6x3x1xbf16>) residual(%s : tensor<1x6x4xbf16>)
       outs(%e : tensor<1x6x4xbf16>) -> tensor<1x6x4xbf16>
  return %r : tensor<1x6x4xbf16>
}

// It may be the destination, too.
// CHECK-LABEL: func @matmul(
// CHECK:         residual_after_activation(%[[Y:.*]] : memref<4x5xf32>) outs(%[[Y]] : memref<4x5xf32>)
func.func @matmul(%x: memref<4x7xf32>, %w: memref<5x7xf32>, %y: memref<4x5xf32>) {
  fusion.fused_matmul_bias_act {
    input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<gelu_erf>}
    ins(%x, %w : memref<4x7xf32>, memref<5x7xf32>) residual_after_activation(%y : memref<4x5xf32>)
    outs(%y : memref<4x5xf32>)
  return
}

// CHECK-LABEL: fusion.rt.create @call
// CHECK-SAME:    activation = <relu>, residual = f32, residual_after_activation = true>
fusion.rt.create @call #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], activation = <relu>, residual = f32, residual_after_activation = true>
