// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// Ops that move and reshape tensors between two convolutions: one transpose in front,
// one behind, unless the test says why there are more.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#from_first = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#from_last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>

// Low and high padding move with their dimensions.
// CHECK-LABEL: func @pad(
// CHECK:         %[[V:.*]] = arith.constant 3.000000e+00 : f32
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = tensor.pad %[[C]] low[0, 1, 0, 0] high[0, 0, 2, 3]
// CHECK:           tensor.yield %[[V]] : f32
// CHECK-NEXT:    } : tensor<2x7x10x5xf32> to tensor<2x8x12x8xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x8x11x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x8x11x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @pad(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x8x1x2xf32>) -> tensor<2x4x8x11xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = tensor.pad %c low[0, 0, 1, 0] high[0, 3, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %v = arith.constant 3.0 : f32
    tensor.yield %v : f32
  } : tensor<2x5x7x10xf32> to tensor<2x8x8x12xf32>
  %er = tensor.empty() : tensor<2x4x8x11xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x8x8x12xf32>, tensor<4x8x1x2xf32>) outs(%er : tensor<2x4x8x11xf32>) -> tensor<2x4x8x11xf32>
  return %r : tensor<2x4x8x11xf32>
}

// An argument as the value, sizes known at run time, and a cast, which goes with the pad.
// CHECK-LABEL: func @pad_by_arguments(
// CHECK-SAME:    %[[V:[a-z0-9]*]]: f32
// CHECK-SAME:    %[[N:[a-z0-9]*]]: index
// CHECK-SAME:    %[[O:[a-z0-9]*]]: index
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = tensor.pad %[[C]] low[0, %[[N]], 0, 0] high[0, 0, %[[O]], 0]
// CHECK:           tensor.yield %[[V]] : f32
// CHECK-NEXT:    } : tensor<2x7x10x5xf32> to tensor<2x8x12x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x8x11x4xf32>
// CHECK:         %[[OUT:.*]] = linalg.transpose ins(%[[R]] : tensor<2x8x11x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[OUT]]
func.func @pad_by_arguments(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %v: f32, %n: index, %o: index) -> tensor<2x4x8x11xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p = tensor.pad %c low[0, 0, %n, 0] high[0, 0, 0, %o] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %v : f32
  } : tensor<2x5x7x10xf32> to tensor<2x5x?x?xf32>
  %m = tensor.cast %p : tensor<2x5x?x?xf32> to tensor<2x5x8x12xf32>
  %er = tensor.empty() : tensor<2x4x8x11xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x8x12xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x8x11xf32>) -> tensor<2x4x8x11xf32>
  return %r : tensor<2x4x8x11xf32>
}

// Offsets, sizes and strides move with their dimensions, and a cast with its tensor.
// CHECK-LABEL: func @slices(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: index
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[C]][1, %[[N]], 3, 2] [1, 2, 4, 3] [1, 3, 2, 1] : tensor<2x7x10x5xf32> to tensor<1x2x4x3xf32>
// CHECK:         %[[M:.*]] = tensor.insert_slice %[[S]] into %[[C]][0, %[[N]], 5, 1] [1, 2, 4, 3] [1, 2, 1, 1] : tensor<1x2x4x3xf32> into tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @slices(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %n: index) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = tensor.cast %c : tensor<2x5x7x10xf32> to tensor<?x5x7x?xf32>
  %s = tensor.extract_slice %d[1, 2, %n, 3] [1, 3, 2, 4] [1, 1, 3, 2] : tensor<?x5x7x?xf32> to tensor<1x3x2x4xf32>
  %m = tensor.insert_slice %s into %c[0, 1, %n, 5] [1, 3, 2, 4] [1, 1, 2, 1] : tensor<1x3x2x4xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A slice written into zeros: no transpose for the zeros.
