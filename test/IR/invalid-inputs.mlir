// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The inputs and the output of `fusion.fused_conv_bias_act`, by their numbers in
// docs/FusedConvBiasAct.md: type, rank, and presence of what is not optional.

func.func @conv_i1_input_rank(%x: tensor<4x10xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #0 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4x10xf32>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<4x10xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i1_input_type(%x: tensor<2x4x10x12xf64>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #0 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x4x10x12xf64>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf64>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i1_input_unranked(%x: tensor<*xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #0 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<*xf32>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<*xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i2_filter_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xi8>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #1 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<6x2x3x3xi8>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xi8>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i2_filter_rank(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #1 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<6x2xf32>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i3_bias_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xbf16>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #2 must be 1D tensor of 32-bit float values or 1D memref of 32-bit float values, but got 'tensor<6xbf16>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>) bias(%b : tensor<6xbf16>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i3_bias_rank(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<1x6x1x1xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #2 must be 1D tensor of 32-bit float values or 1D memref of 32-bit float values, but got 'tensor<1x6x1x1xf32>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>) bias(%b : tensor<1x6x1x1xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i4_residual_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %s: tensor<2x6x8x10xi32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{operand #2 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x6x8x10xi32>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>) residual(%s : tensor<2x6x8x10xi32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i5_init_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf64>) {
  // expected-error@below {{operand #2 must be 3D/4D/5D tensor of 32-bit float or bfloat16 type or 16-bit float values or 3D/4D/5D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x6x8x10xf64>'}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf64>) -> tensor<2x6x8x10xf64>
  return
}

// -----

func.func @conv_i6_strides_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'strides'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, filter_layout = #fusion.layout<fchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i6_strides_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'strides' failed to satisfy constraint: i64 dense array attribute}}
  %r = fusion.fused_conv_bias_act {
         strides = dense<1> : tensor<2xi64>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i7_dilations_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'dilations'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, filter_layout = #fusion.layout<fchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i8_pad_low_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'pad_low'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, filter_layout = #fusion.layout<fchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i9_pad_high_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'pad_high'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, filter_layout = #fusion.layout<fchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i10_groups_zero(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'groups' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 0,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i10_groups_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'groups' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2 : i32,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i11_input_layout_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'input_layout'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         filter_layout = #fusion.layout<fchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i12_filter_layout_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'filter_layout'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, output_layout = #fusion.layout<nchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i12_filter_layout_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'filter_layout' failed to satisfy constraint: the order of dimensions, a letter each}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = 2, output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i13_output_layout_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{requires attribute 'output_layout'}}
  %r = "fusion.fused_conv_bias_act"(%x, %w, %e) <{
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = #fusion.layout<nchw>, filter_layout = #fusion.layout<fchw>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>, tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i14_activation_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'activation' failed to satisfy constraint: an activation with its parameters}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = "relu"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i15_nan_mode_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'nan_mode' failed to satisfy constraint: what a NaN becomes in an activation}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", nan_mode = 1 : i32}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}

// -----

func.func @conv_o1_result_missing(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>)
  return
}

// -----

func.func @conv_o1_result_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{expected type of operand #2 ('tensor<2x6x8x10xf32>') to match type of corresponding result ('tensor<2x6x10x8xf32>')}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x10x8xf32>
  return
}

// -----

func.func @conv_o1_result_of_a_memref(%x: memref<2x4x10x12xf32>, %w: memref<6x2x3x3xf32>, %e: memref<2x6x8x10xf32>) {
  // expected-error-re@below {{result #0 must be ranked tensor of any {{(non-token )?}}type values, but got 'memref<2x6x8x10xf32>'}}
  fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
       ins(%x, %w : memref<2x4x10x12xf32>, memref<6x2x3x3xf32>)
       outs(%e : memref<2x6x8x10xf32>) -> memref<2x6x8x10xf32>
  return
}

// -----

func.func @conv_i16_residual_after_activation_type(%x: tensor<2x4x10x12xf32>, %w: tensor<6x2x3x3xf32>, %e: tensor<2x6x8x10xf32>) {
  // expected-error@below {{attribute 'residual_after_activation' failed to satisfy constraint: unit attribute}}
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 2,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", residual_after_activation = true}
       ins(%x, %w : tensor<2x4x10x12xf32>, tensor<6x2x3x3xf32>)
       outs(%e : tensor<2x6x8x10xf32>) -> tensor<2x6x8x10xf32>
  return
}
