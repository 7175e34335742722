// RUN: fusion-opt %s | fusion-opt | FileCheck %s

// Each activation with as many parameters as it has.

// CHECK: func.func private @relu() attributes {a = #fusion.activation<relu>}
func.func private @relu() attributes {a = #fusion.activation<relu>}
// CHECK: func.func private @clip() attributes {a = #fusion.activation<clip, -1.500000e+00, 6.000000e+00>}
func.func private @clip() attributes {a = #fusion.activation<clip, -1.5, 6.0>}
// CHECK: func.func private @clip_2() attributes {a = #fusion.activation<clip, 0.000000e+00, 0.000000e+00>}
func.func private @clip_2() attributes {a = #fusion.activation<clip, 0.0, 0.0>}
// CHECK: func.func private @leaky_relu() attributes {a = #fusion.activation<leaky_relu, 0.00999999977>}
func.func private @leaky_relu() attributes {a = #fusion.activation<leaky_relu, 0.01>}
// CHECK: func.func private @elu() attributes {a = #fusion.activation<elu, 1.000000e+00>}
func.func private @elu() attributes {a = #fusion.activation<elu, 1.0>}
// CHECK: func.func private @sigmoid() attributes {a = #fusion.activation<sigmoid>}
func.func private @sigmoid() attributes {a = #fusion.activation<sigmoid>}
// CHECK: func.func private @tanh() attributes {a = #fusion.activation<tanh>}
func.func private @tanh() attributes {a = #fusion.activation<tanh>}
// CHECK: func.func private @swish() attributes {a = #fusion.activation<swish, 1.702000e+00>}
func.func private @swish() attributes {a = #fusion.activation<swish, 1.702>}
// CHECK: func.func private @hardswish() attributes {a = #fusion.activation<hardswish>}
func.func private @hardswish() attributes {a = #fusion.activation<hardswish>}
// CHECK: func.func private @hardsigmoid() attributes {a = #fusion.activation<hardsigmoid, 0.166666672, 5.000000e-01>}
func.func private @hardsigmoid() attributes {a = #fusion.activation<hardsigmoid, 0.16666667, 0.5>}
// CHECK: func.func private @gelu_erf() attributes {a = #fusion.activation<gelu_erf>}
func.func private @gelu_erf() attributes {a = #fusion.activation<gelu_erf>}
// CHECK: func.func private @gelu_tanh() attributes {a = #fusion.activation<gelu_tanh>}
func.func private @gelu_tanh() attributes {a = #fusion.activation<gelu_tanh>}
// CHECK: func.func private @softplus() attributes {a = #fusion.activation<softplus>}
func.func private @softplus() attributes {a = #fusion.activation<softplus>}
// CHECK: func.func private @mish() attributes {a = #fusion.activation<mish>}
func.func private @mish() attributes {a = #fusion.activation<mish>}
// CHECK: func.func private @abs() attributes {a = #fusion.activation<abs>}
func.func private @abs() attributes {a = #fusion.activation<abs>}
// CHECK: func.func private @square() attributes {a = #fusion.activation<square>}
func.func private @square() attributes {a = #fusion.activation<square>}
// CHECK: func.func private @sqrt() attributes {a = #fusion.activation<sqrt>}
func.func private @sqrt() attributes {a = #fusion.activation<sqrt>}
// CHECK: func.func private @exp() attributes {a = #fusion.activation<exp>}
func.func private @exp() attributes {a = #fusion.activation<exp>}

// An open end is written as an infinity.

// CHECK: func.func private @clip_3() attributes {a = #fusion.activation<clip, -inf, inf>}
func.func private @clip_3() attributes {a = #fusion.activation<clip, -inf, inf>}

// A number that f32 cannot hold exactly is rounded once, and then stays as it is.

// CHECK: func.func private @clip_4() attributes {a = #fusion.activation<clip, -3.40282347E+38, 1.000000e-01>}
func.func private @clip_4() attributes {a = #fusion.activation<clip, -3.4028234663852886e38, 0.1>}

// The NaN modes.

// CHECK: func.func private @nan_modes() attributes {a = #fusion.nan<fast>, b = #fusion.nan<propagate>}
func.func private @nan_modes() attributes {a = #fusion.nan<fast>, b = #fusion.nan<propagate>}
