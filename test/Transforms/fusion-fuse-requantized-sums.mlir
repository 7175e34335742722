// RUN: fusion-opt %s --fusion-fuse-requantized-sums | FileCheck %s

// fusion-fuse-requantized-sums-refused.mlir has near misses. Integration/fuse-requantized-sums.test
// executes both.

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>
#n = affine_map<(d0, d1) -> (d0, d1)>

// A residual block as QDQ has it, behind fusion-merge-elementwise: (p - 121) * 0.0625 / 0.11 + (y - 3) * 0.08 / 0.11.
// CHECK-LABEL: func @block(
// CHECK-NOT:     linalg.generic
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act clip(-1.210000e+02, 1.340000e+02) strides [2, 1] pad_low [1, 0] pad_high [0, 2]
// CHECK-SAME:      {{.*}}input_unsigned, input_zero_point = 7 : i32, output_scale = 0.568181813 : f32, output_unsigned, output_zero_point = 9 : i32, residual_scale = 1.2800293 : f32, residual_unsigned, residual_zero_point = 3 : i32, round_activation}
// CHECK-SAME:      ins(%arg0, %{{.*}} : tensor<2x9x11x3xi8>, tensor<3x2x3x6xi8>) scale(%{{.*}} : tensor<6xf32>) residual_after_activation(%arg1 : tensor<2x4x12x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @block(%x: tensor<2x9x11x3xi8>, %y: tensor<2x4x12x6xi8>) -> tensor<2x4x12x6xi8> {
  %w = arith.constant dense<[[[[32, -62, 62, -36, 76, 49], [114, 88, 62, 39, 109, 8], [-120, 88, -8, 71, 114, -64]], [[39, -114, 103, -87, -99, -32], [-7, 95, -64, -30, 12, -101], [19, -64, -124, 60, -72, -23]]], [[[-56, -81, 107, 95, 69, -28], [-87, 68, 77, -109, -92, 31], [31, -14, -95, -94, -127, 121]], [[96, -126, -74, 71, -72, 118], [124, -85, 96, -85, -53, -47], [119, -77, 11, 97, 46, 33]]], [[[-75, -81, 113, 120, 49, -77], [120, 120, 101, -29, -51, -122], [-35, -21, -85, 112, -90, -60]], [[-111, -43, -50, 82, 27, 23], [-127, 25, 46, 54, -41, -111], [-48, -37, 82, -49, -4, 51]]]]> : tensor<3x2x3x6xi8>
  %s = arith.constant dense<[0.0031, 0.0021, 0.0043, 0.0017, 0.0029, 0.0037]> : tensor<6xf32>
  %zp = arith.constant 121 : i32
  %zy = arith.constant 3 : i32
  %sp = arith.constant 0.0625 : f32
  %sy = arith.constant 0.08 : f32
  %sr = arith.constant 0.11 : f32
  %nine = arith.constant 9.0 : f32
  %zero = arith.constant 0.0 : f32
  %max = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<2x4x12x6xi8>
  %p = fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2] layouts(nhwc, hwcf, nhwc)
    {input_unsigned, input_zero_point = 7 : i32, output_unsigned, output_zero_point = 121 : i32}
    ins(%x, %w : tensor<2x9x11x3xi8>, tensor<3x2x3x6xi8>) scale(%s : tensor<6xf32>)
    outs(%e : tensor<2x4x12x6xi8>) -> tensor<2x4x12x6xi8>
  %r = linalg.generic {indexing_maps = [#image, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %y : tensor<2x4x12x6xi8>, tensor<2x4x12x6xi8>) outs(%e : tensor<2x4x12x6xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zp : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sp : f32
    %4 = arith.extui %b : i8 to i32
    %5 = arith.subi %4, %zy : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %sy : f32
    %8 = arith.addf %3, %7 : f32
    %9 = arith.divf %8, %sr : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.addf %10, %nine : f32
    %12 = arith.maximumf %11, %zero : f32
    %13 = arith.minimumf %12, %max : f32
    %14 = arith.fptoui %13 : f32 to i8
    linalg.yield %14 : i8
  } -> tensor<2x4x12x6xi8>
  return %r : tensor<2x4x12x6xi8>
}

