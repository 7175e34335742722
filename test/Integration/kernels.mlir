// RUN: %python %S/verify-functions.py %s | FileCheck %s

// Where kernels of oneDNN 2.6 give wrong results and others must run.

// CHECK: {{^}}2 functions agree, 2 fused ops

// A 1x1 convolution in bf16 with a residual, whose one channel fills no vector.
func.func @narrow_residual(%x: tensor<1x1x5x6xbf16>, %w: tensor<1x1x1x1xbf16>, %r: tensor<1x1x5x6xf32>) -> tensor<1x1x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x5x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x5x6xf32>) -> tensor<1x1x5x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x1x5x6xbf16>, tensor<1x1x1x1xbf16>) outs(%z : tensor<1x1x5x6xf32>) -> tensor<1x1x5x6xf32>
  %s = arith.addf %r, %c : tensor<1x1x5x6xf32>
  return %s : tensor<1x1x5x6xf32>
}

// The steps of a dilated kernel have all elements of the input between them: the
// result is bias and residual alone.
func.func @between_steps(%x: tensor<1x1x2x3xf32>, %w: tensor<4x1x2x1xf32>, %b: tensor<4xf32>, %r: tensor<1x4x1x3xf32>) -> tensor<1x4x1x3xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x1x2x3xf32> to tensor<1x1x4x3xf32>
  %e = tensor.empty() : tensor<1x4x1x3xf32>
  %bias = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x1x3xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x1x4x3xf32>, tensor<4x1x2x1xf32>) outs(%bias : tensor<1x4x1x3xf32>) -> tensor<1x4x1x3xf32>
  %s = arith.addf %r, %c : tensor<1x4x1x3xf32>
  return %s : tensor<1x4x1x3xf32>
}
