// Near misses of added-zero-points.mlir.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// No number of i8 is the zero point.
func.func @signed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 129 : i32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: zero point -129 of the input, expected -128 to 127{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %0, %number : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

func.func @unsigned(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: unsupported: zero point -1 of the input, expected 0 to 255{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.addi %0, %number : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// In front of the extension the sum wraps.
func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 5 : i8
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: unsupported: operand 0 is not extended and multiplied, with or without a zero point{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.addi %a, %number : i8
    %1 = arith.extsi %0 : i8 to i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// 256 * 128 is 2^15.
func.func @narrow(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %number = arith.constant 128 : i16
  %one = arith.constant 1 : i16
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: product of 1 to 256 and -127 to 128 may leave i16{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.addi %0, %number : i16
    %2 = arith.addi %1, %one : i16
    %3 = arith.extsi %b : i8 to i16
    %4 = arith.addi %3, %one : i16
    %5 = arith.muli %2, %4 : i16
    %6 = arith.extsi %5 : i16 to i32
    %7 = arith.addi %acc, %6 : i32
    linalg.yield %7 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// The sum with a number that only a call knows.
func.func @at_run_time(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %number: i32) -> tensor<5x6xi32> {
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: unsupported: operand 0 is not extended and multiplied, with or without a zero point{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %0, %number : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
