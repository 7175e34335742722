// REQUIRES: plugin
// RUN: %npy write %t.npy '<f4' 2x3 'i'
// RUN: mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-bind-params{function=main bind=w=%t.npy})' | FileCheck %s
// RUN: not mlir-opt %s --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-bind-params{bind=v=%t.npy})' 2>&1 | FileCheck %s --check-prefix=ERROR

// The pass in a stock mlir-opt that loads the plugin.

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<?x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<2x3xf32>
// CHECK-DAG:     %[[C:.*]] = tensor.cast %[[X]] : tensor<?x3xf32> to tensor<2x3xf32>
// CHECK:         arith.subf %[[C]], %[[W]] : tensor<2x3xf32>

// ERROR: error: 'main' has no argument named 'v': it has argument 0, argument 1 ('w')

func.func @main(%x: tensor<?x3xf32>, %w: tensor<?x3xf32> {fusion.name = "w"}) -> tensor<?x3xf32> {
  %r = arith.subf %x, %w : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}
