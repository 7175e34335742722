// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="allow-contract-rounding=false propagate-layout=false" --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=STRICT --input-file=%t.mlir

// Roundings of the result: the fusion op accumulates in f32 and rounds once, at the
// end. Ops behind a rounding are folded only with allow-contract-rounding.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// A single rounding at the end is the same under either setting.
// CHECK-LABEL: func @generic(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} outs({{.*}}) -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
// STRICT-LABEL: func @generic(
// STRICT:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} outs({{.*}}) -> tensor<2x5x7x10xbf16>
// STRICT-NEXT:    return %[[R]]
func.func @generic(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // WHY: :{{[0-9]+}}:8: fused: {{.+$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// CHECK-LABEL: func @f16(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xf16>
// CHECK-NEXT:    return %[[R]]
func.func @f16(%x: tensor<2x3x9x11xf16>, %w: tensor<5x3x3x2xf16>) -> tensor<2x5x7x10xf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf16>, tensor<5x3x3x2xf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // WHY: :{{[0-9]+}}:8: fused: {{.+$}}
  %r = arith.truncf %c : tensor<2x5x7x10xf32> to tensor<2x5x7x10xf16>
  return %r : tensor<2x5x7x10xf16>
}

// Bias and relu in f32, then the rounding.
// CHECK-LABEL: func @bias_relu_cast(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{.*}} bias({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
// STRICT-LABEL: func @bias_relu_cast(
// STRICT:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{.*}} bias({{.*}} -> tensor<2x5x7x10xbf16>
// STRICT-NEXT:    return %[[R]]
func.func @bias_relu_cast(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>, %b: tensor<5xf32>) -> tensor<2x5x7x10xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // WHY: :{{[0-9]+}}:8: fused: bias, relu{{$}}
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: f32, %d: f32, %out: bf16):
    %s = arith.addf %in, %d : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// torch-mlir: convolution, rounding, then relu in bf16.
// CHECK-LABEL: func @cast_relu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
// STRICT-LABEL: func @cast_relu(
// STRICT:         fusion.fused_conv_bias_act ins({{.*}} -> tensor<2x5x7x10xbf16>
// STRICT:         linalg.max
func.func @cast_relu(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x5x7x10xbf16>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: {{.*}}; result is rounded to bf16 first, and allow-contract-rounding is off{{$}}
  %t = arith.truncf %c : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  %r = linalg.max ins(%t, %y : tensor<2x5x7x10xbf16>, tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// A bias in bf16, added in bf16: widened for the kernel.
// CHECK-LABEL: func @cast_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xbf16>)
// CHECK:         %[[F:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<5xbf16>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} bias(%[[F]] : tensor<5xf32>) outs({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
// STRICT-LABEL: func @cast_bias(
// STRICT:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// STRICT:         linalg.elementwise
func.func @cast_bias(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>, %b: tensor<5xbf16>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: {{.*}}; result is rounded to bf16 first, and allow-contract-rounding is off{{$}}
  %t = arith.truncf %c : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%t, %b : tensor<2x5x7x10xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// Everything in bf16, as an f32 network converted naively.
// CHECK-LABEL: func @all_bf16(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xbf16>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{.*}} residual(%[[S]] : tensor<2x5x7x10xbf16>) outs({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
// STRICT-LABEL: func @all_bf16(
// STRICT:         linalg.conv_2d_nchw_fchw
// STRICT:         linalg.add
// STRICT:         linalg.max
func.func @all_bf16(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>, %s: tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16> {
  %y = arith.constant dense<0.0> : tensor<2x5x7x10xbf16>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%y : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  // WHY: :[[#@LINE-1]]:8: not fused: rounds each step to bf16, and allow-contract-rounding is off{{$}}
  %t = linalg.add ins(%c, %s : tensor<2x5x7x10xbf16>, tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  %r = linalg.max ins(%t, %y : tensor<2x5x7x10xbf16>, tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}
