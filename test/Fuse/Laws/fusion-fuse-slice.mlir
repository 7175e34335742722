// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize | FileCheck %s --implicit-check-not=tensor.extract_slice --implicit-check-not=tensor.pad

// A slice of the result that leaves out windows which begin or end in the padding becomes less padding. The twins are in
// Integration/fuse-slice.test.

// A causal convolution as PyTorch's networks for sequences write it: with padding on both sides, and what sees the future
// cut off.
// CHECK-LABEL: func @causal(
// CHECK:         fusion.fused_conv_bias_act relu dilations [2] pad_low [4] ins(%{{.*}} : tensor<2x3x17xf32>, tensor<4x3x3xf32>) bias({{.*}} -> tensor<2x4x17xf32>
func.func @causal(%x: tensor<2x3x17xf32>, %w: tensor<4x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x17xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 4] high[0, 0, 4] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<2x3x17xf32> to tensor<2x3x25xf32>
  %e = tensor.empty() : tensor<2x4x21xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x21xf32>) dimensions = [0, 2]
  %c = linalg.conv_1d_ncw_fcw {dilations = dense<2> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
         ins(%p, %w : tensor<2x3x25xf32>, tensor<4x3x3xf32>) outs(%i : tensor<2x4x21xf32>) -> tensor<2x4x21xf32>
  %s = tensor.extract_slice %c[0, 0, 0] [2, 4, 17] [1, 1, 1] : tensor<2x4x21xf32> to tensor<2x4x17xf32>
  %z = arith.constant dense<0.0> : tensor<2x4x17xf32>
  %o = tensor.empty() : tensor<2x4x17xf32>
  %r = linalg.max ins(%s, %z : tensor<2x4x17xf32>, tensor<2x4x17xf32>) outs(%o : tensor<2x4x17xf32>) -> tensor<2x4x17xf32>
  return %r : tensor<2x4x17xf32>
}

// The first row of strides of 2 takes two rows of padding, and the last one the row that no window reached.
// CHECK-LABEL: func @image(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [1, 1] layouts(nhwc, hwcf, nhwc) ins(%{{.*}} : tensor<2x9x7x3xf32>, tensor<3x2x3x4xf32>) {{.*}} -> tensor<2x5x7x4xf32>
func.func @image(%x: tensor<2x9x7x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<2x5x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 3, 2, 0] high[0, 3, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x9x7x3xf32> to tensor<2x15x11x3xf32>
  %e = tensor.empty() : tensor<2x7x10x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x10x4xf32>) -> tensor<2x7x10x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>}
         ins(%p, %w : tensor<2x15x11x3xf32>, tensor<3x2x3x4xf32>) outs(%i : tensor<2x7x10x4xf32>) -> tensor<2x7x10x4xf32>
  %r = tensor.extract_slice %c[0, 1, 2, 0] [2, 5, 7, 4] [1, 1, 1, 1] : tensor<2x7x10x4xf32> to tensor<2x5x7x4xf32>
  return %r : tensor<2x5x7x4xf32>
}
