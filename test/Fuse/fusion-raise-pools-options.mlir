// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: fusion-opt %s --fusion-raise-pools=nan-mode=propagate | FileCheck %s --check-prefixes=CHECK,PROPAGATE
// RUN: fusion-opt %s --fusion-raise-pools=allow-contract-rounding=false | FileCheck %s --check-prefixes=CHECK,ROUND
// RUN: fusion-opt %s --pass-pipeline="builtin.module(func.func(fusion-raise-pools{nan-mode=propagate}))" | FileCheck %s --check-prefixes=CHECK,PROPAGATE

// Pools that the options keep in linalg: maxima, of which kernels may lose a NaN, and
// sums that are rounded at each step.

// CHECK-LABEL:    func @max(
// ALL:              fusion.pool
// PROPAGATE-NOT:    fusion.pool
// PROPAGATE:        linalg.pooling_nwc_max
// ROUND:            fusion.pool
func.func @max(%x: tensor<2x9x5xf32>) -> tensor<2x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<2x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %r = linalg.pooling_nwc_max {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xf32>, tensor<3xf32>) outs(%f : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  return %r : tensor<2x7x5xf32>
}

// CHECK-LABEL:    func @narrow_max(
// ALL:              fusion.pool
// PROPAGATE-NOT:    fusion.pool
// PROPAGATE:        linalg.pooling_nwc_max
// ROUND:            fusion.pool
func.func @narrow_max(%x: tensor<2x9x5xbf16>) -> tensor<2x7x5xbf16> {
  %init = arith.constant 0xFF80 : bf16
  %w = tensor.empty() : tensor<3xbf16>
  %e = tensor.empty() : tensor<2x7x5xbf16>
  %f = linalg.fill ins(%init : bf16) outs(%e : tensor<2x7x5xbf16>) -> tensor<2x7x5xbf16>
  %r = linalg.pooling_nwc_max {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xbf16>, tensor<3xbf16>) outs(%f : tensor<2x7x5xbf16>) -> tensor<2x7x5xbf16>
  return %r : tensor<2x7x5xbf16>
}

// CHECK-LABEL:    func @sum(
// CHECK-NOT:        linalg.pooling
// CHECK:            fusion.pool
func.func @sum(%x: tensor<2x9x5xf32>) -> tensor<2x7x5xf32> {
  %init = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<2x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  %r = linalg.pooling_nwc_sum {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xf32>, tensor<3xf32>) outs(%f : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  return %r : tensor<2x7x5xf32>
}

// CHECK-LABEL:    func @narrow_sum(
// ALL:              fusion.pool
// PROPAGATE:        fusion.pool
// ROUND-NOT:        fusion.pool
// ROUND:            linalg.pooling_nwc_sum
func.func @narrow_sum(%x: tensor<2x9x5xf16>) -> tensor<2x7x5xf16> {
  %init = arith.constant 0.0 : f16
  %w = tensor.empty() : tensor<3xf16>
  %e = tensor.empty() : tensor<2x7x5xf16>
  %f = linalg.fill ins(%init : f16) outs(%e : tensor<2x7x5xf16>) -> tensor<2x7x5xf16>
  %r = linalg.pooling_nwc_sum {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xf16>, tensor<3xf16>) outs(%f : tensor<2x7x5xf16>) -> tensor<2x7x5xf16>
  return %r : tensor<2x7x5xf16>
}
