// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s

// Each activation as arithmetic in f32; Integration/activations.test executes them.

// CHECK-LABEL: func @relu(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.maximumf
// CHECK:         return
func.func @relu(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @clip(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK:         return
func.func @clip(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<clip, -1.0, 2.5>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @leaky_relu(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.mulf
// CHECK-DAG:       arith.cmpf ogt
// CHECK-DAG:       arith.select
// CHECK:         return
func.func @leaky_relu(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<leaky_relu, 0.1>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @elu(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.expm1
// CHECK-DAG:       arith.mulf
// CHECK-DAG:       arith.cmpf ogt
// CHECK-DAG:       arith.select
// CHECK:         return
func.func @elu(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<elu, 0.5>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @sigmoid(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.negf
// CHECK-DAG:       math.exp
// CHECK-DAG:       arith.addf
// CHECK-DAG:       arith.divf
// CHECK:         return
func.func @sigmoid(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<sigmoid>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @tanh(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.tanh
// CHECK:         return
func.func @tanh(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<tanh>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @swish(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.exp
// CHECK-DAG:       arith.divf
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @swish(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<swish, 1.5>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @hardswish(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @hardswish(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<hardswish>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @hardsigmoid(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.mulf
// CHECK-DAG:       arith.addf
// CHECK-DAG:       arith.maximumf
// CHECK-DAG:       arith.minimumf
// CHECK:         return
func.func @hardsigmoid(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<hardsigmoid, 0.2, 0.5>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @gelu_erf(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.erf
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @gelu_erf(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<gelu_erf>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.tanh
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @gelu_tanh(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<gelu_tanh>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @softplus(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.exp
// CHECK-DAG:       math.log1p
// CHECK:         return
func.func @softplus(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<softplus>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @mish(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.log1p
// CHECK-DAG:       math.tanh
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @mish(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<mish>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @abs(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.absf
// CHECK:         return
func.func @abs(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<abs>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @square(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       arith.mulf
// CHECK:         return
func.func @square(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<square>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @sqrt(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.sqrt
// CHECK:         return
func.func @sqrt(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<sqrt>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @exp(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-DAG:       math.exp
// CHECK:         return
func.func @exp(%x: tensor<2x3x9xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<exp>}
         ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}