// The product is the second operand of the sum, in s8.
// CHECK-LABEL: func @second(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}{output_scale = 5.200000e-01 : f32, output_zero_point = {{.*}}, round_activation}
// CHECK-SAME:      residual_after_activation(%arg1
func.func @second(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-47, -80, -4, -7, 53, -82, -113], [-62, 122, 113, -122, 116, 64, -36], [89, -24, -123, 13, 74, -20, -34], [-31, 21, 88, -125, -12, -116, 54], [-81, 32, 117, 117, -77, -97, 66], [-65, 110, 82, 114, -9, -39, 4], [-37, 101, 7, -63, 71, -9, -100], [23, 64, 72, 77, -33, 93, -52], [-118, -17, 115, 123, -104, -74, -40]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 3.12 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%y, %p : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// A relu in front of the rounding is a bound of it.
// CHECK-LABEL: func @relu(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act clip(0.000000e+00, 1.320000e+02)
func.func @relu(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[4, 29, -35, 108, -90, -40, -57], [109, 52, 12, -104, -48, 48, -46], [-49, -82, 77, -107, 33, -89, 57], [49, -48, -4, -86, 57, -115, -107], [125, 26, 9, 109, -24, -119, -67], [62, 25, -39, 84, -63, -11, 39], [-20, -90, -113, 123, 107, 36, -119], [78, -1, -42, 87, -74, -94, 124], [60, 17, 116, -94, 34, 102, 74]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act relu layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Bounds within the type are rounded.
// CHECK-LABEL: func @clip(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act clip(-1.000000e+01, 2.100000e+01)
func.func @clip(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-22, -100, -84, -16, -32, -89, -112], [89, -20, -52, -91, -11, 109, 31], [91, -84, 122, 6, -11, 118, -3], [49, 59, -46, -5, -57, -53, -7], [-24, 103, -90, -99, -31, 83, 126], [9, 118, -82, 33, 112, 0, 95], [-41, -81, -105, -2, -58, 4, 73], [13, 95, 1, -35, -111, 74, 76], [71, -36, 50, 23, 42, -119, 67]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act clip(-10.4, 20.6) layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Of two products the later one adds the other one's result.
// CHECK-LABEL: func @products(
// CHECK-NOT:     linalg.generic
// CHECK:         %[[Q:.*]] = fusion.quantized_matmul_bias_act relu
// CHECK:         fusion.quantized_matmul_bias_act clip({{.*}}round_activation}
// CHECK-SAME:      residual_after_activation(%[[Q]]
// CHECK-NOT:     linalg.generic
func.func @products(%x: tensor<5x7xi8>, %z: tensor<5x7xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-49, -34, 16, 53, 44, -56, 86], [-3, -60, 70, 124, 49, 56, -52], [117, 115, -40, 39, -82, 21, 91], [-125, -6, 13, 71, -63, -44, 44], [-57, -9, -54, 82, 1, 38, 45], [77, -36, -38, -57, 37, -39, 61], [113, 85, -23, -38, 109, 88, -83], [95, 94, 49, -12, 122, -34, 117], [-42, 5, -91, 8, 123, -85, -77]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  %q = fusion.quantized_matmul_bias_act relu layouts(mk, nk, mn) {output_zero_point = 4 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%z, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// StableHLO rounds both sides, and adds integers.
// CHECK-LABEL: func @rounded_sides(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}{output_scale = 0.699999988 : f32, residual_scale = 0.857147216 : f32, residual_zero_point = 13 : i32, round_activation}
func.func @rounded_sides(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[32, -62, 62, -36, 76, 49, 114], [88, 62, 39, 109, 8, -120, 88], [-8, 71, 114, -64, 39, -114, 103], [-87, -99, -32, -7, 95, -64, -30], [12, -101, 19, -64, -124, 60, -72], [-23, -56, -81, 107, 95, 69, -28], [-87, 68, 77, -109, -92, 31, 31], [-14, -95, -94, -127, 121, 96, -126], [-74, 71, -72, 118, 124, -85, 96]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.7 : f32
  %of = arith.constant -7.9 : f32
  %g = arith.constant 0.6 : f32
  %og = arith.constant -7.8 : f32
  %zr = arith.constant -3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = 7 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.addf %1, %of : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.sitofp %b : i8 to f32
    %6 = arith.mulf %5, %g : f32
    %7 = arith.addf %6, %og : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.fptosi %8 : f32 to i32
    %10 = arith.addi %4, %9 : i32
    %11 = arith.subi %10, %zr : i32
    %12 = arith.maxsi %11, %min : i32
    %13 = arith.minsi %12, %max : i32
    %14 = arith.trunci %13 : i32 to i8
    linalg.yield %14 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Both sides have the scale and zero point 3 of the sum, in which nothing is rounded.
// CHECK-LABEL: func @integers(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}{output_zero_point = -128 : i32, residual_zero_point = -128 : i32, round_activation}
func.func @integers(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[32, -62, 62, -36, 76, 49, 114], [88, 62, 39, 109, 8, -120, 88], [-8, 71, 114, -64, 39, -114, 103], [-87, -99, -32, -7, 95, -64, -30], [12, -101, 19, -64, -124, 60, -72], [-23, -56, -81, 107, 95, 69, -28], [-87, 68, 77, -109, -92, 31, 31], [-14, -95, -94, -127, 121, 96, -126], [-74, 71, -72, 118, 124, -85, 96]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %three = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = 3 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    %3 = arith.subi %2, %three : i32
    %4 = arith.maxsi %3, %min : i32
    %5 = arith.minsi %4, %max : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}
