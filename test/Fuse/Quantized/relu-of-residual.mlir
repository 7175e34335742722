// A sum with a tensor of i8, rescaled by one op, and bounds at its zero point: a relu, as users know it.
// ../../Integration/fuse-rescaled.test executes these functions.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>

// -8.5 are added in all.
// CHECK-LABEL: func @fraction(
// CHECK:         fusion.quantized_matmul_bias_act relu {fusion.folded = "requantize", output_zero_point = -7 : i32, residual_scale = 3.000000e-01 : f32, residual_zero_point = 5 : i32} {{.*}}tensor<7x6xi8>) scale(
func.func @fraction(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.3 : f32
  %zr = arith.constant 5.0 : f32
  %zo = arith.constant -7.0 : f32
  %low = arith.constant -7.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i8, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i8 to f32
    %3 = arith.subf %2, %zr : f32
    %4 = arith.mulf %3, %t : f32
    %5 = arith.addf %1, %4 : f32
    %6 = arith.addf %5, %zo : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// -9 would be a zero point of the tensor alone.
// CHECK-LABEL: func @multiple(
// CHECK:         fusion.quantized_matmul_bias_act relu {fusion.folded = "requantize", output_zero_point = -7 : i32, residual_scale = 5.000000e-01 : f32, residual_zero_point = 4 : i32} {{.*}}tensor<7x6xi8>) scale(
func.func @multiple(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.5 : f32
  %zr = arith.constant 4.0 : f32
  %zo = arith.constant -7.0 : f32
  %low = arith.constant -7.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i8, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i8 to f32
    %3 = arith.subf %2, %zr : f32
    %4 = arith.mulf %3, %t : f32
    %5 = arith.addf %1, %4 : f32
    %6 = arith.addf %5, %zo : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// No zero point of the tensor leaves -3.
// CHECK-LABEL: func @other_bound(
// CHECK:         fusion.quantized_matmul_bias_act clip(-3.000000e+00, 1.270000e+02) {{.*}} bias({{.*}}
func.func @other_bound(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.3 : f32
  %zr = arith.constant 5.0 : f32
  %zo = arith.constant -7.0 : f32
  %low = arith.constant -3.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i8, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i8 to f32
    %3 = arith.subf %2, %zr : f32
    %4 = arith.mulf %3, %t : f32
    %5 = arith.addf %1, %4 : f32
    %6 = arith.addf %5, %zo : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// An upper bound makes it a clip in any way.
// CHECK-LABEL: func @upper_bound(
// CHECK:         fusion.quantized_matmul_bias_act clip(-7.000000e+00, 1.000000e+02) {fusion.folded = "requantize", residual_scale = 5.000000e-01 : f32, residual_zero_point = 18 : i32}
func.func @upper_bound(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 0.5 : f32
  %zr = arith.constant 4.0 : f32
  %zo = arith.constant -7.0 : f32
  %low = arith.constant -7.0 : f32
  %max = arith.constant 100.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: i8, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %r : i8 to f32
    %3 = arith.subf %2, %zr : f32
    %4 = arith.mulf %3, %t : f32
    %5 = arith.addf %1, %4 : f32
    %6 = arith.addf %5, %zo : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = math.roundeven %8 : f32
    %10 = arith.fptosi %9 : f32 to i8
    linalg.yield %10 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
