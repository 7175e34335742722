// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --fusion-optimize=propagate-layout=false | FileCheck %s

// The activations hardsigmoid and hardswish, in each way to say them. The biases bring values to
// both sides of every bound.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// clamp(x / 6 + 1 / 2, 0, 1)
// CHECK-LABEL: func @hardsigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.16666667 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 0.0 : f32
  %k3 = arith.constant 1.0 : f32
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
    %a = arith.addf %m, %k1 : f32
    %b = arith.maximumf %a, %k2 : f32
    %c = arith.minimumf %b, %k3 : f32
    linalg.yield %c : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @hardsigmoid_divided_first(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_divided_first(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 6.0 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 0.0 : f32
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
    %a = arith.addf %k1, %m : f32
    %b = arith.minimumf %a, %k2 : f32
    %c = arith.maximumf %b, %k3 : f32
    linalg.yield %c : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// relu6(x + 3) / 6
// CHECK-LABEL: func @hardsigmoid_relu6(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_relu6(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.0 : f32
  %k2 = arith.constant 6.0 : f32
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
    %a = arith.addf %v, %k0 : f32
    %b = arith.maximumf %a, %k1 : f32
    %c = arith.minimumf %b, %k2 : f32
    %d = arith.divf %c, %k2 : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @hardsigmoid_relu6_times(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_relu6_times(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.0 : f32
  %k2 = arith.constant 6.0 : f32
  %k3 = arith.constant 0.16666667 : f32
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
    %a = arith.addf %v, %k0 : f32
    %q = arith.cmpf ugt, %a, %k1 : f32
    %b = arith.select %q, %a, %k1 : f32
    %p = arith.cmpf ult, %b, %k2 : f32
    %c = arith.select %p, %b, %k2 : f32
    %d = arith.mulf %k3, %c : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// With the slope of old Keras.
// CHECK-LABEL: func @hardsigmoid_keras(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(2.000000e-01, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_keras(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.2 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 0.0 : f32
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
    %a = arith.addf %m, %k1 : f32
    %b = arith.minnumf %a, %k2 : f32
    %c = arith.maxnumf %b, %k3 : f32
    linalg.yield %c : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @hardsigmoid_falling(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(-2.500000e-01, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_falling(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.25 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 0.0 : f32
  %k3 = arith.constant 1.0 : f32
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
    %a = arith.subf %k1, %m : f32
    %b = arith.maximumf %a, %k2 : f32
    %c = arith.minimumf %b, %k3 : f32
    linalg.yield %c : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// The pieces one by one.
// CHECK-LABEL: func @hardsigmoid_selects(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_selects(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 6.0 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 3.0 : f32
  %k3 = arith.constant 1.0 : f32
  %k4 = arith.constant -3.0 : f32
  %k5 = arith.constant 0.0 : f32
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
    %a = arith.addf %m, %k1 : f32
    %q = arith.cmpf ogt, %v, %k2 : f32
    %b = arith.select %q, %k3, %a : f32
    %p = arith.cmpf olt, %v, %k4 : f32
    %c = arith.select %p, %k5, %b : f32
    linalg.yield %c : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x * (relu6(x + 3) / 6)
// CHECK-LABEL: func @hardswish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.0 : f32
  %k2 = arith.constant 6.0 : f32
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
    %a = arith.addf %v, %k0 : f32
    %b = arith.maximumf %a, %k1 : f32
    %c = arith.minimumf %b, %k2 : f32
    %d = arith.divf %c, %k2 : f32
    %s = arith.mulf %d, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// (x * relu6(x + 3)) / 6
// CHECK-LABEL: func @hardswish_product_first(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_product_first(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 6.0 : f32
  %k2 = arith.constant 0.0 : f32
  %k3 = arith.constant 0.16666667 : f32
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
    %a = arith.addf %v, %k0 : f32
    %b = arith.minimumf %a, %k1 : f32
    %c = arith.maximumf %b, %k2 : f32
    %d = arith.mulf %v, %c : f32
    %s = arith.mulf %d, %k3 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// x * clamp(x / 6 + 1 / 2, 0, 1)
// CHECK-LABEL: func @hardswish_hardsigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_hardsigmoid(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.166666672 : f32
  %k1 = arith.constant 0.5 : f32
  %k2 = arith.constant 1.0 : f32
  %k3 = arith.constant 0.0 : f32
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
    %a = arith.addf %m, %k1 : f32
    %b = arith.minimumf %a, %k2 : f32
    %c = arith.maximumf %b, %k3 : f32
    %s = arith.mulf %v, %c : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @hardswish_scaled_first(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_scaled_first(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 6.0 : f32
  %k1 = arith.constant 3.0 : f32
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
    %m = arith.divf %v, %k0 : f32
    %a = arith.addf %v, %k1 : f32
    %b = arith.maxnumf %a, %k2 : f32
    %c = arith.minnumf %b, %k0 : f32
    %s = arith.mulf %m, %c : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// The pieces one by one.
// CHECK-LABEL: func @hardswish_selects(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_selects(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 0.16666667 : f32
  %k2 = arith.constant -3.0 : f32
  %k3 = arith.constant 0.0 : f32
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
    %a = arith.addf %v, %k0 : f32
    %b = arith.mulf %v, %a : f32
    %m = arith.mulf %b, %k1 : f32
    %q = arith.cmpf ole, %v, %k2 : f32
    %s = arith.select %q, %k3, %m : f32
    %p = arith.cmpf oge, %v, %k0 : f32
    %t = arith.select %p, %v, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
