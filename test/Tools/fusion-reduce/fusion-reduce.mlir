// The reducer takes parts from a fusion op that the script does not ask for, one at a
// time, as far as types allow.

// RUN: fusion-reduce %s --reduction-tree='traversal-mode=0 test=%S/Inputs/has-biased-conv.sh' | FileCheck %s

// CHECK:       module {
// CHECK-NEXT:    func.func @conv(%[[X:.*]]: tensor<1x4x?x?xf32>, %[[W:.*]]: tensor<6x2x3x3xf32>, %[[B:.*]]: tensor<6xf32>
// CHECK-NEXT:      %[[R:.*]] = fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:        %[[X]], %[[W]] : tensor<1x4x?x?xf32>, tensor<6x2x3x3xf32>)
// CHECK-SAME:        bias(%[[B]] : tensor<6xf32>) outs(
// CHECK-NEXT:      return %[[R]]
// CHECK-NEXT:    }
// CHECK-NEXT:  }
func.func @conv(%x: tensor<1x4x?x?xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>, %s: tensor<1x6x?x?xf32>,
                %e: tensor<1x6x?x?xf32>) -> tensor<1x6x?x?xf32> {
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>,
         pad_low = array<i64: 0, 1>, pad_high = array<i64: 1, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
         activation = #fusion.activation<clip, 0.0, 6.0>, nan_mode = #fusion.nan<propagate>,
         fusion.folded = "bn"}
       ins(%x, %w : tensor<1x4x?x?xf32>, tensor<6x2x3x3xf32>)
       bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x?x?xf32>)
       outs(%e : tensor<1x6x?x?xf32>) -> tensor<1x6x?x?xf32>
  return %r : tensor<1x6x?x?xf32>
}

func.func @not_needed(%x: tensor<4x300xf32>, %w: tensor<10x300xf32>, %e: tensor<4x10xf32>) -> tensor<4x10xf32> {
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn"}
       ins(%x, %w : tensor<4x300xf32>, tensor<10x300xf32>)
       outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}
