// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain --mlir-print-op-generic -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --implicit-check-not=activation --input-file=%t.mlir

// Several ops that are no activation together, or of which something else is used:
// none of them is folded or changed.
//
// IR-COUNT-9: fusion.fused_conv_bias_act

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#none = affine_map<(d0, d1, d2, d3) -> ()>

// The result of the convolution is returned as well.
func.func @result_used_too(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> (tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 3 users: {{.*}}
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
  return %t_r, %conv : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>
}

// The value in between is returned, too.
func.func @sigmoid_used_too(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> (tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 2 users: {{.*}}
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
  return %t_r, %t_s : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>
}

// x * tanh(x) is none.
func.func @other_product(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x13xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 3] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x11xf32> to tensor<2x3x13x14xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x13xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 2 users: {{.*}}
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %n = math.tanh %in_v : f32
    linalg.yield %n : f32
  } -> tensor<2x5x6x13xf32>
  %t_r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s, %conv : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_s: f32, %in_v: f32, %out: f32):
    %m = arith.mulf %in_s, %in_v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %t_r : tensor<2x5x6x13xf32>
}

func.func @hardswish_plus_two(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 2.0 : f32
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 2 users: {{.*}}
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

func.func @mask_of_one(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %k0 = arith.constant 1.0 : f32
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 3 users: {{.*}}
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

// The sigmoid is of another tensor.
func.func @silu_of_another_tensor(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>, %other: tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; {{.*}}scale{{.*}}
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%other : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
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

// The second op reads the sigmoid transposed.
func.func @sigmoid_of_the_transpose(%image: tensor<2x3x10x7xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x6xf32> {
  %k0 = arith.constant 1.0 : f32
  %bias = arith.constant dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x5x6x6xf32>
  %padded = tensor.pad %image low[0, 0, 1, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x10x7xf32> to tensor<2x3x13x7xf32>
  %rows = linalg.broadcast ins(%bias : tensor<5xf32>) outs(%empty : tensor<2x5x6x6xf32>) dimensions = [0, 2, 3]
  %conv = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%padded, %filter : tensor<2x3x13x7xf32>, tensor<5x3x3x2xf32>) outs(%rows : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 2 users: {{.*}}
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x6xf32>) outs(%empty : tensor<2x5x6x6xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %n = arith.negf %in_v : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %k0 : f32
    %d = arith.divf %k0, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x6xf32>
  %t_r = linalg.generic {indexing_maps = [#swapped, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_s, %conv : tensor<2x5x6x6xf32>, tensor<2x5x6x6xf32>) outs(%empty : tensor<2x5x6x6xf32>) {
  ^bb0(%in_s: f32, %in_v: f32, %out: f32):
    %m = arith.mulf %in_s, %in_v : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x6xf32>
  return %t_r : tensor<2x5x6x6xf32>
}

// The first op does something else too.
func.func @assertion_inside(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; unsupported: 'cf.assert' in 'linalg.generic' has side effects{{$}}
  %t_s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%conv : tensor<2x5x6x13xf32>) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_v: f32, %out: f32):
    %n = arith.negf %in_v : f32
    %ok = arith.cmpf one, %in_v, %k0 : f32
    cf.assert %ok, "must not be 1"
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

func.func @slope_known_at_run_time(%image: tensor<2x3x10x11xf32>, %filter: tensor<5x3x3x2xf32>, %slope: f32) -> tensor<2x5x6x13xf32> {
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
  // CHECK: :[[#@LINE-1]]:11: partly fused: pad, bias; result has 2 users: {{.*}}
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
  %t_m = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t_n, %slope : tensor<2x5x6x13xf32>, f32) outs(%empty : tensor<2x5x6x13xf32>) {
  ^bb0(%in_n: f32, %in_slope: f32, %out: f32):
    %a = arith.mulf %in_n, %in_slope : f32
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