// CHECK-LABEL: func @insert_into_zeros(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<2x9x12x8xf32>
// CHECK:         %[[M:.*]] = tensor.insert_slice %[[C]] into %[[F]][0, 2, 1, 3] [2, 7, 10, 5] [1, 1, 1, 1] : tensor<2x7x10x5xf32> into tensor<2x9x12x8xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x9x11x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x9x11x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @insert_into_zeros(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x8x1x2xf32>) -> tensor<2x4x9x11xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z = arith.constant 0.0 : f32
  %ez = tensor.empty() : tensor<2x8x9x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%ez : tensor<2x8x9x12xf32>) -> tensor<2x8x9x12xf32>
  %m = tensor.insert_slice %c into %f[0, 3, 2, 1] [2, 5, 7, 10] [1, 1, 1, 1] : tensor<2x5x7x10xf32> into tensor<2x8x9x12xf32>
  %er = tensor.empty() : tensor<2x4x9x11xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x8x9x12xf32>, tensor<4x8x1x2xf32>) outs(%er : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  return %r : tensor<2x4x9x11xf32>
}

// The inserted tensor is brought to the layout of its destination.
// CHECK-LABEL: func @insert_an_argument(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x3x4x6xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[QT:.*]] = linalg.transpose ins(%[[Q]] : tensor<2x3x4x6xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[M:.*]] = tensor.insert_slice %[[QT]] into %[[C]][0, 2, 3, 1] [2, 4, 6, 3] [1, 1, 1, 1] : tensor<2x4x6x3xf32> into tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @insert_an_argument(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x3x4x6xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = tensor.insert_slice %q into %c[0, 1, 2, 3] [2, 3, 4, 6] [1, 1, 1, 1] : tensor<2x3x4x6xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Channels behind channels are concatenated in the last dimension.
// CHECK-LABEL: func @concat_channels(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x3x7x10xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[QT:.*]] = linalg.transpose ins(%[[Q]] : tensor<2x3x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[M:.*]] = tensor.concat dim(3) %[[C]], %[[QT]], %[[A]] : (tensor<2x7x10x5xf32>, tensor<2x7x10x3xf32>, tensor<2x7x10x5xf32>) -> tensor<2x7x10x13xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @concat_channels(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x13x1x2xf32>, %q: tensor<2x3x7x10xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = tensor.concat dim(1) %c, %q, %a : (tensor<2x5x7x10xf32>, tensor<2x3x7x10xf32>, tensor<2x5x7x10xf32>) -> tensor<2x13x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x13x7x10xf32>, tensor<4x13x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Rows below rows in the second.
// CHECK-LABEL: func @concat_rows(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = tensor.concat dim(1) %[[C]], %[[C]] : (tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) -> tensor<2x14x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x14x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x14x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @concat_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x14x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = tensor.concat dim(2) %c, %c : (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) -> tensor<2x5x14x10xf32>
  %er = tensor.empty() : tensor<2x4x14x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x14x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x14x9xf32>) -> tensor<2x4x14x9xf32>
  return %r : tensor<2x4x14x9xf32>
}

// Rows and columns stay side by side: collapsed and expanded in channels-last.
// CHECK-LABEL: func @collapse_together(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = tensor.collapse_shape %[[C]] {{\[\[}}0], [1, 2], [3]] : tensor<2x7x10x5xf32> into tensor<2x70x5xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[S]] : tensor<2x70x5xf32>)
// CHECK:         %[[M:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2], [3]] output_shape [2, 7, 10, 5] : tensor<2x70x5xf32> into tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @collapse_together(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %a = linalg.exp ins(%s : tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  %m = tensor.expand_shape %a [[0], [1], [2, 3]] output_shape [2, 5, 7, 10] : tensor<2x5x70xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Channels and rows do not: the op reads them apart.
// CHECK-LABEL: func @collapse_apart(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @collapse_apart(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<2x5x7x10xf32> into tensor<2x35x10xf32>
  %e = tensor.empty() : tensor<2x35x10xf32>
  %a = linalg.exp ins(%s : tensor<2x35x10xf32>) outs(%e : tensor<2x35x10xf32>) -> tensor<2x35x10xf32>
  %m = tensor.expand_shape %a [[0], [1, 2], [3]] output_shape [2, 5, 7, 10] : tensor<2x35x10xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A dimension in two: both stand where it stood.
