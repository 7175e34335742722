// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize --cse | FileCheck %s

// clip, in every spelling and order; the other activations.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#none = affine_map<(d0, d1, d2, d3) -> ()>

// StableHLO: the lower bound first.
// CHECK-LABEL: func @max_min(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @max_min(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %t = arith.minimumf %s, %six : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TOSA: the upper bound first.
// CHECK-LABEL: func @min_max(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @min_max(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.minimumf %p0, %six : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @maxnum_minnum(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maxnum_minnum(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maxnumf %zero, %p0 : f32
    %t = arith.minnumf %six, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TOSA's relu has the largest number as its upper bound: infinity becomes that.
// CHECK-LABEL: func @tosa_relu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 3.40282347E+38) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tosa_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %big = arith.constant 3.40282347E+38 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.minimumf %p0, %big : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// nan_mode = IGNORE: NaN becomes the lower bound.
// CHECK-LABEL: func @tosa_ignore_nan(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tosa_ignore_nan(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.minimumf %p0, %six : f32
    %m = arith.maximumf %s, %zero : f32
    %q = arith.cmpf uno, %p0, %p0 : f32
    %t = arith.select %q, %zero, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// torch-mlir's clamp.
// CHECK-LABEL: func @selects(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(-1.000000e+00, 2.500000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @selects(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %lo = arith.constant -1.0 : f32
  %hi = arith.constant 2.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %q = arith.cmpf ult, %p0, %lo : f32
    %s = arith.select %q, %lo, %p0 : f32
    %o = arith.cmpf ugt, %s, %hi : f32
    %t = arith.select %o, %hi, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Keras MobileNet: both bounds are tensors of rank 0.
// CHECK-LABEL: func @three_operands(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @three_operands(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %lo = arith.constant dense<0.0> : tensor<f32>
  %hi = arith.constant dense<6.0> : tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#none, #all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%lo, %c, %hi : tensor<f32>, tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %s = arith.maximumf %p1, %p0 : f32
    %t = arith.minimumf %s, %p2 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// relu6 of 2023: relu, then an upper bound of rank 0.
// CHECK-LABEL: func @two_ops(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @two_ops(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %hi = arith.constant dense<6.0> : tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %q = arith.cmpf ugt, %p0, %zero : f32
    %s = arith.select %q, %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t, %hi : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %q = arith.cmpf ult, %p0, %p1 : f32
    %s = arith.select %q, %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An upper bound of rank 0, converted from an integer.
// CHECK-LABEL: func @computed_bound(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @computed_bound(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %i = arith.constant dense<6> : tensor<i64>
  %e0 = tensor.empty() : tensor<f32>
  %hi = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
         ins(%i : tensor<i64>) outs(%e0 : tensor<f32>) {
  ^bb0(%in: i64, %out: f32):
    %f = arith.sitofp %in : i64 to f32
    linalg.yield %f : f32
  } -> tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %hi : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %q = arith.cmpf ult, %s, %p1 : f32
    %t = arith.select %q, %s, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @two_named_ops(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @two_named_ops(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %h = arith.constant dense<6.0> : tensor<2x5x7x10xf32>
  %t = linalg.min ins(%c, %h : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @upper_bound_alone(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(-inf, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @upper_bound_alone(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = arith.minimumf %p0, %six : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @lower_bound_alone(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(-1.000000e+00, inf) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @lower_bound_alone(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %lo = arith.constant -1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = arith.maximumf %p0, %lo : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Bounds within bounds: the narrower ones hold.
// CHECK-LABEL: func @narrowed_twice(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(1.000000e+00, 6.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @narrowed_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %one = arith.constant 1.0 : f32
  %nine = arith.constant 9.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %u = arith.minimumf %s, %six : f32
    %v = arith.maximumf %u, %one : f32
    %t = arith.minimumf %v, %nine : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// min(max(x, 6), 0) is 0 whatever x is.
// CHECK-LABEL: func @crossed_bounds(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 0.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @crossed_bounds(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %six : f32
    %t = arith.minimumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @sigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.negf %p0 : f32
    %u = math.exp %n : f32
    %v = arith.addf %u, %one : f32
    %t = arith.divf %one, %v : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @sigmoid_swapped(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.subf %zero, %p0 : f32
    %u = math.exp %n : f32
    %v = arith.addf %one, %u : f32
    %t = arith.divf %one, %v : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @silu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @silu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.negf %p0 : f32
    %u = math.exp %n : f32
    %v = arith.addf %u, %one : f32
    %s = arith.divf %one, %v : f32
    %t = arith.mulf %s, %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @silu_quotient(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @silu_quotient(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.negf %p0 : f32
    %u = math.exp %n : f32
    %v = arith.addf %u, %one : f32
    %t = arith.divf %p0, %v : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tanh(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = math.tanh %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @abs(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act abs ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @abs(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = math.absf %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @sqrt(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sqrt ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @sqrt(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = math.sqrt %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @exp(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act exp ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @exp(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = math.exp %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @named_tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @named_tanh(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.tanh ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @tensor_tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_tanh(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = math.tanh %c : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @square(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act square ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @square(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = arith.mulf %p0, %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @named_square(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act square ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @named_square(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.square ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
