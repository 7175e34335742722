// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="allow-contract-rounding=false propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT --implicit-check-not='{{swish|gelu|hardsigmoid}}'

// Activations with rounding in between: none of it is kept, unless
// allow-contract-rounding is off.
//
// STRICT-COUNT-4: :11: not fused:
// STRICT: :11: partly fused: pad, bias; next op rounds on the way, and allow-contract-rounding is off{{$}}

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// The constants are rounded to bf16.
// CHECK-LABEL: func @gelu_tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 3.0 : bf16
  %k1 = arith.constant 0.044677734 : bf16
  %k2 = arith.constant 0.796875 : bf16
  %k3 = arith.constant 1.0 : bf16
  %k4 = arith.constant 0.5 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %x3 = math.powf %v, %k0 : bf16
    %k = arith.mulf %k1, %x3 : bf16
    %a = arith.addf %k, %v : bf16
    %m = arith.mulf %k2, %a : bf16
    %t = math.tanh %m : bf16
    %o = arith.addf %k3, %t : bf16
    %p = arith.mulf %k4, %o : bf16
    %s = arith.mulf %p, %v : bf16
    linalg.yield %s : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

// CHECK-LABEL: func @hardsigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(2.000000e+00, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 0.25 : bf16
  %k1 = arith.constant 0.0 : bf16
  %k2 = arith.constant 0.5 : bf16
  %k3 = arith.constant 2.0 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %a = arith.addf %v, %k0 : bf16
    %b = arith.maximumf %a, %k1 : bf16
    %c = arith.minimumf %b, %k2 : bf16
    %d = arith.mulf %c, %k3 : bf16
    linalg.yield %d : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

// In two ops.
// CHECK-LABEL: func @silu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @silu(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 1.0 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%in_v: bf16, %out: bf16):
    %n = arith.negf %in_v : bf16
    %u = math.exp %n : bf16
    %a = arith.addf %u, %k0 : bf16
    %d = arith.divf %k0, %a : bf16
    linalg.yield %d : bf16
  } -> tensor<2x5x6x13xbf16>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s, %conv : tensor<2x5x6x13xbf16>, tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%in_s: bf16, %in_v: bf16, %out: bf16):
    %m = arith.mulf %in_s, %in_v : bf16
    linalg.yield %m : bf16
  } -> tensor<2x5x6x13xbf16>
  return %t_r : tensor<2x5x6x13xbf16>
}

// Widened, computed in f32 and rounded again, of JAX.
// CHECK-LABEL: func @silu_in_f32(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @silu_in_f32(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<2x5x6x13xf32>
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  %t_wide = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%wide : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: bf16, %out: f32):
    %z = arith.extf %in_v : bf16 to f32
    linalg.yield %z : f32
  } -> tensor<2x5x6x13xf32>
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_wide : tensor<2x5x6x13xf32>) outs(%wide : tensor<2x5x6x13xf32>) {
  ^bb0(%in_wide: f32, %out: f32):
    %n = arith.negf %in_wide : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %k0, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %t_m = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s, %t_wide : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%wide : tensor<2x5x6x13xf32>) {
  ^bb0(%in_s: f32, %in_wide: f32, %out: f32):
    %m = arith.mulf %in_s, %in_wide : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  %t_narrow = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_m : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%in_m: f32, %out: bf16):
    %z = arith.truncf %in_m : f32 to bf16
    linalg.yield %z : bf16
  } -> tensor<2x5x6x13xbf16>
  return %t_narrow : tensor<2x5x6x13xbf16>
}

// Rounds the argument of the sigmoid alone.
// CHECK-LABEL: func @rounded_on_the_way(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @rounded_on_the_way(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %b = arith.truncf %v : f32 to bf16
    %h = arith.extf %b : bf16 to f32
    %n = arith.negf %h : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %k0, %a : f32
    %m = arith.mulf %d, %v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
