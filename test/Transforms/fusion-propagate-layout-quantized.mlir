// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose

// Convolutions of integers of 8 bits get channels-last with the rest of what they are.

// CHECK-LABEL: func @chain(
// CHECK-DAG:     %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xi8>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK-DAG:     %[[S:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x5x7x10xi8>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act relu layouts(nhwc, fchw, nhwc) {input_zero_point = 3 : i32, output_unsigned, residual_zero_point = -5 : i32} ins(%[[X]], %{{.*}}) scale(%{{.*}} : tensor<5xf32>) residual(%[[S]] : tensor<2x7x10x5xi8>) outs({{.*}}) -> tensor<2x7x10x5xi8>
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act strides [2, 1] layouts(nhwc, fchw, nhwc) {input_unsigned} ins(%[[C]], {{.*}} -> tensor<2x4x10x4xi32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x10x4xi32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @chain(%x: tensor<2x3x9x11xi8>, %w: tensor<5x3x3x2xi8>, %u: tensor<4x5x1x1xi8>, %scale: tensor<5xf32>, %s: tensor<2x5x7x10xi8>) -> tensor<2x4x4x10xi32> {
  %ec = tensor.empty() : tensor<2x5x7x10xi8>
  %c = fusion.quantized_conv_bias_act relu {input_zero_point = 3 : i32, residual_zero_point = -5 : i32, output_unsigned}
         ins(%x, %w : tensor<2x3x9x11xi8>, tensor<5x3x3x2xi8>) scale(%scale : tensor<5xf32>) residual(%s : tensor<2x5x7x10xi8>)
         outs(%ec : tensor<2x5x7x10xi8>) -> tensor<2x5x7x10xi8>
  %er = tensor.empty() : tensor<2x4x4x10xi32>
  %r = fusion.quantized_conv_bias_act strides [2, 1] {input_unsigned}
         ins(%c, %u : tensor<2x5x7x10xi8>, tensor<4x5x1x1xi8>) outs(%er : tensor<2x4x4x10xi32>) -> tensor<2x4x4x10xi32>
  return %r : tensor<2x4x4x10xi32>
}
