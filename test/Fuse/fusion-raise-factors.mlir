// Matrix multiplications whose factors their bodies compute, as linalg-fuse-elementwise-ops leaves
// them: the factor becomes an op of its own.
// Executed in Integration/raise-matmul.test.

// RUN: fusion-opt %s --fusion-raise | FileCheck %s
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-COUNT-9: not fused: it can be raised; 'fusion-raise' has not run

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#r = affine_map<(m, n, k) -> (m, n)>
#m = affine_map<(m, n, k) -> (m)>
#w2 = affine_map<(m, n, k) -> (n, k)>
#x2 = affine_map<(b, m, n, k) -> (b, m, k)>
#w3 = affine_map<(b, m, n, k) -> (b, k, n)>
#r2 = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-DAG: #[[$ROWS:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$COLUMN:.+]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$FIRST:.+]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[$SWAP:.+]] = affine_map<(d0, d1) -> (d1, d0)>

// Weight-only quantisation: a filter of i8 with a scale for each column.

// CHECK-LABEL: func @weight_only(
func.func @weight_only(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %s: tensor<3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK:      %[[E:.+]] = tensor.empty() : tensor<6x3xf32>
  // CHECK-NEXT: %[[W:.+]] = linalg.generic {indexing_maps = [#[[$ROWS]], #[[$COLUMN]], #[[$ROWS]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME:   ins(%arg1, %arg2 : tensor<6x3xi8>, tensor<3xf32>) outs(%[[E]] : tensor<6x3xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.+]]: i8, %[[B:.+]]: f32, %{{.+}}: f32):
  // CHECK-NEXT:   %[[C:.+]] = arith.sitofp %[[A]] : i8 to f32
  // CHECK-NEXT:   %[[D:.+]] = arith.mulf %[[C]], %[[B]] : f32
  // CHECK-NEXT:   linalg.yield %[[D]] : f32
  // CHECK:      fusion.fused_matmul_bias_act ins(%arg0, %[[W]] : tensor<4x6xf32>, tensor<6x3xf32>)
  %r = linalg.generic {indexing_maps = [#x, #w, #n, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<4x6xf32>, tensor<6x3xi8>, tensor<3xf32>) outs(%f : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %0, %c : f32
    %2 = arith.mulf %a, %1 : f32
    %3 = arith.addf %acc, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Both factors, of a dynamic size, the second one read transposed, with an operand in front that has
// fewer dimensions. A number from outside of the body is one as well.
// CHECK-LABEL: func @both(
func.func @both(%mean: tensor<?xf32>, %x: tensor<?x6xf32>, %w: tensor<3x6xi16>, %v: tensor<6x3xf32>, %z: f32, %init: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK-DAG:  %[[DIM:.+]] = tensor.dim %arg1, %{{.+}} : tensor<?x6xf32>
  // CHECK:      %[[E:.+]] = tensor.empty(%[[DIM]]) : tensor<?x6xf32>
  // CHECK:      %[[X:.+]] = linalg.generic {indexing_maps = [#[[$FIRST]], #[[$ROWS]], #[[$ROWS]]]
  // CHECK-SAME:   ins(%arg0, %arg1 : tensor<?xf32>, tensor<?x6xf32>) outs(%[[E]] : tensor<?x6xf32>)
  // CHECK:        arith.subf
  // CHECK:        math.absf
  // CHECK:      %[[W:.+]] = linalg.generic {indexing_maps = [#[[$ROWS]], #[[$SWAP]], #[[$ROWS]]]
  // CHECK-SAME:   ins(%arg2, %arg3 : tensor<3x6xi16>, tensor<6x3xf32>)
  // CHECK:        arith.subf %{{.+}}, %arg4 : f32
  // CHECK:      fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%[[X]], %[[W]] : tensor<?x6xf32>, tensor<3x6xf32>)
  %r = linalg.generic {indexing_maps = [#m, #x, #w2, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%mean, %x, %w, %v : tensor<?xf32>, tensor<?x6xf32>, tensor<3x6xi16>, tensor<6x3xf32>) outs(%init : tensor<?x3xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i16, %d: f32, %acc: f32):
    %0 = arith.subf %b, %a : f32
    %1 = math.absf %0 : f32
    %2 = arith.sitofp %c : i16 to f32
    %3 = arith.subf %2, %z : f32
    %4 = arith.divf %3, %d : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.addf %5, %acc : f32
    linalg.yield %6 : f32
  } -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// Factors of bf16 that are added up in f32: what is computed stays in bf16. Batches.

// CHECK-LABEL: func @widened(
func.func @widened(%x: tensor<2x4x6xbf16>, %w: tensor<2x6x3xbf16>, %init: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  // CHECK:      %[[W:.+]] = linalg.generic
  // CHECK-SAME:   ins(%arg1 : tensor<2x6x3xbf16>)
  // CHECK:        arith.negf %{{.+}} : bf16
  // CHECK:      fusion.fused_matmul_bias_act ins(%arg0, %[[W]] : tensor<2x4x6xbf16>, tensor<2x6x3xbf16>)
  %r = linalg.generic {indexing_maps = [#x2, #w3, #r2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x4x6xbf16>, tensor<2x6x3xbf16>) outs(%init : tensor<2x4x3xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %0 = arith.negf %b : bf16
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %0 : bf16 to f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x4x3xf32>
  return %r : tensor<2x4x3xf32>
}

// A factor of f32 beside one of bf16 that is widened: that one is computed as well, since a fusion op
// has operands of one type.

// CHECK-LABEL: func @two_types(
func.func @two_types(%x: tensor<4x6xbf16>, %w: tensor<6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK:      %[[X:.+]] = linalg.generic
  // CHECK-SAME:   ins(%arg0 : tensor<4x6xbf16>)
  // CHECK:        arith.extf
  // CHECK:      %[[W:.+]] = linalg.generic
  // CHECK-SAME:   ins(%arg1 : tensor<6x3xi8>)
  // CHECK:        arith.sitofp
  // CHECK:      fusion.fused_matmul_bias_act ins(%[[X]], %[[W]] : tensor<4x6xf32>, tensor<6x3xf32>)
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xbf16>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: bf16, %1: i8, %acc: f32):
    %2 = arith.extf %0 : bf16 to f32
    %3 = arith.sitofp %1 : i8 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Weights are the filter, also where they are the first factor.

// CHECK-LABEL: func @weights_first(
func.func @weights_first(%x: tensor<4x6xf32>, %init: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1, 2, 3, 4, 5, 6], [-6, 5, 4, 3, -2, 1], [1, 3, 5, -7, 9, 11]]> : tensor<3x6xi8>
  // CHECK-DAG:  %[[C:.+]] = arith.constant dense<{{.+}}> : tensor<3x6xi8>
  // CHECK:      %[[W:.+]] = linalg.generic
  // CHECK-SAME:   ins(%[[C]] : tensor<3x6xi8>)
  // CHECK:      fusion.fused_matmul_bias_act layouts(mk, nk, nm) ins(%arg0, %[[W]] : tensor<4x6xf32>, tensor<3x6xf32>)
  %r = linalg.generic {indexing_maps = [affine_map<(n, m, k) -> (n, k)>, affine_map<(n, m, k) -> (m, k)>, affine_map<(n, m, k) -> (n, m)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%w, %x : tensor<3x6xi8>, tensor<4x6xf32>) outs(%init : tensor<3x4xf32>) {
  ^bb0(%0: i8, %1: f32, %acc: f32):
    %2 = arith.sitofp %0 : i8 to f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// A size that one input of the factor has is known, also where another one is dynamic.

// CHECK-LABEL: func @known_size(
func.func @known_size(%x: tensor<4x6xf32>, %w: tensor<6x?xi8>, %s: tensor<?x3xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: fusion.fused_matmul_bias_act ins(%arg0, %{{.+}} : tensor<4x6xf32>, tensor<6x3xf32>)
  %r = linalg.generic {indexing_maps = [#x, #w, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w, %s : tensor<4x6xf32>, tensor<6x?xi8>, tensor<?x3xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %2: f32, %acc: f32):
    %3 = arith.sitofp %1 : i8 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.mulf %0, %4 : f32
    %6 = arith.addf %acc, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// Also beside an input that is a broadcast, which would be the filter otherwise,

// CHECK-LABEL: func @weights_and_broadcast(
func.func @weights_and_broadcast(%v: tensor<6xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, -2, -3], [3, 2, 1], [0, 1, 0]]> : tensor<6x3xi8>
  %e = tensor.empty() : tensor<4x6xf32>
  // CHECK: %[[X:.+]] = linalg.broadcast
  %x = linalg.broadcast ins(%v : tensor<6xf32>) outs(%e : tensor<4x6xf32>) dimensions = [0]
  // CHECK: fusion.fused_matmul_bias_act ins(%[[X]], %{{.+}} : tensor<4x6xf32>, tensor<6x3xf32>)
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %2 = arith.sitofp %1 : i8 to f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// and where a vector is all that they are multiplied with.

// CHECK-LABEL: func @weights_and_vector(
func.func @weights_and_vector(%v: tensor<6xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, -2, -3], [3, 2, 1], [0, 1, 0]]> : tensor<6x3xi8>
  // CHECK: fusion.fused_matmul_bias_act ins(%arg0, %{{.+}} : tensor<6xf32>, tensor<6x3xf32>)
  %r = linalg.generic {indexing_maps = [affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (k, n)>, affine_map<(n, k) -> (n)>],
                       iterator_types = ["parallel", "reduction"]}
         ins(%v, %w : tensor<6xf32>, tensor<6x3xi8>) outs(%init : tensor<3xf32>) {
  ^bb0(%0: f32, %1: i8, %acc: f32):
    %2 = arith.sitofp %1 : i8 to f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// A product of integers inside of a factor of floats.

// CHECK-LABEL: func @integers(
func.func @integers(%w: tensor<6x3xi32>, %z: tensor<6x3xi32>, %x: tensor<4x6xf32>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: arith.muli
  // CHECK: fusion.fused_matmul_bias_act
  %r = linalg.generic {indexing_maps = [#w, #w, #x, #r], iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%w, %z, %x : tensor<6x3xi32>, tensor<6x3xi32>, tensor<4x6xf32>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%0: i32, %1: i32, %2: f32, %acc: f32):
    %3 = arith.muli %0, %1 : i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.mulf %4, %2 : f32
    %6 = arith.addf %acc, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
