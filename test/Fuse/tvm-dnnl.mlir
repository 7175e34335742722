// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM's tests of its pattern language (60 to 63) and of its oneDNN codegen (73 to
// 79), by the numbers of TVM-CASES.md.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#all5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#channel5 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>

// TVM 60: a match in which operands are commuted: bias + conv, max(0, x).
// CHECK-LABEL: func @commutative(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @commutative(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%z, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 61, 66: the same add three times over.
// CHECK-LABEL: func @repeated(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[B1:.*]] = linalg.add ins(%[[B]], %[[B]] :
// CHECK:         %[[B2:.*]] = linalg.add ins(%[[B1]], %[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B2]] :
// CHECK-NEXT:    return %[[R]]
func.func @repeated(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%s, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%t, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 62: a diamond, relu and tanh of one convolution, is told from two convolutions in
// parallel: the first is not fused, since its result is needed.
// CHECK-LABEL: func @diamond(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[S:.*]] = linalg.max ins(%[[C]],
// CHECK-NEXT:    %[[T:.*]] = linalg.tanh ins(%[[C]]
// CHECK-NEXT:    linalg.add ins(%[[S]], %[[T]]
func.func @diamond(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%s, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @parallel(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[V:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[S:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK:         %[[T:.*]] = fusion.fused_conv_bias_act tanh strides [2, 1] ins(%[[X]], %[[V]] : {{[^)]*}}) residual_after_activation(%[[S]] :
// CHECK-NEXT:    return %[[T]]
func.func @parallel(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %v : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.tanh ins(%d : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%s, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 63: two of them in one function.
// CHECK-LABEL: func @two_in_one_function(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[V:[a-z0-9]*]]: tensor<4x5x2x3xf32>, %[[D:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[Y:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[Y]], %[[V]] : {{[^)]*}}) bias(%[[D]] :
// CHECK-NEXT:    return %[[R]]
func.func @two_in_one_function(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %v: tensor<4x5x2x3xf32>, %d: tensor<4xf32>) -> tensor<2x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %e2 = tensor.empty() : tensor<2x4x6x8xf32>
  %f = linalg.conv_2d_nchw_fchw ins(%t, %v : tensor<2x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%z2 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %g = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%f, %d : tensor<2x4x6x8xf32>, tensor<4xf32>) outs(%e2 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  %r = linalg.max ins(%g, %z2 : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%e2 : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  return %r : tensor<2x4x6x8xf32>
}

// TVM 73: weights that do not change, of 32 and 3 input channels; the executed twin
// marks them constant, so that they are packed once.
// CHECK-LABEL: func @constant_weights_32(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x32x8x9xf32>, %[[W:[a-z0-9]*]]: tensor<6x32x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @constant_weights_32(%x: tensor<1x32x8x9xf32>, %w: tensor<6x32x3x2xf32>) -> tensor<1x6x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x6x8xf32>
  %e = tensor.empty() : tensor<1x6x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x8x9xf32>, tensor<6x32x3x2xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %r = linalg.max ins(%c, %z : tensor<1x6x6x8xf32>, tensor<1x6x6x8xf32>) outs(%e : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %r : tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func @constant_weights_3(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x8x9xf32>, %[[W:[a-z0-9]*]]: tensor<6x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @constant_weights_3(%x: tensor<1x3x8x9xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<1x6x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x6x6x8xf32>
  %e = tensor.empty() : tensor<1x6x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x9xf32>, tensor<6x3x3x2xf32>) outs(%z : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %r = linalg.max ins(%c, %z : tensor<1x6x6x8xf32>, tensor<1x6x6x8xf32>) outs(%e : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %r : tensor<1x6x6x8xf32>
}

// TVM 75: bias, a sum with a tensor of 1x16x6x6, relu.
// CHECK-LABEL: func @bias_sum_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x8x9xf32>, %[[W:[a-z0-9]*]]: tensor<16x3x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<16xf32>, %[[T:[a-z0-9]*]]: tensor<1x16x6x6xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<16xf32>) residual(%[[T]] :
// CHECK-NEXT:    return %[[R]]
func.func @bias_sum_relu(%x: tensor<1x3x8x9xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>, %t: tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x6x6xf32>
  %e = tensor.empty() : tensor<1x16x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x9xf32>, tensor<16x3x3x4xf32>) outs(%z : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<1x16x6x6xf32>, tensor<16xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %q = linalg.add ins(%s, %t : tensor<1x16x6x6xf32>, tensor<1x16x6x6xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %r = linalg.max ins(%q, %z : tensor<1x16x6x6xf32>, tensor<1x16x6x6xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %r : tensor<1x16x6x6xf32>
}

// TVM 76: a sum with a tensor of 1x16x1x1 is no residual: it is a second bias.
// CHECK-LABEL: func @bias_sum_relu_broadcast(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x8x9xf32>, %[[W:[a-z0-9]*]]: tensor<16x3x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<16xf32>, %[[T:[a-z0-9]*]]: tensor<1x16x1x1xf32>)
// CHECK:         %[[T1:.*]] = tensor.collapse_shape %[[T]]
// CHECK:         %[[BB:.*]] = linalg.add ins(%[[B]], %[[T1]] :
// CHECK-NOT:     residual(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[BB]] : tensor<16xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_sum_relu_broadcast(%x: tensor<1x3x8x9xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>, %t: tensor<1x16x1x1xf32>) -> tensor<1x16x6x6xf32> {
  %z = arith.constant dense<0.0> : tensor<1x16x6x6xf32>
  %e = tensor.empty() : tensor<1x16x6x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x8x9xf32>, tensor<16x3x3x4xf32>) outs(%z : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<1x16x6x6xf32>, tensor<16xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %q = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%s, %t : tensor<1x16x6x6xf32>, tensor<1x16x1x1xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %r = linalg.max ins(%q, %z : tensor<1x16x6x6xf32>, tensor<1x16x6x6xf32>) outs(%e : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %r : tensor<1x16x6x6xf32>
}

// TVM 77: torch-mlir's transposed convolution: the input between zeros, the filter
// reversed. It is one op all the same; the scale goes along the outputs of the filter.
// CHECK-LABEL: func @transposed_convolution(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x5x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act strides [2, 3] pad_low [1, 0] pad_high [1, 0] {fusion.folded = "scale"} ins(%[[X]], %{{[^ ]*}} : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @transposed_convolution(%x: tensor<2x3x5x4xf32>, %w: tensor<3x5x3x2xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<2x5x9x11xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x5x9x11xf32>
  %ei = tensor.empty() : tensor<2x3x11x12xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ei : tensor<2x3x11x12xf32>) -> tensor<2x3x11x12xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 1] [2, 3, 5, 4] [1, 1, 2, 3] : tensor<2x3x5x4xf32> into tensor<2x3x11x12xf32>
  %ew = tensor.empty() : tensor<5x3x3x2xf32>
  %wf = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         outs(%ew : tensor<5x3x3x2xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %j2 = arith.subi %c2, %i2 : index
    %j3 = arith.subi %c1, %i3 : index
    %v = tensor.extract %w[%i1, %i0, %j2, %j3] : tensor<3x5x3x2xf32>
    linalg.yield %v : f32
  } -> tensor<5x3x3x2xf32>
  %z = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x9x11xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%xi, %wf : tensor<2x3x11x12xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x9x11xf32>) -> tensor<2x5x9x11xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x9x11xf32>, tensor<5xf32>) outs(%e : tensor<2x5x9x11xf32>) -> tensor<2x5x9x11xf32>
  return %r : tensor<2x5x9x11xf32>
}

// TVM 78: conv3d, padded by 0 in front and 1 behind.
// CHECK-LABEL: func @conv_3d_asymmetric_pad(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x4x6x5xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x2x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_high [1, 1, 1] ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d_asymmetric_pad(%x: tensor<2x3x4x6x5xf32>, %w: tensor<4x3x2x3x2xf32>) -> tensor<2x4x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x4x5x5xf32>
  %p = tensor.pad %x low[0, 0, 0, 0, 0] high[0, 0, 1, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index, %m: index):
    tensor.yield %zero : f32
  } : tensor<2x3x4x6x5xf32> to tensor<2x3x5x7x6xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%p, %w : tensor<2x3x5x7x6xf32>, tensor<4x3x2x3x2xf32>) outs(%z : tensor<2x4x4x5x5xf32>) -> tensor<2x4x4x5x5xf32>
  return %r : tensor<2x4x4x5x5xf32>
}

// TVM 79: the same in three dimensions with strides of 2, 1 and 3 and output padding.
// CHECK-LABEL: func @transposed_convolution_3d(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x2x3x4x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x5x2x2x3xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act relu strides [2, 1, 3] ins(%[[X]], %{{[^ ]*}} : {{[^)]*}}) bias(%[[B]] :
// CHECK-NEXT:    return %[[R]]
func.func @transposed_convolution_3d(%x: tensor<1x2x3x4x3xf32>, %w: tensor<2x5x2x2x3xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %z = arith.constant dense<0.0> : tensor<1x5x7x5x9xf32>
  %e = tensor.empty() : tensor<1x5x7x5x9xf32>
  %ei = tensor.empty() : tensor<1x2x8x6x11xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ei : tensor<1x2x8x6x11xf32>) -> tensor<1x2x8x6x11xf32>
  %xi = tensor.insert_slice %x into %zi[0, 0, 1, 1, 2] [1, 2, 3, 4, 3] [1, 1, 2, 1, 3] : tensor<1x2x3x4x3xf32> into tensor<1x2x8x6x11xf32>
  %ew = tensor.empty() : tensor<5x2x2x2x3xf32>
  %wf = linalg.generic {indexing_maps = [#all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         outs(%ew : tensor<5x2x2x2x3xf32>) {
  ^bb0(%out: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %i4 = linalg.index 4 : index
    %j2 = arith.subi %c1, %i2 : index
    %j3 = arith.subi %c1, %i3 : index
    %j4 = arith.subi %c2, %i4 : index
    %v = tensor.extract %w[%i1, %i0, %j2, %j3, %j4] : tensor<2x5x2x2x3xf32>
    linalg.yield %v : f32
  } -> tensor<5x2x2x2x3xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%xi, %wf : tensor<1x2x8x6x11xf32>, tensor<5x2x2x2x3xf32>) outs(%z : tensor<1x5x7x5x9xf32>) -> tensor<1x5x7x5x9xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<1x5x7x5x9xf32>, tensor<5xf32>) outs(%e : tensor<1x5x7x5x9xf32>) -> tensor<1x5x7x5x9xf32>
  %r = linalg.max ins(%s, %z : tensor<1x5x7x5x9xf32>, tensor<1x5x7x5x9xf32>) outs(%e : tensor<1x5x7x5x9xf32>) -> tensor<1x5x7x5x9xf32>
  return %r : tensor<1x5x7x5x9xf32>
}
