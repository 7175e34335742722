// Windows of one element, whose loops upstream's linalg-fold-unit-extent-dims drops.
// ../Integration/raise-paths.test runs all of it.

// RUN: fusion-opt %s --fusion-raise -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// IR: fused_conv_bias_act strides [2, 3] layouts(nhwc, fchw, nhwc)
// IR: fused_conv_bias_act strides [2, 1]{{ ins\(}}
// IR: fused_conv_bias_act strides [2] layouts(nwc, wcf, nwc)
// IR: fused_conv_bias_act strides [2, 1]{{ ins\(}}
// IR: fused_conv_bias_act layouts(nhwc, hwcf, nhwc)
// IR: fused_conv_bias_act{{ ins\(}}
// IR: fused_conv_bias_act strides [2, 1] groups 2{{ ins\(}}
// IR: fused_conv_bias_act{{ ins\(}}
// IR: fused_conv_bias_act{{ ins\(}}
// IR: fused_conv_bias_act layouts(nhwc, hwcf, nchw)
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<1x3x6x4x5xf32>,
// IR: fused_conv_bias_act strides [2, 1] ins(%{{.*}}, %{{.*}} : tensor<1x3x9x5xf32>,
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<1x3x4x7xf32>,
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x3x4x7xf32>,

// 1x1 with strides, as of the shortcut of a residual block.
func.func @strided(%x: tensor<2x9x7x3xf32>, %w: tensor<5x3xf32>, %r: tensor<2x5x3x5xf32>) -> tensor<2x5x3x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, c) -> (n, h * 2, w * 3, c)>, affine_map<(n, h, w, f, c) -> (f, c)>, affine_map<(n, h, w, f, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x9x7x3xf32>, tensor<5x3xf32>) outs(%r : tensor<2x5x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x3x5xf32>
  return %c : tensor<2x5x3x5xf32>
}

// In one dimension, with channels first.
func.func @strided_nchw(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3xf32>, %r: tensor<2x5x5x7xf32>) -> tensor<2x5x5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c) -> (n, c, h * 2, w)>, affine_map<(n, f, h, w, c) -> (f, c)>, affine_map<(n, f, h, w, c) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x9x7xf32>, tensor<5x3xf32>) outs(%r : tensor<2x5x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5x7xf32>
  return %c : tensor<2x5x5x7xf32>
}

// Each second row of a matrix.
func.func @strided_rows(%x: tensor<9x3xf32>, %w: tensor<3x5xf32>, %r: tensor<5x5xf32>) -> tensor<5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i * 2, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<9x3xf32>, tensor<3x5xf32>) outs(%r : tensor<5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x5xf32>
  return %c : tensor<5x5xf32>
}

// Windows of 3x1, whose width is no stride.
func.func @tall(%x: tensor<2x3x9x7xf32>, %w: tensor<5x3x3xf32>, %r: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, k) -> (n, c, h * 2 + k, w)>, affine_map<(n, f, h, w, c, k) -> (f, c, k)>, affine_map<(n, f, h, w, c, k) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x7xf32>, tensor<5x3x3xf32>) outs(%r : tensor<2x5x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4x7xf32>
  return %c : tensor<2x5x4x7xf32>
}

// Windows of 1x3, with channels last.
func.func @wide(%x: tensor<2x9x7x3xf32>, %w: tensor<3x3x5xf32>, %r: tensor<2x9x5x5xf32>) -> tensor<2x9x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, k, c) -> (n, h, w + k, c)>, affine_map<(n, h, w, f, k, c) -> (k, c, f)>, affine_map<(n, h, w, f, k, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x9x7x3xf32>, tensor<3x3x5xf32>) outs(%r : tensor<2x9x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x9x5x5xf32>
  return %c : tensor<2x9x5x5xf32>
}

// Windows of 3x1x1.
func.func @deep(%x: tensor<2x3x6x4x5xf32>, %w: tensor<5x3x3xf32>, %r: tensor<2x5x4x4x5xf32>) -> tensor<2x5x4x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, d, h, w, c, k) -> (n, c, d + k, h, w)>, affine_map<(n, f, d, h, w, c, k) -> (f, c, k)>, affine_map<(n, f, d, h, w, c, k) -> (n, f, d, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x6x4x5xf32>, tensor<5x3x3xf32>) outs(%r : tensor<2x5x4x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4x4x5xf32>
  return %c : tensor<2x5x4x4x5xf32>
}

