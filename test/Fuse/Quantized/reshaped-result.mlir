// A reshape of an integer result moves behind its reader, but not where it would become one of
// another result: that one would move back.
// ../../Integration/fuse-moved-integers.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize | FileCheck %s

#m = affine_map<(a, b, c) -> (a, b, c)>

// CHECK-LABEL: func @two_results(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} -> tensor<1x4x3x2xi8>
// CHECK:         %[[D:.*]] = fusion.quantized_matmul_bias_act {{.*}} -> tensor<4x3x2xi8>
// CHECK:         %[[R:.*]] = tensor.collapse_shape %[[C]] {{.*}} into tensor<4x3x2xi8>
// CHECK:         linalg.generic {{.*}} ins(%[[R]], %[[D]] :
func.func @two_results(%x: tensor<1x4x3x2xi8>, %w: tensor<2x1x1x2xi8>, %v: tensor<4x2x2xi8>) -> tensor<4x3x2xi8> {
  %e4 = tensor.empty() : tensor<1x4x3x2xi8>
  %e3 = tensor.empty() : tensor<4x3x2xi8>
  %s = arith.constant dense<0.01> : tensor<1xf32>
  %x3 = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x4x3x2xi8> into tensor<4x3x2xi8>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<1x4x3x2xi8>, tensor<2x1x1x2xi8>) scale(%s : tensor<1xf32>) outs(%e4 : tensor<1x4x3x2xi8>) -> tensor<1x4x3x2xi8>
  %d = fusion.quantized_matmul_bias_act ins(%x3, %v : tensor<4x3x2xi8>, tensor<4x2x2xi8>) scale(%s : tensor<1xf32>) outs(%e3 : tensor<4x3x2xi8>) -> tensor<4x3x2xi8>
  %c3 = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x4x3x2xi8> into tensor<4x3x2xi8>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c3, %d : tensor<4x3x2xi8>, tensor<4x3x2xi8>) outs(%e3 : tensor<4x3x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %0 = arith.addi %a, %b : i8
    linalg.yield %0 : i8
  } -> tensor<4x3x2xi8>
  return %r : tensor<4x3x2xi8>
}

// The other one is read twice, and does not move.
// CHECK-LABEL: func @other_read_twice(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} -> tensor<1x4x3x2xi8>
// CHECK:         %[[D:.*]] = fusion.quantized_matmul_bias_act {{.*}} -> tensor<4x3x2xi8>
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[D]] {{.*}} into tensor<1x4x3x2xi8>
// CHECK:         %[[G:.*]] = linalg.generic {{.*}} ins(%[[C]], %[[R]] :
// CHECK:         tensor.collapse_shape %[[G]]
func.func @other_read_twice(%x: tensor<1x4x3x2xi8>, %w: tensor<2x1x1x2xi8>, %v: tensor<4x2x2xi8>) -> (tensor<4x3x2xi8>, tensor<4x3x2xi8>) {
  %e4 = tensor.empty() : tensor<1x4x3x2xi8>
  %e3 = tensor.empty() : tensor<4x3x2xi8>
  %s = arith.constant dense<0.01> : tensor<1xf32>
  %x3 = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x4x3x2xi8> into tensor<4x3x2xi8>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<1x4x3x2xi8>, tensor<2x1x1x2xi8>) scale(%s : tensor<1xf32>) outs(%e4 : tensor<1x4x3x2xi8>) -> tensor<1x4x3x2xi8>
  %d = fusion.quantized_matmul_bias_act ins(%x3, %v : tensor<4x3x2xi8>, tensor<4x2x2xi8>) scale(%s : tensor<1xf32>) outs(%e3 : tensor<4x3x2xi8>) -> tensor<4x3x2xi8>
  %c3 = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x4x3x2xi8> into tensor<4x3x2xi8>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c3, %d : tensor<4x3x2xi8>, tensor<4x3x2xi8>) outs(%e3 : tensor<4x3x2xi8>) {
  ^bb0(%a: i8, %b: i8, %o: i8):
    %0 = arith.addi %a, %b : i8
    linalg.yield %0 : i8
  } -> tensor<4x3x2xi8>
  return %r, %d : tensor<4x3x2xi8>, tensor<4x3x2xi8>
}

// The shortcut of a block is quantised, and the sum beside it is not: a reshape of the sum moves,
// whatever that of the shortcut would do.
// CHECK-LABEL: func @shortcut(
// CHECK:         %[[D:.*]] = fusion.quantized_matmul_bias_act {{.*}} -> tensor<4x3x2xi8>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[D]] {{.*}} into tensor<1x4x3x2xi8>
// CHECK:         fusion.quantized_conv_bias_act {{.*}} residual(%[[E]] : tensor<1x4x3x2xi8>)
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @shortcut(%x: tensor<1x4x3x2xi8>, %w: tensor<2x1x1x2xi8>, %v: tensor<4x2x2xi8>) -> tensor<4x3x2xi8> {
  %e4 = tensor.empty() : tensor<1x4x3x2xi32>
  %e3 = tensor.empty() : tensor<4x3x2xi8>
  %ss = arith.constant dense<0.01> : tensor<1xf32>
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.5 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %x3 = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x4x3x2xi8> into tensor<4x3x2xi8>
  %c = fusion.quantized_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%x, %w : tensor<1x4x3x2xi8>, tensor<2x1x1x2xi8>) outs(%e4 : tensor<1x4x3x2xi32>) -> tensor<1x4x3x2xi32>
  %d = fusion.quantized_matmul_bias_act ins(%x3, %v : tensor<4x3x2xi8>, tensor<4x2x2xi8>) scale(%ss : tensor<1xf32>) outs(%e3 : tensor<4x3x2xi8>) -> tensor<4x3x2xi8>
  %c3 = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x4x3x2xi32> into tensor<4x3x2xi32>
  %r = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel"]} ins(%c3, %d : tensor<4x3x2xi32>, tensor<4x3x2xi8>) outs(%e3 : tensor<4x3x2xi8>) {
  ^bb0(%a: i32, %b: i8, %o: i8):
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<4x3x2xi8>
  return %r : tensor<4x3x2xi8>
}
