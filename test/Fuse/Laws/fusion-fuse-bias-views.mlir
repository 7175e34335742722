// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Additions behind a reshape of the convolution's result, in which the channel is
// still a dimension of its own; additions one after the other.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#first3 = affine_map<(d0, d1, d2) -> (d0)>
#second3 = affine_map<(d0, d1, d2) -> (d1)>
#all5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#second5 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>

// The form that linalg-fold-unit-extent-dims leaves: the batch is gone.
// CHECK-LABEL: func @unit_batch_collapsed(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[V:.*]] = tensor.collapse_shape %[[R]] {{.*}} : tensor<1x5x7x10xf32> into tensor<5x7x10xf32>
// CHECK-NEXT:    return %[[V]]
func.func @unit_batch_collapsed(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x5x7x10xf32> into tensor<5x7x10xf32>
  %e = tensor.empty() : tensor<5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #first3, #all3]
         ins(%v, %b : tensor<5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<5x7x10xf32>) -> tensor<5x7x10xf32>
  return %r : tensor<5x7x10xf32>
}

// Rows and columns become one dimension.
// CHECK-LABEL: func @image_flattened(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[V:.*]] = tensor.collapse_shape %[[R]] {{.*}} : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
// CHECK-NEXT:    return %[[V]]
func.func @image_flattened(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x70xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#second3, #all3, #all3]
         ins(%b, %v : tensor<5xf32>, tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r : tensor<2x5x70xf32>
}

// The same with tensor.reshape.
// CHECK-LABEL: func @image_reshaped(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[V:.*]] = tensor.{{reshape|collapse_shape}} %[[R]]
// CHECK-NEXT:    return %[[V]]
func.func @image_reshaped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x70xf32> {
  %shape = arith.constant dense<[2, 5, 70]> : tensor<3xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %c(%shape) : (tensor<2x5x7x10xf32>, tensor<3xi64>) -> tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#second3, #all3, #all3]
         ins(%b, %v : tensor<5xf32>, tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r : tensor<2x5x70xf32>
}

// CHECK-LABEL: func @unit_dimension_added(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[V:.*]] = tensor.expand_shape %[[R]]
// CHECK-NEXT:    return %[[V]]
func.func @unit_dimension_added(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x1x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 5, 1, 7, 10] : tensor<2x5x7x10xf32> into tensor<2x5x1x7x10xf32>
  %e = tensor.empty() : tensor<2x5x1x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #second5, #all5]
         ins(%v, %b : tensor<2x5x1x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x1x7x10xf32>) -> tensor<2x5x1x7x10xf32>
  return %r : tensor<2x5x1x7x10xf32>
}

// torch-mlir casts dynamic results.
// CHECK-LABEL: func @cast_to_dynamic(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[V:.*]] = tensor.cast %[[R]] : tensor<2x5x7x10xf32> to tensor<?x5x?x?xf32>
// CHECK-NEXT:    return %[[V]]
func.func @cast_to_dynamic(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<?x5x?x?xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %i2 = arith.constant 2 : index
  %i7 = arith.constant 7 : index
  %i10 = arith.constant 10 : index
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.cast %c : tensor<2x5x7x10xf32> to tensor<?x5x?x?xf32>
  %e = tensor.empty(%i2, %i7, %i10) : tensor<?x5x?x?xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v, %b : tensor<?x5x?x?xf32>, tensor<5xf32>) outs(%e : tensor<?x5x?x?xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<?x5x?x?xf32>
  return %r : tensor<?x5x?x?xf32>
}

// TOSA's depthwise convolution: five dimensions, collapsed, and the bias first.
// CHECK-LABEL: func @depthwise_collapsed(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<12xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 3 layouts(nhwc, hwcf, nhwc) ins({{[^)]*}}) bias(%[[B]] : tensor<12xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @depthwise_collapsed(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x4xf32>, %b: tensor<12xf32>) -> tensor<2x7x10x12xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x4xf32>) outs(%z : tensor<2x7x10x3x4xf32>) -> tensor<2x7x10x3x4xf32>
  %v = tensor.collapse_shape %c [[0], [1], [2], [3, 4]] : tensor<2x7x10x3x4xf32> into tensor<2x7x10x12xf32>
  %e = tensor.empty() : tensor<2x7x10x12xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#last, #all, #all]
         ins(%b, %v : tensor<12xf32>, tensor<2x7x10x12xf32>) outs(%e : tensor<2x7x10x12xf32>) -> tensor<2x7x10x12xf32>
  return %r : tensor<2x7x10x12xf32>
}

// TVM 61: a bias in the accumulator and one that is added: their sum.
// CHECK-LABEL: func @two_biases(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[S:.*]] = linalg.add ins(%[[A]], %[[B]] : tensor<5xf32>, tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[S]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @two_biases(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %z = linalg.broadcast ins(%a : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One body that adds both, in an order that the law must find.
// CHECK-LABEL: func @two_biases_in_one_body(
// CHECK-SAME:    %[[A:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[S:.*]] = linalg.add ins(%[[A]], %[[B]] : tensor<5xf32>, tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[S]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @two_biases_in_one_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b, %c, %a : tensor<5xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %s = arith.addf %p2, %p1 : f32
    %t = arith.addf %p0, %s : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @dynamic_batch(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs({{.*}}) -> tensor<?x5x7x10xf32>
// CHECK-NEXT:    return %[[R]]
func.func @dynamic_batch(%x: tensor<?x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<?x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %n = tensor.dim %x, %i0 : tensor<?x3x9x11xf32>
  %e = tensor.empty(%n) : tensor<?x5x7x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<?x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%u, %c : tensor<?x5x7x10xf32>, tensor<?x5x7x10xf32>) outs(%e : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  return %r : tensor<?x5x7x10xf32>
}

// CHECK-LABEL: func @conv_1d(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_1d(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %shape = arith.constant dense<[1, 5, 1]> : tensor<3xi64>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<3xi64>) -> tensor<1x5x1xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, affine_map<(d0, d1, d2) -> (0, d1, 0)>, #all3]
         ins(%c, %v : tensor<2x5x8xf32>, tensor<1x5x1xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv_3d(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d(%x: tensor<2x3x4x9x11xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x3x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x3x7x10xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x4x9x11xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x3x7x10xf32>) -> tensor<2x5x3x7x10xf32>
  %e = tensor.empty() : tensor<2x5x3x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#second5, #all5, #all5]
         ins(%b, %c : tensor<5xf32>, tensor<2x5x3x7x10xf32>) outs(%e : tensor<2x5x3x7x10xf32>) -> tensor<2x5x3x7x10xf32>
  return %r : tensor<2x5x3x7x10xf32>
}
