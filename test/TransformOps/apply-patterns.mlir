// RUN: fusion-opt %s --split-input-file --transform-interpreter | FileCheck %s

// All in one go; a law can be left out.

// CHECK-LABEL: func @conv_add_relu
//  CHECK-SAME: %[[X:.*]]: tensor<1x3x10x12xf32>, %[[W:[a-z0-9]+]]: tensor<6x3x3x5xf32>, %[[R:[a-z0-9]+]]: tensor<1x6x8x8xf32>
//       CHECK:   %[[F:.*]] = fusion.fused_conv_bias_act
//  CHECK-SAME:     ins(%[[X]], %[[W]] :
//   CHECK-NOT:     residual
//       CHECK:   linalg.add ins(%[[F]], %[[R]]
//       CHECK:   fusion.pool {{.*}}pooling = #fusion.pooling<max>
func.func @conv_add_relu(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>, %r: tensor<1x6x8x8xf32>)
    -> (tensor<1x6x8x8xf32>, tensor<1x6x3x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>)
      outs(%z : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %1 = linalg.add ins(%0, %r : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %p = tensor.empty() : tensor<1x6x3x3xf32>
  %l = linalg.fill ins(%least : f32) outs(%p : tensor<1x6x3x3xf32>) -> tensor<1x6x3x3xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %2 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%1, %k : tensor<1x6x8x8xf32>, tensor<3x3xf32>) outs(%l : tensor<1x6x3x3xf32>) -> tensor<1x6x3x3xf32>
  return %1, %2 : tensor<1x6x8x8xf32>, tensor<1x6x3x3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.fusion.raise
      transform.apply_patterns.fusion.raise_pools
      transform.apply_patterns.fusion.fuse {disable = ["residual", "bias"]}
    } : !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @bias_relu
//       CHECK:   linalg.generic
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic
//       CHECK:     arith.maximumf
//   CHECK-NOT:   fusion.
//       CHECK:   return
func.func @bias_relu(%x: tensor<4x5xf32>, %w: tensor<5x7xf32>, %b: tensor<7xf32>) -> tensor<4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x7xf32>
  %bb = linalg.broadcast ins(%b : tensor<7xf32>) outs(%e : tensor<4x7xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : tensor<4x5xf32>, tensor<5x7xf32>) outs(%bb : tensor<4x7xf32>) -> tensor<4x7xf32>
  %1 = linalg.map ins(%0 : tensor<4x7xf32>) outs(%e : tensor<4x7xf32>) (%v: f32, %old: f32) {
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  }
  return %1 : tensor<4x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.fusion.raise
      transform.apply_patterns.fusion.fuse
    } : !transform.any_op
    %op = transform.structured.match ops{["fusion.fused_matmul_bias_act"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.annotate %op "acme.fused" : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.fusion.fusion_to_linalg
    } : !transform.any_op
    transform.yield
  }
}
