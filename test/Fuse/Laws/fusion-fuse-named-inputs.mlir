// RUN: fusion-opt %s --fusion-raise --fusion-fuse --mlir-print-local-scope | FileCheck %s --implicit-check-not=fusion.pad --implicit-check-not=fusion.insert_zeros

// Ops around a fusion op that get a name only where a law folds it, and keep what they
// had.

#nhwc = affine_map<(n, c, h, w) -> (n, h, w, c)>
#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#image = affine_map<(n, c, h, w) -> (c, h, w)>
#bkn = affine_map<(b, k, n) -> (b, k, n)>
#bn = affine_map<(b, k, n) -> (b, n)>
#kn = affine_map<(b, k, n) -> (k, n)>

// A transpose of a tensor with a dynamic size, which the result does not have. The
// other reader keeps the op.
// CHECK-LABEL: func @shared_transpose(
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} {mine = 3 : i64}
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(%{{.*}}, %{{.*}} : tensor<1x9x8x3xf32>,
// CHECK:         return %{{.*}}, %[[T]]
func.func @shared_transpose(%x: tensor<?x9x8x3xf32>, %w: tensor<6x3x3x2xf32>) -> (tensor<1x6x7x7xf32>, tensor<1x3x9x8xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x9x8xf32>
  %t = linalg.generic {indexing_maps = [#nhwc, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<?x9x8x3xf32>) outs(%e : tensor<1x3x9x8xf32>) attrs = {mine = 3 : i64} {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<1x3x9x8xf32>
  %o = tensor.empty() : tensor<1x6x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<1x6x7x7xf32>) -> tensor<1x6x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<1x3x9x8xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<1x6x7x7xf32>) -> tensor<1x6x7x7xf32>
  return %r, %t : tensor<1x6x7x7xf32>, tensor<1x3x9x8xf32>
}

// A broadcast of the input, for which there is no law.
// CHECK-LABEL: func @broadcast_input(
// CHECK:         linalg.generic {{.*}} {mine = 3 : i64}
// CHECK-NOT:     linalg.broadcast
func.func @broadcast_input(%x: tensor<3x?x8xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<2x6x7x7xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x9x8xf32>
  %t = linalg.generic {indexing_maps = [#image, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<3x?x8xf32>) outs(%e : tensor<2x3x9x8xf32>) attrs = {mine = 3 : i64} {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<2x3x9x8xf32>
  %o = tensor.empty() : tensor<2x6x7x7xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<2x6x7x7xf32>) -> tensor<2x6x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%t, %w : tensor<2x3x9x8xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x7x7xf32>) -> tensor<2x6x7x7xf32>
  return %r : tensor<2x6x7x7xf32>
}

// A filter that is broadcast along its rows, and one along the batch.
// CHECK-LABEL: func @broadcast_rows(
// CHECK:         linalg.generic
// CHECK:         fusion.fused_matmul_bias_act ins(
// CHECK-LABEL: func @broadcast_batch(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_matmul_bias_act ins(%arg0, %{{.*}} : tensor<3x5x7xf32>, tensor<7x9xf32>)
func.func @broadcast_rows(%x: tensor<3x5x7xf32>, %w: tensor<?x9xf32>) -> tensor<3x5x9xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x9xf32>
  %b = linalg.generic {indexing_maps = [#bn, #bkn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<?x9xf32>) outs(%e : tensor<3x7x9xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<3x7x9xf32>
  %o = tensor.empty() : tensor<3x5x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<3x5x9xf32>) -> tensor<3x5x9xf32>
  %r = linalg.batch_matmul ins(%x, %b : tensor<3x5x7xf32>, tensor<3x7x9xf32>) outs(%f : tensor<3x5x9xf32>) -> tensor<3x5x9xf32>
  return %r : tensor<3x5x9xf32>
}

func.func @broadcast_batch(%x: tensor<3x5x7xf32>, %w: tensor<7x?xf32>) -> tensor<3x5x9xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x9xf32>
  %b = linalg.generic {indexing_maps = [#kn, #bkn], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<7x?xf32>) outs(%e : tensor<3x7x9xf32>) {
  ^bb0(%a: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<3x7x9xf32>
  %o = tensor.empty() : tensor<3x5x9xf32>
  %f = linalg.fill ins(%z : f32) outs(%o : tensor<3x5x9xf32>) -> tensor<3x5x9xf32>
  %r = linalg.batch_matmul ins(%x, %b : tensor<3x5x7xf32>, tensor<3x7x9xf32>) outs(%f : tensor<3x5x9xf32>) -> tensor<3x5x9xf32>
  return %r : tensor<3x5x9xf32>
}

// Zeros in front of a convolution with a depth-to-space behind it: the law of the zeros
// comes first.
// CHECK-LABEL: func @zeros_and_depth_to_space(
// CHECK:         fusion.fused_deconv_bias_act strides [2, 3] pad_low [1, 1] pad_high [1, 1] ins(%arg0,
func.func @zeros_and_depth_to_space(%x: tensor<1x3x5x4xf32>) -> tensor<1x6x18x20xf32> {
  %z = arith.constant 0.0 : f32
  %w = arith.constant dense<0.5> : tensor<24x3x3x3xf32>
  %e = tensor.empty() : tensor<1x3x11x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x11x12xf32>) -> tensor<1x3x11x12xf32>
  %i = tensor.insert_slice %x into %f[0, 0, 1, 1] [1, 3, 5, 4] [1, 1, 2, 3] : tensor<1x3x5x4xf32> into tensor<1x3x11x12xf32>
  %e2 = tensor.empty() : tensor<1x24x9x10xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<1x24x9x10xf32>) -> tensor<1x24x9x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%i, %w : tensor<1x3x11x12xf32>, tensor<24x3x3x3xf32>) outs(%f2 : tensor<1x24x9x10xf32>) -> tensor<1x24x9x10xf32>
  %p = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [1, 6, 2, 2, 9, 10] : tensor<1x24x9x10xf32> into tensor<1x6x2x2x9x10xf32>
  %e3 = tensor.empty() : tensor<1x6x9x2x10x2xf32>
  %t = linalg.transpose ins(%p : tensor<1x6x2x2x9x10xf32>) outs(%e3 : tensor<1x6x9x2x10x2xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %r = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x6x9x2x10x2xf32> into tensor<1x6x18x20xf32>
  return %r : tensor<1x6x18x20xf32>
}

// A dynamic number of rows is inserted into as many or more.
// CHECK-LABEL: func @dynamic_rows(
// CHECK:         tensor.insert_slice
// CHECK-NOT:     fused_deconv
func.func @dynamic_rows(%x: tensor<1x3x?x5xf32>, %size: index, %rows: index, %w: tensor<6x3x3x3xf32>, %o: tensor<1x6x?x9xf32>) -> tensor<1x6x?x9xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%size) : tensor<1x3x?x11xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x3x?x11xf32>) -> tensor<1x3x?x11xf32>
  %i = tensor.insert_slice %x into %f[0, 0, 0, 1] [1, 3, %rows, 5] [1, 1, 1, 2] : tensor<1x3x?x5xf32> into tensor<1x3x?x11xf32>
  %r = fusion.fused_conv_bias_act ins(%i, %w : tensor<1x3x?x11xf32>, tensor<6x3x3x3xf32>) outs(%o : tensor<1x6x?x9xf32>) -> tensor<1x6x?x9xf32>
  return %r : tensor<1x6x?x9xf32>
}

// On memrefs nothing is a constant of this pass.
// CHECK-LABEL: func @memrefs(
// CHECK:         fusion.fused_conv_bias_act ins(%arg0, %arg1 : memref<1x3x9x8xf32>, memref<6x3x3x2xf32>) bias(%arg2 : memref<6xf32>) outs(%arg3 : memref<1x6x7x7xf32>)
func.func @memrefs(%x: memref<1x3x9x8xf32>, %w: memref<6x3x3x2xf32>, %b: memref<6xf32>, %o: memref<1x6x7x7xf32>) {
  fusion.fused_conv_bias_act ins(%x, %w : memref<1x3x9x8xf32>, memref<6x3x3x2xf32>) bias(%b : memref<6xf32>) outs(%o : memref<1x6x7x7xf32>)
  return
}
