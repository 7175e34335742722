// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// The text of the fused ops: words for what differs from the defaults.

// CHECK-LABEL: func @defaults(
// CHECK-COUNT-3: fusion.fused_conv_bias_act ins(
// CHECK:         fusion.fused_deconv_bias_act ins(
// CHECK-COUNT-3: fusion.fused_matmul_bias_act ins(
// GENERIC-LABEL: sym_name = "defaults"
// GENERIC: "fusion.fused_conv_bias_act"{{.*}} <{dilations = array<i64: 1>, filter_layout = #fusion.layout<fcw>, groups = 1 : i64, input_layout = #fusion.layout<ncw>, nan_mode = #fusion.nan<fast>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>, output_layout = #fusion.layout<ncw>, pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>}>
// GENERIC: "fusion.fused_conv_bias_act"{{.*}} filter_layout = #fusion.layout<fchw>,{{.*}} input_layout = #fusion.layout<nchw>,{{.*}} output_layout = #fusion.layout<nchw>, pad_high = array<i64: 0, 0>,
// GENERIC: "fusion.fused_conv_bias_act"{{.*}} filter_layout = #fusion.layout<fcdhw>,{{.*}} input_layout = #fusion.layout<ncdhw>,{{.*}} output_layout = #fusion.layout<ncdhw>, pad_high = array<i64: 0, 0, 0>,
// GENERIC: "fusion.fused_deconv_bias_act"{{.*}} filter_layout = #fusion.layout<fcw>,{{.*}} input_layout = #fusion.layout<ncw>,{{.*}} output_layout = #fusion.layout<ncw>,
// GENERIC: "fusion.fused_matmul_bias_act"{{.*}} <{filter_layout = #fusion.layout<kn>, input_layout = #fusion.layout<k>,{{.*}} output_layout = #fusion.layout<n>}>
// GENERIC: "fusion.fused_matmul_bias_act"{{.*}} <{filter_layout = #fusion.layout<kn>, input_layout = #fusion.layout<mk>,{{.*}} output_layout = #fusion.layout<mn>}>
// GENERIC: "fusion.fused_matmul_bias_act"{{.*}} <{filter_layout = #fusion.layout<bkn>, input_layout = #fusion.layout<bmk>,{{.*}} output_layout = #fusion.layout<bmn>}>
func.func @defaults(%x1: memref<2x3x9xf32>, %w1: memref<5x3x2xf32>, %y1: memref<2x5x8xf32>, %z1: memref<2x5x10xf32>,
                    %x2: memref<2x3x9x7xf32>, %w2: memref<5x3x2x3xf32>, %y2: memref<2x5x8x5xf32>,
                    %x3: memref<2x3x9x7x6xf32>, %w3: memref<5x3x2x3x1xf32>, %y3: memref<2x5x8x5x6xf32>,
                    %k: memref<7xf32>, %mk: memref<4x7xf32>, %kn: memref<7x5xf32>, %n: memref<5xf32>, %mn: memref<4x5xf32>,
                    %bmk: memref<2x4x7xf32>, %bkn: memref<2x7x5xf32>, %bmn: memref<2x4x5xf32>) {
  fusion.fused_conv_bias_act ins(%x1, %w1 : memref<2x3x9xf32>, memref<5x3x2xf32>) outs(%y1 : memref<2x5x8xf32>)
  fusion.fused_conv_bias_act ins(%x2, %w2 : memref<2x3x9x7xf32>, memref<5x3x2x3xf32>) outs(%y2 : memref<2x5x8x5xf32>)
  fusion.fused_conv_bias_act ins(%x3, %w3 : memref<2x3x9x7x6xf32>, memref<5x3x2x3x1xf32>) outs(%y3 : memref<2x5x8x5x6xf32>)
  fusion.fused_deconv_bias_act ins(%x1, %w1 : memref<2x3x9xf32>, memref<5x3x2xf32>) outs(%z1 : memref<2x5x10xf32>)
  fusion.fused_matmul_bias_act ins(%k, %kn : memref<7xf32>, memref<7x5xf32>) outs(%n : memref<5xf32>)
  fusion.fused_matmul_bias_act ins(%mk, %kn : memref<4x7xf32>, memref<7x5xf32>) outs(%mn : memref<4x5xf32>)
  fusion.fused_matmul_bias_act ins(%bmk, %bkn : memref<2x4x7xf32>, memref<2x7x5xf32>) outs(%bmn : memref<2x4x5xf32>)
  return
}

