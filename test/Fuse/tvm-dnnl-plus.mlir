// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-partition=patterns=conv2d_bias_sum,conv2d_bias | FileCheck %s --check-prefix=PART
// RUN: fusion-opt %s --fusion-partition=patterns=conv2d_bias_sum,conv2d_bias | FileCheck %s --check-prefix=COUNT

// TVM 91: the profiles of `conv2d_plus`, each with a bias, as there, and with a sum behind
// it: one op each, or one composite. The op that splits an input into groups is no part of it.

// CHECK-LABEL: func @base_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 2] ins({{.*}}) bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @base_bias(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias(%arg0, %arg1, %arg2)
// PART-NEXT:    return %[[R]]
func.func @base_bias(%x: tensor<1x4x9x11xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x5x12xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x5x12xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x13xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%p, %w : tensor<1x4x12x13xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x5x12xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x5x12xf32>, tensor<1x6x5x12xf32>) outs(%e : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  return %a : tensor<1x6x5x12xf32>
}

// CHECK-LABEL: func @base_bias_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>, %[[S:[a-z0-9]*]]: tensor<1x6x5x12xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 2] ins({{.*}}) bias(%[[B]] : tensor<6xf32>) residual(%[[S]] : tensor<1x6x5x12xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @base_bias_sum(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_sum(%arg0, %arg1, %arg2, %arg3)
// PART-NEXT:    return %[[R]]
func.func @base_bias_sum(%x: tensor<1x4x9x11xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>, %s: tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x5x12xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x13xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%p, %w : tensor<1x4x12x13xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x5x12xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x5x12xf32>, tensor<1x6x5x12xf32>) outs(%e : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  %r = linalg.add ins(%a, %s : tensor<1x6x5x12xf32>, tensor<1x6x5x12xf32>) outs(%e : tensor<1x6x5x12xf32>) -> tensor<1x6x5x12xf32>
  return %r : tensor<1x6x5x12xf32>
}

// CHECK-LABEL: func @nhwc_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 2] layouts(nhwc, hwcf, nhwc) ins({{.*}}) bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @nhwc_bias(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_1(%arg0, %arg1, %arg2)
// PART-NEXT:    return %[[R]]
func.func @nhwc_bias(%x: tensor<1x9x11x4xf32>, %w: tensor<3x2x4x6xf32>, %b: tensor<6xf32>) -> tensor<1x5x12x6xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x12x6xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x9x11x4xf32> to tensor<1x12x13x4xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%p, %w : tensor<1x12x13x4xf32>, tensor<3x2x4x6xf32>) outs(%f : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x5x12x6xf32>) dimensions = [0, 1, 2]
  %a = linalg.add ins(%c, %v : tensor<1x5x12x6xf32>, tensor<1x5x12x6xf32>) outs(%e : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  return %a : tensor<1x5x12x6xf32>
}

// CHECK-LABEL: func @nhwc_bias_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>, %[[S:[a-z0-9]*]]: tensor<1x5x12x6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 2] layouts(nhwc, hwcf, nhwc) ins({{.*}}) bias(%[[B]] : tensor<6xf32>) residual(%[[S]] : tensor<1x5x12x6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @nhwc_bias_sum(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_sum_1(%arg0, %arg1, %arg2, %arg3)
// PART-NEXT:    return %[[R]]
func.func @nhwc_bias_sum(%x: tensor<1x9x11x4xf32>, %w: tensor<3x2x4x6xf32>, %b: tensor<6xf32>, %s: tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x12x6xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x9x11x4xf32> to tensor<1x12x13x4xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%p, %w : tensor<1x12x13x4xf32>, tensor<3x2x4x6xf32>) outs(%f : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x5x12x6xf32>) dimensions = [0, 1, 2]
  %a = linalg.add ins(%c, %v : tensor<1x5x12x6xf32>, tensor<1x5x12x6xf32>) outs(%e : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  %r = linalg.add ins(%a, %s : tensor<1x5x12x6xf32>, tensor<1x5x12x6xf32>) outs(%e : tensor<1x5x12x6xf32>) -> tensor<1x5x12x6xf32>
  return %r : tensor<1x5x12x6xf32>
}

// CHECK-LABEL: func @group_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] groups 2 ins({{.*}}) bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @group_bias(
// PART-NEXT:    %[[G:.*]] = tensor.expand_shape %arg0
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_2(%[[G]], %arg1, %arg2)
// PART-NEXT:    return %[[R]]
func.func @group_bias(%x: tensor<1x4x9x11xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 9, 11] : tensor<1x4x9x11xf32> into tensor<1x2x2x9x11xf32>
  %n = tensor.empty() : tensor<1x2x3x4x10xf32>
  %f = linalg.fill ins(%k : f32) outs(%n : tensor<1x2x3x4x10xf32>) -> tensor<1x2x3x4x10xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%g, %w : tensor<1x2x2x9x11xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x4x10xf32>) -> tensor<1x2x3x4x10xf32>
  %h = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x2x3x4x10xf32> into tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%h, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %a : tensor<1x6x4x10xf32>
}

