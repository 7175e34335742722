// RUN: %python %S/verify-functions.py %s --fused=depth_to_space:2,space_to_depth:2,returned:2,two_readers:2 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR

// Blocks of pixels that become channels, or channels that become blocks, move once,
// from channels last to channels last.

// CHECK: {{^}}4 functions agree, 8 fused ops

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// IR-LABEL: func.func @depth_to_space(
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>)
// IR:         fusion.fused_conv_bias_act
// IR-NOT:     linalg.transpose
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x7x10x5x2x3xf32>) outs(%{{.*}} : tensor<2x7x2x10x3x5xf32>) permutation = [0, 1, 4, 2, 5, 3]
// IR:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<2x7x2x10x3x5xf32> into tensor<2x14x30x5xf32>
// IR-NOT:     linalg.transpose
// IR:         fusion.fused_conv_bias_act layouts(nhwc,
// IR:         linalg.transpose
// IR-NOT:     linalg.transpose
// IR:         return
func.func @depth_to_space(%x: tensor<2x3x9x11xf32>, %w: tensor<30x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x14x29xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x30x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<30x3x3x2xf32>) outs(%fc : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %p = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [2, 5, 2, 3, 7, 10] : tensor<2x30x7x10xf32> into tensor<2x5x2x3x7x10xf32>
  %et = tensor.empty() : tensor<2x5x7x2x10x3xf32>
  %t = linalg.transpose ins(%p : tensor<2x5x2x3x7x10xf32>) outs(%et : tensor<2x5x7x2x10x3xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %s = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<2x5x7x2x10x3xf32> into tensor<2x5x14x30xf32>
  %er = tensor.empty() : tensor<2x5x14x30xf32>
  %e = linalg.exp ins(%s : tensor<2x5x14x30xf32>) outs(%er : tensor<2x5x14x30xf32>) -> tensor<2x5x14x30xf32>
  %ed = tensor.empty() : tensor<2x4x14x29xf32>
  %fd = linalg.fill ins(%zero : f32) outs(%ed : tensor<2x4x14x29xf32>) -> tensor<2x4x14x29xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%e, %u : tensor<2x5x14x30xf32>, tensor<4x5x1x2xf32>) outs(%fd : tensor<2x4x14x29xf32>) -> tensor<2x4x14x29xf32>
  return %d : tensor<2x4x14x29xf32>
}

// IR-LABEL: func.func @space_to_depth(
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x3x9x11xf32>)
// IR-NOT:     linalg.transpose
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x4x2x3x3x5xf32>) outs(%{{.*}} : tensor<2x4x3x5x2x3xf32>) permutation = [0, 1, 3, 5, 2, 4]
// IR:         tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2], [3, 4, 5]] : tensor<2x4x3x5x2x3xf32> into tensor<2x4x3x30xf32>
// IR-NOT:     linalg.transpose
// IR:         fusion.fused_conv_bias_act layouts(nhwc,
// IR:         linalg.transpose
// IR-NOT:     linalg.transpose
// IR:         return
func.func @space_to_depth(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x2x3xf32>, %u: tensor<4x30x1x2xf32>) -> tensor<2x4x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x5x8x9xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x5x8x9xf32>) -> tensor<2x5x8x9xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x2x3xf32>) outs(%fc : tensor<2x5x8x9xf32>) -> tensor<2x5x8x9xf32>
  %p = tensor.expand_shape %c [[0], [1], [2, 3], [4, 5]] output_shape [2, 5, 4, 2, 3, 3] : tensor<2x5x8x9xf32> into tensor<2x5x4x2x3x3xf32>
  %et = tensor.empty() : tensor<2x5x2x3x4x3xf32>
  %t = linalg.transpose ins(%p : tensor<2x5x4x2x3x3xf32>) outs(%et : tensor<2x5x2x3x4x3xf32>) permutation = [0, 1, 3, 5, 2, 4]
  %s = tensor.collapse_shape %t [[0], [1, 2, 3], [4], [5]] : tensor<2x5x2x3x4x3xf32> into tensor<2x30x4x3xf32>
  %ed = tensor.empty() : tensor<2x4x4x2xf32>
  %fd = linalg.fill ins(%zero : f32) outs(%ed : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%s, %u : tensor<2x30x4x3xf32>, tensor<4x30x1x2xf32>) outs(%fd : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  return %d : tensor<2x4x4x2xf32>
}

// No convolution reads the blocks: they move to where the caller wants them.
// IR-LABEL: func.func @returned(
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x7x10x5x2x3xf32>) outs(%{{.*}} : tensor<2x5x7x2x10x3xf32>) permutation = [0, 3, 1, 4, 2, 5]
func.func @returned(%x: tensor<2x3x9x11xf32>, %w: tensor<4x3x3x2xf32>, %u: tensor<30x4x1x1xf32>) -> tensor<2x5x14x30xf32> {
  %zero = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<2x4x7x10xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%eb : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<4x3x3x2xf32>) outs(%fb : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %ec = tensor.empty() : tensor<2x30x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%b, %u : tensor<2x4x7x10xf32>, tensor<30x4x1x1xf32>) outs(%fc : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %p = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [2, 5, 2, 3, 7, 10] : tensor<2x30x7x10xf32> into tensor<2x5x2x3x7x10xf32>
  %et = tensor.empty() : tensor<2x5x7x2x10x3xf32>
  %t = linalg.transpose ins(%p : tensor<2x5x2x3x7x10xf32>) outs(%et : tensor<2x5x7x2x10x3xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %s = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<2x5x7x2x10x3xf32> into tensor<2x5x14x30xf32>
  return %s : tensor<2x5x14x30xf32>
}

// Another reader wants another layout.
// IR-LABEL: func.func @two_readers(
// IR:         linalg.transpose ins(%{{.*}} : tensor<2x7x10x5x2x3xf32>) outs(%{{.*}} : tensor<2x5x7x2x10x3xf32>) permutation = [0, 3, 1, 4, 2, 5]
func.func @two_readers(%x: tensor<2x3x9x11xf32>, %w: tensor<30x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> (tensor<2x4x14x29xf32>, tensor<2x5x7x2x10x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %ec = tensor.empty() : tensor<2x30x7x10xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<30x3x3x2xf32>) outs(%fc : tensor<2x30x7x10xf32>) -> tensor<2x30x7x10xf32>
  %p = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [2, 5, 2, 3, 7, 10] : tensor<2x30x7x10xf32> into tensor<2x5x2x3x7x10xf32>
  %et = tensor.empty() : tensor<2x5x7x2x10x3xf32>
  %t = linalg.transpose ins(%p : tensor<2x5x2x3x7x10xf32>) outs(%et : tensor<2x5x7x2x10x3xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %s = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<2x5x7x2x10x3xf32> into tensor<2x5x14x30xf32>
  %ed = tensor.empty() : tensor<2x4x14x29xf32>
  %fd = linalg.fill ins(%zero : f32) outs(%ed : tensor<2x4x14x29xf32>) -> tensor<2x4x14x29xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%s, %u : tensor<2x5x14x30xf32>, tensor<4x5x1x2xf32>) outs(%fd : tensor<2x4x14x29xf32>) -> tensor<2x4x14x29xf32>
  return %d, %t : tensor<2x4x14x29xf32>, tensor<2x5x7x2x10x3xf32>
}
