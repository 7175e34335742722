// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize --cse | FileCheck %s

// relu as a maximum, in every spelling.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#none = affine_map<(d0, d1, d2, d3) -> ()>

// CHECK-LABEL: func @maximumf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maximumf(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @maximumf_swapped(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maximumf_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %zero, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Arithmetic on whole tensors.
// CHECK-LABEL: func @tensor_maximumf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_maximumf(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = arith.maximumf %c, %z : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @maxnumf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maxnumf(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maxnumf %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @maxnumf_swapped(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maxnumf_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maxnumf %zero, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @tensor_maxnumf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_maxnumf(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = arith.maxnumf %c, %z : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @constant_in_body(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @constant_in_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.constant 0.0 : f32
    %s = arith.maximumf %p0, %n : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @minus_zero(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @minus_zero(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.constant -0.0 : f32
    %s = arith.maximumf %p0, %n : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The bound is a tensor of rank 0.
// CHECK-LABEL: func @rank_0_operand(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rank_0_operand(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %n = arith.constant dense<0.0> : tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#none, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%n, %c : tensor<f32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p1, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @scalar_operand(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scalar_operand(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %zero : tensor<2x5x7x10xf32>, f32) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Keras: a zero of full size.
// CHECK-LABEL: func @full_size_constant(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @full_size_constant(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @named_max(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @named_max(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The bound is filled in.
// CHECK-LABEL: func @filled_bound(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @filled_bound(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%f, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @rank_0_filled(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rank_0_filled(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<f32>
  %n = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#none, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%n, %c : tensor<f32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p1, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// torch-mlir of 2023: filled in f64, then rounded.
// CHECK-LABEL: func @rank_0_computed(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rank_0_computed(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %wide = arith.constant 0.0 : f64
  %e1 = tensor.empty() : tensor<f64>
  %e0 = tensor.empty() : tensor<f32>
  %m = linalg.fill ins(%wide : f64) outs(%e1 : tensor<f64>) -> tensor<f64>
  %n = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
         ins(%m : tensor<f64>) outs(%e0 : tensor<f32>) {
  ^bb0(%in: f64, %out: f32):
    %t = arith.truncf %in : f64 to f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %q = arith.cmpf ult, %p0, %p1 : f32
    %s = arith.select %q, %p1, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @map(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @map(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.map {arith.maximumf} ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @map_with_body(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @map_with_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.map ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
    (%in: f32, %out: f32) {
      %s = arith.maximumf %in, %zero : f32
      linalg.yield %s : f32
    }
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @elementwise(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @elementwise(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// In place: the result is the destination, and is read.
// CHECK-LABEL: func @in_the_destination(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @in_the_destination(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32):
    %s = arith.maximumf %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The result is the destination too, and is read once.
// CHECK-LABEL: func @onto_the_result(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @onto_the_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @twice(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
