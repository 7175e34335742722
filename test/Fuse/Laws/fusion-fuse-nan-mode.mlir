// RUN: fusion-opt %s --fusion-optimize="nan-mode=propagate propagate-layout=false" --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize="nan-mode=fast propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=DEFAULT

// nan-mode=propagate: an activation that some kernel does otherwise stays outside,
// the rest goes in and is marked.

// FAST-COUNT-6: : fused: {{(bias, )?(relu|clip|sigmoid|tanh)$}}
// DEFAULT-NOT: nan_mode

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// IR-LABEL: func @relu(
// IR:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// IR:         linalg.generic
func.func @relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; nan-mode=propagate: kernels of 'relu' may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @clip(
// IR:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// IR:         linalg.generic
func.func @clip(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; nan-mode=propagate: kernels of 'clip' may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %t = arith.minimumf %s, %six : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @sigmoid(
// IR:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// IR:         linalg.generic
func.func @sigmoid(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; nan-mode=propagate: kernels of 'sigmoid' may lose a NaN{{$}}
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

// The bias of the same body goes in.
// IR-LABEL: func @bias_relu(
// IR:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// IR:         linalg.generic
func.func @bias_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; nan-mode=propagate: kernels of 'relu' may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    %t = arith.maximumf %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @tanh(
// IR:         fusion.fused_conv_bias_act tanh {nan_mode = #fusion.nan<propagate>} ins(
func.func @tanh(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :{{[0-9]+}}:8: fused: tanh{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %t = math.tanh %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// NaN becomes 0 before the function: with NaN kept exactly that is another one.
// IR-LABEL: func @nan_becomes_zero(
// IR:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// IR:         linalg.generic
func.func @nan_becomes_zero(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; nan-mode=propagate: next op may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %q = arith.cmpf uno, %p0, %p0 : f32
    %s = arith.select %q, %zero, %p0 : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
