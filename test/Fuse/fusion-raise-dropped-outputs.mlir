// Windows with a single place in one dimension, whose loop over the output
// upstream's linalg-fold-unit-extent-dims drops.
// ../Integration/raise-paths.test runs all of it.

// RUN: fusion-opt %s --fusion-raise -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// IR: @last_window(
// IR: fused_conv_bias_act strides [2, 1]{{ ins\(}}
// IR: @last_window_nhwc(
// IR: fused_conv_bias_act layouts(nhwc, hwcf, nhwc)
// IR: @last_window_fhwc(
// IR: fused_conv_bias_act layouts(nhwc, fhwc, nhwc)
// IR: @first_window_fhwc(
// IR: fused_conv_bias_act strides [1, 2] layouts(nhwc, fhwc, nhwc)
// IR: @first_window(
// IR: fused_conv_bias_act{{ ins\(}}
// IR: @dilated(
// IR: fused_conv_bias_act dilations [1, 3]{{ ins\(}}
// IR: @one_channel(
// IR: fused_conv_bias_act dilations [1, 2]{{ ins\(}}
// IR: @deep(
// IR: fused_conv_bias_act strides [2, 1, 1]{{ ins\(}}
// IR: @middle(
// IR: fused_conv_bias_act{{ ins\(}}
// IR: @depthwise(
// IR: fused_conv_bias_act strides [2, 1] groups 3 layouts(nhwc, hwcf, nhwc)
// IR: @depthwise_nchw(
// IR: fused_conv_bias_act groups 3{{ ins\(}}
// IR: @depthwise_nchw_wide(
// IR: fused_conv_bias_act groups 3{{ ins\(}}
// IR: @grouped(
// IR: fused_conv_bias_act groups 2{{ ins\(}}
// IR: @grouped_last(
// IR: fused_conv_bias_act groups 2 layouts(nhwc, hwcf, nhwc)
// IR: @grouped_alone(
// IR: fused_conv_bias_act groups 2 ins(%{{.*}}, %{{.*}} : tensor<2x6x7x4xf32>,
// IR: @filter_first(
// IR: fused_conv_bias_act strides [2, 1]{{ ins\(}}
// IR: @every_other(
// IR: fused_conv_bias_act strides [2, 1] dilations [1, 2] layouts(nchw, fchw, nhwc)
// IR: @number(
// IR: fused_conv_bias_act dilations [2] {{.*}}ins({{.*}}tensor<1x1x9xf32>, tensor<1x1x5xf32>) bias({{.*}}tensor<1xf32>){{.*}} -> tensor<1x1x1xf32>
// IR: collapse_shape %{{.*}} [] : tensor<1x1x1xf32> into tensor<f32>

