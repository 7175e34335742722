// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize="allow-contract-rounding=false propagate-layout=false" -o /dev/null --fusion-explain 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: fusion-opt %s --fusion-optimize="disable=bias propagate-layout=false" | FileCheck %s --check-prefix=DISABLED
// RUN: fusion-opt %s --fusion-optimize="nan-mode=propagate propagate-layout=false" | FileCheck %s --check-prefix=NAN

// A result that is rounded and widened in front of a step is not rounded there:
// modules that compute in f32 what they store in 16 bits, as
// arith-emulate-unsupported-floats makes them.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>

// Each op rounds: bias, residual, relu.
// CHECK-LABEL: func @emulated(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{.*}} bias({{.*}} residual(%arg3 : tensor<2x5x7x10xbf16>) outs({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @emulated(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>, %b: tensor<5xbf16>, %t: tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  // WHY: :[[@LINE+2]]:8: fused: bias, residual, relu
  // STRICT: :[[@LINE+1]]:8: partly fused: convolution alone; result is rounded to bf16 first, and allow-contract-rounding is off
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<2x5x7x10xbf16>
  %s = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%n, %b : tensor<2x5x7x10xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: bf16, %bias: bf16, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.extf %bias : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<2x5x7x10xbf16>
  %u = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %t : tensor<2x5x7x10xbf16>, tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: bf16, %other: bf16, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.extf %other : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<2x5x7x10xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%u : tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.extf %in : bf16 to f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// One op computes all in f32, and rounds at its end.
// CHECK-LABEL: func @one_op(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}} bias({{.*}} residual(%arg3 : tensor<4x5xbf16>) outs({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[R]]
// DISABLED-LABEL: func @one_op(
// DISABLED:         fusion.fused_matmul_bias_act ins(%arg0, %arg1 : tensor<4x3xbf16>, tensor<3x5xbf16>) outs({{.*}} -> tensor<4x5xbf16>
func.func @one_op(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xbf16>, %t: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: bias, residual, relu
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b, %t : tensor<4x5xbf16>, tensor<5xbf16>, tensor<4x5xbf16>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: bf16, %i2: bf16, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.extf %i2 : bf16 to f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.maximumf %4, %zero : f32
    %6 = arith.truncf %5 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// CHECK-LABEL: func @scale_f16(
// DISABLED-LABEL: func @scale_f16(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act {{.*}} ins({{.*}} -> tensor<4x5xf16>
// CHECK-NEXT:    return %[[R]]
func.func @scale_f16(%x: tensor<4x3xf16>, %w: tensor<3x5xf16>, %b: tensor<5xf32>) -> tensor<4x5xf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xf16>
  // WHY: :[[@LINE+1]]:8: fused: scale
  %c = linalg.matmul ins(%x, %w : tensor<4x3xf16>, tensor<3x5xf16>) outs(%z : tensor<4x5xf16>) -> tensor<4x5xf16>
  %er = tensor.empty() : tensor<4x5xf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xf16>, tensor<5xf32>) outs(%er : tensor<4x5xf16>) {
  ^bb0(%i0: f16, %i1: f32, %out: f16):
    %0 = arith.extf %i0 : f16 to f32
    %1 = arith.mulf %0, %i1 : f32
    %2 = arith.truncf %1 : f32 to f16
    linalg.yield %2 : f16
  } -> tensor<4x5xf16>
  return %r : tensor<4x5xf16>
}

// Ops of their own widen, add and round.
// CHECK-LABEL: func @several_ops(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act tanh ins({{.*}} bias(%arg2 : tensor<5xf32>) outs({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @several_ops(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xf32>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: bias, tanh
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %f = arith.extf %c : tensor<4x5xbf16> to tensor<4x5xf32>
  %e = tensor.empty() : tensor<4x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<4x5xf32>) dimensions = [0]
  %s = arith.addf %f, %v : tensor<4x5xf32>
  %a = math.tanh %s : tensor<4x5xf32>
  %r = arith.truncf %a : tensor<4x5xf32> to tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// Nothing rounds the sum.
// CHECK-LABEL: func @result_f32(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins({{.*}} bias({{.*}} -> tensor<4x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @result_f32(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xbf16>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: bias
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xbf16>, tensor<5xbf16>) outs(%er : tensor<4x5xf32>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: f32):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.addf %1, %0 : f32
    linalg.yield %2 : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// With nan-mode=propagate nothing is behind the widening.
// CHECK-LABEL: func @relu_residual(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}} residual_after_activation(%arg2 : tensor<4x5xbf16>) outs({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[R]]
// NAN-LABEL:   func @relu_residual(
// NAN:           fusion.fused_matmul_bias_act {{.*}} ins({{.*}} -> tensor<4x5xbf16>
// NAN-NEXT:      linalg.generic
func.func @relu_residual(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %t: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: relu, residual
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %t : tensor<4x5xbf16>, tensor<4x5xbf16>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.maximumf %0, %zero : f32
    %3 = arith.addf %2, %1 : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// The residual has the type to which the op rounds, and is widened with it.
// CHECK-LABEL: func @bias_behind_residual(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins({{.*}} bias({{.*}} residual(%arg3 : tensor<4x5xbf16>) outs({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @bias_behind_residual(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xbf16>, %t: tensor<4x5xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: bias, residual
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %es = tensor.empty() : tensor<4x5xbf16>
  %s = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %t : tensor<4x5xbf16>, tensor<4x5xbf16>) outs(%es : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: bf16):
    %0 = arith.addf %i0, %i1 : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%s, %b : tensor<4x5xbf16>, tensor<5xbf16>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// No step is behind the widening: the result stays narrow.
