// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM's tests of batch norms, by the numbers of TVM-CASES.md.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// TVM 58, 59, 126: values are equal (executed twin), and nothing of the batch norm is left.
// CHECK-LABEL: func @fold_batch_norm(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[V:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins({{.*}} bias(
// CHECK-NEXT:    return %[[R]]
func.func @fold_batch_norm(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 74: conv2d, bias, batch norm, relu.
// CHECK-LABEL: func @bias_bn_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[A:[a-z0-9]*]]: tensor<5xf32>, %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[V:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins({{.*}} bias(
// CHECK-NEXT:    return %[[R]]
func.func @bias_bn_relu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %a: tensor<5xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %a : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%s : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 127: VGG with batch norm, two blocks of constants: no sum is left between the
// convolutions, nothing but two ops.
// CHECK-LABEL: func @vgg(
// CHECK-NOT:     linalg.
// CHECK:         %[[Y:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "bn"} ins(%{{.*}}, %{{cst[_0-9]*}} : {{[^)]*}}) bias(%{{cst[_0-9]*}} : tensor<3xf32>)
// CHECK-NOT:     linalg.
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "bn"} ins(%[[Y]], %{{cst[_0-9]*}} : {{[^)]*}}) bias(%{{cst[_0-9]*}} : tensor<4xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @vgg(%x: tensor<1x2x7x6xf32>) -> tensor<1x4x3x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %a1 = arith.constant dense<[-0.15, -0.51, -1.45]> : tensor<3xf32>
  %g1 = arith.constant dense<[1.47, -1.97, 0.01]> : tensor<3xf32>
  %b1 = arith.constant dense<[1.59, -1.68, 0.22]> : tensor<3xf32>
  %m1 = arith.constant dense<[0.47, -1.84, -0.48]> : tensor<3xf32>
  %v1 = arith.constant dense<[2.2, 1.52, 2.26]> : tensor<3xf32>
  %a2 = arith.constant dense<[-1.37, -1.05, -1.56, 0.03]> : tensor<4xf32>
  %g2 = arith.constant dense<[1.7, 0.36, 1.1, -0.47]> : tensor<4xf32>
  %b2 = arith.constant dense<[0.98, -1.59, -0.84, 0.7]> : tensor<4xf32>
  %m2 = arith.constant dense<[0.9, -0.31, -1.65, -0.93]> : tensor<4xf32>
  %v2 = arith.constant dense<[0.87, 1.06, 2.49, 0.84]> : tensor<4xf32>
  %w1 = arith.constant dense<[[[[1.55, 1.52], [-1.78, -0.48], [-0.03, -1.91]], [[-0.3, 1.63], [-1.55, 0.39], [-1.52, 0.31]]], [[[1.58, -1.19], [-1.97, -1.67], [0.16, -1.93]], [[-1.66, -0.01], [1.68, -0.32], [-0.41, 0.55]]], [[[-1.63, 0.32], [-1.31, 0.44], [1.83, -1.78]], [[0.22, 0.43], [-1.4, -0.93], [1.98, 1.99]]]]> : tensor<3x2x3x2xf32>
  %w2 = arith.constant dense<[[[[-1.51, 0.82], [1.8, -1.05], [0.44, -1.83]], [[-0.54, 0.7], [0.36, 1.1], [-1.65, -0.61]], [[1.46, 0.34], [-0.19, -0.39], [1.94, 0.3]]], [[[-1.93, 1.2], [-0.69, -0.27], [-1.15, -0.22]], [[-0.7, -1.64], [0.52, -1.59], [1.14, -1.9]], [[1.12, 1.23], [-0.01, 0.84], [-1.01, 0.95]]], [[[-0.3, -1.08], [1.86, -0.4], [-0.51, 1.44]], [[-0.52, 0.67], [-1.32, 1.37], [-0.96, -1.8]], [[1.9, -1.31], [1.79, 1.94], [0.43, -1.95]]], [[[-1.76, -1.17], [-0.44, 0.45], [1.87, -0.58]], [[-1.44, 0.25], [-1.45, -1.65], [0.22, 0.78]], [[-1.74, -0.19], [0.82, 1.06], [-0.47, 1.55]]]]> : tensor<4x3x3x2xf32>
  %e1 = tensor.empty() : tensor<1x3x5x5xf32>
  %z1 = arith.constant dense<0.0> : tensor<1x3x5x5xf32>
  %i1 = linalg.broadcast ins(%a1 : tensor<3xf32>) outs(%e1 : tensor<1x3x5x5xf32>) dimensions = [0, 2, 3]
  %c1 = linalg.conv_2d_nchw_fchw ins(%x, %w1 : tensor<1x2x7x6xf32>, tensor<3x2x3x2xf32>) outs(%i1 : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %n1 = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c1, %g1, %b1, %m1, %v1 : tensor<1x3x5x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%c1 : tensor<1x3x5x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x3x5x5xf32>
  %y = linalg.max ins(%n1, %z1 : tensor<1x3x5x5xf32>, tensor<1x3x5x5xf32>) outs(%e1 : tensor<1x3x5x5xf32>) -> tensor<1x3x5x5xf32>
  %e2 = tensor.empty() : tensor<1x4x3x4xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x4x3x4xf32>
  %i2 = linalg.broadcast ins(%a2 : tensor<4xf32>) outs(%e2 : tensor<1x4x3x4xf32>) dimensions = [0, 2, 3]
  %c2 = linalg.conv_2d_nchw_fchw ins(%y, %w2 : tensor<1x3x5x5xf32>, tensor<4x3x3x2xf32>) outs(%i2 : tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  %n2 = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c2, %g2, %b2, %m2, %v2 : tensor<1x4x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%c2 : tensor<1x4x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x4x3x4xf32>
  %r = linalg.max ins(%n2, %z2 : tensor<1x4x3x4xf32>, tensor<1x4x3x4xf32>) outs(%e2 : tensor<1x4x3x4xf32>) -> tensor<1x4x3x4xf32>
  return %r : tensor<1x4x3x4xf32>
}

// TVM 128: conv2d, batch norm, relu in inference, in one body.
// CHECK-LABEL: func @conv_bn_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[V:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins({{.*}} bias(
// CHECK-NEXT:    return %[[R]]
func.func @conv_bn_relu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    %6 = arith.maximumf %5, %zero : f32
    linalg.yield %6 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
