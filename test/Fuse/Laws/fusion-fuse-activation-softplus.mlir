// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --fusion-optimize=propagate-layout=false | FileCheck %s

// The activations softplus, mish, square, exp, in each way to say them. Constants are rounded as
// front ends do.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @softplus(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
    %u = math.exp %v : f32
    %a = arith.addf %u, %k0 : f32
    %s = math.log %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @softplus_log1p(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus_log1p(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
    %u = math.exp %v : f32
    %s = math.log1p %u : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// max(x, 0) + log1p(exp(-|x|))
// CHECK-LABEL: func @softplus_stable(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus_stable(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.absf %v : f32
    %m = arith.negf %n : f32
    %u = math.exp %m : f32
    %l = math.log1p %u : f32
    %p = arith.maximumf %v, %k0 : f32
    %s = arith.addf %p, %l : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// JAX: logaddexp(x, 0), with a test of NaN.
// CHECK-LABEL: func @softplus_logaddexp(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus_logaddexp(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %p = arith.maximumf %v, %k0 : f32
    %d = arith.subf %v, %k0 : f32
    %q = arith.cmpf une, %d, %d : f32
    %g = arith.addf %v, %k0 : f32
    %n = math.absf %d : f32
    %m = arith.negf %n : f32
    %u = math.exp %m : f32
    %l = math.log1p %u : f32
    %a = arith.addf %p, %l : f32
    %s = arith.select %q, %g, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// torch: x above a threshold, where that is the same.
// CHECK-LABEL: func @softplus_torch(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus_torch(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
  %k1 = arith.constant 20.0 : f32
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
    %k = arith.mulf %v, %k0 : f32
    %u = math.exp %k : f32
    %l = math.log1p %u : f32
    %d = arith.divf %l, %k0 : f32
    %q = arith.cmpf ugt, %k, %k1 : f32
    %s = arith.select %q, %v, %d : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x + log1p(exp(-x))
// CHECK-LABEL: func @softplus_negative(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus_negative(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
    %u = math.exp %n : f32
    %l = math.log1p %u : f32
    %s = arith.addf %l, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %u = math.exp %v : f32
    %l = math.log1p %u : f32
    %t = math.tanh %l : f32
    %s = arith.mulf %v, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @mish_torch(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act mish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @mish_torch(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 20.0 : f32
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
    %u = math.exp %v : f32
    %l = math.log1p %u : f32
    %q = arith.cmpf ugt, %v, %k0 : f32
    %p = arith.select %q, %v, %l : f32
    %t = math.tanh %p : f32
    %s = arith.mulf %t, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @mish_stable(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act mish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @mish_stable(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = math.absf %v : f32
    %m = arith.negf %n : f32
    %u = math.exp %m : f32
    %l = math.log1p %u : f32
    %p = arith.maximumf %v, %k0 : f32
    %a = arith.addf %p, %l : f32
    %t = math.tanh %a : f32
    %s = arith.mulf %v, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @square_powf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act square strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @square_powf(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 2.0 : f32
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
    %s = math.powf %v, %k0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @exp_expm1(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act exp strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @exp_expm1(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
    %u = math.expm1 %v : f32
    %s = arith.addf %k0, %u : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @exp_power_of_two(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act exp strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @exp_power_of_two(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.44269502 : f32
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
    %s = math.exp2 %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
