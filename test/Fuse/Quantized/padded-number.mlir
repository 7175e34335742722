// Padding by a number that is no zero point becomes one, and the bias makes up for it.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=tensor.pad

#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m3 = affine_map<(d0, d1, d2, d3) -> (d3)>

// -128 times the sums of the filter, which are [-33, 11, 4].
// CHECK-LABEL: func @pad(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x9x8x2xi8>
// CHECK:         %[[B:.*]] = arith.constant dense<[4224, -1408, -512]> : tensor<3xi32>
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 1] layouts(nhwc, hwcf, nhwc) {input_zero_point = -128 : i32} ins(%[[X]], {{.*}}) bias(%[[B]] : tensor<3xi32>)
func.func @pad(%x: tensor<1x9x8x2xi8>) -> tensor<1x5x8x3xi32> {
  %w = arith.constant dense<[[[[1, -5, 3], [-8, -7, 8]], [[-6, 2, 9], [-8, 7, -3]]], [[[-8, -7, 4], [4, -7, -2]], [[-7, 8, 4], [-8, 9, -6]]], [[[-2, 9, -8], [9, 9, 3]], [[-8, -2, -8], [8, -5, 0]]]]> : tensor<3x2x2x3xi8>
  %zx = arith.constant -128 : i8
  %f = arith.constant dense<0> : tensor<1x5x8x3xi32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx : i8
  } : tensor<1x9x8x2xi8> to tensor<1x12x9x2xi8>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<1x12x9x2xi8>, tensor<3x2x2x3xi8>) outs(%f : tensor<1x5x8x3xi32>) -> tensor<1x5x8x3xi32>
  return %r : tensor<1x5x8x3xi32>
}

// A zero point that is another number, groups and a bias: 10, -20, 30 and 40 less 12 times the
// sums of the filter, which are [10, 13, -2, 21].
// CHECK-LABEL: func @groups(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x2x9x8xi8>
// CHECK:         %[[B:.*]] = arith.constant dense<[-110, -176, 54, -212]> : tensor<4xi32>
// CHECK:         fusion.quantized_conv_bias_act pad_low [1, 0] pad_high [0, 2] groups 2 {input_zero_point = -7 : i32} ins({{.*}}) bias(%[[B]] : tensor<4xi32>)
func.func @groups(%x: tensor<1x2x9x8xi8>) -> tensor<1x2x2x9x8xi32> {
  %w = arith.constant dense<[[[[[4, -5, 8], [-6, 9, 0]]], [[[8, -4, -6], [9, 9, -3]]]], [[[[2, -6, 8], [-7, 9, -8]]], [[[-3, 6, 8], [4, 1, 5]]]]]> : tensor<2x2x1x2x3xi8>
  %seven = arith.constant -7 : i8
  %zx = arith.constant 5 : i32
  %zw = arith.constant 0 : i32
  %b = arith.constant dense<[[10, -20], [30, 40]]> : tensor<2x2xi32>
  %f = arith.constant dense<0> : tensor<1x2x2x9x8xi32>
  %e = tensor.empty() : tensor<1x2x2x9x8xi32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %seven : i8
  } : tensor<1x2x9x8xi8> to tensor<1x2x10x10xi8>
  %v = tensor.expand_shape %p [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 10, 10] : tensor<1x2x10x10xi8> into tensor<1x2x1x10x10xi8>
  %c = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%v, %w, %zx, %zw : tensor<1x2x1x10x10xi8>, tensor<2x2x1x2x3xi8>, i32, i32) outs(%f : tensor<1x2x2x9x8xi32>) -> tensor<1x2x2x9x8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>, affine_map<(n, g, f, h, w) -> (g, f)>, affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<1x2x2x9x8xi32>, tensor<2x2xi32>) outs(%e : tensor<1x2x2x9x8xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<1x2x2x9x8xi32>
  return %r : tensor<1x2x2x9x8xi32>
}
