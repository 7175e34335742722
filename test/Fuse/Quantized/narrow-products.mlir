// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s

// Products of i8 that are computed in i16 and extended. None of them leaves i16.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// -128 * -128 is 2^14.
// CHECK-LABEL: func @signed(
// CHECK-NOT:     arith.muli
// CHECK:         fusion.quantized_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<5x7xi8>, tensor<7x6xi8>) outs(%{{.*}} : tensor<5x6xi32>)
func.func @signed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.extsi %b : i8 to i16
    %2 = arith.muli %0, %1 : i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// 255 * -128 is more than -2^15. The factors come in the other order.
// CHECK-LABEL: func @unsigned(
// CHECK-NOT:     arith.muli
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned} ins(%{{.*}}, %{{.*}} : tensor<5x7xi8>, tensor<7x6xi8>) outs(%{{.*}} : tensor<5x6xi32>)
func.func @unsigned(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i16
    %1 = arith.extsi %b : i8 to i16
    %2 = arith.muli %1, %0 : i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.addi %3, %acc : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

#cx = affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w + kw, c)>
#cw = affine_map<(n, h, w, f, kh, kw, c) -> (f, kh, kw, c)>
#cy = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>

// The input less its zero point is at most 255, times -128 more than -2^15.
// CHECK-LABEL: func @zero_point(
// CHECK-NOT:     arith.muli
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}}{input_zero_point = -128 : i32} ins(%{{.*}}, %{{.*}} : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>)
func.func @zero_point(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x7x4xi32> {
  %zx = arith.constant -128 : i16
  %zero = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %r = linalg.generic {indexing_maps = [#cx, #cw, #cy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>) outs(%zero : tensor<1x4x7x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.subi %0, %zx : i16
    %2 = arith.extsi %b : i8 to i16
    %3 = arith.muli %1, %2 : i16
    %4 = arith.extsi %3 : i16 to i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<1x4x7x4xi32>
  return %r : tensor<1x4x7x4xi32>
}
