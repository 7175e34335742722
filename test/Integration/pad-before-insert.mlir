// Upstream folds a pad into the insertion behind it, and adds the padding to the
// offsets without multiplying it by the steps. Our pipelines leave that pattern out.

// RUN: fusion-run %s --verify | FileCheck %s
// CHECK: verify: agrees

// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR
// IR: %[[P:.*]] = tensor.pad %{{.*}} low[1, 2] high[0, 0]
// IR: tensor.insert_slice %[[P]] into %{{.*}}[3, 0] [3, 5] [2, 3]
// IR-COUNT-1: fusion.fused_conv_bias_act
// IR-NOT:     fusion.fused_conv_bias_act

func.func @main(%x: tensor<2x3xf32>, %f: tensor<4x1x2x3xf32>) -> tensor<1x4x7x12xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 2] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<2x3xf32> to tensor<3x5xf32>
  %e = tensor.empty() : tensor<8x14xf32>
  %zeros = linalg.fill ins(%z : f32) outs(%e : tensor<8x14xf32>) -> tensor<8x14xf32>
  %i = tensor.insert_slice %p into %zeros[3, 0] [3, 5] [2, 3] : tensor<3x5xf32> into tensor<8x14xf32>
  %t = math.tanh %i : tensor<8x14xf32>
  %n = tensor.expand_shape %t [[0, 1, 2], [3]] output_shape [1, 1, 8, 14] : tensor<8x14xf32> into tensor<1x1x8x14xf32>
  %o = tensor.empty() : tensor<1x4x7x12xf32>
  %init = linalg.fill ins(%z : f32) outs(%o : tensor<1x4x7x12xf32>) -> tensor<1x4x7x12xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%n, %f : tensor<1x1x8x14xf32>, tensor<4x1x2x3xf32>) outs(%init : tensor<1x4x7x12xf32>) -> tensor<1x4x7x12xf32>
  return %c : tensor<1x4x7x12xf32>
}
