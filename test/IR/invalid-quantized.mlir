// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The constraints that the quantized ops have beyond those of the fused ops.

func.func @i32_result_with_scale(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<1xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'scale'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<1xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @i32_result_with_residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'residual'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @i32_result_with_activation(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'activation'}}
  %r = fusion.quantized_matmul_bias_act relu ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @i32_result_with_float_bias(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<5xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' must have an i32 'bias'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @scale_of_other_channels(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<4xf32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'scale' must have one element, or one per output channel (5), got 4}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<4xf32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @signed_zero_point(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'input_zero_point' must be in -128..127, got 128}}
  %r = fusion.quantized_matmul_bias_act {input_zero_point = 128 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @unsigned_zero_point(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'input_zero_point' must be in 0..255, got -1}}
  %r = fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = -1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @output_zero_point(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_zero_point' must be in 0..255, got 256}}
  %r = fusion.quantized_matmul_bias_act {output_unsigned, output_zero_point = 256 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @residual_zero_point(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_zero_point' must be in -128..127, got -129}}
  %r = fusion.quantized_matmul_bias_act {residual_zero_point = -129 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @output_zero_point_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_zero_point' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_zero_point = 1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @output_unsigned_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_unsigned' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @output_scale_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_scale' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0.5 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @residual_zero_point_of_none(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_zero_point' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {residual_zero_point = 1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @residual_scale_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xf32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_scale' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {residual_scale = 0.5 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xf32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @output_scale_of_zero(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0.0 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @negative_residual_scale(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {residual_scale = -1.0 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @infinite_output_scale(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0x7F800000 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @float_input(%x: tensor<4x7xf32>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #0 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xf32>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @float_filter(%x: tensor<4x7xi8>, %w: tensor<7x5xf32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #1 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xf32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @bias_of_other_channels(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<6xi32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'bias' must have one element per output channel (5), got 6}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<6xi32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @narrow_bias(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<5xbf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xbf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @narrow_scale(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<5xf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<5xf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @narrow_residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xbf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xbf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @wide_result(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi64>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi64>) -> tensor<4x5xi64>
  return
}

// -----

func.func @conv_zero_point(%x: tensor<1x3x9xi8>, %w: tensor<5x3x2xi8>, %e: tensor<1x5x8xi8>) {
  // expected-error@below {{'input_zero_point' must be in -128..127, got 200}}
  %r = fusion.quantized_conv_bias_act {input_zero_point = 200 : i32} ins(%x, %w : tensor<1x3x9xi8>, tensor<5x3x2xi8>)
       outs(%e : tensor<1x5x8xi8>) -> tensor<1x5x8xi8>
  return
}

// -----

func.func @conv_size(%x: tensor<1x3x9xi8>, %w: tensor<5x3x2xi8>, %e: tensor<1x5x9xi8>) {
  // expected-error@below {{'init' must have size 8 in dimension 'w', got 9}}
  %r = fusion.quantized_conv_bias_act ins(%x, %w : tensor<1x3x9xi8>, tensor<5x3x2xi8>)
       outs(%e : tensor<1x5x9xi8>) -> tensor<1x5x9xi8>
  return
}

// -----

func.func @float_op_has_no_scale(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %s: tensor<5xf32>, %e: tensor<4x5xf32>) {
  // expected-error@below {{expected 'outs'}}
  %r = fusion.fused_matmul_bias_act ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) scale(%s : tensor<5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}
