// Slices that stay in front of a convolution.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s

// Without the slice there were one more column of windows.
// CHECK-LABEL: func @read_behind(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @read_behind(%x: tensor<2x12x8x3xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x3x2x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 9, 6, 3] [1, 1, 1, 1]
      : tensor<2x12x8x3xi8> to tensor<2x9x6x3xi8>
  %e = tensor.empty() : tensor<2x3x2x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x2x4xi32>) -> tensor<2x3x2x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x9x6x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x2x4xi32>) -> tensor<2x3x2x4xi32>
  return %r : tensor<2x3x2x4xi32>
}

// Cut off at the beginning.
// CHECK-LABEL: func @beginning(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @beginning(%x: tensor<2x12x8x3xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x3x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[0, 1, 0, 0] [2, 11, 8, 3] [1, 1, 1, 1]
      : tensor<2x12x8x3xi8> to tensor<2x11x8x3xi8>
  %e = tensor.empty() : tensor<2x3x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x11x8x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}

// The padding would begin later.
// CHECK-LABEL: func @padded_end(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @padded_end(%x: tensor<2x12x8x3xi8>, %w: tensor<4x2x1x3xi8>) -> tensor<2x3x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %zp = arith.constant -7 : i8
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 11, 8, 3] [1, 1, 1, 1]
      : tensor<2x12x8x3xi8> to tensor<2x11x8x3xi8>
  %p = tensor.pad %s low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zp : i8
  } : tensor<2x11x8x3xi8> to tensor<2x12x8x3xi8>
  %e = tensor.empty() : tensor<2x3x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%p, %w, %zx, %zero : tensor<2x12x8x3xi8>, tensor<4x2x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}

// Channels are cut off.
// CHECK-LABEL: func @channels(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @channels(%x: tensor<2x12x8x5xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x3x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 12, 8, 3] [1, 1, 1, 1]
      : tensor<2x12x8x5xi8> to tensor<2x12x8x3xi8>
  %e = tensor.empty() : tensor<2x3x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x12x8x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}

// Not a crop: each second row.
// CHECK-LABEL: func @every_second(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @every_second(%x: tensor<2x12x8x3xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x2x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[0, 0, 0, 0] [2, 6, 8, 3] [1, 2, 1, 1]
      : tensor<2x12x8x3xi8> to tensor<2x6x8x3xi8>
  %e = tensor.empty() : tensor<2x2x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x6x8x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32>
  return %r : tensor<2x2x3x4xi32>
}

// Not a crop: one image of several, without their dimension.
// CHECK-LABEL: func @one_image(
// CHECK:         tensor.extract_slice
// CHECK:         fusion.quantized_conv_bias_act
func.func @one_image(%x: tensor<4x2x12x8x3xi8>, %w: tensor<4x1x1x3xi8>) -> tensor<2x3x3x4xi32> {
  %zx = arith.constant -7 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.extract_slice %x[1, 0, 0, 0, 0] [1, 2, 12, 8, 3] [1, 1, 1, 1, 1]
      : tensor<4x2x12x8x3xi8> to tensor<2x12x8x3xi8>
  %e = tensor.empty() : tensor<2x3x3x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<[4, 3]> : tensor<2xi64>}
      ins(%s, %w, %zx, %zero : tensor<2x12x8x3xi8>, tensor<4x1x1x3xi8>, i32, i32)
      outs(%f : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}
