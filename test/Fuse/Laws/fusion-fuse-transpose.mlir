// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse=disable=reshape --canonicalize | FileCheck %s

// Transposes of operands and result go into the layouts.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#to_nchw = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#from_nchw = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#to_nhwc = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func @input(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x3xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(%[[X]],
// CHECK-NEXT:    return %[[R]]
func.func @input(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %t = linalg.transpose ins(%x : tensor<2x9x11x3xf32>) outs(%e : tensor<2x3x9x11xf32>) permutation = [0, 3, 1, 2]
  %r = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @input_generic(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x3xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(%[[X]],
// CHECK-NEXT:    return %[[R]]
func.func @input_generic(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %t = linalg.generic {indexing_maps = [#to_nchw, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x : tensor<2x9x11x3xf32>) outs(%e : tensor<2x3x9x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x9x11xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Three rows and columns swapped: the sizes are those of the spatial dimensions.
// CHECK-LABEL: func @rows_and_columns(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11x9xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] layouts(ncwh, fchw, nchw) ins(%[[X]],
// CHECK-NEXT:    return %[[R]]
func.func @rows_and_columns(%x: tensor<2x3x11x9xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x4x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x4x10xf32>
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x11x9xf32>) outs(%e : tensor<2x3x9x11xf32>) permutation = [0, 1, 3, 2]
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%t, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x4x10xf32>) -> tensor<2x5x4x10xf32>
  return %r : tensor<2x5x4x10xf32>
}

// TOSA with channels-last kernels: the filter from OHWI to HWIO.
// CHECK-LABEL: func @filter(
// CHECK-SAME:    %[[W:[a-z0-9]*]]: tensor<5x3x2x3xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%{{[a-z0-9]*}}, %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @filter(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x2x3xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<3x2x3x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x3x2x3xf32>) outs(%e : tensor<3x2x3x5xf32>) permutation = [1, 2, 3, 0]
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %t : tensor<2x9x11x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// The padding between transpose and convolution keeps its dimensions.
// CHECK-LABEL: func @padded(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [1, 0] pad_high [2, 3] layouts(nchw, hwcf, nhwc) ins(%[[X]],
// CHECK-NEXT:    return %[[R]]
func.func @padded(%x: tensor<2x3x9x11xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x10x13x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x10x13x5xf32>
  %e = tensor.empty() : tensor<2x9x11x3xf32>
  %t = linalg.transpose ins(%x : tensor<2x3x9x11xf32>) outs(%e : tensor<2x9x11x3xf32>) permutation = [0, 2, 3, 1]
  %p = tensor.pad %t low[0, 1, 0, 0] high[0, 2, 3, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x9x11x3xf32> to tensor<2x12x14x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%p, %w : tensor<2x12x14x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x10x13x5xf32>) -> tensor<2x10x13x5xf32>
  return %r : tensor<2x10x13x5xf32>
}

// The image of TVM's conv, reshape, add in TOSA: the transpose stands between the
// convolution and the sum, whose channel is dimension 1.
// CHECK-LABEL: func @result_then_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nhwc, hwcf, nchw) ins({{.*}} bias(%[[B]] : tensor<5xf32>) outs({{.*}} -> tensor<2x5x7x10xf32>
// CHECK-NEXT:    return %[[R]]
func.func @result_then_bias(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %y = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %t = linalg.transpose ins(%c : tensor<2x7x10x5xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel4, #all]
         ins(%t, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %y : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A transpose behind bias and relu.
// CHECK-LABEL: func @bias_then_result(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhwc) ins({{.*}} bias(%[[B]] : tensor<5xf32>) outs({{.*}} -> tensor<2x7x10x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @bias_then_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.transpose ins(%m : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<2x7x10x5xf32>
}

// Two users of the result: one of them wants it as it is.
// CHECK-LABEL: func @two_users(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[R]] :
// CHECK:         return %[[T]], %[[R]]
func.func @two_users(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x7x10x5xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  return %r, %c : tensor<2x7x10x5xf32>, tensor<2x5x7x10xf32>
}

// A residual in the old layout is transposed in place of the result.
// CHECK-LABEL: func @residual(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[S]] : {{.*}} permutation = [0, 2, 3, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins({{.*}} residual(%[[T]] :
// CHECK-NEXT:    return %[[R]]
func.func @residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x7x10x5xf32> {
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%s : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e1 : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  return %r : tensor<2x7x10x5xf32>
}

// A permutation that also computes is no transpose.
// CHECK-LABEL: func @not_only_a_transpose(
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         math.exp
// CHECK:         fusion.fused_conv_bias_act ins(%[[T]],
func.func @not_only_a_transpose(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %t = linalg.generic {indexing_maps = [#to_nchw, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x : tensor<2x9x11x3xf32>) outs(%e : tensor<2x3x9x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.exp %in : f32
    linalg.yield %v : f32
  } -> tensor<2x3x9x11xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Merged into the op that follows, as linalg-fuse-elementwise-ops leaves it: bias and
// relu read the result transposed.
// CHECK-LABEL: func @merged(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhwc) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @merged(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.generic {indexing_maps = [#from_nchw, #last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// With loops in the order of the operand.
// CHECK-LABEL: func @merged_into_result(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhwc) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @merged_into_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #to_nhwc], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// The other operand is a residual in the order of the result.
// CHECK-LABEL: func @merged_with_residual(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) residual(%[[S]] :
// CHECK-NEXT:    return %[[R]]
func.func @merged_with_residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.generic {indexing_maps = [#from_nchw, #last, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %s : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    %u = arith.addf %t, %p2 : f32
    linalg.yield %u : f32
  } -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// A named op with maps.
// CHECK-LABEL: func @merged_named(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x7x10x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins(%[[X]], %[[W]] : {{[^)]*}}) residual(%[[S]] :
// CHECK-NEXT:    return %[[R]]
func.func @merged_named(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#from_nchw, #all, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// Both operand and result are in another order than the loops, but in the same.
// CHECK-LABEL: func @same_order(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// CHECK-NEXT:    return %[[R]]
func.func @same_order(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#to_nchw, #to_nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %u = arith.maximumf %p0, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Dynamic sizes are those of the destination: the result has one use.
// CHECK-LABEL: func @merged_dynamic(
// CHECK-SAME:    %[[O:[a-z0-9]*]]: tensor<?x5x7x10xf32>, %{{[a-z0-9]*}}: tensor<?x7x10x5xf32>)
// CHECK:         tensor.dim %[[O]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhwc) ins(
// CHECK-NEXT:    return %[[R]]
func.func @merged_dynamic(%x: tensor<?x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<?x5x7x10xf32>, %e: tensor<?x7x10x5xf32>) -> tensor<?x7x10x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#from_nchw, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<?x5x7x10xf32>) outs(%e : tensor<?x7x10x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %u = arith.maximumf %p0, %zero : f32
    linalg.yield %u : f32
  } -> tensor<?x7x10x5xf32>
  return %r : tensor<?x7x10x5xf32>
}
