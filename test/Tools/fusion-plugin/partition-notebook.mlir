// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d_relu,conv2d})' | FileCheck %s --check-prefix=LARGE
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d,conv2d_relu})' | FileCheck %s --check-prefix=SMALL
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d_relu,conv2d merge=true})' | FileCheck %s --check-prefix=MERGED
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d_relu,conv2d},fusion-partition{merge=true})' | FileCheck %s --check-prefix=MERGED
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d_relu,conv2d merge=true},fusion-compile)' | FileCheck %s --check-prefix=LLVM --implicit-check-not=linalg.

// The networks of TVM's tutorial in a stock mlir-opt that loads the plugin, in both
// orders of the patterns, merged, and compiled. TVM 4, 5, 6, 33.

// LARGE-LABEL: func.func @conv2d_relu_x2(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// LARGE-NEXT:    %[[B:.*]] = call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return %[[B]]
// SMALL-LABEL: func.func @conv2d_relu_x2(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL-NEXT:    %[[B:.*]] = linalg.max ins(%[[A]]
// SMALL:         %[[C:.*]] = call @fused_conv2d_1(%[[B]], %arg2)
// SMALL:         linalg.max ins(%[[C]]
// MERGED-LABEL: func.func @conv2d_relu_x2(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
func.func @conv2d_relu_x2(%x: tensor<1x4x9x11xf32>, %w1: tensor<6x4x3x2xf32>, %w2: tensor<5x6x2x3xf32>) -> tensor<1x5x9x9xf32> {
  %k = arith.constant 0.0 : f32
  %z1 = arith.constant dense<0.0> : tensor<1x6x10x11xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x5x9x9xf32>
  %e1 = tensor.empty() : tensor<1x6x10x11xf32>
  %e2 = tensor.empty() : tensor<1x5x9x9xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x12xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x4x12x12xf32>, tensor<6x4x3x2xf32>) outs(%z1 : tensor<1x6x10x11xf32>) -> tensor<1x6x10x11xf32>
  %r1 = linalg.max ins(%c1, %z1 : tensor<1x6x10x11xf32>, tensor<1x6x10x11xf32>) outs(%e1 : tensor<1x6x10x11xf32>) -> tensor<1x6x10x11xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%r1, %w2 : tensor<1x6x10x11xf32>, tensor<5x6x2x3xf32>) outs(%z2 : tensor<1x5x9x9xf32>) -> tensor<1x5x9x9xf32>
  %r2 = linalg.max ins(%c2, %z2 : tensor<1x5x9x9xf32>, tensor<1x5x9x9xf32>) outs(%e2 : tensor<1x5x9x9xf32>) -> tensor<1x5x9x9xf32>
  return %r2 : tensor<1x5x9x9xf32>
}

// LARGE-LABEL: func.func @conv2d_conv2d_relu(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// LARGE-NEXT:    %[[B:.*]] = call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return %[[B]]
// SMALL-LABEL: func.func @conv2d_conv2d_relu(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL-NEXT:    %[[B:.*]] = call @fused_conv2d_1(%[[A]], %arg2)
// SMALL:         linalg.max ins(%[[B]]
// MERGED-LABEL: func.func @conv2d_conv2d_relu(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region_1(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
func.func @conv2d_conv2d_relu(%x: tensor<1x4x9x11xf32>, %w1: tensor<6x4x3x2xf32>, %w2: tensor<5x6x2x3xf32>) -> tensor<1x5x9x9xf32> {
  %k = arith.constant 0.0 : f32
  %z1 = arith.constant dense<0.0> : tensor<1x6x10x11xf32>
  %z2 = arith.constant dense<0.0> : tensor<1x5x9x9xf32>
  %e2 = tensor.empty() : tensor<1x5x9x9xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<1x4x9x11xf32> to tensor<1x4x12x12xf32>
  %c1 = linalg.conv_2d_nchw_fchw ins(%p, %w1 : tensor<1x4x12x12xf32>, tensor<6x4x3x2xf32>) outs(%z1 : tensor<1x6x10x11xf32>) -> tensor<1x6x10x11xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%c1, %w2 : tensor<1x6x10x11xf32>, tensor<5x6x2x3xf32>) outs(%z2 : tensor<1x5x9x9xf32>) -> tensor<1x5x9x9xf32>
  %r2 = linalg.max ins(%c2, %z2 : tensor<1x5x9x9xf32>, tensor<1x5x9x9xf32>) outs(%e2 : tensor<1x5x9x9xf32>) -> tensor<1x5x9x9xf32>
  return %r2 : tensor<1x5x9x9xf32>
}

// LARGE-COUNT-2: fusion.composite = "dnnl.conv2d_relu"
// LARGE:         fusion.composite = "dnnl.conv2d"
// LARGE-NOT:     fusion.composite
// SMALL-COUNT-2: fusion.composite = "dnnl.conv2d"
// SMALL-NOT:     fusion.composite
// MERGED-COUNT-2: fusion.codegen = "dnnl"

// LLVM:     llvm.func @conv2d_relu_x2(
// LLVM:       llvm.call @dnnl_region(
// LLVM:     llvm.func @conv2d_conv2d_relu(
// LLVM:       llvm.call @dnnl_region_1(
// LLVM-DAG: llvm.call @fusion_call_conv_
