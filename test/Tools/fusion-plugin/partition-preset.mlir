// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=dnnl})' | FileCheck %s --check-prefixes=CHECK,OUTSIDE
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=dnnl allow-reshape=true})' | FileCheck %s --check-prefixes=CHECK,INSIDE
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=dnnl allow-reshape=true annotate-codegen=true merge=true})' | FileCheck %s --check-prefix=MERGED
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=dnnl},fusion-optimize,fusion-explain)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=dnnl},fusion-compile)' | FileCheck %s --check-prefix=LLVM --implicit-check-not=linalg.

// The preset in a stock mlir-opt that loads the plugin: a convolution with the reshaped
// bias of a PyTorch front end, and a pool behind it. TVM 1, 2, 33.

// CHECK-LABEL:  func.func @main(
// OUTSIDE:        %[[V:.*]] = tensor.expand_shape %arg2
// OUTSIDE-NEXT:   %[[A:.*]] = call @fused_conv2d_bias_relu(%arg0, %arg1, %[[V]])
// INSIDE-NEXT:    %[[A:.*]] = call @fused_conv2d_bias_relu(%arg0, %arg1, %arg2)
// CHECK-NEXT:     %[[B:.*]] = call @fused_maxpool(%[[A]])
// CHECK-NEXT:     return %[[B]]
// CHECK:        fusion.composite = "dnnl.conv2d_bias_relu"
// INSIDE:         tensor.expand_shape
// CHECK:        fusion.composite = "dnnl.maxpool"

// MERGED-LABEL: func.func @main(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
// MERGED:       func.func private @dnnl_region({{.*}}fusion.codegen = "dnnl"
// MERGED-NEXT:    %[[A:.*]] = call @fused_conv2d_bias_relu(
// MERGED-NEXT:    call @fused_maxpool(%[[A]])

// EXPLAIN: partition-preset.mlir:{{[0-9]+}}:8: fused: bias, relu

// LLVM-DAG: llvm.call @fused_conv2d_bias_relu(
// LLVM-DAG: llvm.call @fused_maxpool(
// LLVM-DAG: llvm.call @fusion_rt_conv_checked(

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
func.func @main(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<2x5x6x8xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %window = tensor.empty() : tensor<2x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %m = linalg.pooling_nchw_max ins(%r, %window : tensor<2x5x7x10xf32>, tensor<2x3xf32>) outs(%lowest : tensor<2x5x6x8xf32>) -> tensor<2x5x6x8xf32>
  return %m : tensor<2x5x6x8xf32>
}
