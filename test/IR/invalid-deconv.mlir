// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The constraints of `fusion.fused_deconv_bias_act`, by their numbers in
// docs/FusedDeconvBiasAct.md.

func.func @deconv_c1_mixed_tensor_and_memref(%x: memref<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : memref<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c1_bias_on_the_other_side(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %b: memref<6xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) bias(%b : memref<6xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c2_filter_rank(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'filter' must have the rank of 'input' (4), got 3}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fcw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c2_init_rank(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8xf32>) {
  // expected-error@below {{'init' must have the rank of 'input' (4), got 3}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  return
}

// -----

func.func @deconv_c3_filter_of_another_narrow_type(%x: tensor<2x4x8x10xf16>, %w: tensor<6x2x3x3xbf16>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'filter' must have the element type of 'input' ('f16') unless one of them is f32, got 'bf16'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf16>, tensor<6x2x3x3xbf16>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c4_residual_type(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %s: tensor<2x6x10x12xf16>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'residual' must have the element type of 'init' ('f32') or f32, got 'f16'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) residual(%s : tensor<2x6x10x12xf16>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c4_residual_narrower_than_init(%x: tensor<2x4x8x10xf16>, %w: tensor<6x2x3x3xf16>, %s: tensor<2x6x10x12xbf16>, %e: tensor<2x6x10x12xf16>) {
  // expected-error@below {{'residual' must have the element type of 'init' ('f16') or f32, got 'bf16'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf16>, tensor<6x2x3x3xf16>) residual(%s : tensor<2x6x10x12xbf16>)
       outs(%e : tensor<2x6x10x12xf16>) -> tensor<2x6x10x12xf16>
  return
}

// -----

func.func @deconv_c5_residual_shape(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %s: tensor<2x6x10x8xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'residual' must have the shape of 'init' ('tensor<2x6x10x12xf32>'), got 'tensor<2x6x10x8xf32>'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) residual(%s : tensor<2x6x10x8xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c5_residual_rank(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %s: tensor<2x6x8xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'residual' must have the shape of 'init' ('tensor<2x6x10x12xf32>'), got 'tensor<2x6x8xf32>'}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) residual(%s : tensor<2x6x8xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c6_input_layout_letter(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'input_layout' must be a permutation of "nchw", got "nchf"}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchf", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c6_input_layout_twice(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{a layout must have each letter once, got "nhhw"}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhhw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c6_input_layout_rank(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'input_layout' must be a permutation of "nchw", got "nchwd"}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchwd", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c7_filter_layout(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'filter_layout' must be a permutation of "fchw", got "nchw"}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "nchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c8_output_layout(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'output_layout' must be a permutation of "nchw", got "fchw"}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "fchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c9_strides_count(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'strides' must have one element per spatial dimension (2), got 1}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c9_strides_zero(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'strides' must be at least 1, got 0}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 0>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c10_dilations_count(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'dilations' must have one element per spatial dimension (2), got 3}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c10_dilations_zero(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'dilations' must be at least 1, got 0}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 0, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c11_pad_low_count(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_low' must have one element per spatial dimension (2), got 3}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c11_pad_low_negative(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_low' must be at least 0, got -1}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: -1, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c12_pad_high_count(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_high' must have one element per spatial dimension (2), got 0}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c12_pad_high_negative(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'pad_high' must be at least 0, got -2}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, -2>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c13_batch(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<3x6x10x12xf32>) {
  // expected-error@below {{'init' must have the batch size of 'input' (2), got 3}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<3x6x10x12xf32>) -> tensor<3x6x10x12xf32>
  return
}

// -----

func.func @deconv_c14_input_channels(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'input' must have 'groups' times the input channels of 'filter' (1 * 2), got 4}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 1,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c14_input_channels_nhwc(%x: tensor<2x8x10x4xf32>, %w: tensor<3x3x3x6xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'input' must have 'groups' times the input channels of 'filter' (2 * 3), got 4}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nchw"}
       ins(%x, %w : tensor<2x8x10x4xf32>, tensor<3x3x3x6xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c15_output_channels(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x8x10x12xf32>) {
  // expected-error@below {{'init' must have the output channels of 'filter' (6), got 8}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x8x10x12xf32>) -> tensor<2x8x10x12xf32>
  return
}

// -----

func.func @deconv_c16_output_channels_by_groups(%x: tensor<2x4x8x10xf32>, %w: tensor<5x2x3x3xf32>, %e: tensor<2x5x10x12xf32>) {
  // expected-error@below {{output channels must be a multiple of 'groups' (2), got 5}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<5x2x3x3xf32>)
       outs(%e : tensor<2x5x10x12xf32>) -> tensor<2x5x10x12xf32>
  return
}

// -----

func.func @deconv_c16_of_a_dynamic_filter(%x: tensor<2x4x8x10xf32>, %w: tensor<?x2x3x3xf32>, %e: tensor<2x5x10x12xf32>) {
  // expected-error@below {{output channels must be a multiple of 'groups' (2), got 5}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<?x2x3x3xf32>)
       outs(%e : tensor<2x5x10x12xf32>) -> tensor<2x5x10x12xf32>
  return
}

// -----

func.func @deconv_c17_bias_size(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<4xf32>, %e: tensor<2x6x10x12xf32>) {
  // expected-error@below {{'bias' must have one element per output channel (6), got 4}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) bias(%b : tensor<4xf32>)
       outs(%e : tensor<2x6x10x12xf32>) -> tensor<2x6x10x12xf32>
  return
}

// -----

func.func @deconv_c17_of_a_dynamic_init(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<4xf32>, %e: tensor<2x?x10x12xf32>) {
  // expected-error@below {{'bias' must have one element per output channel (6), got 4}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>) bias(%b : tensor<4xf32>)
       outs(%e : tensor<2x?x10x12xf32>) -> tensor<2x?x10x12xf32>
  return
}

// -----

func.func @deconv_c18_too_small(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x9x12xf32>) {
  // expected-error@below {{'init' must have size 10 to 10 in dimension 'h', got 9}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x9x12xf32>) -> tensor<2x6x9x12xf32>
  return
}

// -----

func.func @deconv_c18_output_padding_too_large(%x: tensor<2x4x8x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x10x27xf32>) {
  // expected-error@below {{'init' must have size 24 to 26 in dimension 'w', got 27}}
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 1, 3>, dilations = array<i64: 1, 2>,
         pad_low = array<i64: 0, 3>, pad_high = array<i64: 0, 5>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x8x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x10x27xf32>) -> tensor<2x6x10x27xf32>
  return
}

// -----

func.func @deconv_c19_input_is_init(%x: memref<1x2x4xf32>, %w: memref<2x2x1xf32>) {
  // expected-error@below {{'input' may not be 'init'}}
  fusion.fused_deconv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<1x2x4xf32>, memref<2x2x1xf32>) outs(%x : memref<1x2x4xf32>)
  return
}

// -----

func.func @deconv_c19_filter_is_init(%x: memref<2x2x1xf32>, %w: memref<2x2x1xf32>) {
  // expected-error@below {{'filter' may not be 'init'}}
  fusion.fused_deconv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<2x2x1xf32>, memref<2x2x1xf32>) outs(%w : memref<2x2x1xf32>)
  return
}

// -----

func.func @deconv_c20_residual_after_no_activation(%x: memref<1x2x4xf32>, %w: memref<3x2x1xf32>, %y: memref<1x3x4xf32>) {
  // expected-error@below {{'residual_after_activation' must come with a residual and an activation, has no 'activation'}}
  fusion.fused_deconv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<1x2x4xf32>, memref<3x2x1xf32>) residual_after_activation(%y : memref<1x3x4xf32>)
    outs(%y : memref<1x3x4xf32>)
  return
}

// -----

func.func @deconv_c20_no_residual_after_activation(%x: memref<1x2x4xf32>, %w: memref<3x2x1xf32>, %y: memref<1x3x4xf32>) {
  // expected-error@below {{'residual_after_activation' must come with a residual and an activation, has no 'residual'}}
  fusion.fused_deconv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw",
    activation = #fusion.activation<relu>, residual_after_activation}
    ins(%x, %w : memref<1x2x4xf32>, memref<3x2x1xf32>) outs(%y : memref<1x3x4xf32>)
  return
}
