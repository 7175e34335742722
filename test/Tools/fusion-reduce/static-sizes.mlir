// With static sizes the reducer keeps the geometry that they need, on memrefs too.

// RUN: fusion-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-four-ops.sh' | FileCheck %s

// Strides and pads give the sizes.
// CHECK-LABEL: func.func @conv
// CHECK:         fusion.fused_conv_bias_act strides [2, 2] pad_low [1, 1] pad_high [1, 1] ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>) outs(
func.func @conv(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x3xf32>, %b: tensor<6xf32>,
                %e: tensor<1x6x5x6xf32>) -> tensor<1x6x5x6xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>) bias(%b : tensor<6xf32>)
       outs(%e : tensor<1x6x5x6xf32>) -> tensor<1x6x5x6xf32>
  return %r : tensor<1x6x5x6xf32>
}

// A kernel of one element has no use for its dilation.
// CHECK-LABEL: func.func @deconv
// CHECK:         fusion.fused_deconv_bias_act strides [2] ins(
// CHECK-SAME:      outs(
func.func @deconv(%x: memref<1x3x10xf32>, %w: memref<6x3x1xf32>, %b: memref<6xf32>, %y: memref<1x6x20xf32>) {
  fusion.fused_deconv_bias_act {
    strides = array<i64: 2>, dilations = array<i64: 3>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", nan_mode = #fusion.nan<propagate>,
    activation = #fusion.activation<tanh>}
    ins(%x, %w : memref<1x3x10xf32>, memref<6x3x1xf32>) bias(%b : memref<6xf32>) outs(%y : memref<1x6x20xf32>)
  return
}

// CHECK-LABEL: func.func @matmul
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<4x300xf32>, tensor<10x300xf32>) outs(
func.func @matmul(%x: tensor<4x300xf32>, %w: tensor<10x300xf32>, %s: tensor<4x10xf32>,
                  %e: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn",
         activation = #fusion.activation<swish, 1.0>}
       ins(%x, %w : tensor<4x300xf32>, tensor<10x300xf32>) residual(%s : tensor<4x10xf32>)
       outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}

// Padding and strides together give the size, and so does neither. LLVM 23 takes a module
// only if it is shorter, as it is without the attribute.
// CHECK-LABEL: func.func @pool
// CHECK:         fusion.pool {kernel = array<i64: 3, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>,
// CHECK-SAME:      pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
func.func @pool(%x: tensor<1x4x4x64xf32>, %e: tensor<1x2x2x64xf32>) -> tensor<1x2x2x64xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc",
         kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>,
         pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 0>,
         test.note = "a pool"}
       ins(%x : tensor<1x4x4x64xf32>) outs(%e : tensor<1x2x2x64xf32>) -> tensor<1x2x2x64xf32>
  return %r : tensor<1x2x2x64xf32>
}
