// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=tensor.extract_slice

// TOSA has no rest behind the last window: front ends crop the image. The op reads all of it.
// CHECK-LABEL: func @crop(
// CHECK-SAME:    %[[X:.*]]: tensor<2x12x8x3xi8>, %[[W:.*]]: tensor<4x1x1x3xi8>
// CHECK:         fusion.quantized_conv_bias_act strides [4, 3]
// CHECK-SAME:      {input_zero_point = -7 : i32} ins(%[[X]], %[[W]] : tensor<2x12x8x3xi8>,
func.func @crop(%x: tensor<2x12x8x3xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x3x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 9, 7, 3] [1, 1, 1, 1]
      : tensor<2x12x8x3xi8> to tensor<2x9x7x3xi8>
  %e = tensor.empty() : tensor<2x3x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x9x7x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}

// Padded in front, and a kernel with holes.
// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x11x10xi8>, %[[W:.*]]: tensor<4x3x3x3xi8>
// CHECK:         fusion.quantized_conv_bias_act strides [3, 2] dilations [2, 1] pad_low [1, 2]
// CHECK-SAME:      ins(%[[X]], %[[W]] : tensor<1x3x11x10xi8>,
func.func @padded(%x: tensor<1x3x11x10xi8>, %w: tensor<4x3x3x3xi8>) -> tensor<1x4x3x5xi32> {
  %zx = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %zp = arith.constant 5 : i8
  %s = tensor.extract_slice %x[0, 0, 0, 0] [1, 3, 10, 9] [1, 1, 1, 1]
      : tensor<1x3x11x10xi8> to tensor<1x3x10x9xi8>
  %p = tensor.pad %s low[0, 0, 1, 2] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zp : i8
  } : tensor<1x3x10x9xi8> to tensor<1x3x11x11xi8>
  %e = tensor.empty() : tensor<1x4x3x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x4x3x5xi32>) -> tensor<1x4x3x5xi32>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[3, 2]> : tensor<2xi64>}
      ins(%p, %w, %zx, %zero : tensor<1x3x11x11xi8>, tensor<4x3x3x3xi8>, i32, i32)
      outs(%f : tensor<1x4x3x5xi32>) -> tensor<1x4x3x5xi32>
  return %r : tensor<1x4x3x5xi32>
}
