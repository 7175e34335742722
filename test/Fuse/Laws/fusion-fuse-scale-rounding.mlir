// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize="allow-contract-rounding=false propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT --implicit-check-not=fused:

// Scales where something is rounded, and the effect of allow-contract-rounding=false on
// them.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// The filter is rounded twice, once more than in the module that was read.
func.func @filter(%x: tensor<2x3x15x11xbf16>, %w: tensor<5x3x3x2xbf16>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: partly fused: convolution alone; the scaled filter would be rounded to bf16 again, and allow-contract-rounding is off{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @filter_negated(%x: tensor<2x3x15x11xbf16>, %w: tensor<5x3x3x2xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: partly fused: convolution alone; the scaled filter would be rounded to bf16 again, and allow-contract-rounding is off{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.negf ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @result(%x: tensor<2x3x15x11xbf16>, %w: tensor<5x3x3x2xbf16>, %s: tensor<5xbf16>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: partly fused: convolution alone; result is rounded to bf16 first, and allow-contract-rounding is off{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t = tensor.empty() : tensor<2x5x7x10xbf16>
  %d = arith.truncf %c : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %s : tensor<2x5x7x10xbf16>, tensor<5xbf16>) outs(%t : tensor<2x5x7x10xbf16>) {
  ^bb0(%p0: bf16, %p1: bf16, %out: bf16):
    %0 = arith.mulf %p0, %p1 : bf16
    linalg.yield %0 : bf16
  } -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// The sum is rounded to bf16 in the op and would not be in f32.
func.func @factor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xbf16>, %t: tensor<5xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: partly fused: convolution alone; scale is computed in bf16, and allow-contract-rounding is off{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %t : tensor<2x5x7x10xf32>, tensor<5xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %p2: bf16, %out: f32):
    %0 = arith.addf %p1, %p2 : bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @addend(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xbf16>, %t: tensor<5xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: bias{{$}}
  // STRICT: :[[#@LINE-2]]:8: partly fused: convolution alone; bias is computed in bf16, and allow-contract-rounding is off{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %t : tensor<2x5x7x10xf32>, tensor<5xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %p2: bf16, %out: f32):
    %0 = arith.addf %p1, %p2 : bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.addf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Nothing is rounded, neither before nor after the fold.
func.func @factor_is_widened(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: fused: scale{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %out: f32):
    %0 = arith.extf %p1 : bf16 to f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Rounded before, by another op, which stays.
func.func @factor_was_rounded(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %t = tensor.empty() : tensor<5xbf16>
  %u = arith.truncf %s : tensor<5xf32> to tensor<5xbf16>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: fused: scale{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %u : tensor<2x5x7x10xf32>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %out: f32):
    %0 = arith.extf %p1 : bf16 to f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

func.func @factor_in_f64(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf64>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f64
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: scale{{$}}
  // STRICT: :[[#@LINE-2]]:8: fused: scale{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf64>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f64, %out: f32):
    %0 = arith.addf %p1, %eps : f64
    %1 = arith.truncf %0 : f64 to f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
