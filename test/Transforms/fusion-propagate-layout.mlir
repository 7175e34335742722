// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// Networks of convolutions in channels-last, with transposes at their edges. Every
// transpose there is, is named.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#nc11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>

// Two convolutions: a transpose in front and one behind. The rest of the op stays.
// CHECK-LABEL: func @chain(
// CHECK-SAME:    %[[V:[a-z0-9]*]]: tensor<6x5x3x2xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] pad_low [2, 1] pad_high [0, 1] layouts(nhwc, fchw, nhwc) ins(%[[C]], %[[V]] : tensor<2x7x10x5xf32>, tensor<6x5x3x2xf32>) outs({{.*}} -> tensor<2x4x11x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x4x10x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x4x10x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @chain(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x6x1x2xf32>, %v: tensor<6x5x3x2xf32>) -> tensor<2x4x4x10xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %em = tensor.empty() : tensor<2x6x4x11xf32>
  %m = fusion.fused_conv_bias_act {activation = #fusion.activation<relu>, dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 1>, pad_low = array<i64: 2, 1>, strides = array<i64: 2, 1>} ins(%c, %v : tensor<2x5x7x10xf32>, tensor<6x5x3x2xf32>) outs(%em : tensor<2x6x4x11xf32>) -> tensor<2x6x4x11xf32>
  %er = tensor.empty() : tensor<2x4x4x10xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x6x4x11xf32>, tensor<4x6x1x2xf32>) outs(%er : tensor<2x4x4x10xf32>) -> tensor<2x4x4x10xf32>
  return %r : tensor<2x4x4x10xf32>
}

// One alone gains nothing: the runtime knows better.
// CHECK-LABEL: func @alone(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         %[[R:.*]] = linalg.exp
// CHECK-NEXT:    return %[[R]]
func.func @alone(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Nor do two that only share a filter, or a destination.
// CHECK-LABEL: func @unrelated(
// CHECK-COUNT-2: fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    return
func.func @unrelated(%x: tensor<2x3x9x11xf32>, %y: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %ed = tensor.empty() : tensor<2x5x7x10xf32>
  %d = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%y, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ed : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %c, %d : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}

// One that makes another's filter has nothing to do with its layout.
// CHECK-LABEL: func @filter_of_another(
// CHECK-COUNT-2: fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    return
func.func @filter_of_another(%x: tensor<2x3x9x11xf32>, %y: tensor<5x4x5x3xf32>, %w: tensor<3x4x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %ef = tensor.empty() : tensor<5x3x3x2xf32>
  %f = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%y, %w : tensor<5x4x5x3xf32>, tensor<3x4x3x2xf32>) outs(%ef : tensor<5x3x3x2xf32>) -> tensor<5x3x3x2xf32>
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %f : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %c : tensor<2x5x7x10xf32>
}

