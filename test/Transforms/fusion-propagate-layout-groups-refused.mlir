// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose

// Merged dimensions that readers do not divide: the transposes stay, two more.

#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Ten groups: one begins inside a channel.
// CHECK-LABEL: func @other_sizes(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x5x7x6xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @other_sizes(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 10, 21] : tensor<2x210xf32> into tensor<2x10x21xf32>
  %ye = tensor.empty() : tensor<2x10x21xf32>
  %y = linalg.exp ins(%g : tensor<2x10x21xf32>) outs(%ye : tensor<2x10x21xf32>) -> tensor<2x10x21xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x10x21xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// The body reads the index of the merged dimension.
// CHECK-LABEL: func @index(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[G]] : tensor<2x5x7x3x2xf32>) {{.*}} permutation = [0, 3, 4, 1, 2]
// CHECK:         tensor.collapse_shape %[[CT]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @index(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ea = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g : tensor<2x3x70xf32>) outs(%ea : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %l = arith.addf %a, %k : f32
    linalg.yield %l : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// A loop adds to the merged dimension.
// CHECK-LABEL: func @window(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[G]] : tensor<2x5x7x3x2xf32>) {{.*}} permutation = [0, 3, 4, 1, 2]
// CHECK:         tensor.collapse_shape %[[CT]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @window(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %pair: tensor<2xf32>, %one: f32) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %z = arith.constant dense<0.0> : tensor<2x3x69xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%g, %pair : tensor<2x3x70xf32>, tensor<2xf32>) outs(%z : tensor<2x3x69xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.addf %a, %l : f32
    linalg.yield %val : f32
  } -> tensor<2x3x69xf32>
  %p = tensor.pad %y low[0, 0, 0] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : f32
  } : tensor<2x3x69xf32> to tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %p [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// The same, with another operand.
// CHECK-LABEL: func @window_elsewhere(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[G]] : tensor<2x5x7x3x2xf32>) {{.*}} permutation = [0, 3, 4, 1, 2]
// CHECK:         tensor.collapse_shape %[[CT]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @window_elsewhere(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %v: tensor<72xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ea = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, affine_map<(d0, d1, d2) -> (d1 + d2)>, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %v : tensor<2x3x70xf32>, tensor<72xf32>) outs(%ea : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.addf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// An op that is none of loops.
// CHECK-LABEL: func @padded(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[G]] : tensor<2x5x7x3x2xf32>) {{.*}} permutation = [0, 3, 4, 1, 2]
// CHECK:         tensor.collapse_shape %[[CT]] {{\[\[}}0], [1], [2, 3, 4]]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @padded(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %one: f32) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %p = tensor.pad %g low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %one : f32
  } : tensor<2x3x70xf32> to tensor<2x3x71xf32>
  %y = tensor.extract_slice %p[0, 0, 0] [2, 3, 70] [1, 1, 1] : tensor<2x3x71xf32> to tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// A matrix multiplication that is no fusion op keeps its form.
// CHECK-LABEL: func @contraction(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x5x7x6xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x210xf32>, tensor<210x210xf32>)
// CHECK:         %[[K:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x5x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[M:.*]] = linalg.add ins(%[[K]], %[[C]] : tensor<2x5x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @contraction(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %q: tensor<210x210xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %g = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %zero = arith.constant dense<0.0> : tensor<2x210xf32>
  %y = linalg.matmul ins(%g, %q : tensor<2x210xf32>, tensor<210x210xf32>) outs(%zero : tensor<2x210xf32>) -> tensor<2x210xf32>
  %k = tensor.expand_shape %y [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %em = tensor.empty() : tensor<2x6x5x7xf32>
  %m = linalg.add ins(%k, %conv : tensor<2x6x5x7xf32>, tensor<2x6x5x7xf32>) outs(%em : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// Sizes of 0 divide nothing.
// CHECK-LABEL: func @no_elements(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x1x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x0x7x6xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x0x7x6xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x6x0x7xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x0x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x0x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @no_elements(%x: tensor<2x3x1x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x1x3xf32>) -> tensor<2x4x0x5xf32> {
  %ec = tensor.empty() : tensor<2x6x0x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x1x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x0x7xf32>) -> tensor<2x6x0x7xf32>
  %f = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x0x7xf32> into tensor<2x0xf32>
  %g = tensor.expand_shape %f [[0], [1, 2]] output_shape [2, 3, 0] : tensor<2x0xf32> into tensor<2x3x0xf32>
  %ye = tensor.empty() : tensor<2x3x0xf32>
  %y = linalg.exp ins(%g : tensor<2x3x0xf32>) outs(%ye : tensor<2x3x0xf32>) -> tensor<2x3x0xf32>
  %k = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x0xf32> into tensor<2x0xf32>
  %m = tensor.expand_shape %k [[0], [1, 2, 3]] output_shape [2, 6, 0, 7] : tensor<2x0xf32> into tensor<2x6x0x7xf32>
  %er = tensor.empty() : tensor<2x4x0x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x0x7xf32>, tensor<4x6x1x3xf32>) outs(%er : tensor<2x4x0x5xf32>) -> tensor<2x4x0x5xf32>
  return %r : tensor<2x4x0x5xf32>
}

