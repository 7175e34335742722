// RUN: %python %S/verify-functions.py %s | FileCheck %s

// Convolutions whose operands and result are bf16 or f16, everything around them
// folded: accumulated in f32, rounded once.

// CHECK: {{^}}4 functions agree, 4 fused ops

func.func @bf16_nchw(%x: tensor<2x3x13x10xbf16>, %w: tensor<5x3x3x2xbf16>, %b: tensor<5xbf16>, %s: tensor<2x5x7x11xbf16>) -> tensor<2x5x7x11xbf16> {
  %zero = arith.constant 0.0 : bf16
  %z = arith.constant dense<0.0> : tensor<2x5x7x11xbf16>
  %e = tensor.empty() : tensor<2x5x7x11xbf16>
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 1, 4] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : bf16
  } : tensor<2x3x13x10xbf16> to tensor<2x3x16x14xbf16>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x3x16x14xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x11xbf16>) -> tensor<2x5x7x11xbf16>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x7x11xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x11xbf16>) -> tensor<2x5x7x11xbf16>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x11xbf16>, tensor<2x5x7x11xbf16>) outs(%e : tensor<2x5x7x11xbf16>) -> tensor<2x5x7x11xbf16>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x11xbf16>, tensor<2x5x7x11xbf16>) outs(%e : tensor<2x5x7x11xbf16>) -> tensor<2x5x7x11xbf16>
  return %r : tensor<2x5x7x11xbf16>
}

func.func @bf16_nhwc(%x: tensor<2x13x10x3xbf16>, %w: tensor<3x2x3x5xbf16>, %b: tensor<5xbf16>, %s: tensor<2x6x7x5xbf16>) -> tensor<2x6x7x5xbf16> {
  %zero = arith.constant 0.0 : bf16
  %z = arith.constant dense<0.0> : tensor<2x6x7x5xbf16>
  %e = tensor.empty() : tensor<2x6x7x5xbf16>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x13x10x3xbf16>, tensor<3x2x3x5xbf16>) outs(%z : tensor<2x6x7x5xbf16>) -> tensor<2x6x7x5xbf16>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x6x7x5xbf16>, tensor<5xbf16>) outs(%e : tensor<2x6x7x5xbf16>) -> tensor<2x6x7x5xbf16>
  %u = linalg.add ins(%s, %t : tensor<2x6x7x5xbf16>, tensor<2x6x7x5xbf16>) outs(%e : tensor<2x6x7x5xbf16>) -> tensor<2x6x7x5xbf16>
  %r = linalg.max ins(%u, %z : tensor<2x6x7x5xbf16>, tensor<2x6x7x5xbf16>) outs(%e : tensor<2x6x7x5xbf16>) -> tensor<2x6x7x5xbf16>
  return %r : tensor<2x6x7x5xbf16>
}

func.func @f16_nchw(%x: tensor<2x3x13x10xf16>, %w: tensor<5x3x3x2xf16>, %b: tensor<5xf16>, %s: tensor<2x5x7x11xf16>) -> tensor<2x5x7x11xf16> {
  %zero = arith.constant 0.0 : f16
  %z = arith.constant dense<0.0> : tensor<2x5x7x11xf16>
  %e = tensor.empty() : tensor<2x5x7x11xf16>
  %p = tensor.pad %x low[0, 0, 2, 0] high[0, 0, 1, 4] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f16
  } : tensor<2x3x13x10xf16> to tensor<2x3x16x14xf16>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%p, %w : tensor<2x3x16x14xf16>, tensor<5x3x3x2xf16>) outs(%z : tensor<2x5x7x11xf16>) -> tensor<2x5x7x11xf16>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x5x7x11xf16>, tensor<5xf16>) outs(%e : tensor<2x5x7x11xf16>) -> tensor<2x5x7x11xf16>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x11xf16>, tensor<2x5x7x11xf16>) outs(%e : tensor<2x5x7x11xf16>) -> tensor<2x5x7x11xf16>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x11xf16>, tensor<2x5x7x11xf16>) outs(%e : tensor<2x5x7x11xf16>) -> tensor<2x5x7x11xf16>
  return %r : tensor<2x5x7x11xf16>
}

func.func @f16_nhwc(%x: tensor<2x13x10x3xf16>, %w: tensor<3x2x3x5xf16>, %b: tensor<5xf16>, %s: tensor<2x6x7x5xf16>) -> tensor<2x6x7x5xf16> {
  %zero = arith.constant 0.0 : f16
  %z = arith.constant dense<0.0> : tensor<2x6x7x5xf16>
  %e = tensor.empty() : tensor<2x6x7x5xf16>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x13x10x3xf16>, tensor<3x2x3x5xf16>) outs(%z : tensor<2x6x7x5xf16>) -> tensor<2x6x7x5xf16>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
         ins(%c, %b : tensor<2x6x7x5xf16>, tensor<5xf16>) outs(%e : tensor<2x6x7x5xf16>) -> tensor<2x6x7x5xf16>
  %u = linalg.add ins(%s, %t : tensor<2x6x7x5xf16>, tensor<2x6x7x5xf16>) outs(%e : tensor<2x6x7x5xf16>) -> tensor<2x6x7x5xf16>
  %r = linalg.max ins(%u, %z : tensor<2x6x7x5xf16>, tensor<2x6x7x5xf16>) outs(%e : tensor<2x6x7x5xf16>) -> tensor<2x6x7x5xf16>
  return %r : tensor<2x6x7x5xf16>
}