// Two branches of one input share its transpose; a residual and its sum stay between.
// CHECK-LABEL: func @residual(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>,
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} residual(%[[A]] : tensor<2x7x10x5xf32>) {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = linalg.add ins(%[[A]], %[[B]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[S]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %ea = tensor.empty() : tensor<2x5x7x10xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ea : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %eb = tensor.empty() : tensor<2x5x7x10xf32>
  %b = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %u : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) residual(%a : tensor<2x5x7x10xf32>) outs(%eb : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%a, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%eb : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The residual alone connects two.
// CHECK-LABEL: func @by_residual(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]],
// CHECK:         %[[Y:.*]] = linalg.transpose ins({{.*}} : tensor<2x4x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[Y]], {{.*}} residual(%[[A]] :
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[B]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @by_residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %y: tensor<2x4x7x10xf32>, %u: tensor<5x4x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %ea = tensor.empty() : tensor<2x5x7x10xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ea : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %eb = tensor.empty() : tensor<2x5x7x10xf32>
  %b = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%y, %u : tensor<2x4x7x10xf32>, tensor<5x4x1x1xf32>) residual(%a : tensor<2x5x7x10xf32>) outs(%eb : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %b : tensor<2x5x7x10xf32>
}

// GoogLeNet's block: branches, one with a pool, and their concatenation.
// CHECK-LABEL: func @inception(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>,
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[Y:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} -> tensor<2x9x11x7xf32>
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[Y]], {{.*}} -> tensor<2x9x11x5xf32>
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[Y]], {{.*}} -> tensor<2x9x11x4xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[Y]] low[0, 1, 0, 0] high[0, 1, 1, 0]
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<2x9x11x7xf32>
// CHECK:         %[[M:.*]] = linalg.pooling_nhwc_max {{.*}} ins(%[[P]], {{.*}} outs(%[[F]] : tensor<2x9x11x7xf32>)
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[M]], {{.*}} -> tensor<2x9x11x6xf32>
// CHECK:         %[[O:.*]] = tensor.concat dim(3) %[[A]], %[[B]], %[[D]] : (tensor<2x9x11x5xf32>, tensor<2x9x11x4xf32>, tensor<2x9x11x6xf32>) -> tensor<2x9x11x15xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[O]] : tensor<2x9x11x15xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @inception(%x: tensor<2x3x9x11xf32>, %w: tensor<7x3x1x1xf32>, %u: tensor<5x7x1x1xf32>, %v: tensor<4x7x3x2xf32>, %z: tensor<6x7x1x1xf32>) -> tensor<2x15x9x11xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %ey = tensor.empty() : tensor<2x7x9x11xf32>
  %y = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<7x3x1x1xf32>) outs(%ey : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %ea = tensor.empty() : tensor<2x5x9x11xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%y, %u : tensor<2x7x9x11xf32>, tensor<5x7x1x1xf32>) outs(%ea : tensor<2x5x9x11xf32>) -> tensor<2x5x9x11xf32>
  %eb = tensor.empty() : tensor<2x4x9x11xf32>
  %b = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 1, 1>, pad_low = array<i64: 1, 0>, strides = array<i64: 1, 1>} ins(%y, %v : tensor<2x7x9x11xf32>, tensor<4x7x3x2xf32>) outs(%eb : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  %p = tensor.pad %y low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %lowest : f32
  } : tensor<2x7x9x11xf32> to tensor<2x7x11x12xf32>
  %e = tensor.empty() : tensor<2x7x9x11xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %window = tensor.empty() : tensor<3x2xf32>
  %m = linalg.pooling_nchw_max ins(%p, %window : tensor<2x7x11x12xf32>, tensor<3x2xf32>) outs(%f : tensor<2x7x9x11xf32>) -> tensor<2x7x9x11xf32>
  %ed = tensor.empty() : tensor<2x6x9x11xf32>
  %d = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %z : tensor<2x7x9x11xf32>, tensor<6x7x1x1xf32>) outs(%ed : tensor<2x6x9x11xf32>) -> tensor<2x6x9x11xf32>
  %r = tensor.concat dim(1) %a, %b, %d : (tensor<2x5x9x11xf32>, tensor<2x4x9x11xf32>, tensor<2x6x9x11xf32>) -> tensor<2x15x9x11xf32>
  return %r : tensor<2x15x9x11xf32>
}

