// RUN: fusion-opt %s --fusion-optimize="disable=activation propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// A law that is switched off: no other option is blamed.

func.func @relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK-NOT: nan-mode
  // CHECK: :[[#@LINE-2]]:8: partly fused: convolution alone; {{.*}}law{{.*$}}
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
