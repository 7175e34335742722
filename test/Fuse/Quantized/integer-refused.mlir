// Products of integers that no op on integers computes, each with its reason.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='fusion.quantized'

// CHECK: remark: [Missed] {{.*}}unsupported: zero point of operand 0 is not a constant, and neither is the filter: value is not known at compile time
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

// CHECK: remark: [Missed] {{.*}}unsupported: matrix multiplication of i16 and i16 into i32, expected i8 and i8 into i32
func.func @half_wide(%x: tensor<5x7xi16>, %w: tensor<7x6xi16>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi16>, tensor<7x6xi16>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}operand 0 is not extended from i8
func.func @wide(%x: tensor<5x7xi32>, %w: tensor<7x6xi32>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
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

#n = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_map<(d0, d1) -> ()>

// CHECK: remark: [Missed] {{.*}}unsupported: zero point of operand 0 is not a constant, and neither is the filter: value is not known at compile time
func.func @run_time_zero_point(%x: tensor<5x7xi8>, %z: tensor<i8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<5x7xi8>, tensor<i8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %zp: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %zp : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: filter has zero point 2, expected 0
func.func @extended_filter_zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %two = arith.constant 2 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %two : i32
    linalg.yield %1 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}operand 0 is no tensor of i8 less one number
func.func @extended_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %two = arith.constant 2 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.muli %0, %two : i32
    linalg.yield %1 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}operand 0 is no tensor of i8 less one number
func.func @extended_relu(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zero = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.maxsi %0, %zero : i32
    linalg.yield %1 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}operand 0 is no tensor of i8 less one number
func.func @extended_i16(%x: tensor<5x7xi16>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi16>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i16, %out: i32):
    %0 = arith.extsi %in : i16 to i32
    linalg.yield %0 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}operand 0 is computed from 2 tensors
func.func @extended_sum(%x: tensor<5x7xi8>, %y: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<5x7xi8>, tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %b: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x7xi32>
  %ws = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x6xi32>
  %r = linalg.matmul ins(%xs, %ws : tensor<5x7xi32>, tensor<7x6xi32>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// 200 less the zero point is no integer that x can be.
// CHECK: remark: [Missed] {{.*}}unsupported: operand 0 is padded behind its extension from i8
func.func @extended_pad(%x: tensor<1x3x7xi8>, %w: tensor<4x3x2xi8>) -> tensor<1x4x7xi32> {
  %k = arith.constant 200 : i32
  %f = arith.constant dense<0> : tensor<1x4x7xi32>
  %ex = tensor.empty() : tensor<1x3x7xi32>
  %xs = linalg.generic {indexing_maps = [affine_map<(n, c, w) -> (n, c, w)>, affine_map<(n, c, w) -> (n, c, w)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x7xi8>) outs(%ex : tensor<1x3x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<1x3x7xi32>
  %p = tensor.pad %xs low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %l: index):
    tensor.yield %k : i32
  } : tensor<1x3x7xi32> to tensor<1x3x8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, k) -> (n, c, w + k)>, affine_map<(n, f, w, c, k) -> (f, c, k)>, affine_map<(n, f, w, c, k) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x3x8xi32>, tensor<4x3x2xi8>) outs(%f : tensor<1x4x7xi32>) {
  ^bb0(%a: i32, %b: i8, %acc: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.muli %a, %0 : i32
    %2 = arith.addi %acc, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x4x7xi32>
  return %r : tensor<1x4x7xi32>
}

// The sum reads what is transposed as well: it stays in i32.
// CHECK: remark: [Missed] {{.*}}operand 0 is not extended from i8: operand 0 is neither constant nor read element for element
func.func @extended_transpose(%x: tensor<7x5xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi32>, tensor<5x7xi32>) {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<7x5xi32>
  %et = tensor.empty() : tensor<5x7xi32>
  %xs = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xi8>) outs(%ex : tensor<7x5xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<7x5xi32>
  %t = linalg.transpose ins(%xs : tensor<7x5xi32>) outs(%et : tensor<5x7xi32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %w : tensor<5x7xi32>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i32, %b: i8, %acc: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.muli %a, %0 : i32
    %2 = arith.addi %acc, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x6xi32>
  return %r, %t : tensor<5x6xi32>, tensor<5x7xi32>
}

// A constant of i32 that i8 cannot hold,
// CHECK: remark: [Missed] {{.*}}unsupported: filter has -129 less its zero point, expected -128 to 127
func.func @wide_filter(%x: tensor<5x3xi8>) -> tensor<5x2xi32> {
  %w = arith.constant dense<[[1, -129], [127, 4], [5, -6]]> : tensor<3x2xi32>
  %f = arith.constant dense<0> : tensor<5x2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x3xi8>, tensor<3x2xi32>) outs(%f : tensor<5x2xi32>) {
  ^bb0(%a: i8, %b: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.muli %0, %b : i32
    %2 = arith.addi %acc, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<5x2xi32>
  return %r : tensor<5x2xi32>
}

// and one that is the input.
// CHECK: remark: [Missed] {{.*}}unsupported: the input is a constant of i32
func.func @constant_input(%w: tensor<4x3x2xi8>) -> tensor<1x3x4xi32> {
  %x = arith.constant dense<[[[1, 2], [3, 4], [5, 6], [7, 8], [9, 0]]]> : tensor<1x5x2xi32>
  %f = arith.constant dense<0> : tensor<1x3x4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, f, k, c) -> (n, h + k, c)>, affine_map<(n, h, f, k, c) -> (f, k, c)>, affine_map<(n, h, f, k, c) -> (n, h, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x5x2xi32>, tensor<4x3x2xi8>) outs(%f : tensor<1x3x4xi32>) {
  ^bb0(%a: i32, %b: i8, %acc: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.muli %a, %0 : i32
    %2 = arith.addi %acc, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<1x3x4xi32>
  return %r : tensor<1x3x4xi32>
}

// A factor from outside, which has the number of the input among arguments. It is told
// before the pass runs, too.
// RUN: fusion-opt %s --fusion-raise --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EARLY
// CHECK: remark: [Missed] {{.*}}operand 0 is not extended and multiplied
func.func @captured_factor(%c: i8, %x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  // EARLY: :[[#@LINE+1]]:8: not fused: unsupported: operand 0 is not extended and multiplied
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %c : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
