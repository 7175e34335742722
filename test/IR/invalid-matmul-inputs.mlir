// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The inputs and the output of `fusion.fused_matmul_bias_act`, by their numbers in
// docs/FusedMatmulBiasAct.md: type, rank, and presence of what is not optional.

func.func @matmul_i1_input_rank(%x: tensor<2x3x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #0 must be 1D/2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 1D/2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x3x4x7xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x3x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i1_input_type(%x: tensor<2x4x7xf64>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #0 must be 1D/2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 1D/2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x4x7xf64>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf64>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i1_input_unranked(%x: tensor<*xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #0 must be 1D/2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 1D/2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<*xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<*xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i2_filter_rank(%x: tensor<2x4x7xf32>, %w: tensor<7xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #1 must be 2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<7xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<7xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i2_filter_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xi8>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #1 must be 2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x7x5xi8>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xi8>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i3_bias_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: tensor<5xbf16>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #2 must be 1D tensor of 32-bit float values or 1D memref of 32-bit float values, but got 'tensor<5xbf16>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : tensor<5xbf16>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i3_bias_rank(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: tensor<1x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #2 must be 1D tensor of 32-bit float values or 1D memref of 32-bit float values, but got 'tensor<1x5xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : tensor<1x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i4_residual_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %s: tensor<2x4x5xi32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operand #2 must be 1D/2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 1D/2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x4x5xi32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) residual(%s : tensor<2x4x5xi32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i5_init_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf64>) {
  // expected-error@below {{operand #2 must be 1D/2D/3D tensor of 32-bit float or bfloat16 type or 16-bit float values or 1D/2D/3D memref of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<2x4x5xf64>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf64>) -> tensor<2x4x5xf64>
  return
}

// -----

func.func @matmul_i6_input_layout_missing(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{requires attribute 'input_layout'}}
  %r = "fusion.fused_matmul_bias_act"(%x, %w, %e) <{filter_layout = #fusion.layout<bkn>, output_layout = #fusion.layout<bmn>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x7xf32>, tensor<2x7x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i6_input_layout_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'fusion.fused_matmul_bias_act' 'fusion.fused_matmul_bias_act' op attribute 'input_layout' failed to satisfy constraint: the order of dimensions, a letter each}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = 3 : i64, output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i7_filter_layout_missing(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{requires attribute 'filter_layout'}}
  %r = "fusion.fused_matmul_bias_act"(%x, %w, %e) <{input_layout = #fusion.layout<bmk>, output_layout = #fusion.layout<bmn>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x7xf32>, tensor<2x7x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i8_output_layout_missing(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{requires attribute 'output_layout'}}
  %r = "fusion.fused_matmul_bias_act"(%x, %w, %e) <{filter_layout = #fusion.layout<bkn>, input_layout = #fusion.layout<bmk>,
         operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>
       : (tensor<2x4x7xf32>, tensor<2x7x5xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i9_activation_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'fusion.fused_matmul_bias_act' 'fusion.fused_matmul_bias_act' op attribute 'activation' failed to satisfy constraint: an activation with its parameters}}
  %r = fusion.fused_matmul_bias_act {activation = "relu", filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i10_nan_mode_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'fusion.fused_matmul_bias_act' 'fusion.fused_matmul_bias_act' op attribute 'nan_mode' failed to satisfy constraint: what a NaN becomes in an activation}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", nan_mode = "fast", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_o1_result_missing(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>)
  return
}

// -----

func.func @matmul_o1_result_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{expected type of operand #2 ('tensor<2x4x5xf32>') to match type of corresponding result ('tensor<2x4x5xbf16>')}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xbf16>
  return
}

// -----

func.func @matmul_o1_result_of_a_memref(%x: memref<2x4x7xf32>, %w: memref<2x7x5xf32>, %e: memref<2x4x5xf32>) {
  // expected-error@below {{expected the number of tensor results (1) to be equal to the number of output tensors (0)}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : memref<2x4x7xf32>, memref<2x7x5xf32>)
       outs(%e : memref<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_i11_residual_after_activation_type(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{attribute 'residual_after_activation' failed to satisfy constraint: unit attribute}}
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "nk", output_layout = "mn", residual_after_activation = 1}
       ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
