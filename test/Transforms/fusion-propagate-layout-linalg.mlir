// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,%llvm --implicit-check-not=linalg.transpose
// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse -o %t.once
// RUN: fusion-opt %t.once --fusion-propagate-layout --canonicalize --cse | diff %t.once -

// Ops of linalg, and of arith and math on tensors, between two convolutions: one
// transpose in front, one behind. Each is of the channels-last form, on the values of
// that form.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>{{$}}
// CHECK-DAG: #[[$SCALAR:.*]] = affine_map<(d0, d1, d2, d3) -> ()>{{$}}
// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>{{$}}
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>{{$}}
// CHECK-DAG: #[[$LAST_ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>{{$}}
// CHECK-DAG: #[[$LAST4:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d3, 0, 0)>{{$}}
// CHECK-DAG: #[[$BACKWARDS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, -d1 + 6, d2, d3)>{{$}}

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#scalar = affine_map<(d0, d1, d2, d3) -> ()>
#one = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel_row = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3, d2)>
#to_last = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>

// Named element-wise ops keep their names.
// CHECK-LABEL: func @named(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[B:.*]] = linalg.sub ins(%[[C]], %[[A]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.div ins(%[[B]], %[[C]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @named(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.sub ins(%c, %a : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.div ins(%b, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Those that upstream makes no named op of are generic.
// CHECK-LABEL: func @with_regions(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// LLVM22:        %[[A:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>)
// LLVM22:          math.absf
// LLVM22:        %[[M:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[C]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// LLVM22:          arith.maximumf
// LLVM23:        %[[A:.*]] = linalg.abs ins(%[[C]] : tensor<2x7x10x5xf32>)
// LLVM23:        %[[M:.*]] = linalg.max ins(%[[A]], %[[C]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @with_regions(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.map { math.absf } ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  %m = linalg.max ins(%a, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// `arith` and `math` on tensors, with a scalar among them.
// CHECK-LABEL: func @on_tensors(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x5x7x10xf32>
// CHECK-SAME:    %[[P:[a-z0-9]*]]: i1
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[QT:.*]] = linalg.transpose ins(%[[Q]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[A:.*]] = arith.subf %[[C]], %[[QT]] : tensor<2x7x10x5xf32>
// CHECK:         %[[B:.*]] = math.exp %[[A]] : tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = arith.select %[[P]], %[[A]], %[[B]] : tensor<2x7x10x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @on_tensors(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>, %p: i1) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = arith.subf %c, %q : tensor<2x5x7x10xf32>
  %b = math.exp %a : tensor<2x5x7x10xf32>
  %m = arith.select %p, %a, %b : tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Operands that are broadcast stay as they are: one number, one per channel, also with
// dimensions of size 1. One per channel and row follows.
// CHECK-LABEL: func @broadcast_operands(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: f32
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK-SAME:    %[[D:[a-z0-9]*]]: tensor<5x7xf32>
// CHECK-SAME:    %[[F:[a-z0-9]*]]: tensor<1x5x1x1xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[DT:.*]] = linalg.transpose ins(%[[D]] : tensor<5x7xf32>) {{.*}} permutation = [1, 0]
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$SCALAR]], #[[$LAST]], #[[$LAST_ROW]], #[[$LAST4]], #[[$ALL]]], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%[[C]], %[[S]], %[[B]], %[[DT]], %[[F]] : tensor<2x7x10x5xf32>, f32, tensor<5xf32>, tensor<7x5xf32>, tensor<1x5x1x1xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @broadcast_operands(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %s: f32, %b: tensor<5xf32>, %d: tensor<5x7xf32>, %f: tensor<1x5x1x1xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all, #scalar, #channel, #channel_row, #channel4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b, %d, %f : tensor<2x5x7x10xf32>, f32, tensor<5xf32>, tensor<5x7xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%i0: f32, %i1: f32, %i2: f32, %i3: f32, %i4: f32, %out: f32):
    %0 = arith.mulf %i0, %i1 : f32
    %1 = arith.subf %0, %i2 : f32
    %2 = arith.divf %1, %i3 : f32
    %3 = arith.addf %2, %i4 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// One of the same size has to follow: a transpose more.
