// RUN: fusion-opt %s --fusion-raise | FileCheck %s

// An accumulator that was a tensor without a rank. It is a residual, and the destination has its
// sizes.

// CHECK-LABEL: func @static(
// CHECK:         %[[I:.*]] = tensor.cast %{{.*}} : tensor<*xf32> to tensor<2x4x5x6xf32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x5x6xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} residual(%[[I]] : tensor<2x4x5x6xf32>) outs(%[[E]] :
func.func @static(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %t: tensor<*xf32>) -> tensor<2x4x5x6xf32> {
  %i = tensor.cast %t : tensor<*xf32> to tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%i : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @dynamic(
// CHECK:         %[[I:.*]] = tensor.cast %{{.*}} : tensor<*xf32> to tensor<2x?x5x6xf32>
// CHECK:         %[[D:.*]] = tensor.dim %[[I]]
// CHECK:         %[[E:.*]] = tensor.empty(%[[D]]) : tensor<2x?x5x6xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} residual(%[[I]] : tensor<2x?x5x6xf32>) outs(%[[E]] :
func.func @dynamic(%x: tensor<2x3x7x7xf32>, %w: tensor<?x3x3x2xf32>, %t: tensor<*xf32>) -> tensor<2x?x5x6xf32> {
  %i = tensor.cast %t : tensor<*xf32> to tensor<2x?x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<?x3x3x2xf32>)
         outs(%i : tensor<2x?x5x6xf32>) -> tensor<2x?x5x6xf32>
  return %r : tensor<2x?x5x6xf32>
}

// Behind several casts.
// CHECK-LABEL: func @chain(
// CHECK:         fusion.fused_matmul_bias_act {{.*}} outs(%{{.*}} : tensor<5x6xf32>)
func.func @chain(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %t: tensor<*xf32>) -> tensor<5x6xf32> {
  %i = tensor.cast %t : tensor<*xf32> to tensor<?x6xf32>
  %j = tensor.cast %i : tensor<?x6xf32> to tensor<5x6xf32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%j : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
