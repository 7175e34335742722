// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d bind-constants=false" | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d" | FileCheck %s --check-prefixes=CHECK,BOUND
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d annotate-codegen=true" | FileCheck %s --check-prefix=ANNOTATED
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu:acme.cbr,conv2d annotate-codegen=true" | FileCheck %s --check-prefix=ACME
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d annotate-codegen=true merge=true" | FileCheck %s --check-prefix=MERGED
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_reshape_add_relu" | FileCheck %s --check-prefix=RESHAPE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d annotate-codegen=true" --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: not fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d_tahn" 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not fusion-opt %s --fusion-partition="patterns=conv2d_relu_bias" 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not fusion-opt %s --fusion-partition="patterns=matmul_bn" 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: not fusion-opt %s --fusion-partition="patterns=conv2d|conv4d_relu" 2>&1 | FileCheck %s --check-prefix=ROOT
// RUN: not fusion-opt %s --fusion-partition="patterns=conv2d:cbr" 2>&1 | FileCheck %s --check-prefix=COMPOSITE
// RUN: not fusion-opt %s --pass-pipeline="builtin.module(func.func(fusion-partition))" 2>&1 | FileCheck %s --check-prefix=ANCHOR

// The options one by one, and names without a meaning. TVM 9, 10, 19, 20, 26, 32, 64,
// 107.

// PART: error: no pattern is called 'conv2d_tahn': 'tahn' is no part that may stand there; parts are, in this order, bias or reshape_add, bn, sum and one of relu, clip,
// ORDER: error: no pattern is called 'conv2d_relu_bias': 'relu_bias' is no part that may stand there
// MATMUL: error: no pattern is called 'matmul_bn': 'bn' is no part that may stand there; parts are, in this order, transposed_b, bias or reshape_add and one of relu,
// ROOT: error: no pattern is called 'conv4d_relu': names begin with conv1d, conv2d, conv3d or matmul, or are one of maxpool, avgpool, add, softmax, concat, relu,
// COMPOSITE: error: composite 'cbr' of pattern 'conv2d' must be called GENERATOR.NAME
// RUN: not fusion-opt %s --fusion-partition="patterns=conv2d:acme.a|conv1d:acme.b" 2>&1 | FileCheck %s --check-prefix=COMPOSITES
// COMPOSITES: error: composite 'acme.a|conv1d:acme.b' of pattern 'conv2d' must be called GENERATOR.NAME
// ANCHOR: error: Can't add pass 'FusionPartition' restricted to 'builtin.module'

