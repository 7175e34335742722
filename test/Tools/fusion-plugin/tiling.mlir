// REQUIRES: plugin
// RUN: mlir-opt %S/../../../examples/conv-reshape-add-relu.mlir --load-dialect-plugin=%fusion_plugin --transform-preload-library=transform-library-paths=%S/../../../examples/tile-schedule.mlir --transform-interpreter | FileCheck %s

// Our ops of the transform dialect and tiling in a stock mlir-opt.

// CHECK: scf.for
// CHECK:   fusion.fused_conv_bias_act relu ins(
// CHECK-SAME: -> tensor<1x6x4x8xf32>
