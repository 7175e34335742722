// RUN: fusion-opt %s --fusion-fuse | FileCheck %s
// RUN: fusion-opt %s --fusion-fuse=nan-mode=propagate | FileCheck %s --check-prefix=NAN

// The laws that fold a step, on steps that are spelled by name. In each function the
// law folds the first step; the second one is behind something that forbids it.

// CHECK-LABEL: func @bias(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act tanh ins({{.*}}) bias(%arg2 :
// CHECK-NEXT:    %[[S:.*]] = fusion.add_channel %[[F]], %arg2
// CHECK-NEXT:    return %[[S]]
func.func @bias(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = fusion.add_channel %c, %b : tensor<4x5xf32>, tensor<5xf32>
  %a = fusion.activate %s by <tanh> : tensor<4x5xf32>
  %r = fusion.add_channel %a, %b : tensor<4x5xf32>, tensor<5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @scale(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act tanh
// CHECK-NEXT:    %[[S:.*]] = fusion.scale_channel %[[F]], %arg2
// CHECK-NEXT:    return %[[S]]
func.func @scale(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = fusion.scale_channel %c, %b : tensor<4x5xf32>, tensor<5xf32>
  %a = fusion.activate %s by <tanh> : tensor<4x5xf32>
  %r = fusion.scale_channel %a, %b : tensor<4x5xf32>, tensor<5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @normalize(
// CHECK:         arith.divf
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act tanh
// CHECK-NEXT:    %[[S:.*]] = fusion.normalize_channel %[[F]], %arg2 {divides}
// CHECK-NEXT:    return %[[S]]
func.func @normalize(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = fusion.normalize_channel %c, %b {divides} : tensor<4x5xf32>, tensor<5xf32>
  %a = fusion.activate %s by <tanh> : tensor<4x5xf32>
  %r = fusion.normalize_channel %a, %b {divides} : tensor<4x5xf32>, tensor<5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @second_residual(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}}) residual(%arg2 :
// CHECK-NEXT:    %[[S:.*]] = fusion.add_tensor %[[F]], %arg3
// CHECK-NEXT:    return %[[S]]
func.func @second_residual(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %t: tensor<4x5xf32>, %u: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = fusion.add_tensor %c, %t : tensor<4x5xf32>, tensor<4x5xf32>
  %r = fusion.add_tensor %s, %u : tensor<4x5xf32>, tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A result with two users stays, whatever the step. A relu may lose a NaN.
// CHECK-LABEL: func @two_users(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act
// CHECK-SAME:      relu
// CHECK-SAME:      -> tensor<4x5xf32>
// CHECK-DAG:     fusion.round %[[F]]
// CHECK-DAG:     fusion.scale_channel %[[F]]
// NAN-LABEL:   func @two_users(
// NAN:           %[[F:.*]] = fusion.fused_matmul_bias_act
// NAN-NOT:         relu
// NAN:           fusion.activate %[[F]]
func.func @two_users(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %b: tensor<5xf32>) -> (tensor<4x5xbf16>, tensor<4x5xf32>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = fusion.activate %c by <relu> : tensor<4x5xf32>
  %r = fusion.round %a : tensor<4x5xf32> to tensor<4x5xbf16>
  %s = fusion.scale_channel %a, %b : tensor<4x5xf32>, tensor<5xf32>
  return %r, %s : tensor<4x5xbf16>, tensor<4x5xf32>
}

// CHECK-LABEL: func @round(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[F]]
func.func @round(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>) -> tensor<4x5xbf16> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = fusion.round %c : tensor<4x5xf32> to tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// CHECK-LABEL: func @widen(
// CHECK:         %[[W:.*]] = arith.extf %arg2
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} residual(%[[W]] : tensor<4x5xf32>) {{.*}} -> tensor<4x5xf32>
// CHECK-NEXT:    return %[[F]]
func.func @widen(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %t: tensor<4x5xbf16>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xbf16>
  %c = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) residual(%t : tensor<4x5xbf16>) outs(%e : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %r = fusion.widen %c : tensor<4x5xbf16> to tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @activation_after_residual(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}}) residual_after_activation(%arg2 :
// CHECK-NEXT:    %[[S:.*]] = fusion.activate %[[F]]
// CHECK-NEXT:    return %[[S]]
func.func @activation_after_residual(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %t: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.fused_matmul_bias_act relu ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = fusion.add_tensor %c, %t : tensor<4x5xf32>, tensor<4x5xf32>
  %r = fusion.activate %s by <tanh> : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A step of another op than a fusion op.
// CHECK-LABEL: func @no_fusion_op(
// CHECK:         fusion.add_channel %arg0, %arg1
func.func @no_fusion_op(%x: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %r = fusion.add_channel %x, %b : tensor<4x5xf32>, tensor<5xf32>
  return %r : tensor<4x5xf32>
}
