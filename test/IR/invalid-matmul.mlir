// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The constraints of `fusion.fused_matmul_bias_act`, by their numbers in
// docs/FusedMatmulBiasAct.md.

func.func @matmul_c1_mixed_tensor_and_memref(%x: tensor<2x4x7xf32>, %w: memref<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, memref<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c1_bias_on_the_other_side(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: memref<5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : memref<5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c2_filter_of_another_narrow_type(%x: tensor<2x4x7xbf16>, %w: tensor<2x7x5xf16>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter' must have the element type of 'input' ('bf16') unless one of them is f32, got 'f16'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xbf16>, tensor<2x7x5xf16>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c3_residual_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %s: tensor<2x4x5xbf16>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'residual' must have the element type of 'init' ('f32') or f32, got 'bf16'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) residual(%s : tensor<2x4x5xbf16>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c3_residual_of_another_narrow_type(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %s: tensor<2x4x5xf16>, %e: tensor<2x4x5xbf16>) {
  // expected-error@below {{'residual' must have the element type of 'init' ('bf16') or f32, got 'f16'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) residual(%s : tensor<2x4x5xf16>)
       outs(%e : tensor<2x4x5xbf16>) -> tensor<2x4x5xbf16>
  return
}

// -----

func.func @matmul_c4_residual_shape(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %s: tensor<2x5x4xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'residual' must have the shape of 'init' ('tensor<2x4x5xf32>'), got 'tensor<2x5x4xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) residual(%s : tensor<2x5x4xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c4_residual_rank(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %s: tensor<4x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'residual' must have the shape of 'init' ('tensor<2x4x5xf32>'), got 'tensor<4x5xf32>'}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) residual(%s : tensor<4x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c5_input_layout_letter(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'input_layout' must name 3 dimensions, those of "k" and any of "bm", got "bmc"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmc", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c5_input_layout_twice(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{a layout must have each letter once, got "mmk"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "mmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c5_input_layout_rank(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'input_layout' must name 3 dimensions, those of "k" and any of "bm", got "mk"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "mk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c5_input_layout_without_k(%x: tensor<2x4xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'input_layout' must name 2 dimensions, those of "k" and any of "bm", got "bm"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bm", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c6_filter_layout_letter(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter_layout' must name 3 dimensions, those of "kn" and any of "b", got "bkm"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkm", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c6_filter_layout_rank(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter_layout' must name 3 dimensions, those of "kn" and any of "b", got "kn"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "kn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c6_filter_layout_without_n(%x: tensor<2x4x7xf32>, %w: tensor<2x7xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter_layout' must name 2 dimensions, those of "kn" and any of "b", got "bk"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bk", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c7_output_layout(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'output_layout' must be a permutation of "bmn", got "bmk"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmk"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c7_output_layout_without_batch(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_layout' must be a permutation of "bmn", got "mn"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "mn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_c7_init_rank(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'init' must have the rank of 'input' (3), got 2}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_c8_batch_of_the_filter_alone(%x: tensor<4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'filter_layout' may have 'b' only if 'input_layout' ("mk") has it, got "bkn"}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "mk", output_layout = "mn"}
       ins(%x, %w : tensor<4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_c9_reduction(%x: tensor<2x4x7xf32>, %w: tensor<2x6x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter' must have the size of 'input' in dimension 'k' (7), got 6}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x6x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c9_reduction_transposed(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter' must have the size of 'input' in dimension 'k' (7), got 5}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bnk", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c10_batch_of_filter(%x: tensor<2x4x7xf32>, %w: tensor<3x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'filter' must have the size of 'input' in dimension 'b' (2), got 3}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<3x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c11_batch(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<3x4x5xf32>) {
  // expected-error@below {{'init' must have the size of 'input' in dimension 'b' (2), got 3}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return
}

// -----

func.func @matmul_c11_rows(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x6x5xf32>) {
  // expected-error@below {{'init' must have the size of 'input' in dimension 'm' (4), got 6}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return
}

// -----

func.func @matmul_c11_rows_transposed(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'init' must have the size of 'input' in dimension 'm' (4), got 5}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bnm"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c12_columns(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %e: tensor<2x4x6xf32>) {
  // expected-error@below {{'init' must have the size of 'filter' in dimension 'n' (5), got 6}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>)
       outs(%e : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return
}

// -----

func.func @matmul_c13_bias_size(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: tensor<4xf32>, %e: tensor<2x4x5xf32>) {
  // expected-error@below {{'bias' must have one element per output channel (5), got 4}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : tensor<4xf32>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @matmul_c13_of_a_dynamic_init(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: tensor<4xf32>, %e: tensor<2x4x?xf32>) {
  // expected-error@below {{'bias' must have one element per output channel (5), got 4}}
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : tensor<4xf32>)
       outs(%e : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
  return
}

// -----

func.func @matmul_c14_input_is_init(%w: memref<2x4x4xf32>, %e: memref<2x4x4xf32>) {
  // expected-error@below {{'input' may not be 'init'}}
  fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%e, %w : memref<2x4x4xf32>, memref<2x4x4xf32>)
       outs(%e : memref<2x4x4xf32>)
  return
}

// -----

func.func @matmul_c14_filter_is_init(%x: memref<2x4x4xf32>, %e: memref<2x4x4xf32>) {
  // expected-error@below {{'filter' may not be 'init'}}
  fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %e : memref<2x4x4xf32>, memref<2x4x4xf32>)
       outs(%e : memref<2x4x4xf32>)
  return
}

// -----

func.func @matmul_c15_residual_after_no_activation(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %s: tensor<4x5xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'residual_after_activation' must come with a residual and an activation, has no 'activation'}}
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "nk", output_layout = "mn"}
       ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) residual_after_activation(%s : tensor<4x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @matmul_c15_no_residual_after_activation(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'residual_after_activation' must come with a residual and an activation, has no 'residual'}}
  %r = fusion.fused_matmul_bias_act {
         input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<relu>,
         residual_after_activation}
       ins(%x, %w : tensor<4x7xf32>, tensor<5x7xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
