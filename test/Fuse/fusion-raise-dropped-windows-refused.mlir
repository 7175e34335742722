// Near misses of windows of one element without loops.
// ../Integration/raise-paths.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// Channels lie between the two dimensions of the batch and the windows.
func.func @apart(%x: tensor<2x4x3x7xf32>, %w: tensor<5x3x3xf32>, %r: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 2 batch dimensions, expected at most 1{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, m, f, w, c, k) -> (n, m, c, w + k)>, affine_map<(n, m, f, w, c, k) -> (f, c, k)>, affine_map<(n, m, f, w, c, k) -> (n, m, f, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x4x3x7xf32>, tensor<5x3x3xf32>) outs(%r : tensor<2x4x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5x5xf32>
  return %c : tensor<2x4x5x5xf32>
}

// Each second filter is read.
func.func @strided_filter(%x: tensor<2x9x3xf32>, %w: tensor<7x3xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: loop 2 is none of batch, group, channel or window{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, f, c) -> (n, h * 2, c)>, affine_map<(n, h, f, c) -> (f * 2, c)>, affine_map<(n, h, f, c) -> (n, h, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x9x3xf32>, tensor<7x3xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// The input has rows behind those that are read.
func.func @larger(%x: tensor<2x12x3xf32>, %w: tensor<4x3xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 'input' has size 12 in dimension 'w', of which the output reads only 9{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, f, c) -> (n, h * 2, c)>, affine_map<(n, h, f, c) -> (f, c)>, affine_map<(n, h, f, c) -> (n, h, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x12x3xf32>, tensor<4x3xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// Nothing is summed up, and the factor is one number: no convolution.
func.func @no_sum(%x: tensor<2x9x7xf32>, %w: tensor<f32>, %r: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, w) -> (n, h * 2, w)>, affine_map<(n, h, w) -> ()>, affine_map<(n, h, w) -> (n, h, w)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %w : tensor<2x9x7xf32>, tensor<f32>) outs(%r : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7xf32>
  return %c : tensor<2x5x7xf32>
}

// Images of four dimensions.
func.func @four(%x: tensor<2x3x2x3x4x5xf32>, %w: tensor<7x3xf32>, %r: tensor<2x7x2x3x4x5xf32>) -> tensor<2x7x2x3x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: the 4 batch dimensions of 'input' do not stand side by side in one order{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, a, b, d, e, c) -> (n, c, a, b, d, e)>, affine_map<(n, f, a, b, d, e, c) -> (f, c)>, affine_map<(n, f, a, b, d, e, c) -> (n, f, a, b, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x2x3x4x5xf32>, tensor<7x3xf32>) outs(%r : tensor<2x7x2x3x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x7x2x3x4x5xf32>
  return %c : tensor<2x7x2x3x4x5xf32>
}
