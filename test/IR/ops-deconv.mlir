// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// The forms of `fusion.fused_deconv_bias_act`: what is printed parses to the same.

// CHECK-LABEL: func @plain
// CHECK:         fusion.fused_deconv_bias_act strides [2] ins(%{{.*}}, %{{.*}} : tensor<2x3x5xf32>, tensor<4x3x3xf32>) outs(%{{.*}} : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
func.func @plain(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x11xf32>) -> tensor<2x4x11xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x3x5xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  return %r : tensor<2x4x11xf32>
}

// The sizes with the least and the largest output padding: strides 2 and 3.
// CHECK-LABEL: func @everything
// CHECK:         fusion.fused_deconv_bias_act relu strides [2, 3] dilations [1, 2] pad_low [1, 0] pad_high [0, 1] groups 2 layouts(nhwc, hwcf, nchw) {nan_mode = #fusion.nan<propagate>} ins(
// CHECK-SAME:      bias(%{{.*}} : tensor<6xf32>) residual(%{{.*}} : tensor<1x6x9x16xf32>)
// CHECK:         fusion.fused_deconv_bias_act{{.*}} -> tensor<1x6x10x18xf32>
func.func @everything(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2x6xf32>, %b: tensor<6xf32>, %s: tensor<1x6x9x16xf32>, %e: tensor<1x6x9x16xf32>, %f: tensor<1x6x10x18xf32>) -> (tensor<1x6x9x16xf32>, tensor<1x6x10x18xf32>) {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 3>, dilations = array<i64: 1, 2>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nchw",
         activation = #fusion.activation<relu>, nan_mode = #fusion.nan<propagate>}
       ins(%x, %w : tensor<1x4x5x4xf32>, tensor<4x3x2x6xf32>) bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x9x16xf32>)
       outs(%e : tensor<1x6x9x16xf32>) -> tensor<1x6x9x16xf32>
  %q = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 3>, dilations = array<i64: 1, 2>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nchw"}
       ins(%x, %w : tensor<1x4x5x4xf32>, tensor<4x3x2x6xf32>) outs(%f : tensor<1x6x10x18xf32>) -> tensor<1x6x10x18xf32>
  return %r, %q : tensor<1x6x9x16xf32>, tensor<1x6x10x18xf32>
}