// Squeeze and excite: one number of each channel through two convolutions, which
// multiplies the channel. With one pixel the order of the dimensions is a reshape.
// CHECK-LABEL: func @squeeze_and_excite(
// CHECK:         %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[Y:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[S:.*]] = linalg.pooling_nhwc_sum {{.*}} ins(%[[Y]], {{.*}} -> tensor<2x1x1x5xf32>
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%{{[^,]*}}, {{.*}} -> tensor<2x1x1x3xf32>
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{.*}} -> tensor<2x1x1x5xf32>
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[B]] {{.*}} : tensor<2x1x1x5xf32> into tensor<2x5xf32>
// CHECK:         %[[GATE:.*]] = tensor.expand_shape %[[FLAT]] {{.*}} : tensor<2x5xf32> into tensor<2x5x1x1xf32>
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[GATE]] : tensor<2x7x10x5xf32>, tensor<2x5x1x1xf32>)
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @squeeze_and_excite(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<3x5x1x1xf32>, %v: tensor<5x3x1x1xf32>, %z: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %ey = tensor.empty() : tensor<2x5x7x10xf32>
  %y = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ey : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %window = tensor.empty() : tensor<7x10xf32>
  %s = linalg.pooling_nchw_sum ins(%y, %window : tensor<2x5x7x10xf32>, tensor<7x10xf32>) outs(%f : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %n = arith.constant dense<70.0> : tensor<2x5x1x1xf32>
  %q = linalg.div ins(%s, %n : tensor<2x5x1x1xf32>, tensor<2x5x1x1xf32>) outs(%e : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %ea = tensor.empty() : tensor<2x3x1x1xf32>
  %a = fusion.fused_conv_bias_act {activation = #fusion.activation<relu>, dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%q, %u : tensor<2x5x1x1xf32>, tensor<3x5x1x1xf32>) outs(%ea : tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  %eb = tensor.empty() : tensor<2x5x1x1xf32>
  %b = fusion.fused_conv_bias_act {activation = #fusion.activation<sigmoid>, dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %v : tensor<2x3x1x1xf32>, tensor<5x3x1x1xf32>) outs(%eb : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #nc11, #all]
         ins(%y, %b : tensor<2x5x7x10xf32>, tensor<2x5x1x1xf32>) outs(%ey : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %z : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// An op that nothing is known of: two transposes more, around it.
// CHECK-LABEL: func @unknown(
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]],
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]],
// CHECK:         %[[S:.*]] = linalg.transpose ins(%[[B]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[U:.*]] = linalg.softmax dimension(1) ins(%[[S]] : tensor<2x5x7x10xf32>)
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[U]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]],
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @unknown(%x: tensor<2x3x7x10xf32>, %w: tensor<5x3x1x1xf32>, %u: tensor<5x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %ea = tensor.empty() : tensor<2x5x7x10xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x7x10xf32>, tensor<5x3x1x1xf32>) outs(%ea : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %eb = tensor.empty() : tensor<2x5x7x10xf32>
  %b = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %u : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%eb : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.softmax dimension(1) ins(%b : tensor<2x5x7x10xf32>) outs(%eb : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%s, %u : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %ed = tensor.empty() : tensor<2x5x7x10xf32>
  %d = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ed : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %d : tensor<2x5x7x10xf32>
}

// Rows alone.
// CHECK-LABEL: func @one_dimension(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act layouts(nwc, fcw, nwc) ins(%[[X]], {{.*}} -> tensor<2x8x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nwc, fcw, nwc) ins(%[[A]], {{.*}} -> tensor<2x6x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x6x4xf32>) {{.*}} permutation = [0, 2, 1]
// CHECK-NEXT:    return %[[O]]
func.func @one_dimension(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %u: tensor<4x5x3xf32>) -> tensor<2x4x6xf32> {
  %ea = tensor.empty() : tensor<2x5x8xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) outs(%ea : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %er = tensor.empty() : tensor<2x4x6xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%a, %u : tensor<2x5x8xf32>, tensor<4x5x3xf32>) outs(%er : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}

// Volumes.
// CHECK-LABEL: func @three_dimensions(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x6x9x11xf32>) {{.*}} permutation = [0, 2, 3, 4, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act layouts(ndhwc, fcdhw, ndhwc) ins(%[[X]], {{.*}} -> tensor<2x5x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(ndhwc, fcdhw, ndhwc) ins(%[[A]], {{.*}} -> tensor<2x3x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x3x7x9x4xf32>) {{.*}} permutation = [0, 4, 1, 2, 3]
// CHECK-NEXT:    return %[[O]]
func.func @three_dimensions(%x: tensor<2x3x6x9x11xf32>, %w: tensor<5x3x2x3x2xf32>, %u: tensor<4x5x3x1x2xf32>) -> tensor<2x4x3x7x9xf32> {
  %ea = tensor.empty() : tensor<2x5x5x7x10xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1, 1>, filter_layout = "fcdhw", input_layout = "ncdhw", output_layout = "ncdhw", pad_high = array<i64: 0, 0, 0>, pad_low = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} ins(%x, %w : tensor<2x3x6x9x11xf32>, tensor<5x3x2x3x2xf32>) outs(%ea : tensor<2x5x5x7x10xf32>) -> tensor<2x5x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x3x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1, 1>, filter_layout = "fcdhw", input_layout = "ncdhw", output_layout = "ncdhw", pad_high = array<i64: 0, 0, 0>, pad_low = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>} ins(%a, %u : tensor<2x5x5x7x10xf32>, tensor<4x5x3x1x2xf32>) outs(%er : tensor<2x4x3x7x9xf32>) -> tensor<2x4x3x7x9xf32>
  return %r : tensor<2x4x3x7x9xf32>
}

// Transposed convolutions.
// CHECK-LABEL: func @deconv(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = fusion.fused_deconv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x11x12x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[A]], {{.*}} -> tensor<2x11x13x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x11x13x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @deconv(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x11x13xf32> {
  %ea = tensor.empty() : tensor<2x5x11x12xf32>
  %a = fusion.fused_deconv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ea : tensor<2x5x11x12xf32>) -> tensor<2x5x11x12xf32>
  %er = tensor.empty() : tensor<2x4x11x13xf32>
  %r = fusion.fused_deconv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %u : tensor<2x5x11x12xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x11x13xf32>) -> tensor<2x4x11x13xf32>
  return %r : tensor<2x4x11x13xf32>
}

