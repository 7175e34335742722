// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// Text of the fused ops that does not parse.

func.func @twice(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{attribute 'activation' is given twice}}
  fusion.fused_matmul_bias_act relu {activation = #fusion.activation<tanh>}
    ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @parameters_missing(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{expected '('}}
  fusion.fused_matmul_bias_act clip ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @bounds_crossed(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{lower bound of 'clip' must not exceed the upper (1.000000e+00), got 2.000000e+00}}
  fusion.fused_matmul_bias_act clip(2.0, 1.0) ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @two_layouts(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{expected ','}}
  fusion.fused_matmul_bias_act layouts(mk, kn) ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @no_window(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{expected 'ins'}}
  fusion.fused_matmul_bias_act strides [1] ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @unknown_activation(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  // expected-error@below {{expected 'ins'}}
  fusion.fused_conv_bias_act softsign ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

func.func @no_list(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  // expected-error@below {{expected '['}}
  fusion.fused_conv_bias_act strides 1 ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

func.func @no_number(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  // expected-error@below {{expected integer value}}
  fusion.fused_conv_bias_act groups two ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

func.func @one_input(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  // expected-error@below {{expected 2 operands}}
  fusion.fused_conv_bias_act ins(%x : memref<1x3x9xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

func.func @one_type(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  // expected-error@below {{number of operands and types do not match: got 2 operands and 1 types}}
  fusion.fused_conv_bias_act ins(%x, %w : memref<1x3x9xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// -----

func.func @unknown_letter(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{a layout must have letters of "bcdfghkmnw", got "mx"}}
  fusion.fused_matmul_bias_act layouts(mx, kn, mn) ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// -----

func.func @unknown_letter_in_a_string(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  // expected-error@below {{a layout must have letters of "bcdfghkmnw", got "mx"}}
  fusion.fused_matmul_bias_act {input_layout = "mx"} ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}
