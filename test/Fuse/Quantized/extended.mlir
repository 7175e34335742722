// Products of i32 that other ops extend from i8 become ops on integers. ../../Integration/
// fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic --implicit-check-not=tensor.pad
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic --implicit-check-not=tensor.pad

#n = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// ONNX's MatMulInteger, by way of torch-mlir.
// CHECK-LABEL: func @matmul(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[W:[a-z0-9]*]]: tensor<7x6xi8>)
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 131 : i32} ins(%[[X]], %[[W]] :
func.func @matmul(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant 131 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %ew = tensor.empty() : tensor<7x6xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
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

// The filter is i8, and comes first. Two zero points add up.
// CHECK-LABEL: func @two_zero_points(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[W:[a-z0-9]*]]: tensor<7x6xi8>)
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = 9 : i32} ins(%[[X]], %[[W]] :
func.func @two_zero_points(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant -4 : i32
  %zx2 = arith.constant 13 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ex = tensor.empty() : tensor<5x7xi32>
  %xs = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    linalg.yield %1 : i32
  } -> tensor<5x7xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xs, %w : tensor<5x7xi32>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i32, %b: i8, %acc: i32):
    %0 = arith.extsi %b : i8 to i32
    %1 = arith.subi %a, %zx2 : i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// ConvInteger, which pads the integers less their zero point by 0.
// CHECK-LABEL: func @conv(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x3x9x8xi8>, %[[W:[a-z0-9]*]]: tensor<4x3x3x2xi8>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2] {input_unsigned, input_zero_point = 131 : i32} ins(%[[X]], %[[W]] :
func.func @conv(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x9xi32> {
  %zx = arith.constant 131 : i32
  %zero = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x4x4x9xi32>
  %ex = tensor.empty() : tensor<1x3x9x8xi32>
  %ew = tensor.empty() : tensor<4x3x3x2xi32>
  %xs = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    linalg.yield %1 : i32
  } -> tensor<1x3x9x8xi32>
  %ws = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x3x3x2xi32>
  %p = tensor.pad %xs low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : i32
  } : tensor<1x3x9x8xi32> to tensor<1x3x10x10xi32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %ws : tensor<1x3x10x10xi32>, tensor<4x3x3x2xi32>) outs(%f : tensor<1x4x4x9xi32>) -> tensor<1x4x4x9xi32>
  return %r : tensor<1x4x4x9xi32>
}

// Extended first, and then transposed, padded by an insertion, and reshaped.
// CHECK-LABEL: func @moved(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x9x8x3xi8>, %[[W:[a-z0-9]*]]: tensor<4x3x6xi8>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2] {{.*}}{input_unsigned, input_zero_point = 131 : i32} ins({{.*}} : {{.*}}xi8>, {{.*}}xi8>)
func.func @moved(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x6xi8>) -> tensor<1x4x4x9xi32> {
  %zx = arith.constant 131 : i32
  %f = arith.constant dense<0> : tensor<1x4x4x9xi32>
  %ex = tensor.empty() : tensor<1x9x8x3xi32>
  %et = tensor.empty() : tensor<1x3x9x8xi32>
  %ew = tensor.empty() : tensor<4x3x6xi32>
  %xs = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%ex : tensor<1x9x8x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    linalg.yield %1 : i32
  } -> tensor<1x9x8x3xi32>
  %t = linalg.transpose ins(%xs : tensor<1x9x8x3xi32>) outs(%et : tensor<1x3x9x8xi32>) permutation = [0, 3, 1, 2]
  %zeros = arith.constant dense<0> : tensor<1x3x10x10xi32>
  %p = tensor.insert_slice %t into %zeros[0, 0, 1, 0] [1, 3, 9, 8] [1, 1, 1, 1] : tensor<1x3x9x8xi32> into tensor<1x3x10x10xi32>
  %ws = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x6xi8>) outs(%ew : tensor<4x3x6xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x3x6xi32>
  %wr = tensor.expand_shape %ws [[0], [1], [2, 3]] output_shape [4, 3, 3, 2] : tensor<4x3x6xi32> into tensor<4x3x3x2xi32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %wr : tensor<1x3x10x10xi32>, tensor<4x3x3x2xi32>) outs(%f : tensor<1x4x4x9xi32>) -> tensor<1x4x4x9xi32>
  return %r : tensor<1x4x4x9xi32>
}

// Zero points of the op and of the extension add up. So does what pads.
// CHECK-LABEL: func @named(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x7x5x3xi8>, %[[W:[a-z0-9]*]]: tensor<1x2x3x2xi8>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [0, 1] pad_high [2, 0] layouts(nhwc, hwcf, nhwc) {input_unsigned, input_zero_point = 131 : i32} ins(%[[X]], %[[W]] :
func.func @named(%x: tensor<1x7x5x3xi8>, %w: tensor<1x2x3x2xi8>) -> tensor<1x5x5x2xi32> {
  %zx = arith.constant 126 : i32
  %zx2 = arith.constant 5 : i32
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x5x5x2xi32>
  %ex = tensor.empty() : tensor<1x7x5x3xi32>
  %xs = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x7x5x3xi8>) outs(%ex : tensor<1x7x5x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    linalg.yield %1 : i32
  } -> tensor<1x7x5x3xi32>
  %p = tensor.pad %xs low[0, 0, 1, 0] high[0, 2, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx2 : i32
  } : tensor<1x7x5x3xi32> to tensor<1x9x6x3xi32>
  %ws = arith.extsi %w : tensor<1x2x3x2xi8> to tensor<1x2x3x2xi32>
  %r = linalg.conv_2d_nhwc_hwcf_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %ws, %zx2, %zw : tensor<1x9x6x3xi32>, tensor<1x2x3x2xi32>, i32, i32) outs(%f : tensor<1x5x5x2xi32>) -> tensor<1x5x5x2xi32>
  return %r : tensor<1x5x5x2xi32>
}

// One body subtracts both.
// CHECK-LABEL: func @two_differences(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = 9 : i32} ins(
func.func @two_differences(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant -4 : i32
  %zx2 = arith.constant 13 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.subi %1, %zx2 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
