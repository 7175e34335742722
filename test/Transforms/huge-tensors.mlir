// RUN: fusion-opt %s --fusion-optimize | FileCheck %s

// Tensors that no memory holds, at compile time.

// A splat is scaled as one element.
// CHECK-LABEL: func.func @scaled_splat(
// CHECK-NOT:     arith.mulf
// CHECK:         %[[W:.*]] = arith.constant dense<1.500000e+00> : tensor<1073741824x6x2x3xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
// CHECK-NOT:     arith.mulf
// CHECK:         return
func.func @scaled_splat(%x: tensor<1x6x5x7xf32>) -> tensor<1x1073741824x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<1073741824x6x2x3xf32>
  %s = arith.constant dense<3.0> : tensor<1073741824xf32>
  %e = tensor.empty() : tensor<1x1073741824x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1073741824x4x5xf32>) -> tensor<1x1073741824x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x6x5x7xf32>, tensor<1073741824x6x2x3xf32>) outs(%f : tensor<1x1073741824x4x5xf32>) -> tensor<1x1073741824x4x5xf32>
  %b = linalg.broadcast ins(%s : tensor<1073741824xf32>) outs(%e : tensor<1x1073741824x4x5xf32>) dimensions = [0, 2, 3]
  %r = linalg.mul ins(%c, %b : tensor<1x1073741824x4x5xf32>, tensor<1x1073741824x4x5xf32>) outs(%e : tensor<1x1073741824x4x5xf32>) -> tensor<1x1073741824x4x5xf32>
  return %r : tensor<1x1073741824x4x5xf32>
}

// A splat beside other numbers: each element is computed, and these are too many.
// CHECK-LABEL: func.func @scaled_by_others(
// CHECK:         arith.constant dense<5.000000e-01> : tensor<2x536870912x1x1xf32>
// CHECK:         arith.mulf
// CHECK:         fusion.fused_conv_bias_act
func.func @scaled_by_others(%x: tensor<1x536870912x5x7xf32>) -> tensor<1x2x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<2x536870912x1x1xf32>
  %s = arith.constant dense<[3.0, 5.0]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x536870912x5x7xf32>, tensor<2x536870912x1x1xf32>) outs(%f : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  %b = linalg.broadcast ins(%s : tensor<2xf32>) outs(%e : tensor<1x2x5x7xf32>) dimensions = [0, 2, 3]
  %r = linalg.mul ins(%c, %b : tensor<1x2x5x7xf32>, tensor<1x2x5x7xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  return %r : tensor<1x2x5x7xf32>
}

// More elements than an integer counts: 0, modulo 2^64.
// CHECK-LABEL: func.func @uncounted(
// CHECK-NOT:     dense<>
// CHECK:         arith.constant dense<5.000000e-01> : tensor<576460752303423488x32x1x1xf32>
// CHECK:         arith.mulf
// CHECK:         fusion.fused_conv_bias_act
func.func @uncounted(%x: tensor<1x32x5x7xf32>) -> tensor<1x576460752303423488x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<576460752303423488x32x1x1xf32>
  %s = arith.constant dense<3.0> : tensor<576460752303423488xf32>
  %e = tensor.empty() : tensor<1x576460752303423488x5x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x576460752303423488x5x7xf32>) -> tensor<1x576460752303423488x5x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x5x7xf32>, tensor<576460752303423488x32x1x1xf32>) outs(%f : tensor<1x576460752303423488x5x7xf32>) -> tensor<1x576460752303423488x5x7xf32>
  %b = linalg.broadcast ins(%s : tensor<576460752303423488xf32>) outs(%e : tensor<1x576460752303423488x5x7xf32>) dimensions = [0, 2, 3]
  %r = linalg.mul ins(%c, %b : tensor<1x576460752303423488x5x7xf32>, tensor<1x576460752303423488x5x7xf32>) outs(%e : tensor<1x576460752303423488x5x7xf32>) -> tensor<1x576460752303423488x5x7xf32>
  return %r : tensor<1x576460752303423488x5x7xf32>
}
