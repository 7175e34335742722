// A summand that is no bias stays outside, with the reasons.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]' --implicit-check-not='bias('

#n = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#n0 = affine_map<(d0, d1) -> (d0)>

// CHECK: remark: [Missed] {{.*}}what is added to the sum is no bias of the output channel: bias varies along dimension 0 (size 5), expected the output channel dimension 1
func.func @tensor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.add ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}what is added to the sum is no bias of the output channel: bias varies along dimension 0 (size 5), expected the output channel dimension 1
func.func @rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %a = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %a : tensor<5x6xi32>, tensor<5xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}the sum is added 2 times
func.func @twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.add ins(%c, %c : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}the sum is negated or not read element for element
func.func @negated(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %out: i32):
    %0 = arith.subi %k, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// A square result, as wide as it is high.
// CHECK: remark: [Missed] {{.*}}the sum is negated or not read element for element
func.func @transposed(%x: tensor<6x7xi8>, %w: tensor<7x6xi8>) -> tensor<6x6xi32> {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<6x6xi32>
  %e = tensor.empty() : tensor<6x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<6x7xi8>, tensor<7x6xi8>) outs(%f : tensor<6x6xi32>) -> tensor<6x6xi32>
  %r = linalg.generic {indexing_maps = [#t, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<6x6xi32>) outs(%e : tensor<6x6xi32>) {
  ^bb0(%acc: i32, %out: i32):
    %0 = arith.addi %k, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<6x6xi32>
  return %r : tensor<6x6xi32>
}

// CHECK: remark: [Missed] {{.*}}the sum is written in another order
func.func @written_transposed(%x: tensor<6x7xi8>, %w: tensor<7x6xi8>) -> tensor<6x6xi32> {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<6x6xi32>
  %e = tensor.empty() : tensor<6x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<6x7xi8>, tensor<7x6xi8>) outs(%f : tensor<6x6xi32>) -> tensor<6x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #t], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<6x6xi32>) outs(%e : tensor<6x6xi32>) {
  ^bb0(%acc: i32, %out: i32):
    %0 = arith.addi %k, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<6x6xi32>
  return %r : tensor<6x6xi32>
}

// CHECK: remark: [Missed] {{.*}}what is added to the sum is no operand
func.func @scaled_addend(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<6xi32>) -> tensor<5x6xi32> {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1) -> (d1)>, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %b: i32, %out: i32):
    %0 = arith.muli %k, %b : i32
    %1 = arith.addi %acc, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}next op ends in 'arith.maxsi', expected a sum of integers
func.func @bounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %out: i32):
    %0 = arith.addi %k, %acc : i32
    %1 = arith.maxsi %0, %k : i32
    linalg.yield %1 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}result has 2 users: 'linalg.generic' at
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi32>, tensor<5x6xi32>) {
  %k = arith.constant 9 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %out: i32):
    %0 = arith.addi %k, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r, %c : tensor<5x6xi32>, tensor<5x6xi32>
}

// An accumulator that is no bias is added behind the op.
// CHECK: remark: [Missed] {{.*}}what is added to the sum is no bias of the output channel: bias varies along dimension 0 (size 5), expected the output channel dimension 1
func.func @accumulator(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %acc: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %r = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%acc : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK: remark: [Missed] {{.*}}what is added to the sum is no bias of the output channel: bias varies along dimension 1 (size 6), expected the output channel dimension 3
func.func @rows_of_groups(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<6xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %f = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e : tensor<2x6x7x3x5xi32>) dimensions = [0, 2, 3, 4]
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%f : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  return %c : tensor<2x6x7x3x5xi32>
}

// CHECK: remark: [Missed] {{.*}}unsupported: 'tensor.expand_shape' at {{.*}} comes between the sum and 'linalg.generic' at {{.*}}sum-bias-refused.mlir:[[#@LINE+8]]:8"
func.func @row_and_group(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<6x3xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<2x6x7x3x5xi32>
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%z : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, c, m) -> (h, c)>, affine_map<(n, h, w, c, m) -> (n, h, w, c, m)>, affine_map<(n, h, w, c, m) -> (n, h, w, c, m)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%b, %c : tensor<6x3xi32>, tensor<2x6x7x3x5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %in, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<2x6x7x3x5xi32>
  return %r : tensor<2x6x7x3x5xi32>
}
