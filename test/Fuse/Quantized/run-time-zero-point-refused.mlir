// Zero points that only a call knows and that stay, each with its reason. The executed twin is in
// ../../Integration/fuse-rescaled.test.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain 2>&1 | FileCheck %s --implicit-check-not=fusion.quantized

#n = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1) -> (d0)>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#z = affine_map<(d0, d1, d2) -> ()>
#r = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-DAG: :[[#@LINE+3]]:8: not fused: unsupported: zero point of operand 0 is not a constant, and neither is the filter:
func.func @filter(%x: tensor<3x4xi8>, %w: tensor<4x2xi8>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %zw = arith.constant 0 : i32
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<3x4xi8>, tensor<4x2xi8>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-DAG: :[[#@LINE+3]]:8: not fused: unsupported: zero point of operand 1 is not a constant
func.func @both(%x: tensor<3x4xi8>, %zx: i32, %zw: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<3x4xi8>, tensor<4x2xi8>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-DAG: :[[#@LINE+4]]:8: not fused: unsupported: zero point of operand 0 is not a constant, and the filter has not one channel
func.func @batch(%x: tensor<2x3x4xi8>, %zx: i32, %f: tensor<2x3x2xi32>) -> tensor<2x3x2xi32> {
  %w = arith.constant dense<[[[1, 127], [-128, 5], [90, -7], [-7, 3]], [[2, 3], [4, 5], [6, 7], [8, 9]]]> : tensor<2x4x2xi8>
  %zw = arith.constant 0 : i32
  %r = linalg.quantized_batch_matmul ins(%x, %w, %zx, %zw : tensor<2x3x4xi8>, tensor<2x4x2xi8>, i32, i32) outs(%f : tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  return %r : tensor<2x3x2xi32>
}

// One for each row.
// CHECK-DAG: :[[#@LINE+12]]:8: not fused: operand 0 is not extended from i8: operand 1 is neither constant nor read element for element
func.func @rows(%x: tensor<3x4xi8>, %zx: tensor<3xi8>, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #row, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, tensor<3xi8>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x4xi32>
  %wi = arith.extsi %w : tensor<4x2xi8> to tensor<4x2xi32>
  %r = linalg.matmul ins(%xi, %wi : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// The same number is subtracted from the filter.
// CHECK-DAG: :[[#@LINE+3]]:8: not fused: unsupported: zero point of operand {{[01]}} is not a constant
func.func @of_both(%x: tensor<3x4xi8>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %r = linalg.generic {indexing_maps = [#x, #w, #z, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx : tensor<3x4xi8>, tensor<4x2xi8>, i32) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %zp: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.subi %2, %zp : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-DAG: :[[#@LINE+3]]:8: not fused: unsupported: body is not one multiplication and one addition
func.func @maximum(%x: tensor<3x4xi8>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %r = linalg.generic {indexing_maps = [#x, #w, #z, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx : tensor<3x4xi8>, tensor<4x2xi8>, i32) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %zp: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.maxsi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// A number of a call is subtracted twice.
// CHECK-DAG: :[[#@LINE+12]]:8: not fused: operand 0 is not extended from i8: operand 1 is neither constant nor read element for element
func.func @twice(%x: tensor<3x4xi8>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %zw = arith.constant 0 : i32
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, i32) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i32, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    linalg.yield %1 : i32
  } -> tensor<3x4xi32>
  %wi = arith.extsi %w : tensor<4x2xi8> to tensor<4x2xi32>
  %r = linalg.quantized_matmul ins(%xi, %wi, %zx, %zw : tensor<3x4xi32>, tensor<4x2xi32>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// Numbers of 32 bits that are none of 8.
// CHECK-DAG: :[[#@LINE+4]]:8: not fused: operand 0 is not extended from i8
func.func @long(%x: tensor<3x4xi32>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi32>
  %zw = arith.constant 0 : i32
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<3x4xi32>, tensor<4x2xi32>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// A wider number that other ops extend from one of 16 bits.
// CHECK-DAG: :[[#@LINE+5]]:8: not fused: operand 0 is not extended from i8
func.func @half_long(%x: tensor<3x4xi16>, %zx: i32, %f: tensor<3x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi32>
  %zw = arith.constant 0 : i32
  %xi = arith.extsi %x : tensor<3x4xi16> to tensor<3x4xi32>
  %r = linalg.quantized_matmul ins(%xi, %w, %zx, %zw : tensor<3x4xi32>, tensor<4x2xi32>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
