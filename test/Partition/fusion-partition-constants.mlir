// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu" | FileCheck %s --check-prefix=OUTSIDE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu allow-reshape=true" | FileCheck %s --check-prefix=INSIDE
// RUN: fusion-opt %s --canonicalize --fusion-partition="patterns=conv2d_bias_relu" | FileCheck %s --check-prefix=INSIDE

// A constant bias behind a reshape, with bind-constants=true, which is the default. The
// reshape stays outside without allow-reshape, and its result is no constant any more; a
// reshape of a constant upstream folds. TVM 2, 9.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// OUTSIDE-LABEL: func.func @main(
// OUTSIDE:         %[[B:.*]] = arith.constant dense<[5.000000e-01, -1.500000e+00]>
// OUTSIDE-NEXT:    %[[V:.*]] = tensor.expand_shape %[[B]]
// OUTSIDE-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu(%arg0, %arg1, %[[V]])
// OUTSIDE-NEXT:    return %[[R]]
// OUTSIDE:       func.func private @fused_conv2d_bias_relu({{.*}}tensor<1x2x1x1xf32> {fusion.role = "bias"})
// INSIDE-LABEL: func.func @main(
// INSIDE-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu(%arg0, %arg1)
// INSIDE-NEXT:    return %[[R]]
// INSIDE:       func.func private @fused_conv2d_bias_relu(
// INSIDE:         arith.constant dense<{{.*}}5.000000e-01{{.*}}-1.500000e+00
func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<2x3x3x2xf32>) -> tensor<1x2x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x2x7x10xf32>
  %b = arith.constant dense<[0.5, -1.5]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x7x10xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 2, 1, 1] : tensor<2xf32> into tensor<1x2x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<2x3x3x2xf32>) outs(%z : tensor<1x2x7x10xf32>) -> tensor<1x2x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<1x2x7x10xf32>, tensor<1x2x1x1xf32>) outs(%e : tensor<1x2x7x10xf32>) -> tensor<1x2x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<1x2x7x10xf32>, tensor<1x2x7x10xf32>) outs(%e : tensor<1x2x7x10xf32>) -> tensor<1x2x7x10xf32>
  return %r : tensor<1x2x7x10xf32>
}
