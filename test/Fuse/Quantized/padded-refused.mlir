// Padding that stays outside, with its reason.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

// CHECK: remark: [Missed] {{.*}}'tensor.pad' pads with 0, expected -3, and the filter is not constant: value is not known at compile time
// CHECK: remark: [Missed] {{.*}}'tensor.pad' pads with 1, expected 0, and the bias is in f32
// CHECK: remark: [Missed] {{.*}}'tensor.pad' pads with 1, expected 0, as the op pads already
// CHECK: func @other_value(
// CHECK: tensor.pad
// CHECK: fusion.quantized_conv_bias_act {{.*}}{input_zero_point = -3 : i32}
func.func @other_value(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x10x8x4xi32> {
  %zero = arith.constant 0 : i8
  %zx = arith.constant -3 : i32
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x10x8x4xi32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i8
  } : tensor<1x9x8x3xi8> to tensor<1x12x9x3xi8>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w, %zx, %zw : tensor<1x12x9x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x10x8x4xi32>) -> tensor<1x10x8x4xi32>
  return %r : tensor<1x10x8x4xi32>
}

// CHECK: func @float_bias(
// CHECK: tensor.pad
func.func @float_bias(%x: tensor<1x3x7x8xi8>, %b: tensor<4xf32>) -> tensor<1x4x8x9xf32> {
  %one = arith.constant 1 : i8
  %w = arith.constant dense<3> : tensor<4x3x1x2xi8>
  %e = tensor.empty() : tensor<1x4x8x9xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : i8
  } : tensor<1x3x7x8xi8> to tensor<1x3x8x10xi8>
  %r = fusion.quantized_conv_bias_act ins(%p, %w : tensor<1x3x8x10xi8>, tensor<4x3x1x2xi8>) bias(%b : tensor<4xf32>) outs(%e : tensor<1x4x8x9xf32>) -> tensor<1x4x8x9xf32>
  return %r : tensor<1x4x8x9xf32>
}

// CHECK: func @pads(
// CHECK: tensor.pad
func.func @pads(%x: tensor<1x3x7x8xi8>) -> tensor<1x4x9x9xi32> {
  %one = arith.constant 1 : i8
  %w = arith.constant dense<3> : tensor<4x3x1x2xi8>
  %e = tensor.empty() : tensor<1x4x9x9xi32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %one : i8
  } : tensor<1x3x7x8xi8> to tensor<1x3x8x10xi8>
  %r = fusion.quantized_conv_bias_act pad_low [1, 0] ins(%p, %w : tensor<1x3x8x10xi8>, tensor<4x3x1x2xi8>)  outs(%e : tensor<1x4x9x9xi32>) -> tensor<1x4x9x9xi32>
  return %r : tensor<1x4x9x9xi32>
}
