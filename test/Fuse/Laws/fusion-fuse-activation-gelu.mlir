// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --fusion-optimize=propagate-layout=false | FileCheck %s

// The activations gelu, in each way to say them. Constants are rounded as
// front ends do.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Every order of the factors of x / 2 * (1 + erf(x / sqrt(2))).
// CHECK-LABEL: func @gelu_torch(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_torch(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = arith.divf %v, %k0 : f32
    %t = math.erf %m : f32
    %a = arith.addf %t, %k1 : f32
    %b = arith.mulf %a, %k2 : f32
    %s = arith.mulf %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @gelu_times(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_times(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.707106769 : f32
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = arith.mulf %v, %k0 : f32
    %t = math.erf %m : f32
    %a = arith.addf %k1, %t : f32
    %h = arith.mulf %v, %k2 : f32
    %s = arith.mulf %h, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @gelu_rounded_down(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_rounded_down(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.70710677 : f32
  %k1 = arith.constant 1.0 : f32
  %k2 = arith.constant 2.0 : f32
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
    %m = arith.mulf %k0, %v : f32
    %t = math.erf %m : f32
    %a = arith.addf %k1, %t : f32
    %x1 = arith.mulf %v, %a : f32
    %s = arith.divf %x1, %k2 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x / 2 + x / 2 * erf(x / sqrt(2))
// CHECK-LABEL: func @gelu_distributed(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_distributed(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.70710678 : f32
  %k1 = arith.constant 0.5 : f32
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
    %m = arith.mulf %k0, %v : f32
    %t = math.erf %m : f32
    %h = arith.mulf %k1, %v : f32
    %x1 = arith.mulf %h, %t : f32
    %s = arith.addf %x1, %h : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x / 2 * erfc(-x / sqrt(2)), of JAX.
// CHECK-LABEL: func @gelu_erfc(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_erfc(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.70710678 : f32
  %k1 = arith.constant 0.5 : f32
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
    %n = arith.negf %v : f32
    %m = arith.mulf %n, %k0 : f32
    %t = math.erfc %m : f32
    %h = arith.mulf %k1, %v : f32
    %s = arith.mulf %h, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @gelu_one_minus(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_one_minus(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant -0.70710678 : f32
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = arith.mulf %v, %k0 : f32
    %t = math.erf %m : f32
    %a = arith.subf %k1, %t : f32
    %h = arith.mulf %k2, %v : f32
    %s = arith.mulf %h, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @gelu_tanh_cube(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh_cube(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.044715 : f32
  %k1 = arith.constant 0.797884583 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 0.5 : f32
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
    %x2 = arith.mulf %v, %v : f32
    %x3 = arith.mulf %x2, %v : f32
    %k = arith.mulf %x3, %k0 : f32
    %a = arith.addf %v, %k : f32
    %m = arith.mulf %a, %k1 : f32
    %t = math.tanh %m : f32
    %o = arith.addf %t, %k2 : f32
    %h = arith.mulf %v, %k3 : f32
    %s = arith.mulf %h, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// torch-mlir and JAX raise to the power of 3.
// CHECK-LABEL: func @gelu_tanh_powf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh_powf(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.044715 : f32
  %k2 = arith.constant 0.7978846 : f32
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %x3 = math.powf %v, %k0 : f32
    %k = arith.mulf %k1, %x3 : f32
    %a = arith.addf %k, %v : f32
    %m = arith.mulf %k2, %a : f32
    %t = math.tanh %m : f32
    %o = arith.addf %k3, %t : f32
    %p = arith.mulf %k4, %o : f32
    %s = arith.mulf %p, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x * (1 + 0.044715 * x^2) instead of the cube.
// CHECK-LABEL: func @gelu_tanh_factored(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh_factored(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.044715 : f32
  %k1 = arith.constant 1.0 : f32
  %k2 = arith.constant 0.7978846 : f32
  %k3 = arith.constant 0.5 : f32
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
    %x2 = arith.mulf %v, %v : f32
    %k = arith.mulf %x2, %k0 : f32
    %a = arith.addf %k, %k1 : f32
    %b = arith.mulf %a, %v : f32
    %m = arith.mulf %b, %k2 : f32
    %t = math.tanh %m : f32
    %o = arith.addf %t, %k1 : f32
    %h = arith.mulf %v, %k3 : f32
    %s = arith.mulf %o, %h : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x * sigmoid(2 * sqrt(2 / pi) * (x + 0.044715 * x^3))
// CHECK-LABEL: func @gelu_tanh_sigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh_sigmoid(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.044715 : f32
  %k1 = arith.constant 1.0 : f32
  %k2 = arith.constant -1.5957692 : f32
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
    %x2 = arith.mulf %v, %v : f32
    %k = arith.mulf %x2, %k0 : f32
    %a = arith.addf %k, %k1 : f32
    %b = arith.mulf %a, %v : f32
    %m = arith.mulf %b, %k2 : f32
    %u = math.exp %m : f32
    %o = arith.addf %u, %k1 : f32
    %s = arith.divf %v, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
