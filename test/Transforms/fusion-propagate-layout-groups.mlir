// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// The pass itself leaves no op without a reader behind.
// RUN: fusion-opt %s --fusion-propagate-layout | FileCheck %s --check-prefix=ALONE
// ALONE-LABEL:    func @groups(
// ALONE-COUNT-2:  linalg.transpose
// ALONE-NOT:      linalg.transpose
// ALONE-LABEL:    func @divided_pixels(

// Reshapes that merge dimensions which are no neighbours in channels-last.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>{{$}}
// CHECK-DAG: #[[$SUM_IN:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d1, d4)>{{$}}
// CHECK-DAG: #[[$SUM_OUT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0)>{{$}}
// CHECK-DAG: #[[$BY_GROUP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, 0)>{{$}}

#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#kept = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#group = affine_map<(d0, d1, d2) -> (d0, d1)>

// A sum for each group of channels, which a reshape merges with the pixels, and an op that reads
// it: the channels alone are divided.
// CHECK-LABEL: func @groups(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[$SUM_IN]], #[[$SUM_OUT]]], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[G]] : tensor<2x5x7x3x2xf32>) outs(%{{.*}} : tensor<2x3x1xf32>)
// CHECK:         %[[Y:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$BY_GROUP]], #[[$ALL]]], {{.*}} ins(%[[G]], %[[S]] : tensor<2x5x7x3x2xf32>, tensor<2x3x1xf32>) outs(%{{.*}} : tensor<2x5x7x3x2xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x5x7x3x2xf32> into tensor<2x5x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @groups(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<2x3x1xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %s = linalg.generic {indexing_maps = [#all3, #kept], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<2x3x70xf32>) outs(%f1 : tensor<2x3x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.addf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x1xf32>
  %eg = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #kept, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %s : tensor<2x3x70xf32>, tensor<2x3x1xf32>) outs(%eg : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32):
    %val = arith.subf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// The rows are divided, too: 12 groups of half the pixels.
// CHECK-LABEL: func @divided_pixels(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[H:.*]] = tensor.extract_slice %[[C]]
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[H]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 2, 2, 7, 6]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<2x2x2x7x6xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2], [3], [4]] : tensor<2x2x2x7x6xf32> into tensor<2x4x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x3x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x3x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @divided_pixels(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> tensor<2x4x3x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %h = tensor.extract_slice %conv[0, 0, 0, 0] [2, 6, 4, 7] [1, 1, 1, 1] : tensor<2x6x5x7xf32> to tensor<2x6x4x7xf32>
  %f = tensor.collapse_shape %h [[0], [1, 2, 3]] : tensor<2x6x4x7xf32> into tensor<2x168xf32>
  %g = tensor.expand_shape %f [[0], [1, 2]] output_shape [2, 12, 14] : tensor<2x168xf32> into tensor<2x12x14xf32>
  %ye = tensor.empty() : tensor<2x12x14xf32>
  %y = linalg.exp ins(%g : tensor<2x12x14xf32>) outs(%ye : tensor<2x12x14xf32>) -> tensor<2x12x14xf32>
  %k = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x12x14xf32> into tensor<2x168xf32>
  %m = tensor.expand_shape %k [[0], [1, 2, 3]] output_shape [2, 6, 4, 7] : tensor<2x168xf32> into tensor<2x6x4x7xf32>
  %er = tensor.empty() : tensor<2x4x3x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x4x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  return %r : tensor<2x4x3x5xf32>
}

// Two operands in the same layout.
// CHECK-LABEL: func @sum_of_branches(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[H:.*]] = linalg.exp ins(%[[C]] : tensor<2x5x7x6xf32>)
// CHECK:         %[[K:.*]] = tensor.expand_shape %[[H]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[K]] : tensor<2x5x7x3x2xf32>, tensor<2x5x7x3x2xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x5x7x3x2xf32> into tensor<2x5x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @sum_of_branches(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %he = tensor.empty() : tensor<2x6x5x7xf32>
  %h = linalg.exp ins(%conv : tensor<2x6x5x7xf32>) outs(%he : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %kf = tensor.collapse_shape %h [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %k = tensor.expand_shape %kf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ea = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#all3, #all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%g, %k : tensor<2x3x70xf32>, tensor<2x3x70xf32>) outs(%ea : tensor<2x3x70xf32>) {
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

// The op adds to the groups. Its input is divided and transposed.
// CHECK-LABEL: func @accumulated(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x3xf32>) outs(%[[G]] : tensor<2x5x7x3x2xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x5x7x3x2xf32> into tensor<2x5x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @accumulated(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>, %q: tensor<2x3xf32>) -> tensor<2x4x4x5xf32> {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %y = linalg.generic {indexing_maps = [#group, #all3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q : tensor<2x3xf32>) outs(%g : tensor<2x3x70xf32>) {
  ^bb0(%a: f32, %b: f32):
    %val = arith.mulf %a, %b : f32
    linalg.yield %val : f32
  } -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// A caller reads the groups in the order of channels first: one transpose, for it alone.
// CHECK-LABEL: func @elsewhere(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x8xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x6xf32>
// CHECK:         %[[G:.*]] = tensor.expand_shape %[[C]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [2, 5, 7, 3, 2] : tensor<2x5x7x6xf32> into tensor<2x5x7x3x2xf32>
// CHECK:         %[[CT:.*]] = linalg.transpose ins(%[[G]] : tensor<2x5x7x3x2xf32>) {{.*}} permutation = [0, 3, 4, 1, 2]
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[G]] : tensor<2x5x7x3x2xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x5x7x3x2xf32> into tensor<2x5x7x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x5x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x5x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @elsewhere(%x: tensor<2x3x6x8xf32>, %w: tensor<6x3x2x2xf32>, %u: tensor<4x6x2x3xf32>) -> (tensor<2x4x4x5xf32>, tensor<2x3x70xf32>) {
  %ec = tensor.empty() : tensor<2x6x5x7xf32>
  %conv = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x6x8xf32>, tensor<6x3x2x2xf32>) outs(%ec : tensor<2x6x5x7xf32>) -> tensor<2x6x5x7xf32>
  %gf = tensor.collapse_shape %conv [[0], [1, 2, 3]] : tensor<2x6x5x7xf32> into tensor<2x210xf32>
  %g = tensor.expand_shape %gf [[0], [1, 2]] output_shape [2, 3, 70] : tensor<2x210xf32> into tensor<2x3x70xf32>
  %ye = tensor.empty() : tensor<2x3x70xf32>
  %y = linalg.exp ins(%g : tensor<2x3x70xf32>) outs(%ye : tensor<2x3x70xf32>) -> tensor<2x3x70xf32>
  %mf = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x3x70xf32> into tensor<2x210xf32>
  %m = tensor.expand_shape %mf [[0], [1, 2, 3]] output_shape [2, 6, 5, 7] : tensor<2x210xf32> into tensor<2x6x5x7xf32>
  %er = tensor.empty() : tensor<2x4x4x5xf32>
  %r = fusion.fused_conv_bias_act ins(%m, %u : tensor<2x6x5x7xf32>, tensor<4x6x2x3xf32>) outs(%er : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r, %g : tensor<2x4x4x5xf32>, tensor<2x3x70xf32>
}