// TVM 20, 107: the filter is an argument with bind-constants=false, a bias that is the
// same everywhere as well; the zero that makes a relu and the shape of the reshape are
// none. TVM 19: with the shape of another axis the pattern does not match.
// CHECK-LABEL: func.func @weights(
// FREE-DAG:      %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.0
// FREE-DAG:      %[[B:.*]] = arith.constant dense<5.000000e-01> : tensor<2xf32>
// FREE:          call @fused_conv2d_bias_relu(%arg0, %[[W]], %[[B]]) :
// FREE-NEXT:     return
// BOUND-NEXT:    call @fused_conv2d_bias_relu(%arg0) :
// BOUND-NEXT:    return
func.func @weights(%x: tensor<2x1x9x11xf32>) -> tensor<2x2x7x10xf32> {
  %w = arith.constant dense<[[[[1.0, -2.0], [3.0, 0.5], [0.25, -1.0]]], [[[-0.5, 1.5], [2.5, -3.5], [0.75, 1.0]]]]> : tensor<2x1x3x2xf32>
  %b = arith.constant dense<0.5> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2x7x10xf32>
  %e = tensor.empty() : tensor<2x2x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<2x2x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x1x9x11xf32>, tensor<2x1x3x2xf32>) outs(%z : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  %s = linalg.add ins(%c, %v : tensor<2x2x7x10xf32>, tensor<2x2x7x10xf32>) outs(%e : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x2x7x10xf32>, tensor<2x2x7x10xf32>) outs(%e : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  return %r : tensor<2x2x7x10xf32>
}

// The same with other weights: one function where they are arguments, two where not.
// CHECK-LABEL: func.func @other_weights(
// FREE:          call @fused_conv2d_bias_relu(%arg0,
// BOUND:         call @fused_conv2d_bias_relu_1(%arg0)
func.func @other_weights(%x: tensor<2x1x9x11xf32>) -> tensor<2x2x7x10xf32> {
  %w = arith.constant dense<[[[[0.5, -1.0], [2.0, 0.25], [1.25, -3.0]]], [[[-2.5, 0.5], [1.5, -0.5], [0.25, 2.0]]]]> : tensor<2x1x3x2xf32>
  %b = arith.constant dense<[0.25, -1.0]> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2x7x10xf32>
  %e = tensor.empty() : tensor<2x2x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<2x2x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x1x9x11xf32>, tensor<2x1x3x2xf32>) outs(%z : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  %s = linalg.add ins(%c, %v : tensor<2x2x7x10xf32>, tensor<2x2x7x10xf32>) outs(%e : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x2x7x10xf32>, tensor<2x2x7x10xf32>) outs(%e : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  return %r : tensor<2x2x7x10xf32>
}

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#rows = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>

// `reshape_add` wants the reshape, and takes it without allow-reshape.
// RESHAPE-LABEL: func.func @weights(
// RESHAPE-NOT:     call
// RESHAPE-LABEL: func.func @reshaped(
// RESHAPE-NEXT:    call @fused_conv2d_reshape_add_relu(%arg0, %arg1, %arg2)
// CHECK-LABEL:   func.func @reshaped(
// CHECK:           %[[V:.*]] = tensor.expand_shape
// CHECK-NEXT:      call @fused_conv2d_bias_relu_{{[12]}}(%arg0, %arg1, %[[V]])
func.func @reshaped(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x5x5xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x5x5xf32>, tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %r : tensor<2x5x5x5xf32>
}

// As many rows as channels: the reshape is to the wrong axis, the add stays outside.
// RESHAPE-LABEL: func.func @wrong_axis(
// RESHAPE-NOT:     call
// CHECK-LABEL:   func.func @wrong_axis(
// CHECK:           call @fused_conv2d(%arg0, %arg1)
// CHECK:           linalg.elementwise
// CHECK:           linalg.max
func.func @wrong_axis(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 1, 5, 1] : tensor<5xf32> into tensor<1x1x5x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #rows, #all]
         ins(%c, %v : tensor<2x5x5x5xf32>, tensor<1x1x5x1xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x5x5xf32>, tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %r : tensor<2x5x5x5xf32>
}

// Arguments that promise not to change do so inside, where weights are packed once for
// each function: with other weights it is another function.
// CHECK-LABEL: func.func @constant_arguments(
// CHECK:         call @fused_conv2d_[[#FIRST:]](%arg0, %arg1)
// CHECK-NEXT:    call @fused_conv2d_[[#SECOND:FIRST+1]](%arg0, %arg2)
// CHECK-NEXT:    call @fused_conv2d_[[#FIRST]](%arg0, %arg1)
func.func @constant_arguments(%x: tensor<1x3x9x6xf32>, %w: tensor<4x3x5x2xf32> {fusion.constant}, %u: tensor<4x3x5x2xf32> {fusion.constant}) -> (tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x4x5x5xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x6xf32>, tensor<4x3x5x2xf32>) outs(%z : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x3x9x6xf32>, tensor<4x3x5x2xf32>) outs(%z : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x6xf32>, tensor<4x3x5x2xf32>) outs(%z : tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %a, %b, %c : tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x5xf32>
}

// BOUND: func.func private @fused_conv2d_[[#FIRST]]({{.*}}tensor<4x3x5x2xf32> {fusion.constant, fusion.role = "filter"})
// BOUND: func.func private @fused_conv2d_[[#SECOND]]({{.*}}tensor<4x3x5x2xf32> {fusion.constant, fusion.role = "filter"})
// FREE: func.func private @fused_conv2d_bias_relu({{.*}}tensor<2x1x9x11xf32> {fusion.role = "input"}, {{.*}}tensor<2x1x3x2xf32> {fusion.role = "filter"}, {{.*}}tensor<2xf32> {fusion.role = "bias"})
// FREE: arith.constant dense<0.0

// TVM 10: the code generator, and the symbol of its code.
// ANNOTATED: func.func private @fused_conv2d_bias_relu({{.*}}attributes {fusion.codegen = "dnnl", fusion.composite = "dnnl.conv2d_bias_relu", fusion.global_symbol = "fused_conv2d_bias_relu_dnnl", no_inline}
// ANNOTATED: func.func private @fused_conv2d_bias_relu_1({{.*}}fusion.global_symbol = "fused_conv2d_bias_relu_1_dnnl"
// ANNOTATED: func.func private @fused_conv2d({{.*}}fusion.codegen = "dnnl"
// ACME: func.func private @fused_conv2d_bias_relu({{.*}}fusion.codegen = "acme", fusion.composite = "acme.cbr", fusion.global_symbol = "fused_conv2d_bias_relu_acme"
// ACME: func.func private @fused_conv2d({{.*}}fusion.codegen = "dnnl", fusion.composite = "dnnl.conv2d"
// MERGED: func.func private @fused_conv2d_bias_relu({{.*}}attributes {fusion.composite = "dnnl.conv2d_bias_relu", no_inline}
// MERGED: func.func private @dnnl_region({{.*}}attributes {fusion.codegen = "dnnl", fusion.global_symbol = "dnnl_region", no_inline}

// Ops keep their places in the source.
// LOC:      func.func private @fused_conv2d_bias_relu(
// LOC:        linalg.conv_2d_nchw_fchw {{.*}} loc("{{.*}}fusion-partition-options.mlir":[[#LINE:]]:8)
// LOC:        linalg.add {{.*}} loc("{{.*}}fusion-partition-options.mlir":[[#LINE + 1]]:8)
// LOC:        linalg.max {{.*}} loc("{{.*}}fusion-partition-options.mlir":[[#LINE + 2]]:8)
