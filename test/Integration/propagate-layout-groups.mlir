// RUN: %python %S/verify-functions.py %s --fused=group_norm:2,all_channels:2,sum_of_branches:2,accumulated:2,elsewhere:2,other_sizes:2 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.transpose

// The executed twin of Transforms/fusion-propagate-layout-groups.mlir, as front ends
// write it. Two transposes are left, more only where the test of the pass says so.

// CHECK: {{^}}6 functions agree, 12 fused ops

#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#all4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>

// Two channels make a group.
// IR-LABEL: func.func @group_norm(
// IR-COUNT-2: linalg.transpose
func.func @group_norm(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %gamma: tensor<6xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ed = tensor.empty() : tensor<2x3x70xf64>
  %d = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g : tensor<2x3x70xf32>) outs(%ed : tensor<2x3x70xf64>) {
  ^bb0(%a: f32, %b: f64):
    %val = arith.extf %a : f32 to f64
    linalg.yield %val : f64
  } -> tensor<2x3x70xf64>
  %em = tensor.empty() : tensor<2x3x1xf64>
  %zd = arith.constant 0.0 : f64
  %fm = linalg.fill ins(%zd : f64) outs(%em : tensor<2x3x1xf64>) -> tensor<2x3x1xf64>
  %s = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%d : tensor<2x3x70xf64>) outs(%fm : tensor<2x3x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.addf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x3x1xf64>
  %n = arith.constant 70.0 : f64
  %mean = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x3x1xf64>) outs(%em : tensor<2x3x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.divf %a, %n : f64
    linalg.yield %val : f64
  } -> tensor<2x3x1xf64>
  %z = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %mean : tensor<2x3x70xf64>, tensor<2x3x1xf64>) outs(%ed : tensor<2x3x70xf64>) {
  ^bb0(%a: f64, %b: f64, %l: f64):
    %val = arith.subf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x3x70xf64>
  %q = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %z : tensor<2x3x70xf64>, tensor<2x3x70xf64>) outs(%ed : tensor<2x3x70xf64>) {
  ^bb0(%a: f64, %b: f64, %l: f64):
    %val = arith.mulf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x3x70xf64>
  %v = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q : tensor<2x3x70xf64>) outs(%fm : tensor<2x3x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.addf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x3x1xf64>
  %e1 = tensor.empty() : tensor<2x3x1xf32>
  %eps = arith.constant 1.0e-03 : f64
  %k = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<2x3x1xf64>) outs(%e1 : tensor<2x3x1xf32>) {
  ^bb0(%a: f64, %b: f32):
    %k1 = arith.divf %a, %n : f64
    %k2 = arith.addf %k1, %eps : f64
    %k3 = arith.truncf %k2 : f64 to f32
    %k4 = math.rsqrt %k3 : f32
    linalg.yield %k4 : f32
  } -> tensor<2x3x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %t = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<2x3x70xf32>) outs(%f1 : tensor<2x3x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.addf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x1xf32>
  %nf = arith.constant 70.0 : f32
  %mf = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<2x3x1xf32>) outs(%e1 : tensor<2x3x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.divf %a, %nf : f32
    linalg.yield %val : f32
  } -> tensor<2x3x1xf32>
  %eg = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %mf : tensor<2x3x70xf32>, tensor<2x3x1xf32>) outs(%eg : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.subf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %o = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %k : tensor<2x3x70xf32>, tensor<2x3x1xf32>) outs(%eg : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %wholef = tensor.collapse_shape %o [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %whole = tensor.expand_shape %wholef [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %scale = tensor.expand_shape %gamma [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
  %m = linalg.generic {indexing_maps = [#all4, #channel, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%whole, %scale : tensor<2x6x5x7xf32>, tensor<6x1x1xf32>) outs(%ec : tensor<2x6x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// So do all of them.
// IR-LABEL: func.func @all_channels(
// IR-COUNT-2: linalg.transpose
func.func @all_channels(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %gamma: tensor<6xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 1, 210] : tensor<2x210xf32> into tensor<2x1x210xf32>
  %ed = tensor.empty() : tensor<2x1x210xf64>
  %d = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g : tensor<2x1x210xf32>) outs(%ed : tensor<2x1x210xf64>) {
  ^bb0(%a: f32, %b: f64):
    %val = arith.extf %a : f32 to f64
    linalg.yield %val : f64
  } -> tensor<2x1x210xf64>
  %em = tensor.empty() : tensor<2x1x1xf64>
  %zd = arith.constant 0.0 : f64
  %fm = linalg.fill ins(%zd : f64) outs(%em : tensor<2x1x1xf64>) -> tensor<2x1x1xf64>
  %s = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%d : tensor<2x1x210xf64>) outs(%fm : tensor<2x1x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.addf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x1x1xf64>
  %n = arith.constant 210.0 : f64
  %mean = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x1x1xf64>) outs(%em : tensor<2x1x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.divf %a, %n : f64
    linalg.yield %val : f64
  } -> tensor<2x1x1xf64>
  %z = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %mean : tensor<2x1x210xf64>, tensor<2x1x1xf64>) outs(%ed : tensor<2x1x210xf64>) {
  ^bb0(%a: f64, %b: f64, %l: f64):
    %val = arith.subf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x1x210xf64>
  %q = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%z, %z : tensor<2x1x210xf64>, tensor<2x1x210xf64>) outs(%ed : tensor<2x1x210xf64>) {
  ^bb0(%a: f64, %b: f64, %l: f64):
    %val = arith.mulf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x1x210xf64>
  %v = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q : tensor<2x1x210xf64>) outs(%fm : tensor<2x1x1xf64>) {
  ^bb0(%a: f64, %b: f64):
    %val = arith.addf %a, %b : f64
    linalg.yield %val : f64
  } -> tensor<2x1x1xf64>
  %e1 = tensor.empty() : tensor<2x1x1xf32>
  %eps = arith.constant 1.0e-03 : f64
  %k = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<2x1x1xf64>) outs(%e1 : tensor<2x1x1xf32>) {
  ^bb0(%a: f64, %b: f32):
    %k1 = arith.divf %a, %n : f64
    %k2 = arith.addf %k1, %eps : f64
    %k3 = arith.truncf %k2 : f64 to f32
    %k4 = math.rsqrt %k3 : f32
    linalg.yield %k4 : f32
  } -> tensor<2x1x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %t = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<2x1x210xf32>) outs(%f1 : tensor<2x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.addf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x1x1xf32>
  %nf = arith.constant 210.0 : f32
  %mf = linalg.generic {indexing_maps = [#kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<2x1x1xf32>) outs(%e1 : tensor<2x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.divf %a, %nf : f32
    linalg.yield %val : f32
  } -> tensor<2x1x1xf32>
  %eg = tensor.empty() : tensor<2x1x210xf32>
  %y = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %mf : tensor<2x1x210xf32>, tensor<2x1x1xf32>) outs(%eg : tensor<2x1x210xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.subf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x1x210xf32>
  %o = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %k : tensor<2x1x210xf32>, tensor<2x1x1xf32>) outs(%eg : tensor<2x1x210xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x1x210xf32>
  %wholef = tensor.collapse_shape %o [[0], [1, 2]] : tensor<2x1x210xf32> into tensor<2x210xf32>
  %whole = tensor.expand_shape %wholef [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %scale = tensor.expand_shape %gamma [[0, 1, 2]] output_shape [6, 1, 1] : tensor<6xf32> into tensor<6x1x1xf32>
  %m = linalg.generic {indexing_maps = [#all4, #channel, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%whole, %scale : tensor<2x6x5x7xf32>, tensor<6x1x1xf32>) outs(%ec : tensor<2x6x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// Two operands in the same layout, and one that comes from elsewhere.
// IR-LABEL: func.func @sum_of_branches(
// IR-COUNT-3: linalg.transpose
func.func @sum_of_branches(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %q: tensor<2x3x70xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %he = tensor.empty() : tensor<2x6x5x7xf32>
  %h = linalg.exp ins(%conv : tensor<2x6x5x7xf32>) outs(%he : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %kf = tensor.collapse_shape %h [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %k = tensor.expand_shape %kf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ea = tensor.empty() : tensor<2x3x70xf32>
  %s = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %k : tensor<2x3x70xf32>, tensor<2x3x70xf32>) outs(%ea : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %q : tensor<2x3x70xf32>, tensor<2x3x70xf32>) outs(%ea : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.addf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// An op that reads the groups as its destination.
// IR-LABEL: func.func @accumulated(
// IR-COUNT-3: linalg.transpose
func.func @accumulated(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %q: tensor<2x3x70xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x3x70xf32>) outs(%g : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// A reader that needs the order of channels first: a transpose for it.
// IR-LABEL: func.func @elsewhere(
// IR-COUNT-3: linalg.transpose
func.func @elsewhere(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> (tensor<2x4x4x5xf32>, tensor<2x3x70xf32>) {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ye = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.exp ins(%g : tensor<2x3x70xf32>) outs(%ye : tensor<2x3x70xf32>) -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r, %g : tensor<2x4x4x5xf32>, tensor<2x3x70xf32>
}

// Ten groups of 21 elements: a group begins inside a channel.
// IR-LABEL: func.func @other_sizes(
// IR-COUNT-4: linalg.transpose
func.func @other_sizes(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %q: tensor<2x10x21xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %conv = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%fc : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 10, 21] : tensor<2x210xf32> into tensor<2x10x21xf32>
  %ea = tensor.empty() : tensor<2x10x21xf32>
  %y = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %q : tensor<2x10x21xf32>, tensor<2x10x21xf32>) outs(%ea : tensor<2x10x21xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x10x21xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x10x21xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%fr : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}