// CHECK-LABEL: func @unknown_step(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    linalg.generic
func.func @unknown_step(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c : tensor<4x5xbf16>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = math.sin %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// CHECK-LABEL: func @unknown_next_op(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    arith.extf %[[F]]
func.func @unknown_next_op(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'math.sin' at {{.*}} neither scales nor adds to the result nor is an activation that is known
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %f = arith.extf %c : tensor<4x5xbf16> to tensor<4x5xf32>
  %r = math.sin %f : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Sums in f64 are not those of the op.
// CHECK-LABEL: func @f64(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
func.func @f64(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xf64>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xbf16>, tensor<5xf64>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: f64, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f64
    %1 = arith.addf %0, %i1 : f64
    %2 = arith.truncf %1 : f64 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// The rounded result is read, too.
// CHECK-LABEL: func @read_twice(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
func.func @read_twice(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xbf16>) -> tensor<4x5xbf16> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xbf16>, tensor<5xbf16>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    %4 = arith.mulf %3, %i0 : bf16
    linalg.yield %4 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// A residual would be widened in a loop of its own.
// CHECK-LABEL: func @residual_f32(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
func.func @residual_f32(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %t: tensor<4x5xbf16>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: what is added is computed from a tensor by the op that adds it
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %t : tensor<4x5xbf16>, tensor<4x5xbf16>) outs(%er : tensor<4x5xf32>) {
  ^bb0(%i0: bf16, %i1: bf16, %out: f32):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.extf %i1 : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The step would be computed in a loop.
// CHECK-LABEL: func @other_block(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    arith.extf %[[F]]
// CHECK-NEXT:    scf.for
func.func @other_block(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<4x5xf32>, %n: index) -> tensor<4x5xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'arith.addf' at {{.*}} is in another block
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %f = arith.extf %c : tensor<4x5xbf16> to tensor<4x5xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%a = %b) -> tensor<4x5xf32> {
    %s = arith.addf %f, %a : tensor<4x5xf32>
    scf.yield %s : tensor<4x5xf32>
  }
  return %r : tensor<4x5xf32>
}

// The destination is widened, and has the type of the result.
// CHECK-LABEL: func @destination(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    linalg.generic {{.*}} outs(%[[F]] : tensor<4x5xbf16>)
func.func @destination(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xbf16>) -> tensor<4x5xbf16> {
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; unsupported: result is read as a destination
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%b : tensor<5xbf16>) outs(%c : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %out: bf16):
    %0 = arith.extf %out : bf16 to f32
    %1 = arith.extf %i0 : bf16 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// Without the law of biases nothing is behind the widening.
// CHECK-LABEL: func @subtracted(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act {{.*}} bias({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    return %[[R]]
// DISABLED-LABEL: func @subtracted(
// DISABLED:         fusion.fused_matmul_bias_act ins(%arg0, %arg1 : tensor<4x3xbf16>, tensor<3x5xbf16>) outs({{.*}} -> tensor<4x5xbf16>
func.func @subtracted(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>, %b: tensor<5xf32>) -> tensor<4x5xbf16> {
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: fused: scale, bias
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %er = tensor.empty() : tensor<4x5xbf16>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #rows], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xbf16>, tensor<5xf32>) outs(%er : tensor<4x5xbf16>) {
  ^bb0(%i0: bf16, %i1: f32, %out: bf16):
    %0 = arith.extf %i0 : bf16 to f32
    %1 = arith.subf %i1, %0 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x5xbf16>
  return %r : tensor<4x5xbf16>
}

// Nothing element-wise is behind the conversion.
// CHECK-LABEL: func @returned(
// CHECK:         %[[F:.*]] = fusion.fused_matmul_bias_act ins({{.*}} -> tensor<4x5xbf16>
// CHECK-NEXT:    arith.extf %[[F]]
func.func @returned(%x: tensor<4x3xbf16>, %w: tensor<3x5xbf16>) -> tensor<4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<4x5xbf16>
  // WHY: :[[@LINE+1]]:8: partly fused: matrix multiplication alone; next op 'arith.extf' at {{.*}} neither scales nor adds to the result nor is an activation that is known
  %c = linalg.matmul ins(%x, %w : tensor<4x3xbf16>, tensor<3x5xbf16>) outs(%z : tensor<4x5xbf16>) -> tensor<4x5xbf16>
  %f = arith.extf %c : tensor<4x5xbf16> to tensor<4x5xf32>
  return %f : tensor<4x5xf32>
}
