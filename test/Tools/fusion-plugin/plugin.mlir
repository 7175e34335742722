// REQUIRES: plugin
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-raise,fusion-fuse,canonicalize)' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(func.func(fusion-raise,fusion-fuse,canonicalize))' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize)' | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize{disable=activation})' | FileCheck %s --check-prefix=DISABLED
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize)' | mlir-opt --load-dialect-plugin=%fusion_plugin | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize,fusion-explain)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize)' --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize,convert-fusion-to-linalg)' | FileCheck %s --check-prefix=LINALG
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-optimize,one-shot-bufferize{bufferize-function-boundaries},convert-fusion-to-runtime)' | FileCheck %s --check-prefix=RUNTIME
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-compile)' | FileCheck %s --check-prefix=LLVM
// RUN: mlir-opt %s --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-compile)' | FileCheck %s --check-prefix=LLVM
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv1d|conv1d_relu,add:acme.add annotate-codegen=true})' | FileCheck %s --check-prefix=PARTITION
// RUN: not mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(func.func(fusion-optimize))' 2>&1 | FileCheck %s --check-prefix=ANCHOR

// Everything works in a stock mlir-opt that loads the plugin.

// CHECK-LABEL: func.func @main(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// CHECK-NEXT:    return %[[R]]

// DISABLED:      fusion.fused_conv_bias_act ins(
// DISABLED:      linalg.max

// EXPLAIN: plugin.mlir:{{[0-9]+}}:8: fused: relu{{$}}
// REMARK: plugin.mlir:{{[0-9]+}}:8: remark: [Passed] fusion-fuse | Category:fusion{{.*}}fused: relu

// LINALG-NOT:  fusion.
// LINALG:      linalg.generic
// LINALG:        arith.maximumf
// LINALG-NOT:  fusion.

// RUNTIME:     fusion.rt.execute @[[SITE:.*]] ins(
// RUNTIME:     fusion.rt.create

// LLVM-DAG:    llvm.func @main(
// LLVM-DAG:    llvm.call @fusion_rt_conv_checked(

// PARTITION:   call @fused_conv1d_relu(%arg0, %arg1)
// PARTITION:   fusion.codegen = "dnnl", fusion.composite = "dnnl.conv1d_relu"

// ANCHOR: error: pipeline 'fusion-optimize' runs on 'builtin.module', not on 'func.func'

func.func @main(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %e = tensor.empty() : tensor<1x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
