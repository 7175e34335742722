// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s

// A residual after the activation is added to it in f32, before the rounding.

// CHECK-LABEL: func @conv(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x5x8xf32>, tensor<5xf32>, tensor<1x5x8xbf16>)
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32, %[[RESIDUAL:.*]]: bf16, %{{.*}}: bf16):
// CHECK:           %[[T:.*]] = arith.addf %[[SUM]], %[[BIAS]] : f32
// CHECK:           %[[A:.*]] = arith.maximumf %[[T]], %{{.*}} : f32
// CHECK:           %[[WIDE:.*]] = arith.extf %[[RESIDUAL]] : bf16 to f32
// CHECK:           %[[R:.*]] = arith.addf %[[A]], %[[WIDE]] : f32
// CHECK:           %[[N:.*]] = arith.truncf %[[R]] : f32 to bf16
// CHECK:           linalg.yield %[[N]]
func.func @conv(%x: tensor<1x3x9xbf16>, %w: tensor<5x3x2xbf16>, %b: tensor<5xf32>, %s: tensor<1x5x8xbf16>, %e: tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<1x3x9xbf16>, tensor<5x3x2xbf16>) bias(%b : tensor<5xf32>)
       residual_after_activation(%s : tensor<1x5x8xbf16>) outs(%e : tensor<1x5x8xbf16>) -> tensor<1x5x8xbf16>
  return %r : tensor<1x5x8xbf16>
}

// CHECK-LABEL: func @matmul_without_bias(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x5xf32>) {
// CHECK-NEXT:    ^bb0(%[[SUM:.*]]: f32, %[[RESIDUAL:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[A:.*]] = math.tanh %[[SUM]] : f32
// CHECK-NEXT:      %[[R:.*]] = arith.addf %[[A]], %[[RESIDUAL]] : f32
// CHECK-NEXT:      linalg.yield %[[R]]
func.func @matmul_without_bias(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %s: tensor<4x5xf32>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<tanh>}
       ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) residual_after_activation(%s : tensor<4x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Split into convolutions by fusion-compile, with the activation and the residual behind.
// CHECK-LABEL: func @deconv(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK:           math.absf
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      linalg.yield
func.func @deconv(%x: tensor<2x5x4x3xf32>, %w: tensor<4x5x4x6xf32>, %b: tensor<4xf32>, %s: tensor<2x4x9x10xf32>, %e: tensor<2x4x9x10xf32>) -> tensor<2x4x9x10xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 2>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<abs>}
       ins(%x, %w : tensor<2x5x4x3xf32>, tensor<4x5x4x6xf32>) bias(%b : tensor<4xf32>)
       residual_after_activation(%s : tensor<2x4x9x10xf32>) outs(%e : tensor<2x4x9x10xf32>) -> tensor<2x4x9x10xf32>
  return %r : tensor<2x4x9x10xf32>
}
