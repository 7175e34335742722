// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --convert-elementwise-to-linalg --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-morph-ops=named-to-category --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --linalg-fold-into-elementwise --fusion-optimize=propagate-layout=false | FileCheck %s

// More activations in several ops, from gelu on, and ops on tensors.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @gelu_erf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_erf(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.41421354 : f32
  %k1 = arith.constant 1.0 : f32
  %k2 = arith.constant 0.5 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %b = arith.divf %in_v, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = math.erf %in_a : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_o = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_t : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_t: f32, %out: f32):
    %b = arith.addf %in_t, %k1 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %b = arith.mulf %in_v, %k2 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_h, %t_o : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_h: f32, %in_o: f32, %out: f32):
    %b = arith.mulf %in_h, %in_o : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// Three ops read the result.
// CHECK-LABEL: func @gelu_tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.044715 : f32
  %k2 = arith.constant 0.797884583 : f32
  %k3 = arith.constant 1.0 : f32
  %k4 = arith.constant 0.5 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_c = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %b = math.powf %in_v, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_k = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_c : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_c: f32, %out: f32):
    %b = arith.mulf %in_c, %k1 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_a = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_k : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_k: f32, %out: f32):
    %b = arith.addf %in_v, %in_k : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.mulf %in_a, %k2 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_s: f32, %out: f32):
    %b = math.tanh %in_s : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_o = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_t : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_t: f32, %out: f32):
    %b = arith.addf %in_t, %k3 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_o : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_o: f32, %out: f32):
    %b = arith.mulf %k4, %in_o : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_h : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_h: f32, %out: f32):
    %b = arith.mulf %in_v, %in_h : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @softplus(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = math.absf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %out: f32):
    %a = arith.negf %in_n : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_m : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_m: f32, %out: f32):
    %a = math.exp %in_m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_l = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_u : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_u: f32, %out: f32):
    %a = math.log1p %in_u : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.maximumf %in_v, %k0 : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_p, %t_l : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_p: f32, %in_l: f32, %out: f32):
    %a = arith.addf %in_p, %in_l : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @mish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act mish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @mish(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = math.exp %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_l = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_u : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_u: f32, %out: f32):
    %a = math.log1p %in_u : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_l : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_l: f32, %out: f32):
    %a = math.tanh %in_l : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_t : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_t: f32, %out: f32):
    %a = arith.mulf %in_v, %in_t : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @abs(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act abs strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @abs(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.negf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_n : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_n: f32, %out: f32):
    %a = arith.maximumf %in_v, %in_n : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// Both operands are computed.
// CHECK-LABEL: func @square_of_two(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act square strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @square_of_two(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.negf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.negf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n, %t_m : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %in_m: f32, %out: f32):
    %a = arith.mulf %in_n, %in_m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// Ops of arith and math on tensors.
// CHECK-LABEL: func @tensor_silu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_silu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant dense<1.0> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %n = arith.negf %conv : tensor<2x5x6x13xf32>
  %u = math.exp %n : tensor<2x5x6x13xf32>
  %a = arith.addf %u, %k0 : tensor<2x5x6x13xf32>
  %d = arith.divf %k0, %a : tensor<2x5x6x13xf32>
  %r = arith.mulf %conv, %d : tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @tensor_elu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_elu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %a = arith.cmpf ogt, %conv, %k0 : tensor<2x5x6x13xf32>
  %u = math.expm1 %conv : tensor<2x5x6x13xf32>
  %r = arith.select %a, %conv, %u : tensor<2x5x6x13xi1>, tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @tensor_gelu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_gelu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant dense<0.70710678> : tensor<2x5x6x13xf32>
  %k1 = arith.constant dense<0.5> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %n = arith.negf %conv : tensor<2x5x6x13xf32>
  %m = arith.mulf %n, %k0 : tensor<2x5x6x13xf32>
  %t = math.erfc %m : tensor<2x5x6x13xf32>
  %h = arith.mulf %conv, %k1 : tensor<2x5x6x13xf32>
  %r = arith.mulf %h, %t : tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @named_ops(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @named_ops(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %three = arith.constant dense<3.0> : tensor<2x5x6x13xf32>
  %six = arith.constant dense<6.0> : tensor<2x5x6x13xf32>
  %none = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %a = linalg.add ins(%conv, %three : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %b = linalg.max ins(%a, %none : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.min ins(%six, %b : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %d = linalg.mul ins(%conv, %c : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %r = linalg.div ins(%d, %six : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @named_erf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @named_erf(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %root = arith.constant dense<0.70710678> : tensor<2x5x6x13xf32>
  %half = arith.constant dense<0.5> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %a = linalg.mul ins(%conv, %root : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %b = linalg.erf ins(%a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.mul ins(%conv, %half : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %d = linalg.mul ins(%c, %b : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %r = linalg.add ins(%c, %d : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @elementwise_ops(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elementwise_ops(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %half = arith.constant dense<0.5> : tensor<2x5x6x13xf32>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %a = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%conv, %half : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %b = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%half, %b : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%c, %half : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
