// RUN: %python %S/verify-functions.py %s --skip=pool_max,pool_sum \
// RUN:   --fused=index:2,two_results:2,permuted_map:2,mean:2,mean_of_rows:2,\
// RUN:mean_of_rows_kept:2,mean_of_channels_kept:2,diagonal:2,accumulated:2 | FileCheck %s
// RUN: fusion-run %s --entry=pool_max --verify | FileCheck %s --check-prefix=TWO
// RUN: fusion-run %s --entry=pool_sum --verify | FileCheck %s --check-prefix=TWO
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.transpose

// The executed twin of Transforms/fusion-propagate-layout-{linalg,reductions}.mlir.

// CHECK: {{^}}9 functions agree, 18 fused ops
// TWO: : 2 fused ops
// TWO: verify: agrees

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#rows = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel_row = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>
#to_last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#nc = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#ncw = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#nc1w = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#n1hw = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#diagonal = affine_map<(d0, d1, d2) -> (d0, d1, d2, d2)>

// Pools with windows, strides, dilations and padding that differ by dimension.
// IR-LABEL: func.func @pool_max(
// IR-COUNT-2: linalg.transpose
func.func @pool_max(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x2x4xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p0 = arith.constant 0xFF800000 : f32
  %q = tensor.pad %c low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %p0 : f32
  } : tensor<2x5x7x10xf32> to tensor<2x5x8x11xf32>
  %ep = tensor.empty() : tensor<2x5x2x5xf32>
  %f = linalg.fill ins(%p0 : f32) outs(%ep : tensor<2x5x2x5xf32>) -> tensor<2x5x2x5xf32>
  %win = tensor.empty() : tensor<3x2xf32>
  %m = linalg.pooling_nchw_max {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%q, %win : tensor<2x5x8x11xf32>, tensor<3x2xf32>) outs(%f : tensor<2x5x2x5xf32>) -> tensor<2x5x2x5xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x2x4xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x2x5xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32>
  return %r : tensor<2x4x2x4xf32>
}

