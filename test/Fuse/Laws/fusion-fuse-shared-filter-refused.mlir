// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: fusion-opt %S/fusion-fuse-shared-filter.mlir --fusion-optimize="propagate-layout=false disable=broadcast" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: fusion-opt %S/fusion-fuse-shared-filter.mlir --fusion-optimize="propagate-layout=false disable=transpose" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART

// Near misses: not one filter for the whole batch, or one that is not read as it is.

// OFF: {{.*}}: partly fused: bias, gelu_erf; broadcast of 'filter' can be folded; law 'broadcast' has not run; each call makes 840 bytes of it{{$}}

// Law 'transpose' sees the merge of what a reshape has divided in @dynamic_sum.
// APART: {{.*}}: partly fused: matrix multiplication alone; unsupported: 'tensor.expand_shape' at {{.*}} divides 'filter' elsewhere than between dimensions copied; each call makes all of it{{$}}

// Filters that a part of the batch shares: one for each head, say.
// CHECK-LABEL: func @part_of_the_batch(
// CHECK:         linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<6x4x7xf32>, tensor<6x7x5xf32>)
// WHY: {{.*}}: partly fused: matrix multiplication alone; 'filter' is broadcast along a part of 'b', expected all of 'b'; each call makes 840 bytes of it{{$}}
func.func @part_of_the_batch(%x: tensor<6x4x7xf32>, %w: tensor<3x7x5xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.broadcast ins(%w : tensor<3x7x5xf32>) outs(%te : tensor<2x3x7x5xf32>) dimensions = [0]
  %wb = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// Weights are repeated once, not in each call.
// CHECK-LABEL: func @part_of_the_batch_of_weights(
// CHECK:         linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @part_of_the_batch_of_weights(%x: tensor<6x4x7xf32>, %w: tensor<3x7x5xf32> {fusion.constant}) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.broadcast ins(%w : tensor<3x7x5xf32>) outs(%te : tensor<2x3x7x5xf32>) dimensions = [0]
  %wb = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// Each column several times.
// CHECK-LABEL: func @part_of_the_columns(
// CHECK:         linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act
// WHY: {{.*}}: partly fused: matrix multiplication alone; 'filter' is broadcast along a part of 'n', expected all of 'b'; each call makes 672 bytes of it{{$}}
func.func @part_of_the_columns(%x: tensor<2x4x7xf32>, %w: tensor<7x3xf32>) -> tensor<2x4x12xf32> {
  %te = tensor.empty() : tensor<2x7x3x4xf32>
  %t = linalg.broadcast ins(%w : tensor<7x3xf32>) outs(%te : tensor<2x7x3x4xf32>) dimensions = [0, 3]
  %wb = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x7x3x4xf32> into tensor<2x7x12xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x12xf32>) outs(%f : tensor<2x4x12xf32>) -> tensor<2x4x12xf32>
  return %c : tensor<2x4x12xf32>
}

// The sum runs over a part of the only dimension of what is repeated.
// CHECK-LABEL: func @part_of_a_dimension(
// CHECK:         linalg.broadcast
// CHECK:         fusion.fused_matmul_bias_act
// WHY: {{.*}}: partly fused: matrix multiplication alone; unsupported: 'k' of 'filter' is a part of a dimension that is copied; each call makes 280 bytes of it{{$}}
func.func @part_of_a_dimension(%x: tensor<2x4x7xf32>, %w: tensor<35xf32>) -> tensor<2x4x5xf32> {
  %te = tensor.empty() : tensor<2x35xf32>
  %t = linalg.broadcast ins(%w : tensor<35xf32>) outs(%te : tensor<2x35xf32>) dimensions = [0]
  %wb = tensor.expand_shape %t [[0], [1, 2]] output_shape [2, 7, 5] : tensor<2x35xf32> into tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// The dimensions of the sum are on either side of that of the columns.
// CHECK-LABEL: func @dimensions_apart(
// CHECK:         linalg.generic
// CHECK:         fusion.fused_matmul_bias_act
// WHY: {{.*}}: partly fused: matrix multiplication alone; unsupported: 'filter' is a copy with dimensions side by side that are apart in what is copied; each call makes 840 bytes of it{{$}}
func.func @dimensions_apart(%x: tensor<2x4x21xf32>, %w: tensor<3x5x7xf32>) -> tensor<2x4x5xf32> {
  %ue = tensor.empty() : tensor<2x3x7x5xf32>
  %u = linalg.generic {indexing_maps = [affine_map<(b, k, l, n) -> (k, n, l)>, affine_map<(b, k, l, n) -> (b, k, l, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<3x5x7xf32>) outs(%ue : tensor<2x3x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x3x7x5xf32>
  %wb = tensor.collapse_shape %u [[0], [1, 2], [3]] : tensor<2x3x7x5xf32> into tensor<2x21x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x21xf32>, tensor<2x21x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}