// CHECK-LABEL: func @expand_columns(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2, 3], [4]] output_shape [2, 7, 2, 5, 5] : tensor<2x7x10x5xf32> into tensor<2x7x2x5x5xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[S]] : tensor<2x7x2x5x5xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0], [1], [2, 3], [4]] : tensor<2x7x2x5x5xf32> into tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @expand_columns(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1], [2], [3, 4]] output_shape [2, 5, 7, 2, 5] : tensor<2x5x7x10xf32> into tensor<2x5x7x2x5xf32>
  %e = tensor.empty() : tensor<2x5x7x2x5xf32>
  %a = linalg.exp ins(%s : tensor<2x5x7x2x5xf32>) outs(%e : tensor<2x5x7x2x5xf32>) -> tensor<2x5x7x2x5xf32>
  %m = tensor.collapse_shape %a [[0], [1], [2], [3, 4]] : tensor<2x5x7x2x5xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Groups of channels.
// CHECK-LABEL: func @expand_channels(
// CHECK-SAME:    %[[V:[a-z0-9]*]]: f32
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[K:.*]] = tensor.pad %[[C]]
// CHECK:         %[[S:.*]] = tensor.expand_shape %[[K]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 7, 10, 3, 4] : tensor<2x7x10x12xf32> into tensor<2x7x10x3x4xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[S]] : tensor<2x7x10x3x4xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @expand_channels(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x12x1x2xf32>, %v: f32) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %k = tensor.pad %c low[0, 7, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %o: index, %l: index):
    tensor.yield %v : f32
  } : tensor<2x5x7x10xf32> to tensor<2x12x7x10xf32>
  %s = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [2, 3, 4, 7, 10] : tensor<2x12x7x10xf32> into tensor<2x3x4x7x10xf32>
  %e = tensor.empty() : tensor<2x3x4x7x10xf32>
  %a = linalg.exp ins(%s : tensor<2x3x4x7x10xf32>) outs(%e : tensor<2x3x4x7x10xf32>) -> tensor<2x3x4x7x10xf32>
  %m = tensor.collapse_shape %a [[0], [1, 2], [3], [4]] : tensor<2x3x4x7x10xf32> into tensor<2x12x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x12x7x10xf32>, tensor<4x12x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Transposes of the front end go with those of convolutions: the op is channels-last as
// it is written.
// CHECK-LABEL: func @front_end(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.exp ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @front_end(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %t = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  %a = linalg.exp ins(%t : tensor<2x7x10x5xf32>) outs(%e1 : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.transpose ins(%a : tensor<2x7x10x5xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Spelled as `linalg.generic`, with sizes that the source does not know.
// CHECK-LABEL: func @front_end_generic(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[C]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @front_end_generic(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = tensor.cast %c : tensor<2x5x7x10xf32> to tensor<?x5x?x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %t = linalg.generic {indexing_maps = [#from_first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<?x5x?x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x7x10x5xf32>
  %y = tensor.cast %t : tensor<2x7x10x5xf32> to tensor<2x?x10x?xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#from_last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<2x?x10x?xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Results of the function in another order, and in the order that the convolution has.
