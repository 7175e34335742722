// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.out 2> %t.why
// RUN: FileCheck %s --input-file %t.out
// RUN: FileCheck %s --check-prefix=WHY --input-file %t.why

// Reshapes around the fusion op that are one together: those that raising a
// convolution in groups makes, and those by which linalg-fold-unit-extent-dims
// drops the batch of one image.

#id2 = affine_map<(a, b) -> (a, b)>
#first2 = affine_map<(a, b) -> (a)>
#id3 = affine_map<(f, h, w) -> (f, h, w)>
#first3 = affine_map<(f, h, w) -> (f)>
#id5 = affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>
#pair5 = affine_map<(n, g, f, h, w) -> (g, f)>
#id6 = affine_map<(n, g, f, u, h, w) -> (n, g, f, u, h, w)>
#pair6 = affine_map<(n, g, f, u, h, w) -> (g, f)>

// CHECK-LABEL: func @pad_and_bias(
// CHECK:         fusion.fused_conv_bias_act relu strides [2, 1] pad_low [1, 2] pad_high [0, 1] groups 3 ins({{.*}} bias({{.*}} -> tensor<1x12x5x10xf32>
func.func @pad_and_bias(%x: tensor<1x6x11x8xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<12xf32>) -> tensor<12x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x6x11x8xf32> into tensor<6x11x8xf32>
  %j = tensor.pad %i low[0, 1, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<6x11x8xf32> to tensor<6x12x11xf32>
  %k = tensor.expand_shape %j [[0, 1, 2], [3], [4]] output_shape [1, 3, 2, 12, 11] : tensor<6x12x11xf32> into tensor<1x3x2x12x11xf32>
  %ce = tensor.empty() : tensor<1x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad, bias, relu{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%k, %w : tensor<1x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  %d = tensor.collapse_shape %c [[0, 1, 2], [3], [4]] : tensor<1x3x4x5x10xf32> into tensor<12x5x10xf32>
  %rer = tensor.empty() : tensor<12x5x10xf32>
  %r = linalg.generic {indexing_maps = [#id3, #first3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %b : tensor<12x5x10xf32>, tensor<12xf32>) outs(%rer : tensor<12x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<12x5x10xf32>
  %et = tensor.empty() : tensor<12x5x10xf32>
  %t = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<12x5x10xf32>) outs(%et : tensor<12x5x10xf32>) {
  ^bb0(%p: f32, %out: f32):
    %mt = arith.maximumf %p, %zero : f32
    linalg.yield %mt : f32
  } -> tensor<12x5x10xf32>
  return %t : tensor<12x5x10xf32>
}

// The reshape of the groups moves behind the bias first.
// CHECK-LABEL: func @collapsed_behind_bias(
// CHECK:         fusion.fused_conv_bias_act relu strides [2, 1] groups 3 ins({{.*}} bias({{.*}} residual({{.*}} -> tensor<1x12x5x10xf32>
func.func @collapsed_behind_bias(%x: tensor<1x3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x4xf32>, %s: tensor<12x5x10xf32>) -> tensor<12x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<1x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bias, residual, relu{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  %rer = tensor.empty() : tensor<1x3x4x5x10xf32>
  %r = linalg.generic {indexing_maps = [#id5, #pair5, #id5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<1x3x4x5x10xf32>, tensor<3x4xf32>) outs(%rer : tensor<1x3x4x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<1x3x4x5x10xf32>
  %d = tensor.collapse_shape %r [[0, 1, 2], [3], [4]] : tensor<1x3x4x5x10xf32> into tensor<12x5x10xf32>
  %ret = tensor.empty() : tensor<12x5x10xf32>
  %t = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %s : tensor<12x5x10xf32>, tensor<12x5x10xf32>) outs(%ret : tensor<12x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %st = arith.addf %p, %q : f32
    %mt = arith.maximumf %st, %zero : f32
    linalg.yield %mt : f32
  } -> tensor<12x5x10xf32>
  return %t : tensor<12x5x10xf32>
}

// CHECK-LABEL: func @expanded_twice(
// CHECK:         fusion.fused_conv_bias_act relu strides [2, 1] groups 3 ins({{.*}} bias({{.*}} -> tensor<2x12x5x10xf32>
func.func @expanded_twice(%x: tensor<2x3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<3x4xf32>) -> tensor<2x3x4x1x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<2x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<2x3x4x5x10xf32>) -> tensor<2x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bias, relu{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<2x3x4x5x10xf32>) -> tensor<2x3x4x5x10xf32>
  %d = tensor.expand_shape %c [[0], [1], [2, 3], [4], [5]] output_shape [2, 3, 4, 1, 5, 10] : tensor<2x3x4x5x10xf32> into tensor<2x3x4x1x5x10xf32>
  %rer = tensor.empty() : tensor<2x3x4x1x5x10xf32>
  %r = linalg.generic {indexing_maps = [#id6, #pair6, #id6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%d, %b : tensor<2x3x4x1x5x10xf32>, tensor<3x4xf32>) outs(%rer : tensor<2x3x4x1x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    %mr = arith.maximumf %sr, %zero : f32
    linalg.yield %mr : f32
  } -> tensor<2x3x4x1x5x10xf32>
  return %r : tensor<2x3x4x1x5x10xf32>
}

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

// The one reshape takes rows to the channel.
// CHECK-LABEL: func @channels_and_rows(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins
func.func @channels_and_rows(%x: tensor<1x3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<60xf32>) -> tensor<60x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<1x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  %d = tensor.collapse_shape %c [[0, 1, 2, 3], [4]] : tensor<1x3x4x5x10xf32> into tensor<60x10xf32>
  %rer = tensor.empty() : tensor<60x10xf32>
  %r = linalg.generic {indexing_maps = [#id2, #first2, #id2], iterator_types = ["parallel", "parallel"]} ins(%d, %b : tensor<60x10xf32>, tensor<60xf32>) outs(%rer : tensor<60x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<60x10xf32>
  return %r : tensor<60x10xf32>
}

// It takes two images to the channel.
// CHECK-LABEL: func @two_images(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins
func.func @two_images(%x: tensor<2x3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<24xf32>) -> tensor<24x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<2x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<2x3x4x5x10xf32>) -> tensor<2x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<2x3x4x5x10xf32>) -> tensor<2x3x4x5x10xf32>
  %d = tensor.collapse_shape %c [[0, 1, 2], [3], [4]] : tensor<2x3x4x5x10xf32> into tensor<24x5x10xf32>
  %rer = tensor.empty() : tensor<24x5x10xf32>
  %r = linalg.generic {indexing_maps = [#id3, #first3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %b : tensor<24x5x10xf32>, tensor<24xf32>) outs(%rer : tensor<24x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<24x5x10xf32>
  return %r : tensor<24x5x10xf32>
}

// The groups are read as well.
// CHECK-LABEL: func @groups_read(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins
func.func @groups_read(%x: tensor<1x3x2x12x11xf32>, %w: tensor<3x4x2x3x2xf32>, %b: tensor<12xf32>) -> (tensor<12x5x10xf32>, tensor<1x3x4x5x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %ce = tensor.empty() : tensor<1x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: 'tensor.collapse_shape' at {{.*}}:[[#@LINE+2]]:8, 'func.return' at {{.*}}:[[#@LINE+9]]:3{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  %d = tensor.collapse_shape %c [[0, 1, 2], [3], [4]] : tensor<1x3x4x5x10xf32> into tensor<12x5x10xf32>
  %rer = tensor.empty() : tensor<12x5x10xf32>
  %r = linalg.generic {indexing_maps = [#id3, #first3, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %b : tensor<12x5x10xf32>, tensor<12xf32>) outs(%rer : tensor<12x5x10xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %sr = arith.addf %p, %q : f32
    linalg.yield %sr : f32
  } -> tensor<12x5x10xf32>
  return %r, %c : tensor<12x5x10xf32>, tensor<1x3x4x5x10xf32>
}

// A channel of zeros is added.
// CHECK-LABEL: func @channel_padded(
// CHECK:         tensor.pad
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] groups 3 ins
func.func @channel_padded(%x: tensor<1x5x12x11xf32>, %w: tensor<3x4x2x3x2xf32>) -> tensor<1x3x4x5x10xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x5x12x11xf32> into tensor<5x12x11xf32>
  %j = tensor.pad %i low[1, 0, 0] high[0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<5x12x11xf32> to tensor<6x12x11xf32>
  %k = tensor.expand_shape %j [[0, 1, 2], [3], [4]] output_shape [1, 3, 2, 12, 11] : tensor<6x12x11xf32> into tensor<1x3x2x12x11xf32>
  %ce = tensor.empty() : tensor<1x3x4x5x10xf32>
  %cf = linalg.fill ins(%zero : f32) outs(%ce : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'tensor.pad' pads dimension 1 of layout "nchw", which is not spatial{{$}}
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%k, %w : tensor<1x3x2x12x11xf32>, tensor<3x4x2x3x2xf32>) outs(%cf : tensor<1x3x4x5x10xf32>) -> tensor<1x3x4x5x10xf32>
  return %c : tensor<1x3x4x5x10xf32>
}
