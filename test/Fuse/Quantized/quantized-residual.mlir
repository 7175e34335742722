// The scale of a residual is rounded to 15 bits where that moves no value by more than 1/32
// of a step.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --check-prefixes=CHECK,NEAREST
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact | FileCheck %s --check-prefixes=CHECK,EXACT

#n = affine_map<(d0, d1) -> (d0, d1)>

// 24248 / 2^16: 255 times that is 0.0012 off.
// CHECK-LABEL: func @rounded(
// NEAREST: residual_scale = 0.369995117 : f32
// EXACT:   residual_scale = 3.700000e-01 : f32
func.func @rounded(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>, %y: tensor<5x2xi8>) -> tensor<5x2xi8> {
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act {residual_scale = 0.37 : f32} ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>)
         residual(%y : tensor<5x2xi8>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// A number of 15 bits is exact.
// CHECK-LABEL: func @short(
// CHECK: residual_scale = 1.250000e+00 : f32
func.func @short(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>, %y: tensor<5x2xi8>) -> tensor<5x2xi8> {
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act {residual_scale = 1.25 : f32} ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>)
         residual(%y : tensor<5x2xi8>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}

// 255 times the next number of 15 bits, 1000.09375, is 1.6 off.
// CHECK-LABEL: func @large(
// CHECK: residual_scale = 1.000100e+03 : f32
func.func @large(%x: tensor<5x7xi8>, %w: tensor<7x2xi8>, %y: tensor<5x2xi8>) -> tensor<5x2xi8> {
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x2xf32>
  %e8 = tensor.empty() : tensor<5x2xi8>
  %c = fusion.quantized_matmul_bias_act {residual_scale = 1000.1 : f32} ins(%x, %w : tensor<5x7xi8>, tensor<7x2xi8>)
         residual(%y : tensor<5x2xi8>) outs(%e : tensor<5x2xf32>) -> tensor<5x2xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x2xf32>) outs(%e8 : tensor<5x2xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %min : f32
    %2 = arith.minimumf %1, %max : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %q : tensor<5x2xi8>
}
