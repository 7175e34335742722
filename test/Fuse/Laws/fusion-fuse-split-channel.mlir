// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// The output channel in several dimensions, as depthwise convolutions with a
// multiplier have it, and other reshapes of the result.

#all = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#pair = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#swapped = affine_map<(d0, d1, d2, d3, d4) -> (d4, d3)>
#channel = affine_map<(d0, d1, d2, d3, d4) -> (d3)>
#row = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3)>

// A tensor of the same dimensions, in each spelling of the addition.
// CHECK-LABEL: func @residual_named(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x7x10x3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @residual_named(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %r = linalg.add ins(%c, %s : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// CHECK-LABEL: func @residual_generic(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x7x10x3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @residual_generic(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// CHECK-LABEL: func @residual_arith(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x7x10x3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @residual_arith(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = arith.addf %c, %s : tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// One channel each.
// CHECK-LABEL: func @residual_of_multiplier_one(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x7x10x3x1xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x1xf32> into tensor<2x7x10x3xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @residual_of_multiplier_one(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x1xf32>, %s: tensor<2x7x10x3x1xf32>) -> tensor<2x7x10x3x1xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x1xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x1xf32>) outs(%z : tensor<2x7x10x3x1xf32>) -> tensor<2x7x10x3x1xf32>
  %e = tensor.empty() : tensor<2x7x10x3x1xf32>
  %r = linalg.add ins(%c, %s : tensor<2x7x10x3x1xf32>, tensor<2x7x10x3x1xf32>) outs(%e : tensor<2x7x10x3x1xf32>) -> tensor<2x7x10x3x1xf32>
  return %r : tensor<2x7x10x3x1xf32>
}

