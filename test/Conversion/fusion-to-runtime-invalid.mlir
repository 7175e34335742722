// RUN: fusion-opt %s --convert-fusion-to-runtime --verify-diagnostics

func.func @tensors(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>, %e: tensor<1x5x8xf32>) -> tensor<1x5x8xf32> {
  // expected-error@+1 {{cannot become a call of the runtime: it is on tensors, bufferize first}}
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
         ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