// The last windows of rows are as wide as the image, with channels first.
func.func @last_window(%x: tensor<2x3x9x4xf32>, %w: tensor<5x3x3x4xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, c, k, l) -> (n, c, h * 2 + k, l)>, affine_map<(n, f, h, c, k, l) -> (f, c, k, l)>, affine_map<(n, f, h, c, k, l) -> (n, f, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x4xf32>, tensor<5x3x3x4xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// With channels last, and a filter as linalg and as TOSA have it.
func.func @last_window_nhwc(%x: tensor<2x7x4x3xf32>, %w: tensor<3x4x3x5xf32>, %r: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, f, k, l, c) -> (n, h + k, l, c)>, affine_map<(n, h, f, k, l, c) -> (k, l, c, f)>, affine_map<(n, h, f, k, l, c) -> (n, h, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x7x4x3xf32>, tensor<3x4x3x5xf32>) outs(%r : tensor<2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5xf32>
  return %c : tensor<2x5x5xf32>
}

func.func @last_window_fhwc(%x: tensor<2x7x4x3xf32>, %w: tensor<5x3x4x3xf32>, %r: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, f, k, l, c) -> (n, h + k, l, c)>, affine_map<(n, h, f, k, l, c) -> (f, k, l, c)>, affine_map<(n, h, f, k, l, c) -> (n, h, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x7x4x3xf32>, tensor<5x3x4x3xf32>) outs(%r : tensor<2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5xf32>
  return %c : tensor<2x5x5xf32>
}

// The windows of columns are as high as the image.
func.func @first_window_fhwc(%x: tensor<2x4x9x3xf32>, %w: tensor<5x4x3x3xf32>, %r: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, l, c) -> (n, k, w * 2 + l, c)>, affine_map<(n, w, f, k, l, c) -> (f, k, l, c)>, affine_map<(n, w, f, k, l, c) -> (n, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x4x9x3xf32>, tensor<5x4x3x3xf32>) outs(%r : tensor<2x4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

func.func @first_window(%x: tensor<2x3x4x7xf32>, %w: tensor<5x3x4x3xf32>, %r: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, k, l) -> (n, c, k, w + l)>, affine_map<(n, f, w, c, k, l) -> (f, c, k, l)>, affine_map<(n, f, w, c, k, l) -> (n, f, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x4x7xf32>, tensor<5x3x4x3xf32>) outs(%r : tensor<2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5xf32>
  return %c : tensor<2x5x5xf32>
}

// Windows with steps, which upstream writes as a factor.
func.func @dilated(%x: tensor<2x3x5x7xf32>, %w: tensor<5x3x2x3xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, c, k, l) -> (n, c, h + k, l * 3)>, affine_map<(n, f, h, c, k, l) -> (f, c, k, l)>, affine_map<(n, f, h, c, k, l) -> (n, f, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x5x7xf32>, tensor<5x3x2x3xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// The loop over a single channel is gone, too.
func.func @one_channel(%x: tensor<2x5x7xf32>, %w: tensor<5x2x4xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, k, l) -> (n, h + k, l * 2)>, affine_map<(n, f, h, k, l) -> (f, k, l)>, affine_map<(n, f, h, k, l) -> (n, f, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x5x7xf32>, tensor<5x2x4xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// In three dimensions, of which two have one window.
func.func @deep(%x: tensor<2x3x7x4x5xf32>, %w: tensor<5x3x3x4x5xf32>, %r: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, d, c, j, k, l) -> (n, c, d * 2 + j, k, l)>, affine_map<(n, f, d, c, j, k, l) -> (f, c, j, k, l)>, affine_map<(n, f, d, c, j, k, l) -> (n, f, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x7x4x5xf32>, tensor<5x3x3x4x5xf32>) outs(%r : tensor<2x5x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x3xf32>
  return %c : tensor<2x5x3xf32>
}

// The one in the middle.
func.func @middle(%x: tensor<2x3x4x3x6xf32>, %w: tensor<5x3x2x3x3xf32>, %r: tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, d, w, c, j, k, l) -> (n, c, d + j, k, w + l)>, affine_map<(n, f, d, w, c, j, k, l) -> (f, c, j, k, l)>, affine_map<(n, f, d, w, c, j, k, l) -> (n, f, d, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x4x3x6xf32>, tensor<5x3x2x3x3xf32>) outs(%r : tensor<2x5x3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x3x4xf32>
  return %c : tensor<2x5x3x4xf32>
}

// Depthwise, with channels last and first.
func.func @depthwise(%x: tensor<2x9x4x3xf32>, %w: tensor<3x4x3xf32>, %r: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, c, k, l) -> (n, h * 2 + k, l, c)>, affine_map<(n, h, c, k, l) -> (k, l, c)>, affine_map<(n, h, c, k, l) -> (n, h, c)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x9x4x3xf32>, tensor<3x4x3xf32>) outs(%r : tensor<2x4x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x3xf32>
  return %c : tensor<2x4x3xf32>
}

func.func @depthwise_nchw(%x: tensor<2x3x7x4xf32>, %w: tensor<3x3x4xf32>, %r: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, c, h, k, l) -> (n, c, h + k, l)>, affine_map<(n, c, h, k, l) -> (c, k, l)>, affine_map<(n, c, h, k, l) -> (n, c, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x7x4xf32>, tensor<3x3x4xf32>) outs(%r : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5xf32>
  return %c : tensor<2x3x5xf32>
}

// The windows behind the channels are taken for channels of groups.
func.func @depthwise_nchw_wide(%x: tensor<2x3x4x7xf32>, %w: tensor<3x4x3xf32>, %r: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, c, w, k, l) -> (n, c, k, w + l)>, affine_map<(n, c, w, k, l) -> (c, k, l)>, affine_map<(n, c, w, k, l) -> (n, c, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x4x7xf32>, tensor<3x4x3xf32>) outs(%r : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5xf32>
  return %c : tensor<2x3x5xf32>
}

// In groups.
func.func @grouped(%x: tensor<2x2x3x7x4xf32>, %w: tensor<2x5x3x3x4xf32>, %r: tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, f, h, c, k, l) -> (n, g, c, h + k, l)>, affine_map<(n, g, f, h, c, k, l) -> (g, f, c, k, l)>, affine_map<(n, g, f, h, c, k, l) -> (n, g, f, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x2x3x7x4xf32>, tensor<2x5x3x3x4xf32>) outs(%r : tensor<2x2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x5x5xf32>
  return %c : tensor<2x2x5x5xf32>
}

// In groups, with channels last.
func.func @grouped_last(%x: tensor<2x7x4x2x3xf32>, %w: tensor<3x4x2x3x5xf32>, %r: tensor<2x5x2x5xf32>) -> tensor<2x5x2x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, g, f, k, l, c) -> (n, h + k, l, g, c)>, affine_map<(n, h, g, f, k, l, c) -> (k, l, g, c, f)>, affine_map<(n, h, g, f, k, l, c) -> (n, h, g, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x7x4x2x3xf32>, tensor<3x4x2x3x5xf32>) outs(%r : tensor<2x5x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x2x5xf32>
  return %c : tensor<2x5x2x5xf32>
}

// In groups of one output channel, whose loop is gone as well.
func.func @grouped_alone(%x: tensor<2x2x3x7x4xf32>, %w: tensor<2x3x3x4xf32>, %r: tensor<2x2x5xf32>) -> tensor<2x2x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, h, c, k, l) -> (n, g, c, h + k, l)>, affine_map<(n, g, h, c, k, l) -> (g, c, k, l)>, affine_map<(n, g, h, c, k, l) -> (n, g, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x2x3x7x4xf32>, tensor<2x3x3x4xf32>) outs(%r : tensor<2x2x5xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x2x5xf32>
  return %c : tensor<2x2x5xf32>
}

// The filter comes first.
func.func @filter_first(%x: tensor<5x3x3x4xf32>, %w: tensor<2x3x9x4xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, f, h, c, k, l) -> (f, c, k, l)>, affine_map<(n, f, h, c, k, l) -> (n, c, h * 2 + k, l)>, affine_map<(n, f, h, c, k, l) -> (n, f, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<5x3x3x4xf32>, tensor<2x3x9x4xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// Each second number of a row is multiplied, of a single channel.
func.func @every_other(%x: tensor<2x9x5xf32>, %w: tensor<4x3xf32>, %r: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, h, f, k) -> (n, h * 2, k * 2)>, affine_map<(n, h, f, k) -> (f, k)>, affine_map<(n, h, f, k) -> (n, h, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x9x5xf32>, tensor<4x3xf32>) outs(%r : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %c : tensor<2x5x4xf32>
}

// One number from one channel, with dilations: the result has no dimension.
func.func @number(%x: tensor<9xf32>, %w: tensor<5xf32>, %o: tensor<f32>) -> tensor<f32> {
  // CHECK: :[[#@LINE+1]]:8: fused: bias{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(k) -> (k * 2)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %w : tensor<9xf32>, tensor<5xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