// CHECK-LABEL: func @transposed_results(
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [2, 1, 3, 0]
// CHECK-NEXT:    return %[[R]], %[[C]], %[[T]] :
func.func @transposed_results(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> (tensor<2x7x9x4xf32>, tensor<2x7x10x5xf32>, tensor<10x7x5x2xf32>) {
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %t = linalg.transpose ins(%x : tensor<2x9x11x3xf32>) outs(%e : tensor<2x3x9x11xf32>) permutation = [0, 3, 1, 2]
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%t, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %e1 = tensor.empty() : tensor<2x7x9x4xf32>
  %a = linalg.transpose ins(%r : tensor<2x4x7x9xf32>) outs(%e1 : tensor<2x7x9x4xf32>) permutation = [0, 2, 3, 1]
  %e2 = tensor.empty() : tensor<2x7x10x5xf32>
  %b = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e2 : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  %e3 = tensor.empty() : tensor<10x7x5x2xf32>
  %d = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e3 : tensor<10x7x5x2xf32>) permutation = [3, 2, 1, 0]
  return %a, %b, %d : tensor<2x7x9x4xf32>, tensor<2x7x10x5xf32>, tensor<10x7x5x2xf32>
}

// A result of the function that knows more of its sizes than its source.
// CHECK-LABEL: func @front_end_type(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<?x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} -> tensor<?x7x10x5xf32>
// CHECK:         %[[T:.*]] = tensor.cast %[[C]] : tensor<?x7x10x5xf32> to tensor<2x7x10x5xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]], {{.*}} -> tensor<?x7x9x4xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<?x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[T]], %[[R]]
func.func @front_end_type(%x: tensor<?x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %n: index) -> (tensor<2x7x10x5xf32>, tensor<?x4x7x9xf32>) {
  %ec = tensor.empty(%n) : tensor<?x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<?x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %t = linalg.generic {indexing_maps = [#from_first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<?x5x7x10xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x7x10x5xf32>
  %er = tensor.empty(%n) : tensor<?x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<?x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<?x4x7x9xf32>) -> tensor<?x4x7x9xf32>
  return %t, %r : tensor<2x7x10x5xf32>, tensor<?x4x7x9xf32>
}

// A channel shuffle between two convolutions stays one, of channels that are last.
// CHECK-LABEL: func @shuffle(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} -> tensor<2x7x10x6xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] {{.*}} into tensor<2x7x10x2x3xf32>
// CHECK:         %[[S:.*]] = linalg.transpose ins(%[[E]] : tensor<2x7x10x2x3xf32>) {{.*}} permutation = [0, 1, 2, 4, 3]
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] {{.*}} into tensor<2x7x10x6xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[F]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @shuffle(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %u: tensor<4x6x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x6x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%ec : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 2, 3, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x2x3x7x10xf32>
  %et = tensor.empty() : tensor<2x3x2x7x10xf32>
  %t = linalg.transpose ins(%s : tensor<2x2x3x7x10xf32>) outs(%et : tensor<2x3x2x7x10xf32>) permutation = [0, 2, 1, 3, 4]
  %f = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<2x3x2x7x10xf32> into tensor<2x6x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%f, %u : tensor<2x6x7x10xf32>, tensor<4x6x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Parts of a channel that go elsewhere make one transpose with the one behind the
// convolution.
// CHECK-LABEL: func @spread(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} -> tensor<2x7x10x6xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[D]] {{\[\[}}0], [1], [2], [3, 4]] {{.*}} into tensor<2x7x9x2x2xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[E]] : tensor<2x7x9x2x2xf32>) {{.*}} permutation = [0, 3, 1, 2, 4]
// CHECK-NEXT:    return %[[R]]
func.func @spread(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %u: tensor<4x6x1x2xf32>) -> tensor<2x2x7x9x2xf32> {
  %ec = tensor.empty() : tensor<2x6x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%ec : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x6x7x10xf32>, tensor<4x6x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %s = tensor.expand_shape %r [[0], [1, 2], [3], [4]] output_shape [2, 2, 2, 7, 9] : tensor<2x4x7x9xf32> into tensor<2x2x2x7x9xf32>
  %et = tensor.empty() : tensor<2x2x7x9x2xf32>
  %t = linalg.transpose ins(%s : tensor<2x2x2x7x9xf32>) outs(%et : tensor<2x2x7x9x2xf32>) permutation = [0, 1, 3, 4, 2]
  return %t : tensor<2x2x7x9x2xf32>
}
