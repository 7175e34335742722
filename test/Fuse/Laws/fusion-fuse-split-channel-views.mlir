// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.out 2> %t.why
// RUN: FileCheck %s --input-file %t.out
// RUN: FileCheck %s --check-prefix=WHY --input-file %t.why

// The output channel in several dimensions, groups and their channels, of one
// image without a batch: the fusion op has a batch, and a reshape that drops it
// comes before the one that splits the channel.

#x = affine_map<(g, f, h, w, c, k, l) -> (g, c, h * 2 + k, w + l)>
#w = affine_map<(g, f, h, w, c, k, l) -> (g, f, c, k, l)>
#y = affine_map<(g, f, h, w, c, k, l) -> (g, f, h, w)>
#all = affine_map<(g, f, h, w) -> (g, f, h, w)>
#pair = affine_map<(g, f, h, w) -> (g, f)>
#swapped = affine_map<(g, f, h, w) -> (f, g)>
#group = affine_map<(g, f, h, w) -> (g)>
#row = affine_map<(g, f, h, w) -> (g, h)>
#id3 = affine_map<(a, b, c) -> (a, b, c)>
#last3 = affine_map<(a, b, c) -> (b, c)>

// CHECK-LABEL: func @bias_and_relu(
// CHECK:         fusion.fused_conv_bias_act relu strides [2, 1] groups 3 ins({{.*}} bias({{.*}} -> tensor<1x12x5x10xf32>
func.func @bias_and_relu(%x: tensor<3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x4xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bias, relu{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  %er = tensor.empty() : tensor<3x4x5x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #pair, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<3x4x5x10xf32>, tensor<3x4xf32>) outs(%er : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    %mr = arith.maximumf %sr, %zero : f32
    linalg.yield %mr : f32
  } -> tensor<3x4x5x10xf32>
  return %r : tensor<3x4x5x10xf32>
}

// A scale of the groups, a bias in the other order and a tensor.
// CHECK-LABEL: func @parts(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 {{.*}}ins({{.*}} bias({{.*}} residual({{.*}} -> tensor<1x12x5x10xf32>
func.func @parts(%x: tensor<3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %s: tensor<3xf32>, %b: tensor<4x3xf32>, %t: tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: scale, bias, residual{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  %er = tensor.empty() : tensor<3x4x5x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #group, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s : tensor<3x4x5x10xf32>, tensor<3xf32>) outs(%er : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.mulf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<3x4x5x10xf32>
  %eu = tensor.empty() : tensor<3x4x5x10xf32>
  %u = linalg.generic {indexing_maps = [#all, #swapped, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %b : tensor<3x4x5x10xf32>, tensor<4x3xf32>) outs(%eu : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %su = arith.addf %p, %q : f32
    linalg.yield %su : f32
  } -> tensor<3x4x5x10xf32>
  %ev = tensor.empty() : tensor<3x4x5x10xf32>
  %v = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%u, %t : tensor<3x4x5x10xf32>, tensor<3x4x5x10xf32>) outs(%ev : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sv = arith.addf %p, %q : f32
    linalg.yield %sv : f32
  } -> tensor<3x4x5x10xf32>
  return %v : tensor<3x4x5x10xf32>
}

// CHECK-LABEL: func @bias_in_outs(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins({{.*}} bias({{.*}} -> tensor<1x12x5x10xf32>
func.func @bias_in_outs(%x: tensor<3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x4xf32>) -> tensor<3x4x5x10xf32> {
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.broadcast ins(%b : tensor<3x4xf32>) outs(%ce : tensor<3x4x5x10xf32>) dimensions = [2, 3]
  // WHY: :[[#@LINE+1]]:8: fused: bias{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  return %c : tensor<3x4x5x10xf32>
}

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

// It varies along rows, too.
// CHECK-LABEL: func @rows_and_groups(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins({{[^)]*}}) outs
func.func @rows_and_groups(%x: tensor<3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x5xf32>) -> tensor<3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  %er = tensor.empty() : tensor<3x4x5x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<3x4x5x10xf32>, tensor<3x5xf32>) outs(%er : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<3x4x5x10xf32>
  return %r : tensor<3x4x5x10xf32>
}

// The parts are read twice.
// CHECK-LABEL: func @parts_read_twice(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins({{[^)]*}}) outs
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<3x4x5x10xf32>, tensor<3x4xf32>)
func.func @parts_read_twice(%x: tensor<3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x4xf32>) -> (tensor<3x4x5x10xf32>, tensor<3x4x5x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x4x5x10xf32>) -> tensor<3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<3x4x5x10xf32>
  %er = tensor.empty() : tensor<3x4x5x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #pair, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<3x4x5x10xf32>, tensor<3x4xf32>) outs(%er : tensor<3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<3x4x5x10xf32>
  return %r, %c : tensor<3x4x5x10xf32>, tensor<3x4x5x10xf32>
}

// The reshape in front of the one that splits takes rows to the channel.
// CHECK-LABEL: func @channels_of_images(
// CHECK:         fusion.fused_conv_bias_act ins({{[^)]*}}) outs
// CHECK:         linalg.generic {{.*}} ins({{.*}} : tensor<2x40x6xf32>, tensor<40x6xf32>)
func.func @channels_of_images(%x: tensor<2x3x7x9xf32>, %w: tensor<6x3x3x2xf32>, %b: tensor<40x6xf32>) -> tensor<2x40x6xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<2x6x5x8xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x9xf32>, tensor<6x3x3x2xf32>) outs(%cf : tensor<2x6x5x8xf32>) -> tensor<2x6x5x8xf32>
  %d = tensor.collapse_shape %c [[0], [1, 2, 3]] : tensor<2x6x5x8xf32> into tensor<2x240xf32>
  %e = tensor.expand_shape %d [[0], [1, 2]] output_shape [2, 40, 6] : tensor<2x240xf32> into tensor<2x40x6xf32>
  %er = tensor.empty() : tensor<2x40x6xf32>
  %r = linalg.generic {indexing_maps = [#id3, #last3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %b : tensor<2x40x6xf32>, tensor<40x6xf32>) outs(%er : tensor<2x40x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<2x40x6xf32>
  return %r : tensor<2x40x6xf32>
}