// Ops behind the reshape are folded, too.
// CHECK-LABEL: func @residual_then_relu(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x7x10x3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act relu groups 3 layouts(nhwc, hwcf, nhwc) ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @residual_then_relu(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %t = linalg.add ins(%c, %s : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = linalg.max ins(%t, %z : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// A bias with the same two dimensions.
// CHECK-LABEL: func @bias_in_outs(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1]] : tensor<3x4xf32> into tensor<12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<12xf32>) outs(
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @bias_in_outs(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %z = linalg.broadcast ins(%b : tensor<3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) dimensions = [0, 1, 2]
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// CHECK-LABEL: func @generic_bias_in_outs(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1]] : tensor<3x4xf32> into tensor<12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<12xf32>) outs(
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @generic_bias_in_outs(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %z = linalg.generic {indexing_maps = [#pair, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x3x4xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// CHECK-LABEL: func @bias_added(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0, 1]] : tensor<3x4xf32> into tensor<12xf32>
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<12xf32>) outs(
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @bias_added(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %v = linalg.broadcast ins(%b : tensor<3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) dimensions = [0, 1, 2]
  %r = linalg.add ins(%c, %v : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// A bias with the dimensions in another order, and one with only one of the two.
// CHECK-LABEL: func @swapped_bias_in_outs(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<3x3xf32>)
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3x3xf32>) outs(%{{.*}} : tensor<3x3xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[U]] {{\[\[}}0, 1]]
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<9xf32>) outs(
func.func @swapped_bias_in_outs(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3x3xf32>) -> tensor<2x7x10x3x3xf32> {
  %e = tensor.empty() : tensor<2x7x10x3x3xf32>
  %z = linalg.generic {indexing_maps = [#swapped, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<3x3xf32>) outs(%e : tensor<2x7x10x3x3xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x7x10x3x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x3xf32>) outs(%z : tensor<2x7x10x3x3xf32>) -> tensor<2x7x10x3x3xf32>
  return %r : tensor<2x7x10x3x3xf32>
}

// CHECK-LABEL: func @half_a_bias_in_outs(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<3xf32>)
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3xf32>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[U]] {{\[\[}}0, 1]]
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<12xf32>) outs(
func.func @half_a_bias_in_outs(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %b: tensor<3xf32>) -> tensor<2x7x10x3x4xf32> {
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %z = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<2x7x10x3x4xf32>) dimensions = [0, 1, 2, 4]
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// A tensor that is added behind the activation is no bias.
// CHECK-LABEL: func @half_behind_activation(
// CHECK:         fusion.fused_matmul_bias_act relu ins({{[^)]*}}) residual_after_activation(
func.func @half_behind_activation(%x: tensor<5x7xf32>, %w: tensor<7x12xf32>, %b: tensor<3xf32>) -> tensor<5x12xf32> {
  %e = tensor.empty() : tensor<5x3x4xf32>
  %s = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<5x3x4xf32>) dimensions = [0, 2]
  %v = tensor.collapse_shape %s [[0], [1, 2]] : tensor<5x3x4xf32> into tensor<5x12xf32>
  %o = tensor.empty() : tensor<5x12xf32>
  %r = fusion.fused_matmul_bias_act relu ins(%x, %w : tensor<5x7xf32>, tensor<7x12xf32>) residual_after_activation(%v : tensor<5x12xf32>) outs(%o : tensor<5x12xf32>) -> tensor<5x12xf32>
  return %r : tensor<5x12xf32>
}

// The same behind the op: a scale of each channel, and a bias of each multiple of a channel.
// CHECK-LABEL: func @parts_behind(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK-DAG:     linalg.generic {{.*}} ins(%[[S]] : tensor<3xf32>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK-DAG:     linalg.generic {{.*}} ins(%[[B]] : tensor<4xf32>) outs(%{{.*}} : tensor<3x4xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act relu groups 3 {{.*}} bias(%{{.*}} : tensor<12xf32>) outs(
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @parts_behind(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %m = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x7x10x3x4xf32>, tensor<3xf32>) outs(%e : tensor<2x7x10x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.mulf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x7x10x3x4xf32>
  %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) dimensions = [0, 1, 2, 3]
  %a = linalg.add ins(%m, %v : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = linalg.max ins(%a, %z : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// A broadcast of the whole channel is a scale, too.
// CHECK-LABEL: func @scale_broadcast(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<3x4xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0, 1]] : tensor<3x4xf32> into tensor<12xf32>
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %[[V]] : {{.*}}, tensor<12xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act relu
// CHECK-NEXT:    %[[R:.*]] = tensor.expand_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @scale_broadcast(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<3x4xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %v = linalg.broadcast ins(%s : tensor<3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) dimensions = [0, 1, 2]
  %m = linalg.mul ins(%c, %v : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = linalg.max ins(%m, %z : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) outs(%e : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// Near misses: factors that vary along rows, too, and a result that has another reader.
// CHECK-LABEL: func @rows_and_channels(
// CHECK:         fusion.fused_conv_bias_act groups 3
// CHECK:         arith.mulf
func.func @rows_and_channels(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<7x3xf32>) -> tensor<2x7x10x3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x7x10x3x4xf32>, tensor<7x3xf32>) outs(%e : tensor<2x7x10x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.mulf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x7x10x3x4xf32>
  return %r : tensor<2x7x10x3x4xf32>
}

// CHECK-LABEL: func @part_read_twice(
// CHECK:         fusion.fused_conv_bias_act groups 3
// CHECK:         arith.mulf
func.func @part_read_twice(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %s: tensor<3xf32>) -> (tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %e = tensor.empty() : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x7x10x3x4xf32>, tensor<3xf32>) outs(%e : tensor<2x7x10x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.mulf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x7x10x3x4xf32>
  return %r, %c : tensor<2x7x10x3x4xf32>, tensor<2x7x10x3x4xf32>
}

// Other reshapes, which the tensor takes back.
// CHECK-LABEL: func @behind_collapse(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x70xf32>)
// CHECK:         %[[V:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0], [1], [2, 3]] output_shape [2, 5, 7, 10] :
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[V]] :
// CHECK-NEXT:    %[[R:.*]] = tensor.collapse_shape %[[C]]
// CHECK-NEXT:    return %[[R]]
func.func @behind_collapse(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x70xf32>) -> tensor<2x5x70xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.add ins(%v, %s : tensor<2x5x70xf32>, tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r : tensor<2x5x70xf32>
}

// CHECK-LABEL: func @behind_several(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<10x2x35xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[S]] {{\[\[}}0], [1, 2]] :
// CHECK:         %[[U:.*]] = tensor.expand_shape %[[V]] {{\[\[}}0, 1], [2, 3]] output_shape [2, 5, 7, 10] :
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[U]] :
func.func @behind_several(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<10x2x35xf32>) -> tensor<10x2x35xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<10x70xf32>
  %u = tensor.expand_shape %v [[0], [1, 2]] output_shape [10, 2, 35] : tensor<10x70xf32> into tensor<10x2x35xf32>
  %r = arith.addf %s, %u : tensor<10x2x35xf32>
  return %r : tensor<10x2x35xf32>
}

// With one pixel each, the addend has one element for each channel, but it is no bias:
// the other convolution has to be computed first.
// CHECK-LABEL: func @sum_of_one_pixel(
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[C]] : tensor<1x5x1x1xf32>) outs(
func.func @sum_of_one_pixel(%x: tensor<1x3x3x2xf32>, %y: tensor<1x3x3x2xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x1x1xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x3x2xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x3x3x2xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %r = arith.addf %c, %d : tensor<1x5x1x1xf32>
  return %r : tensor<1x5x1x1xf32>
}
