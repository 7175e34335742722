// RUN: fusion-opt %s --fusion-reuse-residuals | FileCheck %s --check-prefix=TENSORS
// RUN: fusion-opt %s --fusion-compile --mlir-print-ir-before=fusion-plan-memory -o /dev/null 2>&1 | FileCheck %s

// On tensors at most seven results in a row are written over, so that bufferization
// compares few ops with each other; on buffers the next one is, too.
// Integration/reuse-residuals.test runs all of it.

// TENSORS-LABEL: func.func @chain(
// TENSORS:         %[[E:.*]] = tensor.empty()
// TENSORS:         fusion.fused_matmul_bias_act {{.*}} outs(%[[E]] :
// TENSORS-COUNT-7: residual(%[[R:[0-9a-z]*]] : tensor<6x5xf32>) outs(%[[R]] :
// TENSORS:         fusion.fused_matmul_bias_act {{.*}} outs(%[[E]] :
// TENSORS:         residual(%[[R:[0-9a-z]*]] : tensor<6x5xf32>) outs(%[[R]] :
// TENSORS:         return

// CHECK-LABEL: func.func @chain(
// CHECK:         fusion.fused_matmul_bias_act {{.*}} outs(%[[A:[0-9a-z_]*]] :
// CHECK-COUNT-9: residual(%[[A]] : memref<6x5xf32>) outs(%[[A]] :
// CHECK-NOT:     memref.copy
// CHECK:         return %[[A]]
func.func @chain(%x: tensor<6x5xf32>, %w: tensor<5x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %r0 = fusion.fused_matmul_bias_act ins(%x, %w : tensor<6x5xf32>, tensor<5x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t1 = linalg.tanh ins(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r1 = fusion.fused_matmul_bias_act ins(%t1, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t2 = linalg.tanh ins(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r2 = fusion.fused_matmul_bias_act ins(%t2, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t3 = linalg.tanh ins(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r3 = fusion.fused_matmul_bias_act ins(%t3, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t4 = linalg.tanh ins(%r3 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r4 = fusion.fused_matmul_bias_act ins(%t4, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r3 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t5 = linalg.tanh ins(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r5 = fusion.fused_matmul_bias_act ins(%t5, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t6 = linalg.tanh ins(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r6 = fusion.fused_matmul_bias_act ins(%t6, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t7 = linalg.tanh ins(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r7 = fusion.fused_matmul_bias_act ins(%t7, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t8 = linalg.tanh ins(%r7 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r8 = fusion.fused_matmul_bias_act ins(%t8, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r7 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t9 = linalg.tanh ins(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r9 = fusion.fused_matmul_bias_act ins(%t9, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r9 : tensor<6x5xf32>
}

// A reshape makes no new chain.
// TENSORS-LABEL: func.func @reshaped(
// TENSORS:         %[[E:.*]] = tensor.empty()
// TENSORS:         fusion.fused_matmul_bias_act {{.*}} outs(%[[E]] :
// TENSORS-COUNT-7: residual(%[[R:[0-9a-z_]*]] : tensor<6x5xf32>) outs(%[[R]] :
// TENSORS:         fusion.fused_matmul_bias_act {{.*}} outs(%[[E]] :
// TENSORS:         return
func.func @reshaped(%x: tensor<6x5xf32>, %w: tensor<5x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %r0 = fusion.fused_matmul_bias_act ins(%x, %w : tensor<6x5xf32>, tensor<5x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t1 = linalg.tanh ins(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r1 = fusion.fused_matmul_bias_act ins(%t1, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t2 = linalg.tanh ins(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r2 = fusion.fused_matmul_bias_act ins(%t2, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t3 = linalg.tanh ins(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r3 = fusion.fused_matmul_bias_act ins(%t3, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %v4 = tensor.expand_shape %r3 [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %s4 = tensor.collapse_shape %v4 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %t4 = linalg.tanh ins(%r3 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r4 = fusion.fused_matmul_bias_act ins(%t4, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%s4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t5 = linalg.tanh ins(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r5 = fusion.fused_matmul_bias_act ins(%t5, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t6 = linalg.tanh ins(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r6 = fusion.fused_matmul_bias_act ins(%t6, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t7 = linalg.tanh ins(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r7 = fusion.fused_matmul_bias_act ins(%t7, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %v8 = tensor.expand_shape %r7 [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %s8 = tensor.collapse_shape %v8 [[0, 1], [2]] : tensor<2x3x5xf32> into tensor<6x5xf32>
  %t8 = linalg.tanh ins(%r7 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r8 = fusion.fused_matmul_bias_act ins(%t8, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%s8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t9 = linalg.tanh ins(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r9 = fusion.fused_matmul_bias_act ins(%t9, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r9 : tensor<6x5xf32>
}

// The eighth residual is read later.
// CHECK-LABEL: func.func @read_later(
// CHECK:         fusion.fused_matmul_bias_act {{.*}} outs(%[[A:[0-9a-z_]*]] :
// CHECK-COUNT-7: residual(%[[A]] : memref<6x5xf32>) outs(%[[A]] :
// CHECK:         fusion.fused_matmul_bias_act {{.*}} residual(%[[A]] : memref<6x5xf32>) outs(%[[B:[0-9a-z_]*]] :
// CHECK:         fusion.fused_matmul_bias_act ins(%[[A]], {{.*}} residual(%[[B]] : memref<6x5xf32>) outs(%[[B]] :
// CHECK-NOT:     memref.copy
// CHECK:         return %[[B]]
func.func @read_later(%x: tensor<6x5xf32>, %w: tensor<5x5xf32>) -> tensor<6x5xf32> {
  %e = tensor.empty() : tensor<6x5xf32>
  %r0 = fusion.fused_matmul_bias_act ins(%x, %w : tensor<6x5xf32>, tensor<5x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t1 = linalg.tanh ins(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r1 = fusion.fused_matmul_bias_act ins(%t1, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r0 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t2 = linalg.tanh ins(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r2 = fusion.fused_matmul_bias_act ins(%t2, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r1 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t3 = linalg.tanh ins(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r3 = fusion.fused_matmul_bias_act ins(%t3, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r2 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t4 = linalg.tanh ins(%r3 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r4 = fusion.fused_matmul_bias_act ins(%t4, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r3 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t5 = linalg.tanh ins(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r5 = fusion.fused_matmul_bias_act ins(%t5, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r4 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t6 = linalg.tanh ins(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r6 = fusion.fused_matmul_bias_act ins(%t6, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r5 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t7 = linalg.tanh ins(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r7 = fusion.fused_matmul_bias_act ins(%t7, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r6 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t8 = linalg.tanh ins(%r7 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r8 = fusion.fused_matmul_bias_act ins(%t8, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r7 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %t9 = linalg.tanh ins(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r9 = fusion.fused_matmul_bias_act ins(%r7, %w : tensor<6x5xf32>, tensor<5x5xf32>) residual(%r8 : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  return %r9 : tensor<6x5xf32>
}