// A batch of nothing is one like others.
// CHECK-LABEL: func @no_images(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<0x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<0x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[A]], {{.*}} -> tensor<0x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<0x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @no_images(%x: tensor<0x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<0x4x7x9xf32> {
  %ea = tensor.empty() : tensor<0x5x7x10xf32>
  %a = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<0x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ea : tensor<0x5x7x10xf32>) -> tensor<0x5x7x10xf32>
  %er = tensor.empty() : tensor<0x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %u : tensor<0x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<0x4x7x9xf32>) -> tensor<0x4x7x9xf32>
  return %r : tensor<0x4x7x9xf32>
}

// Rows and columns swapped, and the batch inside: such layouts become channels-last.
// CHECK-LABEL: func @other_orders(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x3xf32>,
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[C]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [3, 0, 2, 1]
// CHECK-NEXT:    return %[[R]]
func.func @other_orders(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<4x2x9x7xf32> {
  %ec = tensor.empty() : tensor<2x5x10x7xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nhwc", output_layout = "ncwh", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x9x11x3xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x10x7xf32>) -> tensor<2x5x10x7xf32>
  %er = tensor.empty() : tensor<4x2x9x7xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "ncwh", output_layout = "cnwh", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x10x7xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<4x2x9x7xf32>) -> tensor<4x2x9x7xf32>
  return %r : tensor<4x2x9x7xf32>
}

// Nothing to do.
// CHECK-LABEL: func @channels_last(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x3xf32>,
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]],
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK-NEXT:    return %[[R]]
func.func @channels_last(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x7x9x4xf32> {
  %ec = tensor.empty() : tensor<2x7x10x5xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nhwc", output_layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x9x11x3xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %er = tensor.empty() : tensor<2x7x9x4xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nhwc", output_layout = "nhwc", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x7x10x5xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x7x9x4xf32>) -> tensor<2x7x9x4xf32>
  return %r : tensor<2x7x9x4xf32>
}

// Batch and image known at run time: sizes are asked of the input alone.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x3x?x?xf32>,
// CHECK-DAG:     %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[H:.*]] = tensor.dim %[[X]], %c2
// CHECK-DAG:     %[[W:.*]] = tensor.dim %[[X]], %c3
// CHECK-NOT:     tensor.dim
// CHECK:         %[[EC:.*]] = tensor.empty(%[[N]], %[[H1:.*]], %[[W1:.*]]) : tensor<?x?x?x5xf32>
// CHECK:         %[[EX:.*]] = tensor.empty(%[[N]], %[[H]], %[[W]]) : tensor<?x?x?x3xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[X]] : tensor<?x3x?x?xf32>) outs(%[[EX]] : tensor<?x?x?x3xf32>) permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} outs(%[[EC]] :
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[C]] : tensor<?x?x?x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{.*}} -> tensor<?x?x?x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<?x?x?x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @dynamic(%x: tensor<?x3x?x?xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<?x4x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x?x?xf32>
  %h = tensor.dim %x, %c2 : tensor<?x3x?x?xf32>
  %l = tensor.dim %x, %c3 : tensor<?x3x?x?xf32>
  %h1 = arith.subi %h, %c2 : index
  %l1 = arith.subi %l, %c1 : index
  %l2 = arith.subi %l, %c2 : index
  %ec = tensor.empty(%n, %h1, %l1) : tensor<?x5x?x?xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<?x3x?x?xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %m = tensor.dim %c, %c0 : tensor<?x5x?x?xf32>
  %k = tensor.dim %c, %c3 : tensor<?x5x?x?xf32>
  %e = tensor.empty(%m, %h1, %k) : tensor<?x5x?x?xf32>
  %a = linalg.exp ins(%c : tensor<?x5x?x?xf32>) outs(%e : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %er = tensor.empty(%n, %h1, %l2) : tensor<?x4x?x?xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %u : tensor<?x5x?x?xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<?x4x?x?xf32>) -> tensor<?x4x?x?xf32>
  return %r : tensor<?x4x?x?xf32>
}

// One channel moves past rows and columns without a copy.
// CHECK-LABEL: func @one_channel(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x1x?x9xf32>,
// CHECK:         %[[A:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2], [3]] : tensor<?x1x?x9xf32> into tensor<?x?x9xf32>
// CHECK:         %[[B:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1], [2, 3]] output_shape {{.*}} : tensor<?x?x9xf32> into tensor<?x?x9x1xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[B]],
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[E:.*]] = tensor.collapse_shape %[[D]] {{\[\[}}0], [1], [2, 3]] : tensor<?x?x9x1xf32> into tensor<?x?x9xf32>
// CHECK:         %[[R:.*]] = tensor.expand_shape %[[E]] {{\[\[}}0, 1], [2], [3]] output_shape {{.*}} : tensor<?x?x9xf32> into tensor<?x1x?x9xf32>
// CHECK-NEXT:    return %[[R]]
func.func @one_channel(%x: tensor<?x1x?x9xf32>, %w: tensor<1x1x1x1xf32>, %n: index, %h: index) -> tensor<?x1x?x9xf32> {
  %ec = tensor.empty(%n, %h) : tensor<?x1x?x9xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<?x1x?x9xf32>, tensor<1x1x1x1xf32>) outs(%ec : tensor<?x1x?x9xf32>) -> tensor<?x1x?x9xf32>
  %er = tensor.empty(%n, %h) : tensor<?x1x?x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %w : tensor<?x1x?x9xf32>, tensor<1x1x1x1xf32>) outs(%er : tensor<?x1x?x9xf32>) -> tensor<?x1x?x9xf32>
  return %r : tensor<?x1x?x9xf32>
}

