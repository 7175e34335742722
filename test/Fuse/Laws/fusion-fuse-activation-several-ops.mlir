// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --convert-elementwise-to-linalg --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-morph-ops=named-to-category --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-specialize-generic-ops --linalg-fold-into-elementwise --fusion-optimize=propagate-layout=false | FileCheck %s

// Activations in several ops, which are folded as one: chains, and branches from the
// result that one op joins again.
// fusion-fuse-activation-several-ops-gelu.mlir has the others.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Two ops: the product reads the result again.
// CHECK-LABEL: func @silu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @silu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %n = arith.negf %in_v : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %k0, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s, %conv : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_s: f32, %in_v: f32, %out: f32):
    %m = arith.mulf %in_s, %in_v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// An op for each step.
// CHECK-LABEL: func @silu_swapped(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @silu_swapped(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.negf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %out: f32):
    %a = math.exp %in_n : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_u : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_u: f32, %out: f32):
    %b = arith.addf %in_u, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.divf %k0, %in_a : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_d : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_d: f32, %out: f32):
    %m = arith.mulf %in_v, %in_d : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// torch-mlir: four ops, of which the first and the last read the result.
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
  %t_a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %b = arith.addf %in_v, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_c = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.maximumf %in_a, %k1 : f32
    %d = arith.minimumf %b, %k2 : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %t_d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_c : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_c: f32, %out: f32):
    %b = arith.divf %in_c, %k2 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_d, %conv : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_d: f32, %in_v: f32, %out: f32):
    %m = arith.mulf %in_d, %in_v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// The last op of the activation does not read the convolution's result itself.
// CHECK-LABEL: func @hardswish_tosa(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_tosa(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 3.0 : f32
  %k1 = arith.constant 6.0 : f32
  %k2 = arith.constant 0.0 : f32
  %k3 = arith.constant 0.166666672 : f32
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
    %b = arith.addf %in_v, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_c = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.minimumf %in_a, %k1 : f32
    %d = arith.maximumf %b, %k2 : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %t_d = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv, %t_c : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %in_c: f32, %out: f32):
    %b = arith.mulf %in_v, %in_c : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_d : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_d: f32, %out: f32):
    %m = arith.mulf %in_d, %k3 : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// A chain whose first op would be a bias by itself.
// CHECK-LABEL: func @hardsigmoid_chain(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid_chain(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %t_a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %b = arith.addf %in_v, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_c = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.maximumf %in_a, %k1 : f32
    %d = arith.minimumf %b, %k2 : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %t_d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_c : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_c: f32, %out: f32):
    %b = arith.divf %in_c, %k2 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  return %t_d : tensor<2x5x6x13xf32>
}

// A chain whose first op would be a scale by itself, and whose second an exp.
// CHECK-LABEL: func @sigmoid_chain(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid_chain(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.negf %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_u = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %out: f32):
    %a = math.exp %in_n : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_u : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_u: f32, %out: f32):
    %b = arith.addf %in_u, %k0 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_a : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_a: f32, %out: f32):
    %b = arith.divf %k0, %in_a : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  return %t_d : tensor<2x5x6x13xf32>
}

// Four ops, of which two read the result.
// CHECK-LABEL: func @leaky_relu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act leaky_relu(1.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @leaky_relu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
  %k1 = arith.constant 0.1 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.maximumf %k0, %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_n = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.minimumf %k0, %in_v : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %out: f32):
    %a = arith.mulf %in_n, %k1 : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_p, %t_m : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_p: f32, %in_m: f32, %out: f32):
    %a = arith.addf %in_p, %in_m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// The comparison is a tensor of i1; three ops read the result.
// CHECK-LABEL: func @leaky_relu_mask(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act leaky_relu(1.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @leaky_relu_mask(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.0 : f32
  %k1 = arith.constant 0.1 : f32
  %bits = tensor.empty() : tensor<2x5x6x13xi1>
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %t_q = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%bits : tensor<2x5x6x13xi1>) {
  ^bb0(%in_v: f32, %out: i1):
    %a = arith.cmpf oge, %in_v, %k0 : f32
    linalg.yield %a : i1
  } -> tensor<2x5x6x13xi1>
  %t_m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %a = arith.mulf %in_v, %k1 : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_q, %conv, %t_m : tensor<2x5x6x13xi1>, tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_q: i1, %in_v: f32, %in_m: f32, %out: f32):
    %a = arith.select %in_q, %in_v, %in_m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

// CHECK-LABEL: func @elu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(1.500000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
  %k1 = arith.constant 1.5 : f32
  %k2 = arith.constant 0.0 : f32
  %bits = tensor.empty() : tensor<2x5x6x13xi1>
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
  %t_m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_u : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_u: f32, %out: f32):
    %a = arith.subf %in_u, %k0 : f32
    %b = arith.mulf %a, %k1 : f32
    linalg.yield %b : f32
  } -> tensor<2x5x6x13xf32>
  %t_q = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%bits : tensor<2x5x6x13xi1>) {
  ^bb0(%in_v: f32, %out: i1):
    %a = arith.cmpf ogt, %in_v, %k2 : f32
    linalg.yield %a : i1
  } -> tensor<2x5x6x13xi1>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_q, %conv, %t_m : tensor<2x5x6x13xi1>, tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_q: i1, %in_v: f32, %in_m: f32, %out: f32):
    %a = arith.select %in_q, %in_v, %in_m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}
