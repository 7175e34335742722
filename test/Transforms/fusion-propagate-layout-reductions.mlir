// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// Pools and reductions between two convolutions: one transpose in front, one behind.
// Each is of the channels-last form.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>{{$}}
// CHECK-DAG: #[[$SUM_IN:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>{{$}}
// CHECK-DAG: #[[$SUM_OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1)>{{$}}
// CHECK-DAG: #[[$KEPT_OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d1)>{{$}}
// CHECK-DAG: #[[$NC_LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>{{$}}
// CHECK-DAG: #[[$NC11_LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, 0, 0)>{{$}}

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#nc = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#nc11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#ncw = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#nc1w = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>

// Pools keep their names, windows and strides.
// CHECK-LABEL: func @pool_max(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<2x3x5x5xf32>
// CHECK:         %[[M:.*]] = linalg.pooling_nhwc_max {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%[[C]], %{{.*}} : tensor<2x7x10x5xf32>, tensor<3x2xf32>) outs(%[[F]] : tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x3x4x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x3x4x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @pool_max(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x3x4xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p = arith.constant 0xFF800000 : f32
  %ep = tensor.empty() : tensor<2x5x3x5xf32>
  %f = linalg.fill ins(%p : f32) outs(%ep : tensor<2x5x3x5xf32>) -> tensor<2x5x3x5xf32>
  %win = tensor.empty() : tensor<3x2xf32>
  %m = linalg.pooling_nchw_max {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%c, %win : tensor<2x5x7x10xf32>, tensor<3x2xf32>) outs(%f : tensor<2x5x3x5xf32>) -> tensor<2x5x3x5xf32>
  %er = tensor.empty() : tensor<2x4x3x4xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x3x5xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x3x4xf32>) -> tensor<2x4x3x4xf32>
  return %r : tensor<2x4x3x4xf32>
}

// An average is a sum, divided.
// CHECK-LABEL: func @pool_sum(
// CHECK:         %[[SIX:.*]] = arith.constant dense<6.000000e+00> : tensor<2x5x4x5xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} -> tensor<2x5x4x5xf32>
// CHECK:         %[[K:.*]] = linalg.pooling_nhwc_sum {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%[[C]], %{{.*}} : tensor<2x7x10x5xf32>, tensor<3x2xf32>) outs(%[[F]] : tensor<2x5x4x5xf32>) -> tensor<2x5x4x5xf32>
// CHECK:         %[[M:.*]] = linalg.div ins(%[[K]], %[[SIX]] : tensor<2x5x4x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x5x3x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x5x3x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @pool_sum(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x5x3xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p = arith.constant 0.0 : f32
  %ep = tensor.empty() : tensor<2x5x5x4xf32>
  %f = linalg.fill ins(%p : f32) outs(%ep : tensor<2x5x5x4xf32>) -> tensor<2x5x5x4xf32>
  %win = tensor.empty() : tensor<3x2xf32>
  %k = linalg.pooling_nchw_sum {dilations = dense<[1, 3]> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%c, %win : tensor<2x5x7x10xf32>, tensor<3x2xf32>) outs(%f : tensor<2x5x5x4xf32>) -> tensor<2x5x5x4xf32>
  %six = arith.constant dense<6.0> : tensor<2x5x5x4xf32>
  %m = linalg.div ins(%k, %six : tensor<2x5x5x4xf32>, tensor<2x5x5x4xf32>) outs(%ep : tensor<2x5x5x4xf32>) -> tensor<2x5x5x4xf32>
  %er = tensor.empty() : tensor<2x4x5x3xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x5x4xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x5x3xf32>) -> tensor<2x4x5x3xf32>
  return %r : tensor<2x4x5x3xf32>
}

// Pools of the runtime: the layout is a word of the op.
// CHECK-LABEL: func @pool_op(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x5x3x4xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = fusion.pool {{{.*}}kernel = array<i64: 3, 2>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 1>, pad_low = array<i64: 1, 0>, {{.*}}strides = array<i64: 2, 3>} ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x3x3x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x3x3x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @pool_op(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x3x4xf32>) -> tensor<2x4x3x3xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = fusion.pool {pooling = #fusion.pooling<max>, layout = "nchw", kernel = array<i64: 3, 2>, strides = array<i64: 2, 3>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>}
         ins(%c : tensor<2x5x7x10xf32>) outs(%q : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  %er = tensor.empty() : tensor<2x4x3x3xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x3x4xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
  return %r : tensor<2x4x3x3xf32>
}

