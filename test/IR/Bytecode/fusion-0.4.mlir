// Version 0.5 encodes the ops on integers otherwise than version 0.4: as a dictionary, which may
// grow. As bytecode this file reads back to the same text, and so does fusion-0.4.mlirbc, which
// must not be written again.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir
// RUN: fusion-opt %S/fusion-0.4.mlirbc -o %t.frozen.mlir
// RUN: diff %t.text.mlir %t.frozen.mlir

// RUN: %python %S/bytecode.py version 0.4 %t.mlirbc %t.older.mlirbc
// RUN: not fusion-opt %t.older.mlirbc 2>&1 | FileCheck %s
// CHECK: error:

func.func @conv(%x: tensor<1x9x7x4xi8>, %w: tensor<3x2x2x6xi8>, %b: tensor<6xi32>, %s: tensor<6xf32>,
                %r: tensor<1x6x4x6xi8>, %e: tensor<1x6x4x6xi8>) -> tensor<1x6x4x6xi8> {
  %y = fusion.quantized_conv_bias_act relu strides [2, 1] dilations [1, 2] pad_low [0, 1]
       pad_high [1, 0] groups 2 layouts(nhwc, hwcf, nchw)
       {input_zero_point = 3 : i32, output_zero_point = 7 : i32, residual_zero_point = -5 : i32,
        residual_scale = 2.5e-01 : f32, output_scale = 5.0e-01 : f32, input_unsigned, output_unsigned}
       ins(%x, %w : tensor<1x9x7x4xi8>, tensor<3x2x2x6xi8>) bias(%b : tensor<6xi32>) scale(%s : tensor<6xf32>)
       residual_after_activation(%r : tensor<1x6x4x6xi8>)
       outs(%e : tensor<1x6x4x6xi8>) -> tensor<1x6x4x6xi8>
  return %y : tensor<1x6x4x6xi8>
}

func.func @conv_sum(%x: memref<1x3x9xi8>, %w: memref<6x3x2xi8>, %y: memref<1x6x8xi32>) {
  fusion.quantized_conv_bias_act {input_unsigned} ins(%x, %w : memref<1x3x9xi8>, memref<6x3x2xi8>)
    outs(%y : memref<1x6x8xi32>)
  return
}

func.func @matmul(%x: tensor<4x7xi8>, %w: tensor<5x7xi8>, %s: tensor<1xf32>, %r: tensor<4x5xi8>, %e: tensor<4x5xf32>)
    -> tensor<4x5xf32> {
  %y = fusion.quantized_matmul_bias_act clip(-1.0, 2.0) layouts(mk, nk, mn)
       {input_zero_point = -3 : i32, residual_scale = 2.5e-01 : f32, residual_unsigned}
       ins(%x, %w : tensor<4x7xi8>, tensor<5x7xi8>) scale(%s : tensor<1xf32>) residual(%r : tensor<4x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y : tensor<4x5xf32>
}
