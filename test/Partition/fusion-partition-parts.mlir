// RUN: fusion-opt %s --fusion-partition="patterns=dnnl" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %t.mlir --fusion-partition="patterns=dnnl" | diff %t.mlir -

// The preset, and the parts that it finds. TVM 34, 60, 63, 70, 71, 74, 75, 76, 80, 84,
// 85, 91.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// TVM 74: bias, batch norm, relu; the variance goes inside with the ops of its root,
// and the parameters with their reshapes, which are not those of a bias.
// CHECK-LABEL: func.func @bias_bn_relu(
// CHECK-NOT:     linalg
// CHECK:         call @fused_conv2d_bias_bn_relu(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6)
// CHECK-NEXT:    return
func.func @bias_bn_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %mean: tensor<5xf32>, %var: tensor<5xf32>, %gamma: tensor<5xf32>, %beta: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %k = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %p = tensor.empty() : tensor<1x5x1x1xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %mean4 = tensor.expand_shape %mean [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %var4 = tensor.expand_shape %var [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %gamma4 = tensor.expand_shape %gamma [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %beta4 = tensor.expand_shape %beta [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %veps = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%var4 : tensor<1x5x1x1xf32>) outs(%p : tensor<1x5x1x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %eps : f32
    linalg.yield %m : f32
  } -> tensor<1x5x1x1xf32>
  %inv = linalg.rsqrt ins(%veps : tensor<1x5x1x1xf32>) outs(%p : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %n0 = linalg.elementwise kind=#linalg.elementwise_kind<sub> indexing_maps = [#all, #padded, #all]
         ins(%c, %mean4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n1 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #padded, #all]
         ins(%n0, %inv : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n2 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #padded, #all]
         ins(%n1, %gamma4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n3 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%n2, %beta4 : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%n3 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %k : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A batch norm and its relu in one op, and the sum behind it is no part of theirs.
// CHECK-LABEL: func.func @bn_in_one_op(
// CHECK-NOT:     linalg
// CHECK:         %[[N:.*]] = call @fused_conv2d_bn_relu(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5)
// CHECK-NEXT:    call @fused_add(%[[N]], %arg6)
func.func @bn_in_one_op(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %mean: tensor<5xf32>, %var: tensor<5xf32>, %gamma: tensor<5xf32>, %beta: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %k = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %gamma, %beta, %mean, %var : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %g: f32, %h: f32, %m: f32, %v: f32, %o: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.addf %v, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %g : f32
    %5 = arith.addf %4, %h : f32
    %6 = arith.maximumf %5, %k : f32
    linalg.yield %6 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%n, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 68, 75: the sum has the size of the result; it is the first operand here.
// CHECK-LABEL: func.func @bias_sum_relu(
// CHECK-NOT:     linalg
// CHECK:         call @fused_conv2d_bias_sum_relu(%arg0, %arg1, %arg2, %arg3)
func.func @bias_sum_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%s, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 68, 76: a sum with 1x5x1x1 is a second bias, which no name has.
// CHECK-LABEL: func.func @two_biases(
// CHECK:         %[[C:.*]] = call @fused_conv2d_bias(%arg0, %arg1, %arg2)
// CHECK:         call @fused_add_1(%[[C]], %arg3)
func.func @two_biases(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<1x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An accumulator that is no bias is a sum.
// CHECK-LABEL: func.func @sum_in_outs(
// CHECK-NEXT:    call @fused_conv2d_sum(%arg0, %arg1, %arg2)
func.func @sum_in_outs(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%s : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %c : tensor<2x5x7x10xf32>
}

// With one pixel, an addend is a sum if another convolution computes it, and a bias if
// the caller gives it. A sum of two convolutions goes to the first pattern of the list
// that matches either.
// CHECK-LABEL: func.func @one_pixel(
// CHECK-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg2)
// CHECK-NEXT:    call @fused_conv2d_bias_sum(%arg0, %arg1, %arg3, %[[A]])
func.func @one_pixel(%x: tensor<1x3x1x1xf32>, %w: tensor<5x3x1x1xf32>, %w2: tensor<5x3x1x1xf32>, %b: tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x1x1xf32>, tensor<5x3x1x1xf32>) outs(%z : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %s = linalg.add ins(%c, %b : tensor<1x5x1x1xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %w2 : tensor<1x3x1x1xf32>, tensor<5x3x1x1xf32>) outs(%z : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  %r = linalg.add ins(%d, %s : tensor<1x5x1x1xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  return %r : tensor<1x5x1x1xf32>
}

// An activation in several ops that read the result; one that two ops make.
// CHECK-LABEL: func.func @swish_in_ops(
// CHECK-NEXT:    call @fused_conv2d_swish(%arg0, %arg1)
// CHECK-NEXT:    return
func.func @swish_in_ops(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %one = arith.constant dense<1.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = linalg.negf ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %x1 = linalg.exp ins(%n : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.add ins(%x1, %one : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %q = linalg.div ins(%one, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.mul ins(%q, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 84: the relu is half of a clip.
// CHECK-LABEL: func.func @relu6(
// CHECK-NEXT:    call @fused_conv2d_clip(%arg0, %arg1)
// CHECK-NEXT:    return
func.func @relu6(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %six = arith.constant dense<6.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.min ins(%t, %six : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A relu as TOSA writes it, of a depthwise convolution in NHWC behind a reshape; TVM 91.
// CHECK-LABEL: func.func @depthwise_nhwc(
// CHECK-NEXT:    call @fused_conv2d_bias_relu(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return
func.func @depthwise_nhwc(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x2xf32>, %b: tensor<6xf32>) -> tensor<2x7x10x6xf32> {
  %k = arith.constant 0.0 : f32
  %top = arith.constant 3.40282347E+38 : f32
  %z = arith.constant dense<0.0> : tensor<2x7x10x3x2xf32>
  %e = tensor.empty() : tensor<2x7x10x6xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x3xf32>, tensor<3x2x3x2xf32>) outs(%z : tensor<2x7x10x3x2xf32>) -> tensor<2x7x10x3x2xf32>
  %c = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<2x7x10x3x2xf32> into tensor<2x7x10x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b, %c : tensor<6xf32>, tensor<2x7x10x6xf32>) outs(%e : tensor<2x7x10x6xf32>) {
  ^bb0(%v: f32, %a: f32, %o: f32):
    %0 = arith.addf %v, %a : f32
    %1 = arith.minimumf %0, %top : f32
    %2 = arith.maximumf %1, %k : f32
    linalg.yield %2 : f32
  } -> tensor<2x7x10x6xf32>
  return %r : tensor<2x7x10x6xf32>
}

// TVM 70, 71: other dimensions.
// CHECK-LABEL: func.func @conv1d(
// CHECK-NEXT:    call @fused_conv1d_tanh(%arg0, %arg1)
func.func @conv1d(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<2x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.tanh ins(%c : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func.func @conv3d(
// CHECK-NEXT:    call @fused_conv3d(%arg0, %arg1)
func.func @conv3d(%x: tensor<2x3x5x9x7xf32>, %w: tensor<4x3x2x3x1xf32>) -> tensor<2x4x4x7x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x4x7x7xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x9x7xf32>, tensor<4x3x2x3x1xf32>) outs(%z : tensor<2x4x4x7x7xf32>) -> tensor<2x4x4x7x7xf32>
  return %c : tensor<2x4x4x7x7xf32>
}

// TVM 80: the filter as it is, and transposed by an op of its own, which goes inside.
// CHECK-LABEL: func.func @matmuls(
// CHECK-NEXT:    %[[A:.*]] = call @fused_matmul_bias(%arg0, %arg1, %arg2)
// CHECK-NEXT:    call @fused_matmul_transposed_b_relu(%[[A]], %arg3)
// CHECK-NEXT:    return
func.func @matmuls(%x: tensor<3x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %u: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %f = tensor.empty() : tensor<3x4xf32>
  %g = tensor.empty() : tensor<5x4xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<3x5xf32>) dimensions = [0]
  %c = linalg.matmul ins(%x, %w : tensor<3x7xf32>, tensor<7x5xf32>) outs(%v : tensor<3x5xf32>) -> tensor<3x5xf32>
  %t = linalg.transpose ins(%u : tensor<4x5xf32>) outs(%g : tensor<5x4xf32>) permutation = [1, 0]
  %d = linalg.matmul ins(%c, %t : tensor<3x5xf32>, tensor<5x4xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = linalg.max ins(%d, %z : tensor<3x4xf32>, tensor<3x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// TVM 85: pools with their padding; the sums of an average are divided by their number.
// CHECK-LABEL: func.func @pools(
// CHECK-NEXT:    %[[M:.*]] = call @fused_maxpool(%arg0)
// CHECK-NEXT:    call @fused_avgpool(%[[M]])
// CHECK-NEXT:    return
func.func @pools(%x: tensor<2x3x9x11xf32>) -> tensor<2x3x8x9xf32> {
  %k = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %six = arith.constant 6.0 : f32
  %window = tensor.empty() : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3x9x11xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<2x3x9x11xf32>) -> tensor<2x3x9x11xf32>
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %lowest : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x10x13xf32>
  %m = linalg.pooling_nchw_max ins(%p, %window : tensor<2x3x10x13xf32>, tensor<2x3xf32>) outs(%f : tensor<2x3x9x11xf32>) -> tensor<2x3x9x11xf32>
  %g = tensor.empty() : tensor<2x3x8x9xf32>
  %h = linalg.fill ins(%k : f32) outs(%g : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %s = linalg.pooling_nchw_sum ins(%m, %window : tensor<2x3x9x11xf32>, tensor<2x3xf32>) outs(%h : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x3x8x9xf32>) outs(%g : tensor<2x3x8x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.divf %a, %six : f32
    linalg.yield %q : f32
  } -> tensor<2x3x8x9xf32>
  return %r : tensor<2x3x8x9xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:    call @fused_softmax(%arg0)
func.func @softmax(%x: tensor<3x7xf32>) -> tensor<3x7xf32> {
  %e = tensor.empty() : tensor<3x7xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x7xf32>) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>
  return %r : tensor<3x7xf32>
}

// TVM 30: tensors one behind the other, in one op or in one for each part. Where a part
// is not filled it is none. A tensor that is read twice is one argument.
// CHECK-LABEL: func.func @concat(
// CHECK-NEXT:    call @fused_concat(%arg0, %arg1)
// CHECK-NEXT:    return
func.func @concat(%x: tensor<3x7xf32>, %y: tensor<3x4xf32>) -> tensor<3x11xf32> {
  %r = tensor.concat dim(1) %x, %y : (tensor<3x7xf32>, tensor<3x4xf32>) -> tensor<3x11xf32>
  return %r : tensor<3x11xf32>
}

// CHECK-LABEL: func.func @concat_of_parts(
// CHECK-NEXT:    call @fused_concat_1(%arg0, %arg1)
// CHECK-NEXT:    return
func.func @concat_of_parts(%x: tensor<3x7xf32>, %y: tensor<3x4xf32>) -> tensor<3x18xf32> {
  %e = tensor.empty() : tensor<3x18xf32>
  %a = tensor.insert_slice %x into %e[0, 0] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x18xf32>
  %b = tensor.insert_slice %y into %a[0, 7] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x18xf32>
  %c = tensor.insert_slice %x into %b[0, 11] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x18xf32>
  return %c : tensor<3x18xf32>
}

// CHECK-LABEL: func.func @no_concat(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_concat(%x: tensor<3x7xf32>, %y: tensor<3x4xf32>) -> (tensor<3x12xf32>, tensor<3x12xf32>) {
  %k = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<3x12xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<3x12xf32>) -> tensor<3x12xf32>
  %a = tensor.insert_slice %x into %f[0, 0] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x12xf32>
  %b = tensor.insert_slice %y into %a[0, 7] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x12xf32>
  %c = tensor.insert_slice %x into %f[0, 5] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x12xf32>
  %d = tensor.insert_slice %y into %c[0, 2] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x12xf32>
  return %b, %d : tensor<3x12xf32>, tensor<3x12xf32>
}

// Parts in another order, along two dimensions, and with a gap.
// CHECK-LABEL: func.func @no_concat_of_empty(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_concat_of_empty(%x: tensor<3x7xf32>, %y: tensor<3x4xf32>) -> (tensor<3x11xf32>, tensor<6x11xf32>, tensor<3x12xf32>) {
  %e = tensor.empty() : tensor<3x11xf32>
  %a = tensor.insert_slice %x into %e[0, 4] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x11xf32>
  %b = tensor.insert_slice %y into %a[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x11xf32>
  %f = tensor.empty() : tensor<6x11xf32>
  %c = tensor.insert_slice %x into %f[0, 0] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<6x11xf32>
  %d = tensor.insert_slice %y into %c[3, 7] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<6x11xf32>
  %g = tensor.empty() : tensor<3x12xf32>
  %h = tensor.insert_slice %x into %g[0, 0] [3, 7] [1, 1] : tensor<3x7xf32> into tensor<3x12xf32>
  %i = tensor.insert_slice %y into %h[0, 7] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x12xf32>
  return %b, %d, %i : tensor<3x11xf32>, tensor<6x11xf32>, tensor<3x12xf32>
}

// The sum over six elements is divided by five, and one that something else reads.
// CHECK-LABEL: func.func @no_average(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_average(%x: tensor<2x3x9x11xf32>) -> (tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>) {
  %k = arith.constant 0.0 : f32
  %five = arith.constant dense<5.0> : tensor<2x3x8x9xf32>
  %six = arith.constant dense<6.0> : tensor<2x3x8x9xf32>
  %window = tensor.empty() : tensor<2x3xf32>
  %g = tensor.empty() : tensor<2x3x8x9xf32>
  %h = linalg.fill ins(%k : f32) outs(%g : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %s = linalg.pooling_nchw_sum ins(%x, %window : tensor<2x3x9x11xf32>, tensor<2x3xf32>) outs(%h : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %r = linalg.div ins(%s, %five : tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>) outs(%g : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %y = linalg.mul ins(%x, %x : tensor<2x3x9x11xf32>, tensor<2x3x9x11xf32>) outs(%x : tensor<2x3x9x11xf32>) -> tensor<2x3x9x11xf32>
  %t = linalg.pooling_nchw_sum ins(%y, %window : tensor<2x3x9x11xf32>, tensor<2x3xf32>) outs(%h : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %u = linalg.div ins(%t, %six : tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>) outs(%g : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  return %r, %t, %u : tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>, tensor<2x3x8x9xf32>
}

// CHECK: func.func private @fused_conv2d_bias_bn_relu(
// CHECK-SAME: fusion.role = "input"}, {{.*}} "filter"}, {{.*}} "bias"}, {{.*}} "mean"}, {{.*}} "variance"}, {{.*}} "scale"}, {{.*}} "shift"})
// CHECK-SAME: fusion.composite = "dnnl.conv2d_bias_bn_relu"
// CHECK: func.func private @fused_conv2d_bias_sum_relu(
// CHECK-SAME: fusion.role = "input"}, {{.*}} "filter"}, {{.*}} "bias"}, {{.*}} "residual"})
// CHECK: func.func private @fused_conv2d_bn_relu(
// CHECK-SAME: fusion.role = "input"}, {{.*}} "filter"}, {{.*}} "mean"}, {{.*}} "variance"}, {{.*}} "scale"}, {{.*}} "shift"})
