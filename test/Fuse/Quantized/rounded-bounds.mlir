// Bounds between two integers, with another rounding behind them: they are rounded as it rounds.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @even(
// CHECK:         fusion.quantized_matmul_bias_act clip(-8.000000e+00, 8.000000e+00) {fusion.folded = "requantize"}
func.func @even(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %low = arith.constant -7.5 : f32
  %high = arith.constant 7.6 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @away(
// CHECK:         fusion.quantized_matmul_bias_act clip(-8.000000e+00, 8.000000e+00) {fusion.folded = "requantize"}
func.func @away(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %low = arith.constant -7.5 : f32
  %high = arith.constant 7.6 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = math.round %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @down(
// CHECK:         fusion.quantized_matmul_bias_act clip(-8.000000e+00, 7.000000e+00) {fusion.folded = "requantize"}
func.func @down(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %low = arith.constant -7.5 : f32
  %high = arith.constant 7.6 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = math.floor %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero(
// CHECK:         fusion.quantized_matmul_bias_act clip(-7.000000e+00, 7.000000e+00) {fusion.folded = "requantize"}
func.func @zero(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %low = arith.constant -7.5 : f32
  %high = arith.constant 7.6 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = math.trunc %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A conversion truncates by itself.
// CHECK-LABEL: func @conversion(
// CHECK:         fusion.quantized_matmul_bias_act clip(-7.000000e+00, 7.000000e+00) {fusion.folded = "requantize"}
func.func @conversion(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %low = arith.constant -7.5 : f32
  %high = arith.constant 7.6 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %6 = arith.fptosi %4 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