// In groups.
func.func @grouped(%x: tensor<2x2x3x9x7xf32>, %w: tensor<2x4x3x3xf32>, %r: tensor<2x2x4x4x7xf32>) -> tensor<2x2x4x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, w, c, k) -> (n, g, c, h * 2 + k, w)>, affine_map<(n, g, f, h, w, c, k) -> (g, f, c, k)>, affine_map<(n, g, f, h, w, c, k) -> (n, g, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x2x3x9x7xf32>, tensor<2x4x3x3xf32>) outs(%r : tensor<2x2x4x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x4x4x7xf32>
  return %c : tensor<2x2x4x4x7xf32>
}

// 1x1, with channels first.
func.func @pixels(%x: tensor<2x3x4x7xf32>, %w: tensor<5x3xf32>, %r: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c) -> (n, c, h, w)>, affine_map<(n, f, h, w, c) -> (f, c)>, affine_map<(n, f, h, w, c) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x4x7xf32>, tensor<5x3xf32>) outs(%r : tensor<2x5x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4x7xf32>
  return %c : tensor<2x5x4x7xf32>
}

// The filter comes first.
func.func @filter_first(%x: tensor<5x3xf32>, %w: tensor<2x3x7xf32>, %r: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, w, c) -> (f, c)>, affine_map<(n, f, w, c) -> (n, c, w)>, affine_map<(n, f, w, c) -> (n, f, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x3xf32>, tensor<2x3x7xf32>) outs(%r : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7xf32>
  return %c : tensor<2x5x7xf32>
}

// From channels last to channels first.
func.func @from_last_to_first(%x: tensor<2x4x7x3xf32>, %w: tensor<3x5xf32>, %r: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c) -> (n, h, w, c)>, affine_map<(n, f, h, w, c) -> (c, f)>, affine_map<(n, f, h, w, c) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x4x7x3xf32>, tensor<3x5xf32>) outs(%r : tensor<2x5x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4x7xf32>
  return %c : tensor<2x5x4x7xf32>
}

// Windows of 3x1x1 of a single image, which has no loop.
func.func @deep_alone(%x: tensor<3x6x4x5xf32>, %w: tensor<7x3x3xf32>, %r: tensor<7x4x4x5xf32>) -> tensor<7x4x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(f, d, h, w, c, k) -> (c, d + k, h, w)>, affine_map<(f, d, h, w, c, k) -> (f, c, k)>, affine_map<(f, d, h, w, c, k) -> (f, d, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x6x4x5xf32>, tensor<7x3x3xf32>) outs(%r : tensor<7x4x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<7x4x4x5xf32>
  return %c : tensor<7x4x4x5xf32>
}

// Windows of 3x1 of a single image.
func.func @tall_alone(%x: tensor<3x9x5xf32>, %w: tensor<7x3x3xf32>, %r: tensor<7x4x5xf32>) -> tensor<7x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, k) -> (c, h * 2 + k, w)>, affine_map<(f, h, w, c, k) -> (f, c, k)>, affine_map<(f, h, w, c, k) -> (f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x9x5xf32>, tensor<7x3x3xf32>) outs(%r : tensor<7x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<7x4x5xf32>
  return %c : tensor<7x4x5xf32>
}

// Windows of 1x3 of a single image.
func.func @wide_alone(%x: tensor<3x4x7xf32>, %w: tensor<6x3x3xf32>, %r: tensor<6x4x5xf32>) -> tensor<6x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(f, h, w, c, k) -> (c, h, w + k)>, affine_map<(f, h, w, c, k) -> (f, c, k)>, affine_map<(f, h, w, c, k) -> (f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x4x7xf32>, tensor<6x3x3xf32>) outs(%r : tensor<6x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// 1x1 to a single channel, with channels first.
func.func @one_output_channel(%x: tensor<2x3x4x7xf32>, %w: tensor<3xf32>, %r: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, c, h, w)>, affine_map<(n, h, w, c) -> (c)>, affine_map<(n, h, w, c) -> (n, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x4x7xf32>, tensor<3xf32>) outs(%r : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %c : tensor<2x4x7xf32>
}
