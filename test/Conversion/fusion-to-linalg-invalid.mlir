// RUN: fusion-opt %s --convert-fusion-to-linalg --split-input-file --verify-diagnostics

// An op that cannot be decomposed is an error, and never left behind silently.

func.func @memrefs(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %e: memref<1x5x8xf32>) {
  // expected-error@+1 {{cannot be decomposed: on memrefs, or with groups and a dynamic number of channels}}
  fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%e : memref<1x5x8xf32>)
  return
}

// -----

func.func @dynamic_groups(%x: tensor<1x?x9xf32>, %w: tensor<?x3x2xf32>, %e: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  // expected-error@+1 {{cannot be decomposed: on memrefs, or with groups and a dynamic number of channels}}
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
      ins(%x, %w : tensor<1x?x9xf32>, tensor<?x3x2xf32>) outs(%e : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  return %r : tensor<1x?x8xf32>
}

// -----

func.func @pool_on_memrefs(%x: memref<2x9x3xf32>, %y: memref<2x8x3xf32>) {
  // expected-error@+1 {{cannot be decomposed: on memrefs, or with groups and a dynamic number of channels}}
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
      pad_low = array<i64: 0>, pad_high = array<i64: 0>}
      ins(%x : memref<2x9x3xf32>) outs(%y : memref<2x8x3xf32>)
  return
}
