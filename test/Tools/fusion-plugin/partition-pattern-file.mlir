// Patterns of a user's own, in stock mlir-opt.

// REQUIRES: plugin
// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %fusion_source_dir/examples/partition-patterns/conv-gauss.pdll -o %t.pdl.mlir
// RUN: mlir-opt %fusion_source_dir/examples/partition-patterns/network.mlir --load-dialect-plugin=%fusion_plugin --load-pass-plugin=%fusion_plugin --pass-pipeline='builtin.module(fusion-partition{patterns=conv2d_bias_relu pattern-file=%t.pdl.mlir})' | FileCheck %s

// CHECK: fusion.composite = "acme.conv2d_bias_gauss"
// CHECK: fusion.composite = "dnnl.conv2d_bias_relu"
