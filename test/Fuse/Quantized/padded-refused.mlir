// Padding that stays outside, with its reason.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

// CHECK: remark: [Missed] {{.*}}'tensor.pad' pads with 0{{.*}}, expected -3
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