// One row: rows are passed by, columns are not.
// CHECK-LABEL: func @one_row(
// CHECK:         %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x1x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]],
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x1x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @one_row(%x: tensor<2x3x1x11xf32>, %w: tensor<5x3x1x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x1x9xf32> {
  %ec = tensor.empty() : tensor<2x5x1x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x1x11xf32>, tensor<5x3x1x2xf32>) outs(%ec : tensor<2x5x1x10xf32>) -> tensor<2x5x1x10xf32>
  %er = tensor.empty() : tensor<2x4x1x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x1x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x1x9xf32>) -> tensor<2x4x1x9xf32>
  return %r : tensor<2x4x1x9xf32>
}

// One pixel of one channel has the shape of a scalar.
// CHECK-LABEL: func @one_number(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x1x1xf32>,
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]],
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK-NEXT:    return %[[R]]
func.func @one_number(%x: tensor<1x1x1xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %ec = tensor.empty() : tensor<1x1x1xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%x, %w : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%ec : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %er = tensor.empty() : tensor<1x1x1xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%c, %w : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%er : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}

// The destination of a convolution is not read: none is transposed.
// CHECK-LABEL: func @destination(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x7x10x5xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} outs(%[[E]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @destination(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>) -> tensor<2x4x7x9xf32> {
    %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%q : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Blocks of a loop and of branches: the layout goes on inside a block, also of values
// from outside; values passed between blocks keep theirs.
// CHECK-LABEL: func @loop(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}})
// CHECK:           %[[T:.*]] = linalg.transpose ins(%[[A]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:           %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]],
// CHECK:           %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]],
// CHECK:           %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:           scf.yield %[[R]]
func.func @loop(%x: tensor<2x5x7x10xf32>, %w: tensor<5x5x1x1xf32>, %n: index) -> tensor<2x5x7x10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<2x5x7x10xf32>) {
    %ec = tensor.empty() : tensor<2x5x7x10xf32>
    %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    %ed = tensor.empty() : tensor<2x5x7x10xf32>
    %d = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%c, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ed : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    scf.yield %d : tensor<2x5x7x10xf32>
  }
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @branches(
// CHECK:         %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]],
// CHECK:         %[[S:.*]] = linalg.transpose ins(%[[C]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[R:.*]] = scf.if
// CHECK:           %[[A:.*]] = linalg.exp ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:           %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]],
// CHECK:           %[[O:.*]] = linalg.transpose ins(%[[D]] : tensor<2x7x10x5xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:      scf.yield %[[O]]
// CHECK:           scf.yield %[[S]]
// CHECK:         return %[[R]]
func.func @branches(%x: tensor<2x5x7x10xf32>, %w: tensor<5x5x1x1xf32>, %p: i1) -> tensor<2x5x7x10xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = scf.if %p -> (tensor<2x5x7x10xf32>) {
    %a = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    %ed = tensor.empty() : tensor<2x5x7x10xf32>
    %d = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%a, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%ed : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
    scf.yield %d : tensor<2x5x7x10xf32>
  } else {
    scf.yield %c : tensor<2x5x7x10xf32>
  }
  return %r : tensor<2x5x7x10xf32>
}

// Ops on memrefs stay as they are.
// CHECK-LABEL: func @memrefs(
// CHECK-COUNT-2: fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    return
func.func @memrefs(%x: memref<2x3x9xf32>, %w: memref<5x3x1xf32>, %c: memref<2x5x9xf32>, %u: memref<4x5x1xf32>, %r: memref<2x4x9xf32>) {
  fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%x, %w : memref<2x3x9xf32>, memref<5x3x1xf32>) outs(%c : memref<2x5x9xf32>)
  fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%c, %u : memref<2x5x9xf32>, memref<4x5x1xf32>) outs(%r : memref<2x4x9xf32>)
  return
}
