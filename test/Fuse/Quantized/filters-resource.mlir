// Weights that are blobs, as torch-mlir writes them: a filter of u8 with zero point 128, which
// becomes one of i8, and scales.
// Integration/fuse-filters.test executes the function.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @blobs(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<5x2xi8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[1.250000e-01, 2.500000e-01, 6.250000e-02]> : tensor<3xf32>
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[}}0, 16, -16], [127, -128, 1]]> : tensor<2x3xi8>
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], %[[W]] : tensor<5x2xi8>, tensor<2x3xi8>) scale(%[[S]] : tensor<3xf32>)
func.func @blobs(%x: tensor<5x2xi8>) -> tensor<5x3xf32> {
  %w = arith.constant dense_resource<filter> : tensor<2x3xi8>
  %ws = arith.constant dense_resource<scales> : tensor<3xf32>
  %zw = arith.constant 128 : i32
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x2xf32>
  %ew = tensor.empty() : tensor<2x3xf32>
  %e = tensor.empty() : tensor<5x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x2xi8>) outs(%ex : tensor<5x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<2x3xi8>, tensor<3xf32>) outs(%ew : tensor<2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zw : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x2xf32>, tensor<2x3xf32>) outs(%f : tensor<5x3xf32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

{-#
  dialect_resources: {
    builtin: {
      filter: "0x01000000809070FF0081",
      scales: "0x040000000000803F000000400000003F"
    }
  }
#-}
