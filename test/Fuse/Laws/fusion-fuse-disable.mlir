// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,ACT,TRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=pad propagate-layout=false" | FileCheck %s --check-prefixes=NOPAD,BIAS,RESIDUAL,ACT,TRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=bias propagate-layout=false" | FileCheck %s --check-prefixes=PAD,NOBIAS,RESIDUAL,ACT,TRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=residual propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,NORESIDUAL,ACT,TRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=activation propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,NOACT,TRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=transpose propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,ACT,NOTRANSPOSE,CAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=cast propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,ACT,TRANSPOSE,NOCAST,SCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=scale propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,ACT,TRANSPOSE,CAST,NOSCALE,NORM
// RUN: fusion-opt %s --fusion-optimize="disable=bn propagate-layout=false" | FileCheck %s --check-prefixes=PAD,BIAS,RESIDUAL,ACT,TRANSPOSE,CAST,SCALE,NONORM
// RUN: fusion-opt %s --fusion-optimize="disable=pad,bias,residual,activation,transpose,cast,scale,bn propagate-layout=false" | FileCheck %s --check-prefixes=NOPAD,NOBIAS,NORESIDUAL,NOACT,NOTRANSPOSE,NOCAST,NOSCALE,NONORM
// RUN: fusion-opt %s --fusion-raise --fusion-fuse="disable=pad,cast" | FileCheck %s --check-prefixes=NOPAD,BIAS,RESIDUAL,ACT,TRANSPOSE,NOCAST,SCALE,NORM
// RUN: not fusion-opt %s --fusion-fuse=disable=batchnorm 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fusion-opt %s --fusion-optimize="disable=pad,Bias propagate-layout=false" 2>&1 | FileCheck %s --check-prefix=CASE

// Each law can be switched off, and only that one. A name that is none is an error.

// UNKNOWN: error: no law is called 'batchnorm'; there are pad, deconv, dilation, reshape, results, transpose, broadcast, cast, bias, scale, bn, residual, activation{{$}}
// CASE: error: no law is called 'Bias'; there are

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// PAD-LABEL: func @pad(
// PAD-NOT:     tensor.pad
// PAD:         fusion.fused_conv_bias_act pad_low [1, 0] ins(
// NOPAD-LABEL: func @pad(
// NOPAD:         tensor.pad
// NOPAD:         fusion.fused_conv_bias_act ins(
func.func @pad(%x: tensor<2x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x8x11xf32> to tensor<2x3x9x11xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// BIAS-LABEL: func @bias(
// BIAS:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} bias(
// BIAS-NEXT:    return %[[R]]
// NOBIAS-LABEL: func @bias(
// NOBIAS:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// NOBIAS-NEXT:    linalg.elementwise {{.*}} ins(%[[R]],
func.func @bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// RESIDUAL-LABEL: func @residual(
// RESIDUAL:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} residual(
// RESIDUAL-NEXT:    return %[[R]]
// NORESIDUAL-LABEL: func @residual(
// NORESIDUAL:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// NORESIDUAL-NEXT:    linalg.add ins(%[[R]],
func.func @residual(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// ACT-LABEL: func @activation(
// ACT:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// ACT-NEXT:    return %[[R]]
// NOACT-LABEL: func @activation(
// NOACT:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// NOACT-NEXT:    linalg.max ins(%[[R]],
func.func @activation(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TRANSPOSE-LABEL: func @transpose(
// TRANSPOSE-NOT:     linalg.transpose
// TRANSPOSE:         fusion.fused_conv_bias_act layouts(nhwc, hwcf, nchw) ins(
// TRANSPOSE-NOT:     linalg.transpose
// TRANSPOSE:         return
// NOTRANSPOSE-LABEL: func @transpose(
// NOTRANSPOSE-COUNT-2: linalg.transpose
// NOTRANSPOSE:         fusion.fused_conv_bias_act ins(
func.func @transpose(%x: tensor<2x9x11x3xf32>, %w: tensor<3x2x3x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e0 = tensor.empty() : tensor<2x3x9x11xf32>
  %xt = linalg.transpose ins(%x : tensor<2x9x11x3xf32>) outs(%e0 : tensor<2x3x9x11xf32>) permutation = [0, 3, 1, 2]
  %e1 = tensor.empty() : tensor<5x3x3x2xf32>
  %wt = linalg.transpose ins(%w : tensor<3x2x3x5xf32>) outs(%e1 : tensor<5x3x3x2xf32>) permutation = [3, 2, 0, 1]
  %r = linalg.conv_2d_nchw_fchw ins(%xt, %wt : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CAST-LABEL: func @cast(
// CAST:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xbf16>
// CAST-NEXT:    return %[[R]]
// NOCAST-LABEL: func @cast(
// NOCAST:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xf32>
// NOCAST-NEXT:    arith.truncf %[[R]]
func.func @cast(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.truncf %c : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// SCALE-LABEL: func @scale(
// SCALE:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(
// SCALE-NEXT:    return %[[R]]
// NOSCALE-LABEL: func @scale(
// NOSCALE:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// NOSCALE-NOT:     fusion.folded
// NOSCALE:         linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
func.func @scale(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %g : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// NORM-LABEL: func @batch_norm(
// NORM:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(
// NORM-NEXT:    return %[[R]]
// NONORM-LABEL: func @batch_norm(
// NONORM:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// NONORM-NOT:     fusion.folded
// NONORM:         linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]],
func.func @batch_norm(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %g = linalg.rsqrt ins(%v : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %g : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A bias behind a reshape that hides the channel is broadcast before it is added. Without
// the law it is a residual.
// NOBIAS-LABEL: func @hidden_channel(
// NOBIAS-NOT:     fusion.add_
// NOBIAS:         return
func.func @hidden_channel(%x: tensor<2x3x9x11xf32>, %w: tensor<12x3x3x2xf32>, %b: tensor<3x4xf32>) -> tensor<2x3x4x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x12x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<12x3x3x2xf32>) outs(%z : tensor<2x12x7x10xf32>) -> tensor<2x12x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 3, 4, 7, 10] : tensor<2x12x7x10xf32> into tensor<2x3x4x7x10xf32>
  %e = tensor.empty() : tensor<2x3x4x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<3x4xf32>) outs(%e : tensor<2x3x4x7x10xf32>) dimensions = [0, 3, 4]
  %r = linalg.add ins(%s, %v : tensor<2x3x4x7x10xf32>, tensor<2x3x4x7x10xf32>) outs(%e : tensor<2x3x4x7x10xf32>) -> tensor<2x3x4x7x10xf32>
  return %r : tensor<2x3x4x7x10xf32>
}
