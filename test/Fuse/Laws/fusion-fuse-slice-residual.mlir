// RUN: fusion-opt %s --fusion-fuse | FileCheck %s

// The residual is sliced, too.
// CHECK-LABEL: func @residual(
// CHECK-SAME:    %[[X:[^:]*]]: {{.*}}, %[[T:[^:]*]]: tensor<2x4x21xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[T]][0, 0, 1] [2, 4, 18] [1, 1, 1]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu dilations [2] pad_low [3] pad_high [2] ins(%[[X]], {{.*}}residual(%[[S]] : tensor<2x4x18xf32>)
// CHECK:         return %[[R]]
func.func @residual(%x: tensor<2x3x17xf32>, %t: tensor<2x4x21xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x18xf32> {
  %e = tensor.empty() : tensor<2x4x21xf32>
  %c = fusion.fused_conv_bias_act relu dilations [2] pad_low [4] pad_high [4] ins(%x, %w : tensor<2x3x17xf32>, tensor<4x3x3xf32>)
         residual(%t : tensor<2x4x21xf32>) outs(%e : tensor<2x4x21xf32>) -> tensor<2x4x21xf32>
  %s = tensor.extract_slice %c[0, 0, 1] [2, 4, 18] [1, 1, 1] : tensor<2x4x21xf32> to tensor<2x4x18xf32>
  return %s : tensor<2x4x18xf32>
}
