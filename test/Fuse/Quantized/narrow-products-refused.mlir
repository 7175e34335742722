// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// Near misses of narrow-products.mlir.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// 255 * 255 is more than 2^15.
func.func @unsigned_filter(%x: tensor<5x7xi8>) -> tensor<5x6xi32> {
  %w = arith.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 1, 2, 3], [4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4], [3, 2, 1, 1, 2, 3], [5, 4, 3, 2, 1, 9], [8, 2, 7, 3, 6, 4]]> : tensor<7x6xi8>
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK: :[[#@LINE+1]]:8: not fused: product of 0 to 255 and 0 to 255 may leave i16{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i16
    %1 = arith.extui %b : i8 to i16
    %2 = arith.muli %0, %1 : i16
    %3 = arith.extsi %2 : i16 to i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// 255 * -129 is less than -2^15.
func.func @zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant -128 : i16
  %zw = arith.constant 1 : i16
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: product of 0 to 255 and -129 to 126 may leave i16{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.subi %0, %zx : i16
    %2 = arith.extsi %b : i8 to i16
    %3 = arith.subi %2, %zw : i16
    %4 = arith.muli %1, %3 : i16
    %5 = arith.extsi %4 : i16 to i32
    %6 = arith.addi %acc, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// A negative product becomes a large number.
func.func @unsigned_product(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  // CHECK-NEXT: :[[#@LINE+1]]:8: not fused: unsupported: body is not one multiplication and one addition{{$}}
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%zero : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i16
    %1 = arith.extsi %b : i8 to i16
    %2 = arith.muli %0, %1 : i16
    %3 = arith.extui %2 : i16 to i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
