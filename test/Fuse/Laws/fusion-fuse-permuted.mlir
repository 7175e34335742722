// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Ops that write their result in another order than that of their loops. There are
// as many channels as rows, so that types do not tell.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#turned = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#third = affine_map<(d0, d1, d2, d3) -> (d2)>
#first = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>

// The broadcast writes its third loop to the channel.
// CHECK-LABEL: func @broadcast_to_channels(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_to_channels(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %u = linalg.generic {indexing_maps = [#third, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x4x4x5xf32>
  %r = linalg.add ins(%c, %u : tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) outs(%e : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// The broadcast writes its second loop to the rows, as many as channels.
// CHECK-LABEL: func @broadcast_to_rows(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) residual(%[[U]] :
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_to_rows(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %u = linalg.generic {indexing_maps = [#channel, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x4x4x5xf32>
  %r = linalg.add ins(%c, %u : tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) outs(%e : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// The same of a scale.
// CHECK-LABEL: func @factor_to_channels(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(
// CHECK-NEXT:    return %[[R]]
func.func @factor_to_channels(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %s: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %u = linalg.generic {indexing_maps = [#third, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x4x4x5xf32>
  %r = linalg.mul ins(%c, %u : tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) outs(%e : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// CHECK-LABEL: func @factor_to_rows(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK:         linalg.mul ins(%[[R]],
func.func @factor_to_rows(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %s: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %u = linalg.generic {indexing_maps = [#channel, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x4x4x5xf32>
  %r = linalg.mul ins(%c, %u : tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) outs(%e : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// An op that adds and transposes: the convolution writes its result transposed.
// CHECK-LABEL: func @sum_is_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, fchw, nhcw) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @sum_is_transposed(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<3x4x4x5xf32>, tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// The same of a relu.
// CHECK-LABEL: func @relu_is_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhcw) ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @relu_is_transposed(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#all, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<3x4x4x5xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// CHECK-LABEL: func @product_is_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[F:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, fchw, nhcw) {fusion.folded = "scale"} ins(%[[X]], %[[F]] :
// CHECK-NEXT:    return %[[R]]
func.func @product_is_transposed(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %s: tensor<4xf32>) -> tensor<3x4x4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<3x4x4x5xf32>, tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// Where the result has another use it keeps its order, and nothing is folded.
// CHECK-LABEL: func @sum_is_transposed_of_two_users(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[B]] :
// CHECK:         return %[[Y]], %[[R]]
func.func @sum_is_transposed_of_two_users(%x: tensor<3x3x6x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> (tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  %e = tensor.empty() : tensor<3x4x4x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #swapped], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<3x4x4x5xf32>, tensor<4xf32>) outs(%e : tensor<3x4x4x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<3x4x4x5xf32>
  return %r, %c : tensor<3x4x4x5xf32>, tensor<3x4x4x5xf32>
}

// A constant is not evaluated through such an op as if it did not transpose.
// CHECK-LABEL: func @constant_is_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x6x7xf32>)
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:         linalg.yield
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] :
func.func @constant_is_transposed(%x: tensor<3x3x6x7xf32>) -> tensor<3x4x4x5xf32> {
  %k = arith.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5], [7.5, 8.5, 9.5]], [[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0], [-7.0, -8.0, -9.0]]]]> : tensor<1x3x3x3xf32>
  %ew = tensor.empty() : tensor<4x3x3x3xf32>
  %w = linalg.generic {indexing_maps = [#first, #turned], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%k : tensor<1x3x3x3xf32>) outs(%ew : tensor<4x3x3x3xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<4x3x3x3xf32>
  %z = arith.constant dense<0.0> : tensor<3x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%z : tensor<3x4x4x5xf32>) -> tensor<3x4x4x5xf32>
  return %r : tensor<3x4x4x5xf32>
}

// Transposes of input and filter that read in the order of their loops. All sizes are
// 3, or 5, so that the inverse permutations would fit as well.
// CHECK-LABEL: func @operands_are_transposed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x5x5xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x3xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, cfhw, nhwc) ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @operands_are_transposed(%x: tensor<2x5x5x5xf32>, %w: tensor<5x3x3x3xf32>) -> tensor<2x3x3x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x3x3x3xf32>
  %ex = tensor.empty() : tensor<2x5x5x5xf32>
  %t = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x : tensor<2x5x5x5xf32>) outs(%ex : tensor<2x5x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x5x5x5xf32>
  %ew = tensor.empty() : tensor<3x3x3x5xf32>
  %u = linalg.generic {indexing_maps = [#all, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<5x3x3x3xf32>) outs(%ew : tensor<3x3x3x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<3x3x3x5xf32>
  %c = linalg.conv_2d_nhwc_fhwc ins(%t, %u : tensor<2x5x5x5xf32>, tensor<3x3x3x5xf32>) outs(%z : tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
  return %c : tensor<2x3x3x3xf32>
}
