// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="each call"

// A transpose that an op reads without a reshape between is going to be part of its layout: no call
// copies its 10240 bytes.
func.func @direct(%x: tensor<64x40xf32>, %w: tensor<64x72xf32>, %e: tensor<40x72xf32>) -> tensor<40x72xf32> {
  %et = tensor.empty() : tensor<40x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x40xf32>) outs(%et : tensor<40x64xf32>) permutation = [1, 0]
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = fusion.fused_matmul_bias_act ins(%t, %w : tensor<40x64xf32>, tensor<64x72xf32>) outs(%e : tensor<40x72xf32>) -> tensor<40x72xf32>
  return %r : tensor<40x72xf32>
}
