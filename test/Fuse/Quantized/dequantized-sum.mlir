// An op that makes f32 of the sum of an op on integers becomes part of it, and so do those behind.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1 = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @channels(
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[2.000000e-03, 3.000000e-03, 4.000000e-03, 5.000000e-03]> : tensor<4xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[5.000000e-01, -2.500000e-01, 0.699999988, 0.000000e+00]> : tensor<4xf32>
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] ins({{.*}}) bias(%[[B]] : tensor<4xf32>) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x4x7xf32>)
func.func @channels(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x7xf32> {
  %s = arith.constant dense<[0.002, 0.003, 0.004, 0.005]> : tensor<4xf32>
  %b = arith.constant dense<[0.5, -0.25, 0.7, 0.0]> : tensor<4xf32>
  %f = arith.constant dense<0> : tensor<1x4x4x7xi32>
  %e = tensor.empty() : tensor<1x4x4x7xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %q = linalg.generic {indexing_maps = [#m, #m1, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s, %b : tensor<1x4x4x7xi32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<1x4x4x7xf32>) {
  ^bb0(%in: i32, %sc: f32, %bi: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.addf %1, %bi : f32
    linalg.yield %2 : f32
  } -> tensor<1x4x4x7xf32>
  return %q : tensor<1x4x4x7xf32>
}

// A bound of the same op.
// CHECK-LABEL: func @relu6(
// CHECK:         fusion.quantized_matmul_bias_act clip(0.000000e+00, 6.000000e+00) ins({{.*}}) scale(%{{.*}} : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xf32>)
func.func @relu6(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xf32> {
  %s = arith.constant 0.003 : f32
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.minimumf %2, %six : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// torch-mlir: dequantised, relu, quantised again. The bias is a part of the sum.
// CHECK-LABEL: func @torch(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<4xi32>)
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] {input_zero_point = -14 : i32, output_unsigned, output_zero_point = 9 : i32} ins({{.*}}) bias(%[[B]] : tensor<4xi32>) scale(%{{.*}} : tensor<1xf32>) outs(%{{.*}} : tensor<1x4x4x7xi8>)
func.func @torch(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>) -> tensor<1x4x4x7xi8> {
  %zx = arith.constant -14 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant 0.0004 : f32
  %so = arith.constant 0.05 : f32
  %zo = arith.constant 9.0 : f32
  %zero = arith.constant 0.0 : f32
  %max = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  %ef = tensor.empty() : tensor<1x4x4x7xf32>
  %e8 = tensor.empty() : tensor<1x4x4x7xi8>
  %f = linalg.broadcast ins(%b : tensor<4xi32>) outs(%e : tensor<1x4x4x7xi32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>, i32, i32) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %d = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x7xi32>) outs(%ef : tensor<1x4x4x7xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x7xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<1x4x4x7xf32>) outs(%ef : tensor<1x4x4x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x7xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x4x4x7xf32>) outs(%e8 : tensor<1x4x4x7xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptoui %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x7xi8>
  return %q : tensor<1x4x4x7xi8>
}

// A bias in f32, a dequantised residual, which is read as integers, and an activation that has
// no bounds.
// CHECK-LABEL: func @residual(
// CHECK-SAME:      %[[Y:[a-z0-9]*]]: tensor<5x6xi8>)
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[5.000000e-01, 6.250000e-02, 3.000000e-01, 0.000000e+00, -1.000000e+00, 2.000000e-01]> : tensor<6xf32>
// CHECK:         fusion.quantized_matmul_bias_act hardswish {output_scale = 1.000000e+01 : f32, residual_scale = 5.000000e-02 : f32, residual_zero_point = 4 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xf32>) scale({{.*}}) residual(%[[Y]] : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %b = arith.constant dense<[0.5, 0.0625, 0.3, 0.0, -1.0, 0.2]> : tensor<6xf32>
  %zy = arith.constant 4 : i32
  %sy = arith.constant 0.05 : f32
  %so = arith.constant 10.0 : f32
  %zero = arith.constant 0.0 : f32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %b : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %bi: f32, %out: f32):
    %0 = arith.addf %in, %bi : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zy : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sy : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %t = linalg.add ins(%a, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %h = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %three : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.minimumf %1, %six : f32
    %3 = arith.mulf %in, %2 : f32
    %4 = arith.divf %3, %six : f32
    linalg.yield %4 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A residual behind the activation.
// CHECK-LABEL: func @residual_after(
// CHECK:         fusion.quantized_matmul_bias_act relu ins({{.*}}) scale({{.*}}) residual_after_activation({{.*}} : tensor<5x6xf32>) outs(%{{.*}} : tensor<5x6xf32>)
func.func @residual_after(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.003 : f32
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %r: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.addf %0, %r : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %a : tensor<5x6xf32>
}

// All of it is one op: two biases in i32, which wrap, a residual, a relu and the quantisation.
// CHECK-LABEL: func @one_op(
// CHECK-SAME:      %[[Y:[a-z0-9]*]]: tensor<5x6xi8>)
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2147483648, -7, 123456, 0, 1, 2]> : tensor<6xi32>
// CHECK:         fusion.quantized_matmul_bias_act relu {fusion.folded = "requantize", output_zero_point = 3 : i32, residual_scale = 2.500000e-01 : f32, residual_unsigned, residual_zero_point = 130 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>) scale({{.*}} : tensor<6xf32>) residual(%[[Y]] : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @one_op(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %a = arith.constant dense<[2147483647, -8, 123455, -1, 0, 1]> : tensor<6xi32>
  %one = arith.constant 1 : i32
  %s = arith.constant dense<[0.002, 0.003, 0.004, 0.005, 0.006, 0.007]> : tensor<6xf32>
  %sy = arith.constant 0.25 : f32
  %zy = arith.constant 130 : i32
  %zero = arith.constant 0.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n1, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%y, %c, %a, %s : tensor<5x6xi8>, tensor<5x6xi32>, tensor<6xi32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%r: i8, %in: i32, %ad: i32, %sc: f32, %out: i8):
    %0 = arith.addi %in, %ad : i32
    %1 = arith.addi %0, %one : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sc : f32
    %4 = arith.extui %r : i8 to i32
    %5 = arith.subi %4, %zy : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %sy : f32
    %8 = arith.addf %3, %7 : f32
    %9 = arith.maximumf %8, %zero : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.addf %10, %zo : f32
    %12 = arith.maximumf %11, %min : f32
    %13 = arith.minimumf %12, %max : f32
    %14 = arith.fptosi %13 : f32 to i8
    linalg.yield %14 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Both zero points are in front of the rounding: 8 - 4 * 2 is nothing.
// CHECK-LABEL: func @zero_points(
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", residual_scale = 2.000000e+00 : f32} ins({{.*}}) scale({{.*}} : tensor<1xf32>) residual({{.*}} : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @zero_points(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %sy = arith.constant 2.0 : f32
  %zy = arith.constant 4 : i32
  %zo = arith.constant 8.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i8, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.extsi %r : i8 to i32
    %3 = arith.subi %2, %zy : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %4, %sy : f32
    %6 = arith.addf %1, %5 : f32
    %7 = arith.addf %6, %zo : f32
    %8 = arith.maximumf %7, %min : f32
    %9 = arith.minimumf %8, %max : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.fptosi %10 : f32 to i8
    linalg.yield %11 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
