// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d" | FileCheck %s --check-prefix=LARGE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d,conv2d_relu" | FileCheck %s --check-prefix=SMALL
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d|conv2d_relu" | FileCheck %s --check-prefix=LARGE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu|conv2d:acme.conv" | FileCheck %s --check-prefix=NAMED
// RUN: fusion-opt %s --fusion-partition="patterns=clip,relu" | FileCheck %s --check-prefix=OPS

// The order of the patterns is their priority; of alternatives the larger one matches.
// TVM 4, 5, 6, 15, 16, 22, 28, 69.

// TVM 4: a convolution does not swallow the one that makes its input.
// LARGE-LABEL: func.func @chained(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// LARGE-NEXT:    call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return
// TVM 6: the relu stays where it is if `conv2d` comes first.
// SMALL-LABEL: func.func @chained(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL:         %[[B:.*]] = linalg.max ins(%[[A]]
// SMALL:         %[[C:.*]] = call @fused_conv2d_1(%[[B]], %arg2)
// SMALL:         linalg.max ins(%[[C]]
// NAMED-LABEL: func.func @chained(
// NAMED-NEXT:    %[[A:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// NAMED-NEXT:    call @fused_conv2d_relu_1(%[[A]], %arg2)
func.func @chained(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x2x3xf32>) -> tensor<1x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %s = linalg.max ins(%d, %y : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %s : tensor<1x4x6x8xf32>
}

// TVM 5: one of each. The second one is the same as in @chained: one function (16).
// LARGE-LABEL: func.func @plain_then_relu(
// LARGE-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// LARGE-NEXT:    call @fused_conv2d_relu_1(%[[A]], %arg2)
// LARGE-NEXT:    return
// SMALL-LABEL: func.func @plain_then_relu(
// SMALL:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// SMALL-NEXT:    %[[B:.*]] = call @fused_conv2d_1(%[[A]], %arg2)
// SMALL-NEXT:    linalg.max ins(%[[B]]
// NAMED-LABEL: func.func @plain_then_relu(
// NAMED-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// NAMED-NEXT:    call @fused_conv2d_relu_1(%[[A]], %arg2)
func.func @plain_then_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x2x3xf32>) -> tensor<1x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<1x4x6x8xf32>
  %f = tensor.empty() : tensor<1x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%c, %u : tensor<1x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %s = linalg.max ins(%d, %y : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %s : tensor<1x4x6x8xf32>
}

// TVM 22: two bounds make two functions; TVM 28: the relu is no clip, a clip no relu.
// The other functions have relus of two sizes.
// OPS-LABEL: func.func @clips(
// OPS-NEXT:    %[[A:.*]] = call @fused_clip(%arg0)
// OPS-NEXT:    %[[B:.*]] = call @fused_clip_1(%[[A]])
// OPS-NEXT:    %[[C:.*]] = call @fused_clip(%[[B]])
// OPS-NEXT:    call @fused_relu_2(%[[C]])
// OPS-NEXT:    return
func.func @clips(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %k0 = arith.constant 0.0 : f32
  %k3 = arith.constant 3.0 : f32
  %k6 = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<5x3xf32>
  %a = linalg.map ins(%x : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>) (%in: f32, %out: f32) {
    %m = arith.maximumf %in, %k0 : f32
    %n = arith.minimumf %m, %k3 : f32
    linalg.yield %n : f32
  }
  %b = linalg.map ins(%a : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>) (%in: f32, %out: f32) {
    %m = arith.maximumf %in, %k0 : f32
    %n = arith.minimumf %m, %k6 : f32
    linalg.yield %n : f32
  }
  %c = linalg.map ins(%b : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>) (%in: f32, %out: f32) {
    %m = arith.maximumf %in, %k0 : f32
    %n = arith.minimumf %m, %k3 : f32
    linalg.yield %n : f32
  }
  %d = linalg.map ins(%c : tensor<5x3xf32>) outs(%e : tensor<5x3xf32>) (%in: f32, %out: f32) {
    %m = arith.maximumf %in, %k0 : f32
    linalg.yield %m : f32
  }
  return %d : tensor<5x3xf32>
}

// LARGE:     func.func private @fused_conv2d_relu({{.*}}fusion.composite = "dnnl.conv2d_relu"
// LARGE:     func.func private @fused_conv2d_relu_1({{.*}}fusion.composite = "dnnl.conv2d_relu"
// LARGE:     func.func private @fused_conv2d({{.*}}fusion.composite = "dnnl.conv2d"
// LARGE-NOT: linalg.max
// LARGE-NOT: func.func
// SMALL:     func.func private @fused_conv2d({{.*}}fusion.composite = "dnnl.conv2d"
// SMALL:     func.func private @fused_conv2d_1({{.*}}fusion.composite = "dnnl.conv2d"
// SMALL-NOT: linalg.max
// SMALL-NOT: func.func
// NAMED-COUNT-3: fusion.composite = "acme.conv"
// NAMED-NOT:     fusion.composite
