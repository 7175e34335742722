// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// The inputs of the quantized ops and the constraints that they have beyond those of the
// fused ops, by their numbers in docs/QuantizedOps.md.

func.func @quantized_c1_sum_with_scale(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<1xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'scale'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<1xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @quantized_c1_sum_with_residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'residual'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @quantized_c1_sum_with_activation(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' may have no 'activation'}}
  %r = fusion.quantized_matmul_bias_act relu ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @quantized_c1_sum_with_float_bias(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<5xf32>, %e: tensor<4x5xi32>) {
  // expected-error@below {{with an i32 'init' must have an i32 'bias'}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xf32>)
       outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return
}

// -----

func.func @quantized_c2_scale_of_other_channels(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<4xf32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'scale' must have one element, or one per output channel (5), got 4}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<4xf32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c3_signed_input(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'input_zero_point' must be in -128..127, got 128}}
  %r = fusion.quantized_matmul_bias_act {input_zero_point = 128 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c3_unsigned_input(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'input_zero_point' must be in 0..255, got -1}}
  %r = fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = -1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c3_output(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_zero_point' must be in 0..255, got 256}}
  %r = fusion.quantized_matmul_bias_act {output_unsigned, output_zero_point = 256 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c3_residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_zero_point' must be in -128..127, got -129}}
  %r = fusion.quantized_matmul_bias_act {residual_zero_point = -129 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c4_output_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_zero_point' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_zero_point = 1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @quantized_c4_sign_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_unsigned' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @quantized_c5_output_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'output_scale' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0.5 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @quantized_c4_no_residual(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_zero_point' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {residual_zero_point = 1 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c5_residual_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xf32>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_scale' must come with an i8 operand}}
  %r = fusion.quantized_matmul_bias_act {residual_scale = 0.5 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xf32>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c6_zero(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0.0 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c6_negative(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'residual_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {residual_scale = -1.0 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c6_infinite(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'output_scale' must be positive and finite}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 0x7F800000 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c7_no_residual_behind(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{'round_activation' must come with 'residual_after_activation' and an i8 'init'}}
  %r = fusion.quantized_matmul_bias_act relu {round_activation} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_c7_result_of_a_float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xi8>, %e: tensor<4x5xf32>) {
  // expected-error@below {{'round_activation' must come with 'residual_after_activation' and an i8 'init'}}
  %r = fusion.quantized_matmul_bias_act relu {round_activation} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       residual_after_activation(%z : tensor<4x5xi8>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @quantized_i1_input_type(%x: tensor<4x7xf32>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #0 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xf32>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i2_filter_type(%x: tensor<4x7xi8>, %w: tensor<7x5xf32>, %e: tensor<4x5xi8>) {
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

func.func @quantized_i3_bias_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<5xbf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xbf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i4_scale_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<5xf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<5xf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i5_residual_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %z: tensor<4x5xbf16>, %e: tensor<4x5xi8>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%z : tensor<4x5xbf16>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i6_init_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi64>) {
  // expected-error@below {{operand #2 must be}}
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi64>) -> tensor<4x5xi64>
  return
}

// -----

func.func @quantized_c3_conv(%x: tensor<1x3x9xi8>, %w: tensor<5x3x2xi8>, %e: tensor<1x5x8xi8>) {
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

// -----

func.func @quantized_i7_input_zero_point_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'input_zero_point' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = fusion.quantized_matmul_bias_act {input_zero_point = 3 : i64} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i8_output_zero_point_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'output_zero_point' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = fusion.quantized_matmul_bias_act {output_zero_point = 3.0 : f32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i9_residual_zero_point_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'residual_zero_point' failed to satisfy constraint: 32-bit signless integer attribute}}
  %r = fusion.quantized_matmul_bias_act {residual_zero_point = 3 : i8} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i10_residual_scale_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'residual_scale' failed to satisfy constraint: 32-bit float attribute}}
  %r = fusion.quantized_matmul_bias_act {residual_scale = 1.0 : f64} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i11_output_scale_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'output_scale' failed to satisfy constraint: 32-bit float attribute}}
  %r = fusion.quantized_matmul_bias_act {output_scale = 2 : i32} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i12_input_unsigned_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'input_unsigned' failed to satisfy constraint: unit attribute}}
  %r = fusion.quantized_matmul_bias_act {input_unsigned = true} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i13_output_unsigned_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'output_unsigned' failed to satisfy constraint: unit attribute}}
  %r = fusion.quantized_matmul_bias_act {output_unsigned = 1 : i1} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i14_residual_unsigned_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'residual_unsigned' failed to satisfy constraint: unit attribute}}
  %r = fusion.quantized_matmul_bias_act {residual_unsigned = "yes"} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}

// -----

func.func @quantized_i15_round_activation_type(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi8>) {
  // expected-error@below {{attribute 'round_activation' failed to satisfy constraint: unit attribute}}
  %r = fusion.quantized_matmul_bias_act {round_activation = true} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>)
       outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return
}