// IR-LABEL: func.func @pool_sum(
// IR-COUNT-2: linalg.transpose
func.func @pool_sum(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x4x3xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p0 = arith.constant 0.0 : f32
  %q = tensor.pad %c low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %p0 : f32
  } : tensor<2x5x7x10xf32> to tensor<2x5x9x10xf32>
  %ep = tensor.empty() : tensor<2x5x4x4xf32>
  %f = linalg.fill ins(%p0 : f32) outs(%ep : tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  %win = tensor.empty() : tensor<3x2xf32>
  %m = linalg.pooling_nchw_sum {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<[2, 2]> : tensor<2xi64>} ins(%q, %win : tensor<2x5x9x10xf32>, tensor<3x2xf32>) outs(%f : tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x4x3xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x4x4xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
  return %r : tensor<2x4x4x3xf32>
}

// Ops of linalg that know where they are, have two results, permute, reduce.
// IR-LABEL: func.func @index(
// IR-COUNT-2: linalg.transpose
func.func @index(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %0 = arith.muli %i, %c7 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.muli %1, %k : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = math.sin %4 : f32
    %s = arith.addf %a, %5 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @two_results(
// IR-COUNT-2: linalg.transpose
func.func @two_results(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5x2x10x7xf32>
  %g:2 = linalg.generic {indexing_maps = [#all, #all, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e, %e1 : tensor<2x5x7x10xf32>, tensor<5x2x10x7xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %s = math.cos %a : f32
    %s2 = math.exp %a : f32
    linalg.yield %s, %s2 : f32, f32
  } -> (tensor<2x5x7x10xf32>, tensor<5x2x10x7xf32>)
  %t = linalg.transpose ins(%g#1 : tensor<5x2x10x7xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [1, 0, 3, 2]
  %m = linalg.sub ins(%g#0, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @permuted_map(
// IR-COUNT-2: linalg.transpose
func.func @permuted_map(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<7xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %g = linalg.generic {indexing_maps = [#all, #to_last], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = math.cos %a : f32
    linalg.yield %s : f32
  } -> tensor<2x7x10x5xf32>
  %h = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #rows, #all] ins(%g, %q : tensor<2x7x10x5xf32>, tensor<7xf32>) outs(%e1 : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.transpose ins(%h : tensor<2x7x10x5xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @mean(
// IR-COUNT-2: linalg.transpose
func.func @mean(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y0 = arith.constant 0.0 : f32
  %y1 = tensor.empty() : tensor<2x5xf32>
  %y2 = linalg.fill ins(%y0 : f32) outs(%y1 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %red = linalg.generic {indexing_maps = [#all, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%c : tensor<2x5x7x10xf32>) outs(%y2 : tensor<2x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#nc, #all, #all] ins(%red, %c : tensor<2x5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @mean_of_rows(
// IR-COUNT-2: linalg.transpose
func.func @mean_of_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y0 = arith.constant 0.0 : f32
  %y1 = tensor.empty() : tensor<2x5x10xf32>
  %y2 = linalg.fill ins(%y0 : f32) outs(%y1 : tensor<2x5x10xf32>) -> tensor<2x5x10xf32>
  %red = linalg.generic {indexing_maps = [#all, #ncw], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%y2 : tensor<2x5x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#ncw, #all, #all] ins(%red, %c : tensor<2x5x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @mean_of_rows_kept(
// IR-COUNT-2: linalg.transpose
func.func @mean_of_rows_kept(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y0 = arith.constant 0.0 : f32
  %y1 = tensor.empty() : tensor<2x5x1x10xf32>
  %y2 = linalg.fill ins(%y0 : f32) outs(%y1 : tensor<2x5x1x10xf32>) -> tensor<2x5x1x10xf32>
  %red = linalg.generic {indexing_maps = [#all, #nc1w], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%y2 : tensor<2x5x1x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x1x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#nc1w, #all, #all] ins(%red, %c : tensor<2x5x1x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @mean_of_channels_kept(
// IR-COUNT-2: linalg.transpose
func.func @mean_of_channels_kept(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y0 = arith.constant 0.0 : f32
  %y1 = tensor.empty() : tensor<2x1x7x10xf32>
  %y2 = linalg.fill ins(%y0 : f32) outs(%y1 : tensor<2x1x7x10xf32>) -> tensor<2x1x7x10xf32>
  %red = linalg.generic {indexing_maps = [#all, #n1hw], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%y2 : tensor<2x1x7x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x1x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#n1hw, #all, #all] ins(%red, %c : tensor<2x1x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// IR-LABEL: func.func @diagonal(
// IR-COUNT-4: linalg.transpose
func.func @diagonal(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x1x6xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %q = tensor.extract_slice %c[0, 0, 0, 1] [2, 5, 7, 7] [1, 1, 1, 1] : tensor<2x5x7x10xf32> to tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %d = linalg.generic {indexing_maps = [#diagonal, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x5x7xf32>
  %m = tensor.expand_shape %d [[0], [1], [2, 3]] output_shape [2, 5, 1, 7] : tensor<2x5x7xf32> into tensor<2x5x1x7xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x1x6xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x1x7xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
  return %r : tensor<2x4x1x6xf32>
}

// IR-LABEL: func.func @accumulated(
// IR-COUNT-4: linalg.transpose
func.func @accumulated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>, %d: tensor<5x7xf32>) -> tensor<2x4x7x9xf32> {
  %zc = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %fc = linalg.fill ins(%zc : f32) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%fc : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all, #channel_row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %d : tensor<2x5x7x10xf32>, tensor<5x7xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %out, %b : f32
    %1 = math.sin %0 : f32
    %2 = arith.mulf %1, %a : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  %zr = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %fr = linalg.fill ins(%zr : f32) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%fr : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}
