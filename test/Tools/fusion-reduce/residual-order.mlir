// A residual that is needed loses the activation in front of it, and with that its order.

// RUN: fusion-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-residual.sh' | FileCheck %s
// RUN: fusion-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-activation-and-residual.sh' | FileCheck %s --check-prefix=KEPT

// KEPT:  fusion.fused_matmul_bias_act relu layouts(mk, nk, mn) ins({{[^)]*}}) residual(%{{.*}} : tensor<4x10xf32>) outs(
// CHECK: fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins({{[^)]*}}) residual(%{{.*}} : tensor<4x10xf32>) outs(
func.func @matmul(%x: tensor<4x300xf32>, %w: tensor<10x300xf32>, %s: tensor<4x10xf32>,
                  %e: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %r = fusion.fused_matmul_bias_act relu layouts(mk, nk, mn)
       ins(%x, %w : tensor<4x300xf32>, tensor<10x300xf32>) residual_after_activation(%s : tensor<4x10xf32>)
       outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}
