// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// Constraints of `fusion.fused_conv_bias_act` and `fusion.fused_deconv_bias_act`:
// numbers of windows that are larger than those that the runtime takes.

func.func @conv_c9_strides_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{'strides' must be at most 2147483647, got 2147483648}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 2147483648>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_c10_dilations_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{'dilations' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 9223372036854775807, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_c11_pad_low_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{'pad_low' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 9223372036854775807, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_c12_pad_high_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{'pad_high' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 9223372036854775807>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @deconv_c9_strides_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'strides' must be at most 2147483647, got 2147483648}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 2147483648>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c10_dilations_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'dilations' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 9223372036854775807, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c11_pad_low_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_low' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 9223372036854775807, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c12_pad_high_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_high' must be at most 2147483647, got 9223372036854775807}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 9223372036854775807>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}
