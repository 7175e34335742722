// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --emit-bytecode | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The text of the quantized ops.

// CHECK-LABEL: func @defaults(
// CHECK:         fusion.quantized_conv_bias_act ins(
// CHECK:         fusion.quantized_conv_bias_act ins(
// CHECK:         fusion.quantized_conv_bias_act ins(
// CHECK:         fusion.quantized_matmul_bias_act ins(
// GENERIC-LABEL: sym_name = "defaults"
// GENERIC: "fusion.quantized_conv_bias_act"{{.*}} <{dilations = array<i64: 1>, filter_layout = #fusion.layout<fcw>, groups = 1 : i64, input_layout = #fusion.layout<ncw>, input_zero_point = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1>, output_layout = #fusion.layout<ncw>, output_scale = 1.000000e+00 : f32, output_zero_point = 0 : i32, pad_high = array<i64: 0>, pad_low = array<i64: 0>, residual_scale = 1.000000e+00 : f32, residual_zero_point = 0 : i32, strides = array<i64: 1>}>
func.func @defaults(%x1: memref<2x3x9xi8>, %w1: memref<5x3x2xi8>, %y1: memref<2x5x8xi32>,
                    %x2: memref<2x3x9x7xi8>, %w2: memref<5x3x2x3xi8>, %y2: memref<2x5x8x5xbf16>,
                    %x3: memref<2x3x9x7x6xi8>, %w3: memref<5x3x2x3x1xi8>, %y3: memref<2x5x8x5x6xi8>,
                    %mk: memref<4x7xi8>, %kn: memref<7x5xi8>, %mn: memref<4x5xf16>) {
  fusion.quantized_conv_bias_act ins(%x1, %w1 : memref<2x3x9xi8>, memref<5x3x2xi8>) outs(%y1 : memref<2x5x8xi32>)
  fusion.quantized_conv_bias_act ins(%x2, %w2 : memref<2x3x9x7xi8>, memref<5x3x2x3xi8>) outs(%y2 : memref<2x5x8x5xbf16>)
  fusion.quantized_conv_bias_act ins(%x3, %w3 : memref<2x3x9x7x6xi8>, memref<5x3x2x3x1xi8>) outs(%y3 : memref<2x5x8x5x6xi8>)
  fusion.quantized_matmul_bias_act ins(%mk, %kn : memref<4x7xi8>, memref<7x5xi8>) outs(%mn : memref<4x5xf16>)
  return
}

// Each word, attribute and operand.
// CHECK-LABEL: func @words(
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] dilations [1, 2] pad_low [0, 1] pad_high [1, 0] groups 2 layouts(nchw, fchw, nhwc) {input_unsigned, input_zero_point = 255 : i32, output_scale = 2.500000e-01 : f32, output_unsigned, output_zero_point = 7 : i32, residual_scale = 5.000000e-01 : f32, residual_unsigned, residual_zero_point = 200 : i32, round_activation}
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<1x4x10x12xi8>, tensor<6x2x3x3xi8>) bias(%{{.*}} : tensor<6xi32>) scale(%{{.*}} : tensor<6xf32>) residual_after_activation(%{{.*}} : tensor<1x5x9x6xi8>) outs(%{{.*}} : tensor<1x5x9x6xi8>) -> tensor<1x5x9x6xi8>
// CHECK:         fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {input_zero_point = -128 : i32} ins({{.*}}) bias(%{{.*}} : tensor<5xf32>) scale(%{{.*}} : tensor<1xf32>) residual(%{{.*}} : tensor<4x5xf32>) outs(
func.func @words(%x: tensor<1x4x10x12xi8>, %w: tensor<6x2x3x3xi8>, %b: tensor<6xi32>, %s: tensor<6xf32>,
                 %r: tensor<1x5x9x6xi8>, %y: tensor<1x5x9x6xi8>, %mk: tensor<4x7xi8>, %nk: tensor<5x7xi8>,
                 %n: tensor<5xf32>, %one: tensor<1xf32>, %mn: tensor<4x5xf32>) {
  %0 = fusion.quantized_conv_bias_act relu strides [2, 1] dilations [1, 2] pad_low [0, 1] pad_high [1, 0]
    groups 2 layouts(nchw, fchw, nhwc)
    {input_unsigned, input_zero_point = 255 : i32, output_scale = 0.25 : f32, output_unsigned, output_zero_point = 7 : i32,
     residual_scale = 0.5 : f32, residual_unsigned, residual_zero_point = 200 : i32, round_activation}
    ins(%x, %w : tensor<1x4x10x12xi8>, tensor<6x2x3x3xi8>) bias(%b : tensor<6xi32>) scale(%s : tensor<6xf32>)
    residual_after_activation(%r : tensor<1x5x9x6xi8>) outs(%y : tensor<1x5x9x6xi8>) -> tensor<1x5x9x6xi8>
  %1 = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {input_zero_point = -128 : i32}
    ins(%mk, %nk : tensor<4x7xi8>, tensor<5x7xi8>) bias(%n : tensor<5xf32>) scale(%one : tensor<1xf32>)
    residual(%mn : tensor<4x5xf32>) outs(%mn : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
