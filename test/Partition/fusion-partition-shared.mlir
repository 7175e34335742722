// RUN: fusion-opt %s --fusion-partition="patterns=conv2d annotate-codegen=true" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d merge=true" | FileCheck %s --check-prefix=MERGED
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d" --fusion-partition=merge=true | FileCheck %s --check-prefix=MERGED
// A composite that has a code generator is not merged by a later run.
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d annotate-codegen=true" --fusion-partition=merge=true | FileCheck %s

// TVM 16: two functions of two convolutions each, in f16 and channels-last, one of which
// calls the other. All four calls are of one function: it has the weights as arguments.

// CHECK-LABEL: func.func @inner(
// CHECK-NEXT:    %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    %[[B:.*]] = call @fused_conv2d(%[[A]], %arg2)
// CHECK-NEXT:    return %[[B]]
// MERGED-LABEL: func.func @inner(
// MERGED-NEXT:    %[[R:.*]] = call @dnnl_region(%arg0, %arg1, %arg2)
// MERGED-NEXT:    return %[[R]]
func.func @inner(%x: tensor<2x7x9x5xf16>, %w: tensor<5x3x2x5xf16>, %u: tensor<5x3x2x5xf16>) -> tensor<2x7x9x5xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x7x9x5xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  %pc = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x7x9x5xf16> to tensor<2x9x10x5xf16>
  %c = linalg.conv_2d_nhwc_fhwc ins(%pc, %w : tensor<2x9x10x5xf16>, tensor<5x3x2x5xf16>) outs(%f : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  %pd = tensor.pad %c low[0, 1, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x7x9x5xf16> to tensor<2x9x10x5xf16>
  %d = linalg.conv_2d_nhwc_fhwc ins(%pd, %u : tensor<2x9x10x5xf16>, tensor<5x3x2x5xf16>) outs(%f : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  return %d : tensor<2x7x9x5xf16>
}

// CHECK-LABEL: func.func @outer(
// CHECK:         %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK:         %[[B:.*]] = call @fused_conv2d(%[[A]], %arg2)
// CHECK:         %[[C:.*]] = call @inner(%arg0, %arg1, %arg2)
// CHECK:         linalg.add ins(%[[B]], %[[C]]
// MERGED-LABEL: func.func @outer(
// MERGED:         %[[B:.*]] = call @dnnl_region(%arg0, %arg1, %arg2)
// MERGED:         %[[C:.*]] = call @inner(%arg0, %arg1, %arg2)
// MERGED:         linalg.add ins(%[[B]], %[[C]]
func.func @outer(%x: tensor<2x7x9x5xf16>, %w: tensor<5x3x2x5xf16>, %u: tensor<5x3x2x5xf16>) -> tensor<2x7x9x5xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x7x9x5xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  %pc = tensor.pad %x low[0, 1, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x7x9x5xf16> to tensor<2x9x10x5xf16>
  %c = linalg.conv_2d_nhwc_fhwc ins(%pc, %w : tensor<2x9x10x5xf16>, tensor<5x3x2x5xf16>) outs(%f : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  %pd = tensor.pad %c low[0, 1, 0, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x7x9x5xf16> to tensor<2x9x10x5xf16>
  %d = linalg.conv_2d_nhwc_fhwc ins(%pd, %u : tensor<2x9x10x5xf16>, tensor<5x3x2x5xf16>) outs(%f : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  %o = call @inner(%x, %w, %u) : (tensor<2x7x9x5xf16>, tensor<5x3x2x5xf16>, tensor<5x3x2x5xf16>) -> tensor<2x7x9x5xf16>
  %r = linalg.add ins(%d, %o : tensor<2x7x9x5xf16>, tensor<2x7x9x5xf16>) outs(%e : tensor<2x7x9x5xf16>) -> tensor<2x7x9x5xf16>
  return %r : tensor<2x7x9x5xf16>
}

// CHECK:      func.func private @fused_conv2d(%{{.*}}: tensor<2x7x9x5xf16> {fusion.role = "input"}, %{{.*}}: tensor<5x3x2x5xf16> {fusion.role = "filter"})
// CHECK-SAME:   attributes {fusion.codegen = "dnnl", fusion.composite = "dnnl.conv2d", fusion.global_symbol = "fused_conv2d_dnnl", no_inline}
// CHECK:        linalg.conv_2d_nhwc_fhwc
// CHECK-NOT:    linalg.conv_2d_nhwc_fhwc
// CHECK-NOT:  func.func
// MERGED-COUNT-1: linalg.conv_2d_nhwc_fhwc
// MERGED:         func.func private @dnnl_region(
// MERGED-NEXT:      %[[A:.*]] = call @fused_conv2d(%arg0, %arg1)
// MERGED-NEXT:      call @fused_conv2d(%[[A]], %arg2)
// MERGED-NOT:     linalg.conv_2d_nhwc_fhwc
// MERGED-NOT:     func.func
