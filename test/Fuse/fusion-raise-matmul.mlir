// RUN: fusion-opt %s --fusion-raise | FileCheck %s

// Every contraction of linalg that is a matrix multiplication becomes the fusion
// op, with the layouts of its operands as they are.

// The zero fill becomes nothing.
// CHECK-LABEL: func @matmul(
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<4x7xf32>, tensor<7x5xf32>) outs(%{{.*}} : tensor<4x5xf32>) -> tensor<4x5xf32>
func.func @matmul(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Transposed operands are named, not moved.
// CHECK-LABEL: func @transposed_b(
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(
func.func @transposed_b(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @transposed_a(
// CHECK:         fusion.fused_matmul_bias_act layouts(km, kn, mn) ins(
func.func @transposed_a(%x: tensor<7x4xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<7x4xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A batched right side is a filter that is not constant.
// CHECK-LABEL: func @batch(
// CHECK:         fusion.fused_matmul_bias_act ins(
func.func @batch(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.batch_matmul ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// One filter for the whole batch.
// CHECK-LABEL: func @batch_of_one_filter(
// CHECK:         fusion.fused_matmul_bias_act ins(
func.func @batch_of_one_filter(%x: tensor<2x4x7xf32>, %w: tensor<7x5xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%x, %w : tensor<2x4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @batch_transposed(
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, bnk, bmn) ins(
func.func @batch_transposed(%x: tensor<2x7x4xf32>, %w: tensor<2x5x7xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%x, %w : tensor<2x7x4xf32>, tensor<2x5x7xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// A vector is an input without rows.
// CHECK-LABEL: func @vecmat(
// CHECK:         fusion.fused_matmul_bias_act ins(
func.func @vecmat(%x: tensor<7xf32>, %w: tensor<7x5xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.vecmat ins(%x, %w : tensor<7xf32>, tensor<7x5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// The matrix is the filter, whichever operand it is.
// CHECK-LABEL: func @matvec(
// CHECK:         fusion.fused_matmul_bias_act layouts(k, nk, n) ins(%{{.*}}, %{{.*}} : tensor<7xf32>, tensor<4x7xf32>)
func.func @matvec(%x: tensor<4x7xf32>, %w: tensor<7xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.matvec ins(%x, %w : tensor<4x7xf32>, tensor<7xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @batch_vecmat(
// CHECK:         fusion.fused_matmul_bias_act layouts(bk, bkn, bn) ins(
func.func @batch_vecmat(%x: tensor<2x7xf32>, %w: tensor<2x7x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5xf32>) -> tensor<2x5xf32>
  %r = linalg.batch_vecmat ins(%x, %w : tensor<2x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// CHECK-LABEL: func @batch_matvec(
// CHECK:         fusion.fused_matmul_bias_act layouts(bk, bnk, bn) ins(
func.func @batch_matvec(%x: tensor<2x4x7xf32>, %w: tensor<2x7xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = linalg.batch_matvec ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func @contract(
// CHECK:         fusion.fused_matmul_bias_act layouts(km, nk, nm) ins(
func.func @contract(%x: tensor<7x4xf32>, %w: tensor<5x7xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (n, m)>] ins(%x, %w : tensor<7x4xf32>, tensor<5x7xf32>) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// The rows of a batch without one in the filter need no reshape.
// CHECK-LABEL: func @rows_of_a_batch(
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(
func.func @rows_of_a_batch(%x: tensor<2x4x7xf32>, %w: tensor<5x7xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x4x7xf32>, tensor<5x7xf32>) outs(%f : tensor<2x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// Further ones are collapsed.
// CHECK-LABEL: func @rows_of_two_batches(
// CHECK-DAG:     %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins(%[[X]], %{{.*}}
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 4, 5]
// CHECK:         return %[[Y]]
func.func @rows_of_two_batches(%x: tensor<2x3x4x7xf32>, %w: tensor<7x5xf32>) -> tensor<2x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (k, n)>, affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x3x4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<2x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// The scores of attention: batch and heads.
// CHECK-LABEL: func @attention(
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, bnk, bmn) ins(%{{.*}}, %{{.*}} : tensor<6x4x7xf32>, tensor<6x5x7xf32>)
func.func @attention(%x: tensor<2x3x4x7xf32>, %w: tensor<2x3x5x7xf32>) -> tensor<2x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, m, n, k) -> (b, h, m, k)>, affine_map<(b, h, m, n, k) -> (b, h, n, k)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x3x4x7xf32>, tensor<2x3x5x7xf32>) outs(%f : tensor<2x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// Two dimensions are summed over.
// CHECK-LABEL: func @two_reductions(
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%{{.*}}, %{{.*}} : tensor<4x21xf32>, tensor<5x21xf32>)
func.func @two_reductions(%x: tensor<4x7x3xf32>, %w: tensor<5x7x3xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (n, k, l)>, affine_map<(m, n, k, l) -> (m, n)>],
         iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<4x7x3xf32>, tensor<5x7x3xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The result transposed, loops in another order.
// CHECK-LABEL: func @result_transposed(
// CHECK:         fusion.fused_matmul_bias_act layouts(km, nk, nm) ins(
func.func @result_transposed(%x: tensor<7x4xf32>, %w: tensor<5x7xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(k, n, m) -> (k, m)>, affine_map<(k, n, m) -> (n, k)>, affine_map<(k, n, m) -> (n, m)>],
         iterator_types = ["reduction", "parallel", "parallel"]}
         ins(%x, %w : tensor<7x4xf32>, tensor<5x7xf32>) outs(%f : tensor<5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// A constant on the left is the filter: its rows are the output channels.
// CHECK-LABEL: func @constant_on_the_left(
// CHECK:         %[[W:.*]] = arith.constant
// CHECK:         fusion.fused_matmul_bias_act layouts(km, nk, nm) ins(%{{.*}}, %{{.*}} : tensor<3x5xf32>, tensor<2x3xf32>)
func.func @constant_on_the_left(%x: tensor<3x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5xf32>) -> tensor<2x5xf32>
  %w = arith.constant dense<[[0.5, -0.25, 1.0], [0.75, 0.125, -1.5]]> : tensor<2x3xf32>
  %r = linalg.matmul ins(%w, %x : tensor<2x3xf32>, tensor<3x5xf32>) outs(%f : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// So is an argument that is known to be weights.
// CHECK-LABEL: func @weights_on_the_left(
// CHECK:         fusion.fused_matmul_bias_act layouts(km, nk, nm) ins(%{{.*}}, %{{.*}} : tensor<3x5xf32>, tensor<2x3xf32>)
func.func @weights_on_the_left(%w: tensor<2x3xf32> {fusion.constant}, %x: tensor<3x5xf32>) -> tensor<2x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5xf32>) -> tensor<2x5xf32>
  %r = linalg.matmul ins(%w, %x : tensor<2x3xf32>, tensor<3x5xf32>) outs(%f : tensor<2x5xf32>) -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// If neither is known to be constant, the one that is a broadcast is the filter.
// CHECK-LABEL: func @broadcast_on_the_left(
// CHECK:         %[[B:.*]] = linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, bnk, bnm) ins(%{{.*}}, %[[B]] : tensor<2x3x5xf32>, tensor<2x4x3xf32>)
func.func @broadcast_on_the_left(%w: tensor<4x3xf32>, %x: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %be = tensor.empty() : tensor<2x4x3xf32>
  %b = linalg.broadcast ins(%w : tensor<4x3xf32>) outs(%be : tensor<2x4x3xf32>) dimensions = [0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.batch_matmul ins(%b, %x : tensor<2x4x3xf32>, tensor<2x3x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// The contents of `outs` are a bias if they vary along the columns only.
// CHECK-LABEL: func @bias_in_outs(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         fusion.fused_matmul_bias_act{{.*}} bias(%[[B]] : tensor<5xf32>) outs(
func.func @bias_in_outs(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<4x5xf32>) dimensions = [0]
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A constant other than zero is a bias too.
// CHECK-LABEL: func @number_in_outs(
// CHECK:         %[[B:.*]] = arith.constant dense<1.500000e+00> : tensor<5xf32>
// CHECK:         fusion.fused_matmul_bias_act{{.*}} bias(%[[B]] : tensor<5xf32>) outs(
func.func @number_in_outs(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A tensor that varies along the rows is no bias, but a residual.
// CHECK-LABEL: func @rows_in_outs(
// CHECK:         %[[S:.*]] = linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act{{.*}} residual(%[[S]] : tensor<5x5xf32>) outs(
func.func @rows_in_outs(%x: tensor<5x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<5x5xf32> {
  %e = tensor.empty() : tensor<5x5xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<5x5xf32>) dimensions = [1]
  %r = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x5xf32>) outs(%f : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// Any other tensor is a residual.
// CHECK-LABEL: func @residual_in_outs(
// CHECK-SAME:      %[[S:[a-z0-9]*]]: tensor<4x5xf32>)
// CHECK:         fusion.fused_matmul_bias_act{{.*}} residual(%[[S]] : tensor<4x5xf32>) outs(
func.func @residual_in_outs(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %s: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%s : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Sizes known at run time.
// CHECK-LABEL: func @dynamic(
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<?x?x?xf32>, tensor<?x?x?xf32>)
func.func @dynamic(%x: tensor<?x?x?xf32>, %w: tensor<?x?x?xf32>, %s: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.batch_matmul ins(%x, %w : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%s : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// Operands in bf16, accumulated in f32.
// CHECK-LABEL: func @widened(
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<4x7xbf16>, tensor<7x5xbf16>) outs(%{{.*}} : tensor<4x5xf32>)
func.func @widened(%x: tensor<4x7xbf16>, %w: tensor<7x5xbf16>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x7xbf16>, tensor<7x5xbf16>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Attention in StableHLO's spelling, einsum("bqhd,bkhd->bhqk"). The batch of one image
// joins the heads, wherever these are.
// CHECK-LABEL: func @scores_of_one_image(
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act layouts(mbk, nbk, bmn) ins(%{{.*}}, %{{.*}} : tensor<4x3x7xf32>, tensor<5x3x7xf32>) outs(%{{.*}} : tensor<3x4x5xf32>)
func.func @scores_of_one_image(%x: tensor<1x4x3x7xf32>, %w: tensor<1x5x3x7xf32>) -> tensor<1x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x4x5xf32>) -> tensor<1x3x4x5xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, q, k, d) -> (b, q, h, d)>, affine_map<(b, h, q, k, d) -> (b, k, h, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<1x4x3x7xf32>, tensor<1x5x3x7xf32>) outs(%f : tensor<1x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x3x4x5xf32>
  return %r : tensor<1x3x4x5xf32>
}

// CHECK-LABEL: func @values_of_one_image(
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, kbn, mbn) ins(%{{.*}}, %{{.*}} : tensor<3x4x5xf32>, tensor<5x3x7xf32>) outs(%{{.*}} : tensor<4x3x7xf32>)
func.func @values_of_one_image(%x: tensor<1x3x4x5xf32>, %w: tensor<1x5x3x7xf32>) -> tensor<1x4x3x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x3x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x3x7xf32>) -> tensor<1x4x3x7xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, q, h, d, k) -> (b, h, q, k)>, affine_map<(b, q, h, d, k) -> (b, k, h, d)>, affine_map<(b, q, h, d, k) -> (b, q, h, d)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<1x3x4x5xf32>, tensor<1x5x3x7xf32>) outs(%f : tensor<1x4x3x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x4x3x7xf32>
  return %r : tensor<1x4x3x7xf32>
}

// As JAX writes it: the values come first, and the result is transposed behind.
// CHECK-LABEL: func @values_of_one_image_first(
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act layouts(kbm, bnk, bmn) ins(%{{.*}}, %{{.*}} : tensor<5x3x7xf32>, tensor<3x4x5xf32>) outs(%{{.*}} : tensor<3x7x4xf32>)
func.func @values_of_one_image_first(%x: tensor<1x5x3x7xf32>, %w: tensor<1x3x4x5xf32>) -> tensor<1x3x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x7x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x7x4xf32>) -> tensor<1x3x7x4xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, d, q, k) -> (b, k, h, d)>, affine_map<(b, h, d, q, k) -> (b, h, q, k)>, affine_map<(b, h, d, q, k) -> (b, h, d, q)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<1x5x3x7xf32>, tensor<1x3x4x5xf32>) outs(%f : tensor<1x3x7x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x3x7x4xf32>
  return %r : tensor<1x3x7x4xf32>
}

// Operands are transposed if their elements are used 16 times or more.
// CHECK-LABEL: func @scores_of_images(
// CHECK-DAG:     linalg.transpose ins(%{{.*}} : tensor<2x17x3x7xf32>) outs(%{{.*}} : tensor<2x3x17x7xf32>) permutation = [0, 2, 1, 3]
// CHECK-DAG:     linalg.transpose ins(%{{.*}} : tensor<2x19x3x7xf32>) outs(%{{.*}} : tensor<2x3x19x7xf32>) permutation = [0, 2, 1, 3]
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, bnk, bmn) ins(%{{.*}}, %{{.*}} : tensor<6x17x7xf32>, tensor<6x19x7xf32>) outs(%{{.*}} : tensor<6x17x19xf32>)
func.func @scores_of_images(%x: tensor<2x17x3x7xf32>, %w: tensor<2x19x3x7xf32>) -> tensor<2x3x17x19xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x17x19xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x17x19xf32>) -> tensor<2x3x17x19xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, h, q, k, d) -> (b, q, h, d)>, affine_map<(b, h, q, k, d) -> (b, k, h, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x17x3x7xf32>, tensor<2x19x3x7xf32>) outs(%f : tensor<2x3x17x19xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x17x19xf32>
  return %r : tensor<2x3x17x19xf32>
}

// The result, too.
// CHECK-LABEL: func @values_of_images(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x19x3x7xf32>) outs(%{{.*}} : tensor<2x3x19x7xf32>) permutation = [0, 2, 1, 3]
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<6x17x19xf32>, tensor<6x19x7xf32>) outs(%{{.*}} : tensor<6x17x7xf32>)
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x3x17x7xf32>) outs(%{{.*}} : tensor<2x17x3x7xf32>) permutation = [0, 2, 1, 3]
func.func @values_of_images(%x: tensor<2x3x17x19xf32>, %w: tensor<2x19x3x7xf32>) -> tensor<2x17x3x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x17x3x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x17x3x7xf32>) -> tensor<2x17x3x7xf32>
  %r = linalg.generic {
         indexing_maps = [affine_map<(b, q, h, d, k) -> (b, h, q, k)>, affine_map<(b, q, h, d, k) -> (b, k, h, d)>, affine_map<(b, q, h, d, k) -> (b, q, h, d)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x3x17x19xf32>, tensor<2x19x3x7xf32>) outs(%f : tensor<2x17x3x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x17x3x7xf32>
  return %r : tensor<2x17x3x7xf32>
}