// Each word; what is not of the op stands in braces.
// CHECK-LABEL: func @words(
// CHECK:         fusion.fused_conv_bias_act hardsigmoid(2.000000e-01, 5.000000e-01) strides [2, 1] dilations [1, 2] pad_low [0, 1] pad_high [1, 0] groups 2 layouts(nchw, fchw, nhwc) {acme.note = 7 : i64, nan_mode = #fusion.nan<propagate>} ins(
// CHECK:         fusion.fused_matmul_bias_act leaky_relu(1.000000e-01) layouts(mk, nk, mn) {acme.note} ins(
func.func @words(%x: memref<1x4x10x12xf32>, %w: memref<6x2x3x3xf32>, %y: memref<1x5x9x6xf32>,
                 %mk: memref<4x7xf32>, %nk: memref<5x7xf32>, %mn: memref<4x5xf32>) {
  fusion.fused_conv_bias_act hardsigmoid(0.2, 0.5) strides [2, 1] dilations [1, 2] pad_low [0, 1] pad_high [1, 0]
    groups 2 layouts(nchw, fchw, nhwc) {nan_mode = #fusion.nan<propagate>, acme.note = 7}
    ins(%x, %w : memref<1x4x10x12xf32>, memref<6x2x3x3xf32>) outs(%y : memref<1x5x9x6xf32>)
  fusion.fused_matmul_bias_act leaky_relu(0.1) layouts(mk, nk, mn) {acme.note}
    ins(%mk, %nk : memref<4x7xf32>, memref<5x7xf32>) outs(%mn : memref<4x5xf32>)
  return
}

// Attributes in braces say the same, one layout alone too, also as a string, and so do words with
// the defaults. A string that is no layout of the op stays one.
// CHECK-LABEL: func @braces(
// CHECK:         fusion.fused_conv_bias_act clip(0.000000e+00, inf) strides [2, 1] ins(
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) {acme.layout = "nhwc", layout = "none"} ins(
// CHECK:         fusion.fused_conv_bias_act relu ins(
func.func @braces(%x: memref<1x3x10x12xf32>, %w: memref<6x3x3x3xf32>, %y: memref<1x6x4x10xf32>,
                  %h: memref<1x10x12x3xf32>, %z: memref<1x6x8x10xf32>) {
  fusion.fused_conv_bias_act strides [2, 1] {activation = #fusion.activation<clip, 0.0, inf>, dilations = array<i64: 1, 1>}
    ins(%x, %w : memref<1x3x10x12xf32>, memref<6x3x3x3xf32>) outs(%y : memref<1x6x4x10xf32>)
  fusion.fused_conv_bias_act {input_layout = "nhwc"}
    ins(%h, %w : memref<1x10x12x3xf32>, memref<6x3x3x3xf32>) outs(%z : memref<1x6x8x10xf32>)
  fusion.fused_conv_bias_act {input_layout = #fusion.layout<nhwc>, acme.layout = "nhwc", layout = "none"}
    ins(%h, %w : memref<1x10x12x3xf32>, memref<6x3x3x3xf32>) outs(%z : memref<1x6x8x10xf32>)
  fusion.fused_conv_bias_act relu strides [1, 1] dilations [1, 1] pad_low [0, 0] pad_high [0, 0] groups 1
    layouts(nchw, fchw, nchw) {nan_mode = #fusion.nan<fast>}
    ins(%x, %w : memref<1x3x10x12xf32>, memref<6x3x3x3xf32>) outs(%z : memref<1x6x8x10xf32>)
  return
}