// One loop reads two merged dimensions.
// CHECK-LABEL: func @diagonal(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[D:.*]] = tensor.extract_slice %[[C]]
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[D]] : tensor<2x4x3x6xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<12x12xf32>)
// CHECK:         %[[M:.*]] = linalg.transpose ins(%{{.*}} : tensor<1x6x2x1xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<1x1x1x4xf32>
func.func @diagonal(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x1xf32>) -> tensor<1x4x1x1xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %d = tensor.extract_slice %conv[0, 0, 0, 0] [2, 6, 4, 3] [1, 1, 1, 1] : tensor<2x6x5x7xf32> to tensor<2x6x4x3xf32>
  %g = tensor.collapse_shape %d [[0, 1], [2, 3]] : tensor<2x6x4x3xf32> into tensor<12x12xf32>
  %ea = tensor.empty() : tensor<12xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%g : tensor<12x12xf32>) outs(%ea : tensor<12xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<12xf32>
  %m = tensor.expand_shape %y [[0, 1, 2, 3]] output_shape [1, 6, 2, 1] : tensor<12xf32> into tensor<1x6x2x1xf32>
  %er = tensor.empty() : tensor<1x4x1x1xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<1x6x2x1xf32>, tensor<4x6x2x1xf32>) outs(%er : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  return %r : tensor<1x4x1x1xf32>
}

// The number of rows is not known.
// CHECK-LABEL: func @dynamic_sizes(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x3x?x8xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x?x7x6xf32>)
// CHECK:         tensor.expand_shape %[[CT]]
// CHECK:         linalg.exp
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x6x?x7xf32>)
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// CHECK:         linalg.transpose
func.func @dynamic_sizes(%x: tensor<2x3x?x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %rows: index, %less: index) -> tensor<2x4x?x5xf32> {
  %ec = tensor.empty(%rows) : tensor<2x6x?x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x?x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x?x7xf32>) -> tensor<2x6x?x7xf32>
  %two = arith.constant 2 : index
  %h = tensor.dim %conv, %two : tensor<2x6x?x7xf32>
  %f = tensor.collapse_shape %conv [[0], [1, 2], [3]] : tensor<2x6x?x7xf32> into tensor<2x?x7xf32>
  %g = tensor.expand_shape %f [[0], [1, 2, 3], [4]] output_shape [2, 2, 3, %h, 7] : tensor<2x?x7xf32> into tensor<2x2x3x?x7xf32>
  %ea = tensor.empty(%h) : tensor<2x2x3x?x7xf32>
  %y = linalg.exp ins(%g : tensor<2x2x3x?x7xf32>) outs(%ea : tensor<2x2x3x?x7xf32>) -> tensor<2x2x3x?x7xf32>
  %k = tensor.collapse_shape %y [[0], [1, 2, 3], [4]] : tensor<2x2x3x?x7xf32> into tensor<2x?x7xf32>
  %m = tensor.expand_shape %k [[0], [1, 2], [3]] output_shape [2, 6, %h, 7] : tensor<2x?x7xf32> into tensor<2x6x?x7xf32>
  %er = tensor.empty(%less) : tensor<2x4x?x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x?x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x?x5xf32>) -> tensor<2x4x?x5xf32>
  return %r : tensor<2x4x?x5xf32>
}

// A loop over rows that are not known.
// CHECK-LABEL: func @dynamic_rows(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x3x?x8xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[C]] : tensor<2x?x7x6xf32>)
// CHECK:         tensor.collapse_shape %[[CT]]
// CHECK:         linalg.exp
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x6x?x7xf32>)
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc)
// CHECK:         linalg.transpose
func.func @dynamic_rows(%x: tensor<2x3x?x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %rows: index, %less: index) -> tensor<2x4x?x5xf32> {
  %ec = tensor.empty(%rows) : tensor<2x6x?x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x?x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x?x7xf32>) -> tensor<2x6x?x7xf32>
  %two = arith.constant 2 : index
  %h = tensor.dim %conv, %two : tensor<2x6x?x7xf32>
  %g = tensor.collapse_shape %conv [[0], [1, 2], [3]] : tensor<2x6x?x7xf32> into tensor<2x?x7xf32>
  %one = arith.constant 1 : index
  %n = tensor.dim %g, %one : tensor<2x?x7xf32>
  %ea = tensor.empty(%n) : tensor<2x?x7xf32>
  %y = linalg.exp ins(%g : tensor<2x?x7xf32>) outs(%ea : tensor<2x?x7xf32>) -> tensor<2x?x7xf32>
  %m = tensor.expand_shape %y [[0], [1, 2], [3]] output_shape [2, 6, %h, 7] : tensor<2x?x7xf32> into tensor<2x6x?x7xf32>
  %er = tensor.empty(%less) : tensor<2x4x?x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x?x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x?x5xf32>) -> tensor<2x4x?x5xf32>
  return %r : tensor<2x4x?x5xf32>
}

// No convolution reads the result.
// CHECK-LABEL: func @no_convolution(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[C]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[D]] : tensor<2x5x7x6xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         linalg.exp ins(%{{.*}} : tensor<2x3x70xf32>)
func.func @no_convolution(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %v: tensor<6x6x1x1xf32>) -> tensor<2x3x70xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %first = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %es = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%first, %v : tensor<2x6x5x7xf32>, tensor<6x6x1x1xf32>) outs(%es : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ye = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.exp ins(%g : tensor<2x3x70xf32>) outs(%ye : tensor<2x3x70xf32>) -> tensor<2x3x70xf32>
  %me = tensor.empty() : tensor<2x3x70xf32>
  %m = linalg.exp ins(%y : tensor<2x3x70xf32>) outs(%me : tensor<2x3x70xf32>) -> tensor<2x3x70xf32>
  return %m : tensor<2x3x70xf32>
}
