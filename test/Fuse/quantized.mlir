// RUN: fusion-opt %s --fusion-fuse | FileCheck %s
// RUN: fusion-opt %s --fusion-convert-precision | FileCheck %s

// Steps on floats are not folded into ops on integers, and their f32 operands stay f32.

// CHECK-LABEL: func @relu(
// CHECK:         fusion.quantized_matmul_bias_act ins(
// CHECK:         arith.maximumf
func.func @relu(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<4x5xf32>
  return %a : tensor<4x5xf32>
}

// CHECK-LABEL: func @residual(
// CHECK:         fusion.quantized_matmul_bias_act ins(
// CHECK-NOT:     residual
// CHECK:         linalg.add
func.func @residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = linalg.add ins(%r, %y : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %a : tensor<4x5xf32>
}
