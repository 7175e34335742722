// RUN: fusion-opt %s --fusion-raise | FileCheck %s
// RUN: fusion-opt %s --fusion-raise=allow-contract-rounding=false | FileCheck %s --check-prefix=STRICT
// RUN: fusion-opt %s --fusion-optimize="allow-contract-rounding=false propagate-layout=false" | FileCheck %s --check-prefix=STRICT

// A convolution that accumulates in bf16 rounds at each step; the fusion op does
// once. One that accumulates in f32 is the same with either setting.

// CHECK-LABEL: func @accumulates_in_bf16(
// CHECK:         fusion.fused_conv_bias_act
// CHECK-SAME:      -> tensor<1x4x8xbf16>
// STRICT-LABEL: func @accumulates_in_bf16(
// STRICT:         linalg.conv_1d_ncw_fcw
func.func @accumulates_in_bf16(%x: tensor<1x3x9xbf16>, %w: tensor<4x3x2xbf16>, %s: tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xbf16>, tensor<4x3x2xbf16>) outs(%s : tensor<1x4x8xbf16>) -> tensor<1x4x8xbf16>
  return %r : tensor<1x4x8xbf16>
}

// CHECK-LABEL: func @accumulates_in_f32(
// CHECK:         fusion.fused_conv_bias_act
// STRICT-LABEL: func @accumulates_in_f32(
// STRICT:         fusion.fused_conv_bias_act
// STRICT-SAME:      tensor<4x3x2xbf16>) {{.*}} -> tensor<1x4x8xf32>
func.func @accumulates_in_f32(%x: tensor<1x3x9xbf16>, %w: tensor<4x3x2xbf16>, %s: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xbf16>, tensor<4x3x2xbf16>) outs(%s : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}

// CHECK-LABEL: func @all_f32(
// CHECK:         fusion.fused_conv_bias_act
// STRICT-LABEL: func @all_f32(
// STRICT:         fusion.fused_conv_bias_act
func.func @all_f32(%x: tensor<1x3x9xf32>, %w: tensor<4x3x2xf32>, %s: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<4x3x2xf32>) outs(%s : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  return %r : tensor<1x4x8xf32>
}
