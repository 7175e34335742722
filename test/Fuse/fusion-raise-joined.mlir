// Dimensions that stand apart, or in another order, in operands whose elements are used 16
// times and more: a transpose joins them.
// ../Integration/raise-matmul.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --canonicalize | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=fused:

// The heads of an attention become rows: their transpose is in the product.
// CHECK-LABEL: @heads_to_rows(
// CHECK: linalg.transpose ins(%arg0 : {{.*}} permutation = [1, 0, 2]
// CHECK: fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<5x21xf32>, tensor<21x18xf32>)
func.func @heads_to_rows(%x: tensor<3x5x7xf32>, %w: tensor<3x7x18xf32>, %r: tensor<5x18xf32>) -> tensor<5x18xf32> {
  // EXPLAIN: :[[#@LINE+1]]:8: fused: residual
  %c = linalg.generic {indexing_maps = [affine_map<(t, n, h, d) -> (h, t, d)>, affine_map<(t, n, h, d) -> (h, d, n)>, affine_map<(t, n, h, d) -> (t, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x5x7xf32>, tensor<3x7x18xf32>) outs(%r : tensor<5x18xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x18xf32>
  return %c : tensor<5x18xf32>
}

// Rows become heads: both the filter and the result are transposed.
// CHECK-LABEL: @rows_to_heads(
// CHECK: linalg.transpose ins(%arg1 : {{.*}} permutation = [1, 0, 2]
// CHECK: linalg.transpose ins(%arg2 : {{.*}} permutation = [0, 2, 1, 3]
// CHECK: fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x9x17xf32>, tensor<17x15xf32>)
// CHECK: linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
func.func @rows_to_heads(%x: tensor<2x9x17xf32>, %w: tensor<3x17x5xf32>, %r: tensor<2x3x9x5xf32>) -> tensor<2x3x9x5xf32> {
  // EXPLAIN: :[[#@LINE+1]]:8: fused: residual
  %c = linalg.generic {indexing_maps = [affine_map<(b, h, t, d, c) -> (b, t, c)>, affine_map<(b, h, t, d, c) -> (h, c, d)>, affine_map<(b, h, t, d, c) -> (b, h, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x9x17xf32>, tensor<3x17x5xf32>) outs(%r : tensor<2x3x9x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x9x5xf32>
  return %c : tensor<2x3x9x5xf32>
}

// Rows of the result stand around its columns.
// CHECK-LABEL: @rows_apart(
// CHECK: linalg.transpose ins(%arg2 :
// CHECK: fused_matmul_bias_act
// CHECK-SAME: ins(%{{.*}}, %{{.*}} : tensor<2x12x17xf32>, tensor<2x17x5xf32>)
// CHECK: linalg.transpose
func.func @rows_apart(%x: tensor<2x3x4x17xf32>, %w: tensor<2x17x5xf32>, %r: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  // EXPLAIN: :[[#@LINE+1]]:8: fused: residual
  %c = linalg.generic {indexing_maps = [affine_map<(b, i, n, j, k) -> (b, i, j, k)>, affine_map<(b, i, n, j, k) -> (b, k, n)>, affine_map<(b, i, n, j, k) -> (b, i, n, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x4x17xf32>, tensor<2x17x5xf32>) outs(%r : tensor<2x3x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5x4xf32>
  return %c : tensor<2x3x5x4xf32>
}

// The sum is in another order, with a constant filter.
// CHECK-LABEL: @order_of_sum(
// CHECK: linalg.transpose ins(%arg0 : {{.*}} permutation = [0, 2, 1]
// CHECK: fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<5x21xf32>, tensor<21x18xf32>)
func.func @order_of_sum(%x: tensor<5x3x7xf32>, %w: tensor<7x3x18xf32>, %r: tensor<5x18xf32>) -> tensor<5x18xf32> {
  // EXPLAIN: :[[#@LINE+1]]:8: fused: residual
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, l, k)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<5x3x7xf32>, tensor<7x3x18xf32>) outs(%r : tensor<5x18xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x18xf32>
  return %c : tensor<5x18xf32>
}

// Tiles of matrices.
// CHECK-LABEL: @tiles(
// CHECK-COUNT-3: linalg.transpose
// CHECK: fused_matmul_bias_act layouts(bmk, nk, bmn)
// CHECK: linalg.transpose
func.func @tiles(%x: tensor<5x3x4x6xf32>, %w: tensor<6x3x3x6xf32>, %r: tensor<5x6x4x3xf32>) -> tensor<5x6x4x3xf32> {
  // EXPLAIN: :[[#@LINE+1]]:8: fused: residual
  %c = linalg.mmt4d ins(%x, %w : tensor<5x3x4x6xf32>, tensor<6x3x3x6xf32>) outs(%r : tensor<5x6x4x3xf32>) -> tensor<5x6x4x3xf32>
  return %c : tensor<5x6x4x3xf32>
}
