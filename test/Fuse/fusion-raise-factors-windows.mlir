// Convolutions whose factors their bodies compute, as linalg-fuse-elementwise-ops leaves them: the
// factor becomes an op of its own.
// Executed in Integration/raise.test.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#in = affine_map<(n, f, h, w, c, i, j) -> (n, c, h * 2 + i, w + j)>
#unit = affine_map<(n, f, h, w, c, i, j) -> (c, 0, 0)>
#channel = affine_map<(n, f, h, w, c, i, j) -> (c)>
#of = affine_map<(n, f, h, w, c, i, j) -> (f)>
#filter = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#out = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
#gin = affine_map<(n, h, w, g, f, i, j, c) -> (n, h * 2 + i, w + j, g, c)>
#gfilter = affine_map<(n, h, w, g, f, i, j, c) -> (i, j, c, f, g)>
#gout = affine_map<(n, h, w, g, f, i, j, c) -> (n, h, w, g, f)>
#sin = affine_map<(n, f, h, w, c) -> (n, c, h * 2, w)>
#pin = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#sfilter = affine_map<(n, f, h, w, c) -> (f, c)>
#out5 = affine_map<(n, f, h, w, c) -> (n, f, h, w)>

// Batch norm and relu in front of the convolution.
func.func @preactivation(%x: tensor<2x3x9x7xf32>, %s: tensor<3x1x1xf32>, %b: tensor<3xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#in, #unit, #channel, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %s, %b, %w : tensor<2x3x9x7xf32>, tensor<3x1x1xf32>, tensor<3xf32>, tensor<5x3x3x2xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %e: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.mulf %a, %c : f32
    %1 = arith.addf %0, %d : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.mulf %2, %e : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// A scale for each filter, and the filter comes first.
func.func @scaled_filter(%w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %x: tensor<2x3x9x7xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#filter, #of, #in, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%w, %s, %x : tensor<5x3x3x2xf32>, tensor<5xf32>, tensor<2x3x9x7xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%e: f32, %c: f32, %a: f32, %acc: f32):
    %0 = arith.mulf %e, %c : f32
    %1 = arith.mulf %0, %a : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// Both factors are computed.
func.func @both(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #of, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w, %s : tensor<2x3x9x7xf32>, tensor<5x3x3x2xf32>, tensor<5xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%a: f32, %e: f32, %c: f32, %acc: f32):
    %t = math.tanh %a : f32
    %0 = arith.mulf %e, %c : f32
    %1 = arith.mulf %t, %0 : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// In groups, with channels last.
func.func @groups(%x: tensor<2x9x7x2x3xf32>, %w: tensor<3x2x3x4x2xf32>, %o: tensor<2x4x6x2x4xf32>) -> tensor<2x4x6x2x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#gin, #gfilter, #gout], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x9x7x2x3xf32>, tensor<3x2x3x4x2xf32>) outs(%o : tensor<2x4x6x2x4xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %t = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x4x6x2x4xf32>
  return %r : tensor<2x4x6x2x4xf32>
}

// 1x1 with strides, without loops over the window.
func.func @strided(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3xf32>, %o: tensor<2x5x5x7xf32>) -> tensor<2x5x5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#sin, #sfilter, #out5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x9x7xf32>, tensor<5x3xf32>) outs(%o : tensor<2x5x5x7xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %t = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x5x7xf32>
  return %r : tensor<2x5x5x7xf32>
}

// A filter in bf16 becomes one in f32.
func.func @widened_filter(%w: tensor<5x3x3x2xbf16>, %x: tensor<2x3x9x7xf32>, %o: tensor<2x5x4x6xf32>) -> tensor<2x5x4x6xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#filter, #in, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%w, %x : tensor<5x3x3x2xbf16>, tensor<2x3x9x7xf32>) outs(%o : tensor<2x5x4x6xf32>) {
  ^bb0(%e: bf16, %a: f32, %acc: f32):
    %0 = arith.extf %e : bf16 to f32
    %1 = arith.mulf %0, %a : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x4x6xf32>
  return %r : tensor<2x5x4x6xf32>
}

// 1x1 in the pixels of images with channels first.
func.func @pixels(%x: tensor<2x3x5x7xf32>, %w: tensor<5x3xf32>, %o: tensor<2x5x5x7xf32>) -> tensor<2x5x5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#pin, #sfilter, #out5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x5x7xf32>, tensor<5x3xf32>) outs(%o : tensor<2x5x5x7xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %zero = arith.constant 0.0 : f32
    %t = arith.maximumf %a, %zero : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x5x7xf32>
  return %r : tensor<2x5x5x7xf32>
}

// A window with steps at a single place.
func.func @one_place(%x: tensor<9x3x5xf32>, %w: tensor<2x5x3xf32>, %o: tensor<5x2xf32>) -> tensor<5x2xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, k, f, c) -> (k * 2, c, n)>, affine_map<(n, k, f, c) -> (f, k, c)>, affine_map<(n, k, f, c) -> (n, f)>], iterator_types = ["parallel", "reduction", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x3x5xf32>, tensor<2x5x3xf32>) outs(%o : tensor<5x2xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %t = math.tanh %a : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

// One output channel, and a batch on either side of a window with steps.
func.func @batch_around(%x: tensor<7x5x4x2xf32>, %w: tensor<2x3xf32>, %o: tensor<7x4xf32>) -> tensor<7x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, m, k, c) -> (n, k * 2, m, c)>, affine_map<(n, m, k, c) -> (c, k)>, affine_map<(n, m, k, c) -> (n, m)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<7x5x4x2xf32>, tensor<2x3xf32>) outs(%o : tensor<7x4xf32>) {
  ^bb0(%a: f32, %e: f32, %acc: f32):
    %t = math.tanh %a : f32
    %1 = arith.mulf %t, %e : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<7x4xf32>
  return %r : tensor<7x4xf32>
}
