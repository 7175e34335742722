// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --fusion-optimize=propagate-layout=false | FileCheck %s

// The activation elu, in each way to say it. The biases bring values to both sides of
// every bound.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @elu_expm1(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_expm1(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
    %q = arith.cmpf ogt, %v, %k0 : f32
    %b = math.expm1 %v : f32
    %s = arith.select %q, %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x > 0 ? x : alpha * (exp(x) - 1)
// CHECK-LABEL: func @elu_exp(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_exp(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
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
    %q = arith.cmpf ogt, %v, %k0 : f32
    %u = math.exp %v : f32
    %m = arith.subf %u, %k1 : f32
    %b = arith.mulf %m, %k2 : f32
    %s = arith.select %q, %v, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @elu_distributed(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_distributed(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.5 : f32
  %k1 = arith.constant 0.0 : f32
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
    %m = arith.mulf %u, %k0 : f32
    %b = arith.subf %m, %k0 : f32
    %q = arith.cmpf ule, %v, %k1 : f32
    %s = arith.select %q, %b, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// max(0, x) + alpha * expm1(min(0, x))
// CHECK-LABEL: func @elu_halves(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(7.500000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_halves(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
  %k1 = arith.constant 0.75 : f32
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
    %a = arith.maximumf %k0, %v : f32
    %n = arith.minimumf %k0, %v : f32
    %u = math.expm1 %n : f32
    %m = arith.mulf %u, %k1 : f32
    %s = arith.addf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// max(0, x) + min(0, alpha * (exp(x) - 1))
// CHECK-LABEL: func @elu_minimum(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(7.500000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_minimum(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
  %k1 = arith.constant 1.0 : f32
  %k2 = arith.constant 0.75 : f32
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
    %a = arith.maximumf %v, %k0 : f32
    %u = math.exp %v : f32
    %n = arith.subf %u, %k1 : f32
    %m = arith.mulf %n, %k2 : f32
    %b = arith.minimumf %k0, %m : f32
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// The scales of torch, which are 1.
// CHECK-LABEL: func @elu_torch(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(2.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu_torch(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
  %k1 = arith.constant 2.0 : f32
  %k2 = arith.constant 0.0 : f32
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
    %n = arith.mulf %v, %k0 : f32
    %u = math.exp %n : f32
    %w = arith.subf %u, %k0 : f32
    %m = arith.mulf %k1, %w : f32
    %q = arith.cmpf ugt, %v, %k2 : f32
    %s = arith.select %q, %v, %m : f32
    %t = arith.mulf %s, %k0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
