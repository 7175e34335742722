// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM's test_pass_fold_scale_axis, by the numbers of TVM-CASES.md.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#all2 = affine_map<(d0, d1) -> (d0, d1)>
#last2 = affine_map<(d0, d1) -> (d1)>
#all5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#channel5 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>

// TVM 108, backward: conv, bias, scale. (With a relu between: relu_fail below. Forward, a
// scale of the input, is fwd_simple.)
// CHECK-LABEL: func @bwd_simple(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @bwd_simple(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 108, forward: no law takes a scale of the input; it stays in front.
// CHECK-LABEL: func @fwd_simple(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<3xf32>)
// CHECK:         %[[XS:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[X]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] ins(%[[XS]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @fwd_simple(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<3xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %ex = tensor.empty() : tensor<2x3x15x11xf32>
  %xs = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%x, %s : tensor<2x3x15x11xf32>, tensor<3xf32>) outs(%ex : tensor<2x3x15x11xf32>) -> tensor<2x3x15x11xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%xs, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 109: the sum of two convolutions. The scale goes into one, as that of its residual
// into the other.
// CHECK-LABEL: func @dual_path(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[V:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R1:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %{{[^ ]*}} : {{[^)]*}}) outs(
// CHECK-NOT:     ins(%[[R1]],
// CHECK:         %[[R2:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %{{[^ ]*}} : {{[^)]*}}) residual(%[[R1]] :
// CHECK-NEXT:    return %[[R2]]
func.func @dual_path(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %v : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%c, %d : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 110: a scale along another axis (rows).
// CHECK-LABEL: func @different_axes(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
// CHECK-NEXT:    return %[[Y]]
func.func @different_axes(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<7xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #row, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<7xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 111: the scaled tensor has another user.
// CHECK-LABEL: func @used_elsewhere(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
// CHECK-NEXT:    %[[Q:.*]] = linalg.add ins(%[[Y]], %[[R]] :
// CHECK-NEXT:    return %[[Q]]
func.func @used_elsewhere(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%t, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 112: the sign of the scale is not known, so that it does not cross a relu.
// CHECK-LABEL: func @relu_fail(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
// CHECK-NEXT:    return %[[Y]]
func.func @relu_fail(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 114: a negative factor, with nothing between.
// CHECK-LABEL: func @negative_scale(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[S:.*]] = arith.constant dense<[-1.000000e+00, -5.000000e-01, 2.500000e-01, -4.000000e+00, 2.000000e+00]>
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @negative_scale(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = arith.constant dense<[-1.0, -0.5, 0.25, -4.0, 2.0]> : tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 114, behind a relu: max(x, 0) * -1.
// CHECK-LABEL: func @negative_scale_relu_fail(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
// CHECK-NEXT:    return %[[Y]]
func.func @negative_scale_relu_fail(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = arith.constant dense<[-1.0, -0.5, 0.25, -4.0, 2.0]> : tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 115: the same of a matmul.
// CHECK-LABEL: func @dense(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<4x6xf32>, %[[W:[a-z0-9]*]]: tensor<6x5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @dense(%x: tensor<4x6xf32>, %w: tensor<6x5xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<4x5xf32>
  %e = tensor.empty() : tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all2, #last2, #all2]
         ins(%c, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all2, #last2, #all2]
         ins(%t, %s : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// TVM 116: bias and scale are constants; the filter is 2 everywhere.
// CHECK-LABEL: func @bwd_simple_constant(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>)
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-1.000000e+00, -1.000000e+00, 7.500000e-01, -1.600000e+01, 1.000000e+01]> : tensor<5xf32>
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.000000e+00, -2.000000e+00], {{.*}}, [4.000000e+00, 4.000000e+00]]]]> : tensor<5x3x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @bwd_simple_constant(%x: tensor<2x3x15x11xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %w = arith.constant dense<2.0> : tensor<5x3x3x2xf32>
  %s = arith.constant dense<[-1.0, -0.5, 0.25, -4.0, 2.0]> : tensor<5xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 117: a scaled convolution read by two that are scaled too; each has its own filter.
// CHECK-LABEL: func @dual_consumer(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[V:[a-z0-9]*]]: tensor<5x5x3x2xf32>, %[[U:[a-z0-9]*]]: tensor<5x5x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[Y:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "scale"} ins(%[[X]],
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "scale"} ins(%[[Y]],
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "scale"} ins(%[[Y]], {{[^)]*}}) residual_after_activation(%[[A]] :
// CHECK-NEXT:    return %[[B]]
func.func @dual_consumer(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x5x3x2xf32>, %u: tensor<5x5x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x5x9xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x5x5x9xf32>
  %e2 = tensor.empty() : tensor<2x5x5x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %y = linalg.max ins(%d, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %f = linalg.conv_2d_nchw_fchw ins(%y, %v : tensor<2x5x7x10xf32>, tensor<5x5x3x2xf32>) outs(%z2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %g = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%f, %s : tensor<2x5x5x9xf32>, tensor<5xf32>) outs(%e2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %h = linalg.max ins(%g, %z2 : tensor<2x5x5x9xf32>, tensor<2x5x5x9xf32>) outs(%e2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %i = linalg.conv_2d_nchw_fchw ins(%y, %u : tensor<2x5x7x10xf32>, tensor<5x5x3x2xf32>) outs(%z2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %j = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%i, %s : tensor<2x5x5x9xf32>, tensor<5xf32>) outs(%e2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %k = linalg.max ins(%j, %z2 : tensor<2x5x5x9xf32>, tensor<2x5x5x9xf32>) outs(%e2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  %r = linalg.add ins(%h, %k : tensor<2x5x5x9xf32>, tensor<2x5x5x9xf32>) outs(%e2 : tensor<2x5x5x9xf32>) -> tensor<2x5x5x9xf32>
  return %r : tensor<2x5x5x9xf32>
}

// TVM 118: bias_add, then a constant scale.
// CHECK-LABEL: func @bwd_bias_add(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[S:.*]] = arith.constant dense<[1.000000e+00, 5.000000e-01,
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @bwd_bias_add(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = arith.constant dense<[1.0, 0.5, 0.25, 4.0, 2.0]> : tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%t, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 119: the same in three dimensions.
// CHECK-LABEL: func @conv_3d(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [1, 2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d(%x: tensor<2x3x5x7x6xf32>, %w: tensor<4x3x2x3x2xf32>, %b: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<2x4x4x3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x4x3x5xf32>
  %e = tensor.empty() : tensor<2x4x4x3x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 2, 1]> : vector<3xi64>} ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<4x3x2x3x2xf32>) outs(%z : tensor<2x4x4x3x5xf32>) -> tensor<2x4x4x3x5xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x4x4x3x5xf32>, tensor<4xf32>) outs(%e : tensor<2x4x4x3x5xf32>) -> tensor<2x4x4x3x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all5, #channel5, #all5]
         ins(%t, %s : tensor<2x4x4x3x5xf32>, tensor<4xf32>) outs(%e : tensor<2x4x4x3x5xf32>) -> tensor<2x4x4x3x5xf32>
  return %r : tensor<2x4x4x3x5xf32>
}
