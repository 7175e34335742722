// Products of integers that no op on integers computes, each with its reason.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='fusion.quantized'

// CHECK: remark: [Missed] {{.*}}unsupported: zero point of operand 0 is not a constant
func.func @zero_point_argument(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %zx: i32) -> tensor<5x6xi32> {
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<5x7xi8>, tensor<7x6xi8>, i32, i32) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: filter has zero point 2, expected 0
func.func @filter_zero_point(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x7x7x4xi32> {
  %zx = arith.constant 0 : i32
  %zw = arith.constant 2 : i32
  %f = arith.constant dense<0> : tensor<1x7x7x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x7x7x4xi32>) -> tensor<1x7x7x4xi32>
  return %r : tensor<1x7x7x4xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: filter is unsigned, expected signed
func.func @unsigned_filter(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: zero point 128 of the input, expected -128 to 127
func.func @zero_point_out_of_range(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant 128 : i32
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<5x7xi8>, tensor<7x6xi8>, i32, i32) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: matrix multiplication of i32 and i32 into i32, expected i8 and i8 into i32
func.func @wide(%x: tensor<5x7xi32>, %w: tensor<7x6xi32>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}accumulator varies along dimension 0 (size 5), expected the output channel dimension 1
func.func @accumulator(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %acc: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%acc : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}accumulates into 'tensor.empty'
func.func @undefined(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %e = tensor.empty() : tensor<5x6xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: operand 1 is not extended and multiplied, with or without a zero point
func.func @body(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %one = arith.constant 1 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.shli %1, %one : i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: body is not one multiplication and one addition
func.func @subtracts(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.subi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
