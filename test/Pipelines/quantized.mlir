// RUN: fusion-opt %s --fusion-compile | FileCheck %s

// Ops on integers of 8 bits pass through the whole pipeline, and each is one call for the whole
// batch. The scale that weights make is computed once.

// CHECK-DAG: llvm.func @fusion_rt_quantized_conv_checked(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @fusion_rt_quantized_matmul_checked(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @fusion_rt_once_checked(

// CHECK-LABEL: llvm.func @network(
// CHECK-COUNT-2: llvm.call @fusion_call_quantized_conv_
// CHECK:         llvm.call @fusion_call_quantized_matmul_
// CHECK-NOT:     llvm.call @fusion_call_quantized
// CHECK:         llvm.return
func.func @network(%x: tensor<64x3x33x31xi8>, %w: tensor<8x3x3x3xi8>, %v: tensor<8x8x1x1xi8> {fusion.constant},
                   %s: tensor<8xf32> {fusion.constant}, %b: tensor<8xi32> {fusion.constant}, %u: tensor<7192x10xi8>) -> tensor<64x10xf32> {
  %scales = arith.mulf %s, %s : tensor<8xf32>
  %e = tensor.empty() : tensor<64x8x31x29xi8>
  %c = fusion.quantized_conv_bias_act relu {input_unsigned, output_unsigned, input_zero_point = 3 : i32}
         ins(%x, %w : tensor<64x3x33x31xi8>, tensor<8x3x3x3xi8>) bias(%b : tensor<8xi32>) scale(%scales : tensor<8xf32>)
         outs(%e : tensor<64x8x31x29xi8>) -> tensor<64x8x31x29xi8>
  %d = fusion.quantized_conv_bias_act relu {input_unsigned, output_unsigned, residual_unsigned}
         ins(%c, %v : tensor<64x8x31x29xi8>, tensor<8x8x1x1xi8>) scale(%scales : tensor<8xf32>)
         residual(%c : tensor<64x8x31x29xi8>) outs(%e : tensor<64x8x31x29xi8>) -> tensor<64x8x31x29xi8>
  %f = tensor.collapse_shape %d [[0], [1, 2, 3]] : tensor<64x8x31x29xi8> into tensor<64x7192xi8>
  %er = tensor.empty() : tensor<64x10xf32>
  %r = fusion.quantized_matmul_bias_act {input_unsigned} ins(%f, %u : tensor<64x7192xi8>, tensor<7192x10xi8>)
         outs(%er : tensor<64x10xf32>) -> tensor<64x10xf32>
  return %r : tensor<64x10xf32>
}
