// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// The transpose that brings the last result back is no convolution's fault.

func.func @chain(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x4x7x9xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%c, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%y : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}
