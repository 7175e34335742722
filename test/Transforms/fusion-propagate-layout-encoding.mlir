// RUN: fusion-opt %s --fusion-propagate-layout --canonicalize --cse | FileCheck %s --implicit-check-not=linalg.transpose

// Not all passes know encodings; this one does.

// Tensors with an encoding keep it.
// CHECK-LABEL: func @encoded(
// CHECK:         %[[T:.*]] = linalg.transpose ins({{.*}} : tensor<2x3x9xf32, "a">) {{.*}} permutation = [0, 2, 1]
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[T]], {{.*}} -> tensor<2x9x5xf32, "b">
// CHECK:         %[[D:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[C]], {{.*}} -> tensor<2x9x4xf32, "c">
// CHECK:         %[[R:.*]] = linalg.transpose ins(%[[D]] : tensor<2x9x4xf32, "c">) {{.*}} permutation = [0, 2, 1]
// CHECK-NEXT:    return %[[R]] : tensor<2x4x9xf32, "c">
func.func @encoded(%x: tensor<2x3x9xf32, "a">, %w: tensor<5x3x1xf32>, %u: tensor<4x5x1xf32>) -> tensor<2x4x9xf32, "c"> {
  %ec = tensor.empty() : tensor<2x5x9xf32, "b">
  %c = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%x, %w : tensor<2x3x9xf32, "a">, tensor<5x3x1xf32>) outs(%ec : tensor<2x5x9xf32, "b">) -> tensor<2x5x9xf32, "b">
  %er = tensor.empty() : tensor<2x4x9xf32, "c">
  %r = fusion.fused_conv_bias_act {dilations = array<i64: 1>, filter_layout = "fcw", input_layout = "ncw", output_layout = "ncw", pad_high = array<i64: 0>, pad_low = array<i64: 0>, strides = array<i64: 1>} ins(%c, %u : tensor<2x5x9xf32, "b">, tensor<4x5x1xf32>) outs(%er : tensor<2x4x9xf32, "c">) -> tensor<2x4x9xf32, "c">
  return %r : tensor<2x4x9xf32, "c">
}
