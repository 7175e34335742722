// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s --input-file=%t.mlir

// Kernels round to the nearest number. A rounding by another mode stays a loop.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// The mode of kernels, by its name.
// CHECK-LABEL: func @nearest(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xf16>
// CHECK-NEXT:    return %[[R]]
func.func @nearest(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf16>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in to_nearest_even : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x5x7x10xf16>
  return %r : tensor<2x5x7x10xf16>
}

// CHECK-LABEL: func @on_tensors(
// CHECK:         fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         arith.truncf {{.*}} toward_zero
func.func @on_tensors(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'arith.truncf' rounds by 'toward_zero', expected to_nearest_even{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.truncf %c toward_zero : tensor<2x5x7x10xf32> to tensor<2x5x7x10xf16>
  return %r : tensor<2x5x7x10xf16>
}

// The steps in front of the rounding are folded.
// CHECK-LABEL: func @behind_bias_and_relu(
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act relu {{.*}} bias({{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[C]]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.truncf {{.*}} downward
// CHECK-NEXT:      linalg.yield
func.func @behind_bias_and_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf16>
  // WHY: :[[#@LINE+1]]:8: partly fused: bias, relu; 'arith.truncf' rounds by 'downward', expected to_nearest_even{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf16>) {
  ^bb0(%in: f32, %d: f32, %out: f16):
    %s = arith.addf %in, %d : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m downward : f32 to f16
    linalg.yield %t : f16
  } -> tensor<2x5x7x10xf16>
  return %r : tensor<2x5x7x10xf16>
}

// Nor is a relu of the rounded number.
// CHECK-LABEL: func @in_front_of_relu(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         arith.truncf {{.*}} upward
// CHECK:         arith.maximumf
func.func @in_front_of_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf16> {
  %zero = arith.constant 0.0 : f16
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf16>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'arith.truncf' rounds by 'upward', expected to_nearest_even{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in upward : f32 to f16
    %m = arith.maximumf %t, %zero : f16
    linalg.yield %m : f16
  } -> tensor<2x5x7x10xf16>
  return %r : tensor<2x5x7x10xf16>
}

// A bias that is rounded so is computed by the op that adds it.
// CHECK-LABEL: func @rounded_bias(
// CHECK:         fusion.fused_conv_bias_act ins({{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         arith.truncf {{.*}} downward
func.func @rounded_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: bias is computed by 'arith.truncf' in the same op{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %d: f32, %out: f32):
    %t = arith.truncf %d downward : f32 to f16
    %u = arith.extf %t : f16 to f32
    %s = arith.addf %in, %u : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
