// Numbers that are added to the extended input: zero points with the other sign.
// ../../Integration/narrow-products.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
#n = affine_map<(d0, d1) -> (d0, d1)>
#cx = affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w + kw, c)>
#cw = affine_map<(n, h, w, f, kh, kw, c) -> (f, kh, kw, c)>
#cy = affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>

// CHECK-LABEL: func @conv(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}}{input_zero_point = -5 : i32} ins(%{{.*}}, %{{.*}} : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>)
func.func @conv(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x7x4xi32> {
  %five = arith.constant 5 : i32
  %zero = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %r = linalg.generic {indexing_maps = [#cx, #cw, #cy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>) outs(%zero : tensor<1x4x7x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %0, %five : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x4x7x4xi32>
  return %r : tensor<1x4x7x4xi32>
}

// The greatest number, and in front of the input.
// CHECK-LABEL: func @first(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -128 : i32} ins(
func.func @first(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 128 : i32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %number, %0 : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %2, %1 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// A sum and a difference: 150 - 19. Each would be out of range, or another number.
// CHECK-LABEL: func @both(
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 131 : i32} ins(
func.func @both(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %added = arith.constant 19 : i32
  %subtracted = arith.constant 150 : i32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.addi %0, %added : i32
    %2 = arith.subi %1, %subtracted : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %4, %acc : i32
    linalg.yield %5 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// In i16, which no product leaves; the number is one of an i8, without a sign.
// CHECK-LABEL: func @narrow(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -127 : i32} ins(
func.func @narrow(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 127 : i8
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %n = arith.extui %number : i8 to i16
    %1 = arith.addi %0, %n : i16
    %2 = arith.extsi %b : i8 to i16
    %3 = arith.muli %1, %2 : i16
    %4 = arith.extsi %3 : i16 to i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// Another op extends the input, and adds a number, too.
// CHECK-LABEL: func @extended(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -12 : i32} ins(
func.func @extended(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %five = arith.constant 5 : i32
  %seven = arith.constant 7 : i32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x7xi32>
  %xi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %0, %five : i32
    linalg.yield %1 : i32
  } -> tensor<5x7xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%xi, %w : tensor<5x7xi32>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i32, %b: i8, %acc: i32):
    %0 = arith.addi %a, %seven : i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// To a constant filter.
// CHECK-LABEL: func @filter(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[}}[3, 4], [-126, 127], [5, 6]]> : tensor<3x2xi8>
// CHECK:         fusion.quantized_matmul_bias_act ins(%{{.*}}, %[[W]] :
func.func @filter(%x: tensor<5x3xi8>) -> tensor<5x2xi32> {
  %w = arith.constant dense<[[1, 2], [-128, 125], [3, 4]]> : tensor<3x2xi8>
  %two = arith.constant 2 : i32
  %zero = arith.constant dense<0> : tensor<5x2xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x3xi8>, tensor<3x2xi8>) outs(%zero : tensor<5x2xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %1, %two : i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x2xi32>
  return %r : tensor<5x2xi32>
}
