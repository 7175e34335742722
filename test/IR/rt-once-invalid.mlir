// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// `fusion.rt.once` and the release of it: what they refuse.

func.func @once_of_nothing(%w: tensor<5x3xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{'callee' must name a function, got @nowhere}}
  %r = fusion.rt.once @nowhere(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

fusion.rt.create @site #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

func.func @once_of_a_call_site(%w: tensor<5x3xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{'callee' must name a function, got @site}}
  %r = fusion.rt.once @site(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func private @constants(tensor<5x3xf32>, tensor<5xf32>) -> tensor<3x5xf32>

func.func @too_few_constants(%w: tensor<5x3xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{'constants' must have the types of the arguments of constants}}
  %r = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func private @constants(tensor<5x3xf32>, tensor<5xf32>) -> tensor<3x5xf32>

func.func @constants_in_another_order(%w: tensor<5x3xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{'constants' must have the types of the arguments of constants}}
  %r = fusion.rt.once @constants(%b, %w) : (tensor<5xf32>, tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func private @constants(tensor<5x3xf32>) -> tensor<3x5xf32>

func.func @result_of_another_type(%w: tensor<5x3xf32>) -> tensor<3x5xf64> {
  // expected-error@below {{results must have the types of those of constants}}
  %r = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf64>
  return %r : tensor<3x5xf64>
}

// -----

func.func private @constants(tensor<5x3xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)

func.func @too_few_results(%w: tensor<5x3xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{results must have the types of those of constants}}
  %r = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func private @constants(tensor<?x3xf32>) -> tensor<3x5xf32>

func.func @dynamic_constant(%w: tensor<?x3xf32>) -> tensor<3x5xf32> {
  // expected-error@below {{operand #0 must be variadic of}}
  %r = fusion.rt.once @constants(%w) : (tensor<?x3xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func private @constants(tensor<5x3xf32>) -> tensor<?x5xf32>

func.func @dynamic_result(%w: tensor<5x3xf32>) -> tensor<?x5xf32> {
  // expected-error@below {{result #0 must be variadic of}}
  %r = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// -----

func.func private @constants(f32) -> tensor<3x5xf32>

func.func @scalar(%s: f32) -> tensor<3x5xf32> {
  // expected-error@below {{operand #0 must be variadic of}}
  %r = fusion.rt.once @constants(%s) : (f32) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// -----

func.func @release_of_nothing() {
  // expected-error@below {{'callee' must name a function, got @nowhere}}
  fusion.rt.release @nowhere once
  return
}

// -----

func.func private @constants(tensor<5x3xf32>) -> tensor<3x5xf32>

func.func @release_of_a_function() {
  // expected-error@below {{'callee' must name a 'fusion.rt.create', got @constants}}
  fusion.rt.release @constants
  return
}