// CHECK-LABEL: func @pool_op_of_integers(
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xi8>)
// CHECK:         fusion.pool {input_unsigned, kernel = array<i64: 3, 2>, layout = #fusion.layout<nhwc>, {{.*}} -> tensor<2x3x4x5xi8>
// CHECK:         fusion.quantized_conv_bias_act layouts(nhwc, fchw, nhwc)
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<2x3x3x4xf32>)
func.func @pool_op_of_integers(%x: tensor<2x3x9x11xi8>, %w: tensor<5x3x3x2xi8>, %u: tensor<4x5x1x2xi8>) -> tensor<2x4x3x3xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xi8>
  %c = fusion.quantized_conv_bias_act {output_unsigned} ins(%x, %w : tensor<2x3x9x11xi8>, tensor<5x3x3x2xi8>) outs(%ec : tensor<2x5x7x10xi8>) -> tensor<2x5x7x10xi8>
  %q = tensor.empty() : tensor<2x5x3x4xi8>
  %m = fusion.pool {pooling = #fusion.pooling<max>, layout = "nchw", kernel = array<i64: 3, 2>, strides = array<i64: 2, 3>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>, input_unsigned}
         ins(%c : tensor<2x5x7x10xi8>) outs(%q : tensor<2x5x3x4xi8>) -> tensor<2x5x3x4xi8>
  %er = tensor.empty() : tensor<2x4x3x3xf32>
  %r = fusion.quantized_conv_bias_act {input_unsigned} ins(%m, %u : tensor<2x5x3x4xi8>, tensor<4x5x1x2xi8>) outs(%er : tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
  return %r : tensor<2x4x3x3xf32>
}

// A sum over the pixels is one over the innermost loops in the end: reductions stand
// behind parallel loops. The operand without pixels does not lead.
// CHECK-LABEL: func @mean(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[RED:.*]] = linalg.generic {indexing_maps = [#[[$SUM_IN]], #[[$SUM_OUT]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x5xf32>)
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$NC_LAST]], #[[$ALL]], #[[$ALL]]], {{.*}} ins(%[[RED]], %[[C]] : tensor<2x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @mean(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant dense<0.0> : tensor<2x5xf32>
  %red = linalg.generic {indexing_maps = [#all, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%c : tensor<2x5x7x10xf32>) outs(%zr : tensor<2x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#nc, #all, #all] ins(%red, %c : tensor<2x5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// The same with its dimensions kept, of size 1.
// CHECK-LABEL: func @mean_kept(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[RED:.*]] = linalg.generic {indexing_maps = [#[[$SUM_IN]], #[[$KEPT_OUT]]], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x1x1x5xf32>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[RED]]
// CHECK:         %[[NC11:.*]] = tensor.expand_shape %[[FLAT]] {{.*}} into tensor<2x5x1x1xf32>
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$NC11_LAST]], #[[$ALL]], #[[$ALL]]], {{.*}} ins(%[[NC11]], %[[C]] : tensor<2x5x1x1xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @mean_kept(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant dense<0.0> : tensor<2x5x1x1xf32>
  %red = linalg.generic {indexing_maps = [#all, #nc11], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%c : tensor<2x5x7x10xf32>) outs(%zr : tensor<2x5x1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#nc11, #all, #all] ins(%red, %c : tensor<2x5x1x1xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A sum over the columns: its result has no order that needs a transpose.
// CHECK-LABEL: func @mean_of_rows(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[RED:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[RED]], %[[C]] : tensor<2x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @mean_of_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant dense<0.0> : tensor<2x5x10xf32>
  %red = linalg.generic {indexing_maps = [#all, #ncw], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%zr : tensor<2x5x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#ncw, #all, #all] ins(%red, %c : tensor<2x5x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// With the dimension kept it has a place too.
// CHECK-LABEL: func @mean_of_rows_kept(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[RED:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x1x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[RED]], %[[C]] : tensor<2x1x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @mean_of_rows_kept(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %zr = arith.constant dense<0.0> : tensor<2x5x1x10xf32>
  %red = linalg.generic {indexing_maps = [#all, #nc1w], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%zr : tensor<2x5x1x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x1x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#nc1w, #all, #all] ins(%red, %c : tensor<2x5x1x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// `linalg.reduce` and `linalg.broadcast`: a small tensor that is broadcast takes the
// layout of the op that reads it.
// CHECK-LABEL: func @reduce_and_broadcast(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[RED:.*]] = linalg.generic {indexing_maps = [#[[$SUM_IN]], #[[$SUM_OUT]]], {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[RED]] : tensor<2x5xf32>) outs(%{{.*}} : tensor<2x7x10x5xf32>) dimensions = [1, 2]
// CHECK:         %[[M:.*]] = linalg.mul ins(%[[C]], %[[B]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @reduce_and_broadcast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %zr = arith.constant dense<0.0> : tensor<2x5xf32>
  %red = linalg.reduce { arith.addf } ins(%c : tensor<2x5x7x10xf32>) outs(%zr : tensor<2x5xf32>) dimensions = [2, 3]
  %b = linalg.broadcast ins(%red : tensor<2x5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [2, 3]
  %m = linalg.mul ins(%c, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}
