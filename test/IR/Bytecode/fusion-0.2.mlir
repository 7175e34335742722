// Additions of version 0.2 to fusion-0.1.mlir. As bytecode they read back to the same text,
// and so does fusion-0.2.mlirbc, which must not be written again.

// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir
// RUN: fusion-opt %S/fusion-0.2.mlirbc -o %t.frozen.mlir
// RUN: diff %t.text.mlir %t.frozen.mlir

// Version 0.1 had less: ops that it would have read wrongly are refused.
// RUN: %python %S/bytecode.py version 0.1 %t.mlirbc %t.older.mlirbc
// RUN: not fusion-opt %t.older.mlirbc 2>&1 | FileCheck %s
// CHECK: error:

fusion.rt.create @conv_site #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], activation = <relu>, residual = f32, residual_after_activation = true>

func.func @prepare(%w: memref<5x3x2xf32>) {
  fusion.rt.prepare @conv_site ins memref<1x3x9xf32> filter memref<5x3x2xf32> residual memref<1x5x8xf32>
    outs memref<1x5x8xf32> in_place packs(%w : memref<5x3x2xf32>)
  return
}

func.func @conv(%x: tensor<1x3x4xf32>, %w: tensor<6x3x1xf32>, %b: tensor<6xf32>, %s: tensor<1x6x4xf32>,
                %e: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<1x3x4xf32>, tensor<6x3x1xf32>) bias(%b : tensor<6xf32>)
       residual_after_activation(%s : tensor<1x6x4xf32>) outs(%e : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  return %r : tensor<1x6x4xf32>
}

func.func @deconv(%x: memref<1x3x4xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x4xf32>) {
  fusion.fused_deconv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<mish>}
    ins(%x, %w : memref<1x3x4xf32>, memref<6x3x1xf32>) residual_after_activation(%y : memref<1x6x4xf32>)
    outs(%y : memref<1x6x4xf32>)
  return
}

func.func @matmul(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %s: tensor<4x5xf32>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<clip, 0.0, 6.0>}
       ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) residual_after_activation(%s : tensor<4x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