// CHECK-LABEL: func @same_size_operand(
// CHECK-SAME:    %[[ARG:[a-z0-9]*]]: tensor<2x5x7x10xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[Q:.*]] = linalg.transpose ins(%[[ARG]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[M:.*]] = linalg.sub ins(%[[Q]], %[[C]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @same_size_operand(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.sub ins(%q, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A tensor that is the same everywhere needs no transpose.
// CHECK-LABEL: func @uniform_operands(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: f32
// CHECK:         %[[K:.*]] = arith.constant dense<2.500000e+00> : tensor<2x7x10x5xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK-DAG:     %[[SP:.*]] = tensor.splat %[[S]] : tensor<2x7x10x5xf32>
// CHECK-DAG:     %[[F:.*]] = linalg.fill ins(%[[S]] : f32) {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[A:.*]] = linalg.mul ins(%[[C]], %[[K]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[B:.*]] = linalg.sub ins(%[[A]], %[[SP]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.div ins(%[[B]], %[[F]] : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @uniform_operands(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %s: f32) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %k = arith.constant dense<2.5> : tensor<2x5x7x10xf32>
  %sp = tensor.splat %s : tensor<2x5x7x10xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.mul ins(%c, %k : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.sub ins(%a, %sp : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.div ins(%b, %f : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Destinations that nothing reads are not transposed.
// CHECK-LABEL: func @destinations(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<2x5x7x10xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[A:.*]] = linalg.exp ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%[[E:.*]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.exp ins(%[[A]] : tensor<2x7x10x5xf32>) outs(%[[A]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @destinations(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%q : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.exp ins(%a : tensor<2x5x7x10xf32>) outs(%a : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Those that are read are operands like others.
// CHECK-LABEL: func @accumulated(
// CHECK-SAME:    %[[ARG:[a-z0-9]*]]: tensor<2x5x7x10xf32>
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[Q:.*]] = linalg.transpose ins(%[[ARG]] : tensor<2x5x7x10xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<2x7x10x5xf32>) outs(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @accumulated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %q: tensor<2x5x7x10xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Each result has its own order.
// CHECK-LABEL: func @two_results(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[G:.*]]:2 = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]], #[[$ALL]]], {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>) outs({{.*}} : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[M:.*]] = linalg.sub ins(%[[G]]#0, %[[G]]#1 : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @two_results(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5x2x10x7xf32>
  %g:2 = linalg.generic {indexing_maps = [#all, #all, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e, %e1 : tensor<2x5x7x10xf32>, tensor<5x2x10x7xf32>) {
  ^bb0(%a: f32, %b: f32, %d: f32):
    %s = arith.negf %a : f32
    %s2 = math.exp %a : f32
    linalg.yield %s, %s2 : f32, f32
  } -> (tensor<2x5x7x10xf32>, tensor<5x2x10x7xf32>)
  %t = linalg.transpose ins(%g#1 : tensor<5x2x10x7xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [1, 0, 3, 2]
  %m = linalg.sub ins(%g#0, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A result by a permuted map comes out as it goes on.
// CHECK-LABEL: func @permuted_map(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]]], {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>) outs({{.*}} : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @permuted_map(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %g = linalg.generic {indexing_maps = [#all, #to_last], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = math.cos %a : f32
    linalg.yield %s : f32
  } -> tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.transpose ins(%g : tensor<2x7x10x5xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// The loops move with the dimensions: an index of one becomes the index of another.
// CHECK-LABEL: func @index(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$ALL]]], {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK-DAG:       %[[I:.*]] = linalg.index 3 : index
// CHECK-DAG:       %[[J:.*]] = linalg.index 1 : index
// CHECK-DAG:       %[[K:.*]] = linalg.index 2 : index
// CHECK:           %[[T:.*]] = arith.muli %[[I]]
// CHECK:           %[[U:.*]] = arith.divui %[[T]], %[[J]]
// CHECK:           arith.subi %[[U]], %[[K]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @index(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = linalg.index 3 : index
    %c7 = arith.constant 7 : index
    %0 = arith.muli %i, %c7 : index
    %1 = arith.divui %0, %j : index
    %2 = arith.subi %1, %k : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    %s = arith.addf %a, %4 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// One image, which front ends read by the constant 0: its loop stays the first.
// CHECK-LABEL: func @one_image(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<1x5x1x1xf32>)
// CHECK:         %[[X:.*]] = linalg.transpose ins({{.*}} : tensor<1x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} -> tensor<1x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.generic {{.*}}indexing_maps = [#[[$ONE]], #[[$LAST4]], #[[$ALL]]], {{.*}} ins(%[[C]], %[[G]] : tensor<1x7x10x5xf32>, tensor<1x5x1x1xf32>)
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[M]], {{.*}} -> tensor<1x7x9x4xf32>
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<1x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[R]]
func.func @one_image(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>, %g: tensor<1x5x1x1xf32>) -> tensor<1x4x7x9xf32> {
  %ec = tensor.empty() : tensor<1x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [#one, #channel4, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %g : tensor<1x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<1x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x5x7x10xf32>
  %er = tensor.empty() : tensor<1x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<1x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<1x4x7x9xf32>) -> tensor<1x4x7x9xf32>
  return %r : tensor<1x4x7x9xf32>
}

// An index computed of one loop alone, as long as it is of one loop.
// CHECK-LABEL: func @read_backwards(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[M:.*]] = linalg.generic {indexing_maps = [#[[$BACKWARDS]], #[[$ALL]]], {{.*}} ins(%[[C]] : tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x7x9x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x7x9x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @read_backwards(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, -d2 + 6, d3)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<2x5x7x10xf32>
  %er = tensor.empty() : tensor<2x4x7x9xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// Elements repeated in a row stay behind the dimension that they repeat.
// CHECK-LABEL: func @repeated(
// CHECK:         %[[X:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>) {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[X]], {{.*}} -> tensor<2x7x10x5xf32>
// CHECK:         %[[B:.*]] = linalg.broadcast ins(%[[C]] : tensor<2x7x10x5xf32>) outs(%{{.*}} : tensor<2x7x3x10x2x5xf32>) dimensions = [2, 4]
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[B]] {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<2x7x3x10x2x5xf32> into tensor<2x21x20x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%[[M]], {{.*}} -> tensor<2x21x19x4xf32>
// CHECK:         %[[O:.*]] = linalg.transpose ins(%[[R]] : tensor<2x21x19x4xf32>) {{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT:    return %[[O]]
func.func @repeated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x21x19xf32> {
  %ec = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%ec : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x3x10x2xf32>
  %b = linalg.broadcast ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x3x10x2xf32>) dimensions = [3, 5]
  %m = tensor.collapse_shape %b [[0], [1], [2, 3], [4, 5]] : tensor<2x5x7x3x10x2xf32> into tensor<2x5x21x20xf32>
  %er = tensor.empty() : tensor<2x4x21x19xf32>
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%m, %u : tensor<2x5x21x20xf32>, tensor<4x5x1x2xf32>) outs(%er : tensor<2x4x21x19xf32>) -> tensor<2x4x21x19xf32>
  return %r : tensor<2x4x21x19xf32>
}
