// Version 0.3 encodes otherwise than fusion-0.2.mlir: layouts, which were strings, and so the
// pool, and the descriptors of call sites. As bytecode it reads back to the same text, and so does
// fusion-0.3.mlirbc, which must not be written again.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir
// RUN: fusion-opt %S/fusion-0.3.mlirbc -o %t.frozen.mlir
// RUN: diff %t.text.mlir %t.frozen.mlir

// Version 0.2 had the attributes of a pool one by one.
// RUN: %python %S/bytecode.py version 0.2 %t.mlirbc %t.older.mlirbc
// RUN: not fusion-opt %t.older.mlirbc 2>&1 | FileCheck %s
// CHECK: error:

func.func private @layout() attributes {
  acme.layout = #fusion.layout<ndhwc>, acme.operand = #fusion.operand<nc, f16>,
  acme.others = [#fusion.call<pool>, #fusion.activation<gelu_erf>, #fusion.pooling<sum>]}

fusion.rt.create @conv_site #fusion.conv_desc<
  input = <nhwc, bf16>, filter = <hwcf, f32>, init = <nchw, f32>, strides = [2, 3], dilations = [1, 2], pad_low = [0, 1],
  pad_high = [2, 3], groups = 2, transposed = true, bias = true, activation = <clip, 0.0, 6.0>>
fusion.rt.create @winograd_site #fusion.conv_desc<
  input = <nwc, f32>, filter = <wcf, f32>, init = <nwc, f32>, strides = [1], dilations = [1], pad_low = [0],
  pad_high = [0], allow_winograd = true, constant_filter = true>
fusion.rt.create @matmul_site #fusion.matmul_desc<
  input = <mk, f32>, filter = <nk, f32>, init = <mn, f32>, activation = <relu>, residual = f32,
  residual_after_activation = true>
fusion.rt.create @pool_site #fusion.pool_desc<
  pooling = max, input = <nhwc, f16>, kernel = [3, 2], strides = [2, 1], pad_low = [1, 0], pad_high = [0, 1]>

func.func @conv(%x: tensor<1x9x3xf32>, %w: tensor<2x3x6xf32>, %e: tensor<1x6x8xf32>) -> tensor<1x6x8xf32> {
  %r = fusion.fused_conv_bias_act layouts(nwc, wcf, ncw)
       ins(%x, %w : tensor<1x9x3xf32>, tensor<2x3x6xf32>) outs(%e : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  return %r : tensor<1x6x8xf32>
}

func.func @deconv(%x: memref<1x3x4xf32>, %w: memref<6x3x1xf32>, %y: memref<1x4x6xf32>) {
  fusion.fused_deconv_bias_act layouts(ncw, fcw, nwc) ins(%x, %w : memref<1x3x4xf32>, memref<6x3x1xf32>)
    outs(%y : memref<1x4x6xf32>)
  return
}

func.func @matmul(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %e: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %r = fusion.fused_matmul_bias_act layouts(mk, nk, nm) ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>)
       outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @pool(%x: memref<3x1x9x8xf32>, %y: memref<3x1x4x7xf32>) {
  fusion.pool {pooling = #fusion.pooling<max>, layout = #fusion.layout<cnhw>, kernel = array<i64: 3, 2>,
               strides = array<i64: 2, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>}
    ins(%x : memref<3x1x9x8xf32>) outs(%y : memref<3x1x4x7xf32>)
  return
}
