// RUN: fusion-opt %s --fusion-drop-taps | FileCheck %s --implicit-check-not=tensor.extract_slice

// Convolutions that stay, and of which no test runs.

// CHECK-LABEL: func.func @buffers(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] ins(
func.func @buffers(%x: memref<2x3x1xf32>, %w: memref<4x3x3xf32>, %e: memref<2x4x1xf32>) {
  fusion.fused_conv_bias_act pad_low [1] pad_high [1]
    ins(%x, %w : memref<2x3x1xf32>, memref<4x3x3xf32>) outs(%e : memref<2x4x1xf32>)
  return
}

// No window fits.
// CHECK-LABEL: func.func @empty_result(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] ins(
func.func @empty_result(%x: tensor<2x3x1xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x0xf32> {
  %e = tensor.empty() : tensor<2x4x0xf32>
  %c = fusion.fused_conv_bias_act pad_low [1]
         ins(%x, %w : tensor<2x3x1xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x0xf32>) -> tensor<2x4x0xf32>
  return %c : tensor<2x4x0xf32>
}

// CHECK-LABEL: func.func @empty_kernel(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] ins(
func.func @empty_kernel(%x: tensor<2x3x1xf32>, %w: tensor<4x3x0xf32>) -> tensor<2x4x4xf32> {
  %e = tensor.empty() : tensor<2x4x4xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<2x3x1xf32>, tensor<4x3x0xf32>) outs(%e : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %c : tensor<2x4x4xf32>
}

// An image without elements has no tap that reads one.
// CHECK-LABEL: func.func @empty_image(
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [2] ins(
func.func @empty_image(%x: tensor<2x3x0xf32>, %w: tensor<4x3x3xf32>) -> tensor<2x4x1xf32> {
  %e = tensor.empty() : tensor<2x4x1xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [2]
         ins(%x, %w : tensor<2x3x0xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}
