// A number is added and subtracted again, beside which an f32 has no fraction.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#n = affine_map<(d0, d1) -> (d0, d1)>

// Rounds by a sum, and to the next multiple of 4.
func.func @magic(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %first = arith.constant 5.0331648e7 : f32
  %second = arith.constant -5.0331648e7 : f32
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %zero = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  // CHECK: :[[#@LINE+1]]:8: partly fused: zero point; sum is not rescaled: a sum rounds to an integer: adds {{5.0.*}}, then -{{5.0.*$}}
  %c = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<5x7xi8>, tensor<7x6xi8>, i32, i32) outs(%zero : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %f = arith.sitofp %in : i32 to f32
    %0 = arith.addf %f, %first : f32
    %1 = arith.addf %0, %second : f32
    %s = arith.constant 3.0e-2 : f32
    %2 = arith.mulf %1, %s : f32
    %q = math.roundeven %2 : f32
    %l = arith.maximumf %q, %lo : f32
    %h = arith.minimumf %l, %hi : f32
    %i = arith.fptosi %h : f32 to i8
    linalg.yield %i : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}
