// RUN: fusion-opt %s --fusion-optimize="allow-reshape=false propagate-layout=false" --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-raise --fusion-fuse=allow-reshape=false --canonicalize | FileCheck %s --check-prefix=IR
// RUN: fusion-opt %s --fusion-optimize="allow-reshape=true propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLOWED

// TVM 2, allow-reshape=false: a bias that comes through one of the three reshapes stays
// outside with its sum; a broadcast is no reshape.

// ALLOWED-COUNT-6: : fused: bias
// ALLOWED-NOT:     fused:

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// IR-LABEL: func @reshape(
// IR:         tensor.reshape
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// IR:         linalg.elementwise
// IR:         linalg.max
func.func @reshape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xi64>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.reshape', and allow-reshape is off{{$}}
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @expand_shape(
// IR:         tensor.expand_shape
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// IR:         linalg.elementwise
func.func @expand_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.expand_shape', and allow-reshape is off{{$}}
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @collapse_shape(
// IR:         tensor.collapse_shape
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// IR:         linalg.elementwise
func.func @collapse_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %b [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.collapse_shape', and allow-reshape is off{{$}}
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The reshape stands in front of a broadcast.
// IR-LABEL: func @reshape_then_broadcast(
// IR:         tensor.collapse_shape
// IR:         linalg.broadcast
// IR:         linalg.add
func.func @reshape_then_broadcast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %b [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %u = linalg.broadcast ins(%v : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.collapse_shape', and allow-reshape is off{{$}}
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @broadcast(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(
// IR-NOT:     linalg.
// IR:         return
func.func @broadcast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :{{[0-9]+}}:8: fused: bias{{$}}
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// IR-LABEL: func @no_reshape(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(
// IR-NOT:     linalg.
// IR:         return
func.func @no_reshape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :{{[0-9]+}}:8: fused: bias{{$}}
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
