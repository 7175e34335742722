// An op that makes i8 of the sum of an op on integers becomes part of it, however it is spelled.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-arith{include-apply-rescale=true}),fusion-fuse-quantized)' | FileCheck %s --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN-COUNT-2: fused: zero point, requantize{{$}}
// EXPLAIN-NEXT:    fused: zero point, bias, clip, requantize{{$}}
// EXPLAIN-NEXT:    fused: zero point, relu, requantize{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#m3 = affine_map<(d0, d1, d2, d3) -> (d3)>

// A zero point behind the rounding, and one scale. It is divided by.
// CHECK-LABEL: func @quotient(
// CHECK:         %[[S:.*]] = arith.constant dense<6.250000e-03> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", input_zero_point = -5 : i32, output_zero_point = 3 : i32} ins({{.*}}) scale(%[[S]] : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @quotient(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant 160.0 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<5x7xi8>, tensor<7x6xi8>, i32, i32) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.divf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A scale for each channel, and a zero point in front of the rounding. The result is 0 to 255.
// CHECK-LABEL: func @channels(
// CHECK:         %[[S:.*]] = arith.constant dense<[2.000000e-03, 3.000000e-03, 4.000000e-03, 5.000000e-03]> : tensor<4xf32>
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {fusion.folded = "requantize", output_unsigned, output_zero_point = 131 : i32} ins({{.*}}) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x4x7xi8>)
func.func @channels(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x7xi8> {
  %s = arith.constant dense<[0.002, 0.003, 0.004, 0.005]> : tensor<4xf32>
  %zo = arith.constant 131.0 : f32
  %min = arith.constant 0.0 : f32
  %max = arith.constant 255.0 : f32
  %f = arith.constant dense<0> : tensor<1x4x4x7xi32>
  %e8 = tensor.empty() : tensor<1x4x4x7xi8>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %q = linalg.generic {indexing_maps = [#m, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s : tensor<1x4x4x7xi32>, tensor<4xf32>) outs(%e8 : tensor<1x4x4x7xi8>) {
  ^bb0(%in: i32, %sc: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x4x7xi8>
  return %q : tensor<1x4x4x7xi8>
}

// TOSA's integers, behind a bias in the sum. The lower bound is that of the type, the upper
// one is not: 40 - -128.
// CHECK-LABEL: func @rescale(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<4xi32>)
// CHECK:         %[[S:.*]] = arith.constant dense<[0.00254{{[0-9]*}}, 0.0027{{[0-9]*}}, 0.0058{{[0-9]*}}, 0.0030{{[0-9]*}}]> : tensor<4xf32>
// CHECK:         fusion.quantized_conv_bias_act clip(0.000000e+00, 1.680000e+02) strides [2, 1] dilations [1, 2] layouts(nhwc, fhwc, nhwc) {fusion.folded = "requantize", input_zero_point = -5 : i32, output_zero_point = -128 : i32} ins({{.*}}) bias(%[[B]] : tensor<4xi32>) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x6x4xi8>)
func.func @rescale(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x6x4xi8> {
  %multiplier = arith.constant dense<[1400780721, 1500780721, 1600780721, 1700780721]> : tensor<4xi32>
  %shift = arith.constant dense<[39, 39, 38, 39]> : tensor<4xi8>
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %zo = arith.constant -128 : i32
  %max = arith.constant 40 : i32
  %e = tensor.empty() : tensor<1x4x6x4xi32>
  %e8 = tensor.empty() : tensor<1x4x6x4xi8>
  %f = linalg.broadcast ins(%b : tensor<4xi32>) outs(%e : tensor<1x4x6x4xi32>) dimensions = [0, 1, 2]
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x4x6x4xi32>) -> tensor<1x4x6x4xi32>
  %q = linalg.generic {indexing_maps = [#m, #m3, #m3, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %multiplier, %shift : tensor<1x4x6x4xi32>, tensor<4xi32>, tensor<4xi8>) outs(%e8 : tensor<1x4x6x4xi8>) {
  ^bb0(%in: i32, %mu: i32, %sh: i8, %out: i8):
    %0 = tosa.apply_scale %in, %mu, %sh {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    %1 = arith.addi %0, %zo : i32
    %2 = arith.maxsi %1, %zo : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<1x4x6x4xi8>
  return %q : tensor<1x4x6x4xi8>
}

// Half up, with a relu whose zero is no bound of the type.
// CHECK-LABEL: func @half_up(
// CHECK:         fusion.quantized_matmul_bias_act relu {fusion.folded = "requantize", input_unsigned, output_zero_point = 7 : i32} ins({{.*}}) scale(%{{.*}} : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @half_up(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %multiplier = arith.constant 1400780721 : i32
  %shift = arith.constant 39 : i8
  %zo = arith.constant 7 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = tosa.apply_scale %in, %multiplier, %shift {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %1 = arith.addi %0, %zo : i32
    %2 = arith.maxsi %1, %zo : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A bias in f32 of 1000, -600, 40 and so on units of the sum, and a zero point behind it.
// CHECK-LABEL: func @multiples(
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[3.906250e-03, 0.001953125, 3.906250e-03, 7.812500e-03, 0.001953125, 3.906250e-03]> : tensor<6xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[1000, -600, 40, -300, 7000, 1]> : tensor<6xi32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>) scale(%[[S]] : tensor<6xf32>)
func.func @multiples(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant dense<[0.00390625, 0.001953125, 0.00390625, 0.0078125, 0.001953125, 0.00390625]> : tensor<6xf32>
  %b = arith.constant dense<[3.90625, -1.171875, 0.15625, -2.34375, 13.671875, 0.00390625]> : tensor<6xf32>
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s, %b : tensor<5x6xi32>, tensor<6xf32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %sc: f32, %bi: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.addf %1, %bi : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zo : f32
    %5 = arith.maximumf %4, %min : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// One that is no multiple stays in f32.
// CHECK-LABEL: func @float_bias(
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<1.250000e-01> : tensor<1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[5.000000e-01, 6.250000e-02, 3.000000e-01, 0.000000e+00, -1.000000e+00, 2.000000e-01]> : tensor<6xf32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize"} ins({{.*}}) bias(%[[B]] : tensor<6xf32>) scale(%[[S]] : tensor<1xf32>)
func.func @float_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.125 : f32
  %b = arith.constant dense<[0.5, 0.0625, 0.3, 0.0, -1.0, 0.2]> : tensor<6xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %bi : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Half a step is added to the sum in front of a shift.
// CHECK-LABEL: func @half_step(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<37> : tensor<6xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<0.001953125> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 5 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>) scale(%[[S]] : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @half_step(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %zo = arith.constant 5 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<37> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.addi %1, %zo : i32
    %3 = arith.maxsi %2, %min : i32
    %4 = arith.minsi %3, %max : i32
    %5 = arith.trunci %4 : i32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// One for each channel, and a bias.
// CHECK-LABEL: func @half_steps(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-700, 1234, 0, 56]> : tensor<4xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[0.001953125, 9.765625E-4, 3.906250e-03, 0.001953125]> : tensor<4xf32>
// CHECK:         fusion.quantized_conv_bias_act {{.*}} ins({{.*}}) bias(%[[B]] : tensor<4xi32>) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x9x4xi8>)
func.func @half_steps(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x9x4xi8> {
  %half = arith.constant dense<[256, 512, 128, 256]> : tensor<4xi32>
  %shift = arith.constant dense<[9, 10, 8, 9]> : tensor<4xi32>
  %b = arith.constant dense<[-700, 1234, 0, 56]> : tensor<4xi32>
  %zero = arith.constant 0 : i8
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<1x4x9x4xi32>
  %e8 = tensor.empty() : tensor<1x4x9x4xi8>
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 0, 0] {
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : i8
  } : tensor<1x9x8x3xi8> to tensor<1x9x10x3xi8>
  %c = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<1x9x10x3xi8>, tensor<4x3x2x3xi8>) outs(%f : tensor<1x4x9x4xi32>) -> tensor<1x4x9x4xi32>
  %q = linalg.generic {indexing_maps = [#m, #m3, #m3, #m3, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b, %half, %shift : tensor<1x4x9x4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) outs(%e8 : tensor<1x4x9x4xi8>) {
  ^bb0(%in: i32, %ad: i32, %h: i32, %s: i32, %out: i8):
    %0 = arith.addi %in, %ad : i32
    %1 = arith.addi %0, %h : i32
    %2 = arith.shrsi %1, %s : i32
    %3 = arith.maxsi %2, %min : i32
    %4 = arith.minsi %3, %max : i32
    %5 = arith.trunci %4 : i32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x9x4xi8>
  return %q : tensor<1x4x9x4xi8>
}

// A bias in i32 in front of the scale, whose sum with the one in the sum may wrap.
// CHECK-LABEL: func @wraps(
// CHECK-DAG:     %[[A:.*]] = arith.constant dense<[2147483647, -7, 123456, 0, 1, 2]> : tensor<6xi32>
// CHECK:         %[[B:.*]] = linalg.add ins(%{{.*}}, %[[A]] : tensor<6xi32>, tensor<6xi32>)
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>)
func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<5x6xi8> {
  %a = arith.constant dense<[2147483647, -7, 123456, 0, 1, 2]> : tensor<6xi32>
  %s = arith.constant 0.0001 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e : tensor<5x6xi32>) dimensions = [0]
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %a : tensor<5x6xi32>, tensor<6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %ad: i32, %out: i8):
    %0 = arith.addi %in, %ad : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.addf %3, %zo : f32
    %5 = arith.maximumf %4, %min : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Upstream makes a shift of an unsigned number of a shift by 32 in front of a truncation to i32: the bits
// that it fills in are cut off.
// CHECK-LABEL: func @shift_of_32(
// CHECK:         %[[S:.*]] = arith.constant dense<0.326144278> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) scale(%[[S]] : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @shift_of_32(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %multiplier = arith.constant 1400779000 : i64
  %half = arith.constant 2147483648 : i64
  %shift = arith.constant 32 : i64
  %zo = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %multiplier : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrui %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %zo : i32
    %6 = arith.maxsi %5, %min : i32
    %7 = arith.minsi %6, %max : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The zero point behind the shift has the size of half a step of the sum.
// CHECK-LABEL: func @shift_of_32_and_bias(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-70, 123, 0, 56, 7, -9]> : tensor<6xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<2.500000e-01> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 2 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>) scale(%[[S]] : tensor<1xf32>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @shift_of_32_and_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %b = arith.constant dense<[-70, 123, 0, 56, 7, -9]> : tensor<6xi32>
  %multiplier = arith.constant 1073741824 : i64
  %half = arith.constant 2147483648 : i64
  %shift = arith.constant 32 : i64
  %zo = arith.constant 2 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %ad: i32, %out: i8):
    %0 = arith.addi %in, %ad : i32
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.muli %1, %multiplier : i64
    %3 = arith.addi %2, %half : i64
    %4 = arith.shrui %3, %shift : i64
    %5 = arith.trunci %4 : i64 to i32
    %6 = arith.addi %5, %zo : i32
    %7 = arith.maxsi %6, %min : i32
    %8 = arith.minsi %7, %max : i32
    %9 = arith.trunci %8 : i32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Upstream has merged a transpose into it.
// CHECK-LABEL: func @transposed(
// CHECK:         %[[S:.*]] = arith.constant dense<[2.000000e-03, 3.000000e-03, 4.000000e-03, 5.000000e-03]> : tensor<4xf32>
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act strides [2, 1] {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x4x7xi8>)
// CHECK:         linalg.transpose ins(%[[R]] : tensor<1x4x4x7xi8>) {{.*}} permutation = [0, 2, 3, 1]
func.func @transposed(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x7x4xi8> {
  %s = arith.constant dense<[0.002, 0.003, 0.004, 0.005]> : tensor<4xf32>
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<1x4x4x7xi32>
  %e8 = tensor.empty() : tensor<1x4x7x4xi8>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, c, h, w)>, #m3, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s : tensor<1x4x4x7xi32>, tensor<4xf32>) outs(%e8 : tensor<1x4x7x4xi8>) {
  ^bb0(%in: i32, %sc: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x7x4xi8>
  return %q : tensor<1x4x7x4xi8>
}
