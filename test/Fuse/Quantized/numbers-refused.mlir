// Numbers that the body of an op on integers reads and that stay, each with its reason. The executed twin is in
// ../../Integration/fuse-rescaled.test.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain 2>&1 | FileCheck %s --implicit-check-not=fusion.quantized

#n = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#row = affine_map<(d0, d1, d2) -> (d0)>
#r = affine_map<(d0, d1, d2) -> (d0, d1)>

// Another element for each row.
// CHECK-DAG: :[[#@LINE+14]]:8: not fused: operand 0 is not extended from i8: unsupported: 'tensor.extract' looks a number up, as in a table
func.func @rows(%x: tensor<3x4xi8>, %zx: tensor<3xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi32>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %row = linalg.index 0 : index
    %number = tensor.extract %zx[%row] : tensor<3xi8>
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x4xi32>
  %r = linalg.matmul ins(%xi, %w : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// There may be no element, where there are no rows.
// CHECK-DAG: :[[#@LINE+5]]:8: not fused: unsupported: zero point of operand 0 is not a constant
func.func @no_element(%x: tensor<3x4xi8>, %zx: tensor<?xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<3x4xi8>, tensor<4x2xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %number = tensor.extract %zx[%c0] : tensor<?xi8>
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// CHECK-DAG: :[[#@LINE+5]]:8: not fused: unsupported: zero point of operand 1 is not a constant
func.func @filter(%x: tensor<3x4xi8>, %zw: tensor<3xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %c2 = arith.constant 2 : index
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<3x4xi8>, tensor<4x2xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %number = tensor.extract %zw[%c2] : tensor<3xi8>
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %a : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// An operand of a number for each row.
// CHECK-DAG: :[[#@LINE+4]]:8: not fused: unsupported: a factor of the product is computed from 2 tensors, expected one of i8 less one number
func.func @row_operand(%x: tensor<3x4xi8>, %zx: tensor<3xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #row, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx : tensor<3x4xi8>, tensor<4x2xi8>, tensor<3xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %number: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// The body runs for no element, and reads none. Nothing is left of it.
// CHECK-LABEL: func.func @beyond(
// CHECK:         tensor.extract
func.func @beyond(%x: tensor<0x4xi8>, %zx: tensor<1xi8>) -> tensor<0x4xi32> {
  %c1 = arith.constant 1 : index
  %ex = tensor.empty() : tensor<0x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<0x4xi8>) outs(%ex : tensor<0x4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %number = tensor.extract %zx[%c1] : tensor<1xi8>
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<0x4xi32>
  return %xi : tensor<0x4xi32>
}
