// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// Attributes that do not parse or do not verify, and attributes of function
// arguments.

// expected-error@below {{unknown activation 'swoosh'}}
func.func private @activation_unknown() attributes {a = #fusion.activation<swoosh>}

// -----

// expected-error@below {{expected ','}}
func.func private @activation_parameter_missing() attributes {a = #fusion.activation<clip, 0.0>}

// -----

// expected-error@below {{expected '>'}}
func.func private @activation_parameter_too_many() attributes {a = #fusion.activation<relu, 0.0>}

// -----

// expected-error@below {{unexpected decimal integer literal for a floating point value}}
// expected-note@below {{add a trailing dot to make the literal a float}}
func.func private @activation_parameter_integer() attributes {a = #fusion.activation<clip, 0, 6>}

// -----

// expected-error@below {{expected floating point literal}}
func.func private @activation_parameter_word() attributes {a = #fusion.activation<clip, low, high>}

// -----

// expected-error@below {{parameters of 'leaky_relu' must not be NaN}}
func.func private @activation_parameter_nan() attributes {a = #fusion.activation<leaky_relu, 0x7FC00000>}

// -----

// expected-error@below {{lower bound of 'clip' must not exceed the upper (-1.000000e+00), got 6.000000e+00}}
func.func private @clip_bounds_reversed() attributes {a = #fusion.activation<clip, 6.0, -1.0>}

// -----

// expected-error@below {{a layout must have letters of "bcdfghkmnw", got "nchx"}}
func.func private @layout_letter_unknown() attributes {a = #fusion.layout<nchx>}

// -----

// expected-error@below {{a layout must have each letter once, got "nhhw"}}
func.func private @layout_letter_twice() attributes {a = #fusion.layout<nhhw>}

// -----

// expected-error@below {{expected valid keyword}}
func.func private @layout_string() attributes {a = #fusion.layout<"nchw">}

// -----

// expected-error@below {{expected ::fusion::NaNMode to be one of: fast, propagate}}
// expected-error@below {{failed to parse Fusion_NaNModeAttr parameter 'value'}}
func.func private @nan_mode_unknown() attributes {a = #fusion.nan<exact>}

// -----

// expected-error@below {{'fusion.constant' must be a unit attribute, got true}}
func.func @constant_argument_with_a_value(%w: tensor<6xf32> {fusion.constant = true}) {
  return
}

// -----

// expected-error@below {{'fusion.name' must be a string, got 1 : i32}}
func.func @name_argument_with_a_number(%w: tensor<6xf32> {fusion.name = 1 : i32}) {
  return
}

// -----

// expected-error@below {{unknown argument attribute "fusion.weight"}}
func.func @unknown_argument_attribute(%w: tensor<6xf32> {fusion.weight}) {
  return
}