// CHECK-LABEL: func @group_bias_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>, %[[S:[a-z0-9]*]]: tensor<1x6x4x10xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] groups 2 ins({{.*}}) bias(%[[B]] : tensor<6xf32>) residual(%[[S]] : tensor<1x6x4x10xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @group_bias_sum(
// PART-NEXT:    %[[G:.*]] = tensor.expand_shape %arg0
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_sum_2(%[[G]], %arg1, %arg2, %arg3)
// PART-NEXT:    return %[[R]]
func.func @group_bias_sum(%x: tensor<1x4x9x11xf32>, %w: tensor<2x3x2x3x2xf32>, %b: tensor<6xf32>, %s: tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %g = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 9, 11] : tensor<1x4x9x11xf32> into tensor<1x2x2x9x11xf32>
  %n = tensor.empty() : tensor<1x2x3x4x10xf32>
  %f = linalg.fill ins(%k : f32) outs(%n : tensor<1x2x3x4x10xf32>) -> tensor<1x2x3x4x10xf32>
  %c = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%g, %w : tensor<1x2x2x9x11xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x4x10xf32>) -> tensor<1x2x3x4x10xf32>
  %h = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x2x3x4x10xf32> into tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%h, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %r = linalg.add ins(%a, %s : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %r : tensor<1x6x4x10xf32>
}

// CHECK-LABEL: func @dw_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] groups 6 ins({{.*}}) bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @dw_bias(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_3(%arg0, %arg1, %arg2)
// PART-NEXT:    return %[[R]]
func.func @dw_bias(%x: tensor<1x6x9x11xf32>, %w: tensor<6x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%x, %w : tensor<1x6x9x11xf32>, tensor<6x3x2xf32>) outs(%f : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %a : tensor<1x6x4x10xf32>
}

// CHECK-LABEL: func @dw_bias_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>, %[[S:[a-z0-9]*]]: tensor<1x6x4x10xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] groups 6 ins({{.*}}) bias(%[[B]] : tensor<6xf32>) residual(%[[S]] : tensor<1x6x4x10xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @dw_bias_sum(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_sum_3(%arg0, %arg1, %arg2, %arg3)
// PART-NEXT:    return %[[R]]
func.func @dw_bias_sum(%x: tensor<1x6x9x11xf32>, %w: tensor<6x3x2xf32>, %b: tensor<6xf32>, %s: tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[1, 1]> : vector<2xi64>}
         ins(%x, %w : tensor<1x6x9x11xf32>, tensor<6x3x2xf32>) outs(%f : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %r = linalg.add ins(%a, %s : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %r : tensor<1x6x4x10xf32>
}

// CHECK-LABEL: func @dilated_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [2, 3] pad_low [1, 0] pad_high [2, 2] ins({{.*}}) bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @dilated_bias(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_4(%arg0, %arg1, %arg2)
// PART-NEXT:    return %[[R]]
func.func @dilated_bias(%x: tensor<1x4x9x11xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x13xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[2, 3]> : vector<2xi64>}
         ins(%p, %w : tensor<1x4x12x13xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %a : tensor<1x6x4x10xf32>
}

// CHECK-LABEL: func @dilated_bias_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<6xf32>, %[[S:[a-z0-9]*]]: tensor<1x6x4x10xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [2, 3] pad_low [1, 0] pad_high [2, 2] ins({{.*}}) bias(%[[B]] : tensor<6xf32>) residual(%[[S]] : tensor<1x6x4x10xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// PART-LABEL: func.func @dilated_bias_sum(
// PART-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_sum_4(%arg0, %arg1, %arg2, %arg3)
// PART-NEXT:    return %[[R]]
func.func @dilated_bias_sum(%x: tensor<1x4x9x11xf32>, %w: tensor<6x4x3x2xf32>, %b: tensor<6xf32>, %s: tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x13xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>, dilations = dense<[2, 3]> : vector<2xi64>}
         ins(%p, %w : tensor<1x4x12x13xf32>, tensor<6x4x3x2xf32>) outs(%f : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<1x6x4x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  %r = linalg.add ins(%a, %s : tensor<1x6x4x10xf32>, tensor<1x6x4x10xf32>) outs(%e : tensor<1x6x4x10xf32>) -> tensor<1x6x4x10xf32>
  return %r : tensor<1x6x4x10xf32>
}

// COUNT-COUNT-5: fusion.composite = "dnnl.conv2d_bias_sum"
// COUNT-COUNT-5: fusion.composite = "dnnl.conv2d_bias"
// COUNT-NOT:     fusion.composite
