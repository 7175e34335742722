// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// RUN: fusion-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize --split-input-file | FileCheck %s --check-prefix=SIZES

// A matrix multiplication bufferizes in place, as a convolution does.

// CHECK-LABEL: func @one_allocation(
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<4x5xf32>
// CHECK-NEXT:    fusion.fused_matmul_bias_act{{.*}} outs(%[[A]] : memref<4x5xf32>)
// CHECK-NEXT:    return %[[A]]
func.func @one_allocation(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn"}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The residual may be the destination.
// CHECK-LABEL: func @residual_is_destination(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: memref<4x5xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         fusion.fused_matmul_bias_act{{.*}} residual(%[[S]] : memref<4x5xf32>) outs(%[[S]] : memref<4x5xf32>)
func.func @residual_is_destination(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %s: tensor<4x5xf32> {bufferization.writable = true}) -> tensor<4x5xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn"}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) residual(%s : tensor<4x5xf32>) outs(%s : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The input may not: it needs a copy.
// CHECK-LABEL: func @input_is_destination(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<5x5xf32>
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<5x5xf32>
// CHECK:         fusion.fused_matmul_bias_act{{.*}} ins(%[[X]], %{{.*}}) outs(%[[A]] : memref<5x5xf32>)
func.func @input_is_destination(%x: tensor<5x5xf32> {bufferization.writable = true}, %w: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn"}
         ins(%x, %w : tensor<5x5xf32>, tensor<5x5xf32>) outs(%x : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// The sizes of the result are those of the destination.
// SIZES-LABEL: func @sizes(
// SIZES-SAME:    %[[E:[a-z0-9]*]]: tensor<?x5xf32>)
// SIZES:         %[[D:.*]] = tensor.dim %[[E]]
// SIZES:         return %{{.*}}, %[[D]]
func.func @sizes(%x: tensor<?x7xf32>, %w: tensor<7x5xf32>, %e: tensor<?x5xf32>) -> (tensor<?x5xf32>, index) {
  %c0 = arith.constant 0 : index
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn"}
         ins(%x, %w : tensor<?x7xf32>, tensor<7x5xf32>) outs(%e : tensor<?x5xf32>) -> tensor<?x5xf32>
  %d = tensor.dim %r, %c0 : tensor<?x5xf32>
  return %r, %d : tensor<?x5xf32>, index
}
