// RUN: fusion-opt %s --emit-bytecode -o %t.mlirbc
// RUN: fusion-opt %t.mlirbc | FileCheck %s
// RUN: fusion-opt %s -o %t.text.mlir
// RUN: fusion-opt %t.mlirbc -o %t.bytecode.mlir
// RUN: diff %t.text.mlir %t.bytecode.mlir

// What is written as bytecode reads back to the same text.

// CHECK-LABEL: func @conv
// CHECK-SAME:    {fusion.name = "x"}
// CHECK-SAME:    {fusion.constant}
// CHECK:         fusion.fused_conv_bias_act {activation = #fusion.activation<clip, 0.000000e+00, 6.000000e+00>
// CHECK-SAME:      nan_mode = #fusion.nan<propagate>
func.func @conv(%x: tensor<1x4x10x12xf32> {fusion.name = "x"}, %w: tensor<6x2x3x3xf32> {fusion.constant},
                %b: tensor<6xf32>, %s: tensor<1x6x5x11xf32>, %e: tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         activation = #fusion.activation<clip, 0.0, 6.0>, nan_mode = #fusion.nan<propagate>}
       ins(%x, %w : tensor<1x4x10x12xf32>, tensor<6x2x3x3xf32>)
       bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x5x11xf32>)
       outs(%e : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
  return %r : tensor<1x6x5x11xf32>
}

// CHECK-LABEL: func @conv_on_memrefs
// CHECK:         fusion.fused_conv_bias_act {dilations
func.func @conv_on_memrefs(%x: memref<?x3x?xbf16>, %w: memref<6x3x1xbf16>, %y: memref<?x6x?xbf16>) {
  fusion.fused_conv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<?x3x?xbf16>, memref<6x3x1xbf16>) outs(%y : memref<?x6x?xbf16>)
  return
}

// CHECK-LABEL: fusion.rt.create @site
// CHECK-SAME:    activation = #fusion.activation<gelu_erf>
fusion.rt.create @site {
  strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
  input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<gelu_erf>,
  input_type = bf16, filter_type = bf16, init_type = bf16, constant_filter}

// CHECK-LABEL: func @execute
// CHECK:         fusion.rt.execute @site ins
// CHECK:         fusion.rt.release @site
func.func @execute(%x: memref<?x3x?xbf16>, %w: memref<6x3x1xbf16>, %y: memref<?x6x?xbf16>) {
  fusion.rt.execute @site ins(%x, %w : memref<?x3x?xbf16>, memref<6x3x1xbf16>) outs(%y : memref<?x6x?xbf16>)
  fusion.rt.release @site
  return
}
