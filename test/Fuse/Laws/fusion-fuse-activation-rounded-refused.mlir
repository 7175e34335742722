// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// In bf16 numbers are compared as bf16 tells them apart, and no more.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// 1 / sqrt(2) is 0.70703125 in bf16, this is two further.
func.func @gelu_of_other_root(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 0.71484375 : bf16
  %k1 = arith.constant 1.0 : bf16
  %k2 = arith.constant 0.5 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %m = arith.mulf %v, %k0 : bf16
    %t = math.erf %m : bf16
    %a = arith.addf %t, %k1 : bf16
    %h = arith.mulf %v, %k2 : bf16
    %s = arith.mulf %a, %h : bf16
    linalg.yield %s : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

// The next number of bf16 behind 1.
func.func @silu_of_more_than_one(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 1.0078125 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %n = arith.negf %v : bf16
    %u = math.exp %n : bf16
    %a = arith.addf %u, %k0 : bf16
    %s = arith.divf %v, %a : bf16
    linalg.yield %s : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

// The next number of bf16 in front of 1.
func.func @silu_of_less_than_one(%image: tensor<2x3x10x11xbf16>, %filter: tensor<5x3x3x2xbf16>) -> tensor<2x5x6x13xbf16> {
  %k0 = arith.constant 0.99609375 : bf16
  %zeros = arith.constant dense<0.0> : tensor<2x5x6x13xbf16>
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<2x5x6x13xbf16>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x10x11xbf16> to tensor<2x3x13x14xbf16>
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xbf16>, tensor<5x3x3x2xbf16>) outs(%zeros : tensor<2x5x6x13xbf16>) -> tensor<2x5x6x13xbf16>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xbf16>) outs(%empty : tensor<2x5x6x13xbf16>) {
  ^bb0(%v: bf16, %out: bf16):
    %n = arith.negf %v : bf16
    %u = math.exp %n : bf16
    %a = arith.addf %u, %k0 : bf16
    %s = arith.divf %v, %a : bf16
    linalg.yield %s : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

func.func @quantised_root(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias, sqrt; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %m = math.sqrt %v : f32
    %h = arith.truncf %m : f32 to f8E4M3FN
    %s = arith.extf %h : f8E4M3FN to f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// Eight bits are meant to be seen.
func.func @quantised_on_the_way(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%v: f32, %out: f32):
    %b = arith.truncf %v : f32 to f8E4M3FN
    %h = arith.extf %b : f8E4M3FN to f32
    %n = arith.negf %h : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %k0, %a : f32
    %m = arith.mulf %d, %v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
