// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// Ops that do not work in another order: transposes stay around them, or there are none
// at all if nothing else connects the convolutions.

#diagonal = affine_map<(d0, d1, d2) -> (d0, d1, d2, d2)>
#ncd = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mix_in = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
#mix_by = affine_map<(d0, d1, d2, d3, d4) -> (d1, d4)>
#mix_out = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>

// A pad whose value depends on the place.
// CHECK-LABEL: func @pad_by_place(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[N:.*]] = tensor.pad %[[CT]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%[[N]] : tensor<2x5x8x12xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x8x11x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x8x11x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @pad_by_place(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x8x11xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = tensor.pad %c low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %0 = arith.index_cast %k : index to i32
    %1 = arith.sitofp %0 : i32 to f32
    tensor.yield %1 : f32
  } : tensor<2x5x7x10xf32> to tensor<2x5x8x12xf32>
  %er = tensor.empty() : tensor<2x4x8x11xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x8x12xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x8x11xf32>) -> tensor<2x4x8x11xf32>
  return %r : tensor<2x4x8x11xf32>
}

// A loop over two dimensions at once.
// CHECK-LABEL: func @row_by_column(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[C]]
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[S]] : tensor<2x7x7x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[G:.*]] = linalg.generic {{.*}} ins(%[[CT]] : tensor<2x5x7x7xf32>)
// CHECK:         %[[N:.*]] = tensor.expand_shape %[[G]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%[[N]] : tensor<2x5x1x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x1x6x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x1x6x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @row_by_column(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x1x6xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %q = tensor.extract_slice %c[0, 0, 0, 1] [2, 5, 7, 7] [1, 1, 1, 1] : tensor<2x5x7x10xf32> to tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %d = linalg.generic {indexing_maps = [#diagonal, #ncd], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x5x7xf32>
  %m = tensor.expand_shape %d [[0], [1], [2, 3]] output_shape [2, 5, 1, 7] : tensor<2x5x7xf32> into tensor<2x5x1x7xf32>
  %er = tensor.empty() : tensor<2x4x1x6xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x1x7xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x1x6xf32>) -> tensor<2x4x1x6xf32>
  return %r : tensor<2x4x1x6xf32>
}

// A result with a dimension more than the image, which another input has: that would be reordered, too.
// CHECK-LABEL: func @new_dimension(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[G:.*]] = linalg.generic {{.*}} ins(%[[CT]], %{{.*}} : tensor<2x5x7x10xf32>, tensor<2xf32>)
// CHECK:         %[[N:.*]] = tensor.collapse_shape %[[G]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%[[N]] : tensor<2x5x7x20xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x19x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x19x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @new_dimension(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %g: tensor<2xf32>) -> tensor<2x4x7x19xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10x2xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%c, %g : tensor<2x5x7x10xf32>, tensor<2xf32>) outs(%e : tensor<2x5x7x10x2xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<2x5x7x10x2xf32>
  %m = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<2x5x7x10x2xf32> into tensor<2x5x7x20xf32>
  %er = tensor.empty() : tensor<2x4x7x19xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x20xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x19xf32>) -> tensor<2x4x7x19xf32>
  return %r : tensor<2x4x7x19xf32>
}

// Slices of lower rank.
// CHECK-LABEL: func @dropped_dimension(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[CT]][0, 0, 1, 0]
// CHECK:         %[[N:.*]] = tensor.insert_slice %[[S]] into %[[CT]][0, 0, 4, 0]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%[[N]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @dropped_dimension(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 0] [2, 5, 1, 10] [1, 1, 1, 1] : tensor<2x5x7x10xf32> to tensor<2x5x10xf32>
  %m = tensor.insert_slice %s into %c[0, 0, 4, 0] [2, 5, 1, 10] [1, 1, 1, 1] : tensor<2x5x10xf32> into tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A result without a rank: it needs one transpose more.
// CHECK-LABEL: func @no_rank(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x7x10xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]],
// CHECK:         %[[S:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[U:.*]] = tensor.cast %[[S]] : tensor<2x5x7x10xf32> to tensor<*xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x9x4xf32>)
// CHECK-NEXT:    return %[[U]], %[[R]]
func.func @no_rank(%x: tensor<2x3x7x10xf32>, %w: tensor<5x3x1x1xf32>, %u: tensor<4x5x1x2xf32>) -> (tensor<*xf32>, tensor<2x4x7x9xf32>) {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x7x10xf32>, tensor<5x3x1x1xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = tensor.cast %c : tensor<2x5x7x10xf32> to tensor<*xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %s, %r : tensor<*xf32>, tensor<2x4x7x9xf32>
}

// A convolution that has not become a fusion op stays as it is, and connects nothing.
// CHECK-LABEL: func @convolution_of_linalg(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         %[[M:.*]] = linalg.conv_2d_nchw_fchw ins(%[[A]],
// CHECK:         fusion.fused_conv_bias_act ins(%[[M]],
func.func @convolution_of_linalg(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %v: tensor<5x5x1x1xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %m = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// So does a depthwise one.
// CHECK-LABEL: func @depthwise_of_linalg(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         %[[M:.*]] = linalg.depthwise_conv_2d_nchw_chw ins(%[[A]],
// CHECK:         fusion.fused_conv_bias_act ins(%[[M]],
func.func @depthwise_of_linalg(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %v: tensor<5x1x1xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %m = linalg.depthwise_conv_2d_nchw_chw ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// And a contraction.
// CHECK-LABEL: func @contraction(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[A]],
// CHECK:         fusion.fused_conv_bias_act ins(%[[M]],
func.func @contraction(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %v: tensor<5x5xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#mix_in, #mix_by, #mix_out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x5xf32>) outs(%z : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %d, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Values that blocks pass on to each other.
// CHECK-LABEL: func @blocks(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         cf.br ^[[LOOP:.*]](%[[A]] : tensor<2x5x7x10xf32>)
// CHECK:       ^[[LOOP]](%[[M:.*]]: tensor<2x5x7x10xf32>):
// CHECK:         fusion.fused_conv_bias_act ins(%[[M]],
func.func @blocks(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  cf.br ^loop(%c : tensor<2x5x7x10xf32>)
^loop(%m: tensor<2x5x7x10xf32>):
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  %p = func.call @ask() : () -> i1
  cf.cond_br %p, ^loop(%q : tensor<2x5x7x10xf32>), ^end
^end:
  return %r : tensor<2x4x7x9xf32>
}

func.func private @ask() -> i1
