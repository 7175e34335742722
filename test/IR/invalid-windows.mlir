// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// Constraints of `fusion.fused_conv_bias_act` and `fusion.fused_deconv_bias_act`:
// windows and pads whose elements an i64 does not count.

func.func @conv_c18_dilations_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'h'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 9223372036854775807, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_c18_pad_low_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'h'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 9223372036854775807, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_c18_pad_high_large(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'w'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 9223372036854775807>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @deconv_c18_strides_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'w'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 9223372036854775807>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c18_dilations_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'h'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 9223372036854775807, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c18_pads_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{window and pads must have fewer than 2^63 elements in dimension 'h'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 9223372036854775807, 0>, pad_high = array<i64: 9223372036854775807, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}
