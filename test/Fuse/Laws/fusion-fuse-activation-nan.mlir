// RUN: fusion-opt %s --fusion-optimize="nan-mode=propagate propagate-layout=false" --fusion-explain --mlir-print-op-generic -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST --implicit-check-not=fused:

// nan-mode=propagate: only an activation that gives a NaN for a NaN is folded.
//
// IR-COUNT-4: activation = #fusion.activation<{{swish|hardswish|gelu_erf}}{{.*}}nan_mode = #fusion.nan<propagate>
// IR-NOT: activation =
//
// FAST-COUNT-8: : fused: pad, bias, {{(swish|hardswish|gelu_erf|mish|elu)$}}

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Two ops.
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
  // CHECK: :[[#@LINE-1]]:11: fused: pad, bias, swish{{$}}
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
  // CHECK: :[[#@LINE-1]]:11: fused: pad, bias, hardswish{{$}}
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

// The clamp loses a NaN, the product has it again.
func.func @hardswish_maxnum(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: fused: pad, bias, hardswish{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %a = arith.addf %v, %k0 : f32
    %b = arith.maxnumf %a, %k1 : f32
    %c = arith.minnumf %b, %k2 : f32
    %d = arith.divf %c, %k2 : f32
    %s = arith.mulf %d, %v : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

func.func @gelu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 0.70710678 : f32
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
  // CHECK: :[[#@LINE-1]]:11: fused: pad, bias, gelu_erf{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = arith.mulf %v, %k0 : f32
    %t = math.erf %m : f32
    %a = arith.addf %t, %k1 : f32
    %h = arith.mulf %v, %k2 : f32
    %s = arith.mulf %a, %h : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// An unordered comparison makes 0 of NaN.
func.func @hardswish_select(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; nan-mode=propagate: next op may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %a = arith.addf %v, %k0 : f32
    %b = arith.mulf %v, %a : f32
    %m = arith.mulf %b, %k1 : f32
    %q = arith.cmpf ult, %v, %k2 : f32
    %s = arith.select %q, %k3, %m : f32
    %p = arith.cmpf oge, %v, %k0 : f32
    %t = arith.select %p, %v, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// Makes 0 of NaN.
func.func @silu_nan_to_zero(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; nan-mode=propagate: next op may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %n = arith.negf %v : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %v, %a : f32
    %q = arith.cmpf uno, %v, %v : f32
    %s = arith.select %q, %k1, %d : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// Kernels of mish may lose a NaN: the two ops are as they were.
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; nan-mode=propagate: kernels of 'mish' may lose a NaN{{$}}
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

func.func @elu(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; nan-mode=propagate: kernels of 'elu' may lose a NaN{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %u = math.expm1 %v : f32
    %q = arith.cmpf ogt, %v, %k0 : f32
    %s = arith.select %q, %v, %u : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
