// RUN: fusion-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor))' \
// RUN:   | fusion-opt --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,canonicalize,cse),linalg-fuse-elementwise-ops)' \
// RUN:   | fusion-opt --fusion-optimize=propagate-layout=false | FileCheck %s

// Activations as TOSA has them, behind a convolution whose biases bring values to
// both sides of every bound.

// CHECK-LABEL: func @relu6(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @relu6(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.clamp %v {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @sigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.sigmoid %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @tanh(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.tanh %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @abs(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act abs strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @abs(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.abs %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @exp(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act exp strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @exp(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.exp %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @silu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @silu(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %s = tosa.sigmoid %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %v, %s, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @swish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.702000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @swish(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<1.702> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %v, %k0, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %s = tosa.sigmoid %m : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %s, %v, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @leaky_relu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act leaky_relu(1.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @leaky_relu(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<0.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %v, %k0, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %q = tosa.greater_equal %v, %k1 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xi1>
  %r = tosa.select %q, %v, %m : (tensor<1x6x13x5xi1>, tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @leaky_relu_maximum(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act leaky_relu(1.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @leaky_relu_maximum(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<0.1> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %v, %k0, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %r = tosa.maximum %m, %v : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @elu(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(1.000000e+00) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @elu(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %u = tosa.exp %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %s = tosa.sub %u, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %q = tosa.greater %v, %k1 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xi1>
  %r = tosa.select %q, %v, %s : (tensor<1x6x13x5xi1>, tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @hardswish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.166666672> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %v, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %b = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %b, %k1, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %v, %m, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @hardswish_product_first(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardswish_product_first(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.166666672> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %v, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %b = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %v, %b, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %m, %k1, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @hardsigmoid(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.166666672> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %v, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %b = tosa.clamp %a {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %b, %k1, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @gelu_erf(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_erf(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<0.707106769> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k2 = "tosa.const"() {values = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %v, %k0, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %e = tosa.erf %m : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %e, %k1 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %h = tosa.mul %v, %k2, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %h, %a, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @gelu_tanh(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_tanh strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @gelu_tanh(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<3.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k1 = "tosa.const"() {values = dense<0.044715> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k2 = "tosa.const"() {values = dense<0.797884583> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k3 = "tosa.const"() {values = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %k4 = "tosa.const"() {values = dense<0.5> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %c = tosa.pow %v, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %k = tosa.mul %c, %k1, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %v, %k : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %m = tosa.mul %a, %k2, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %t = tosa.tanh %m : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %o = tosa.add %t, %k3 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %h = tosa.mul %o, %k4, %shift : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %v, %h, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @softplus(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @softplus(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %u = tosa.exp %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %u, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.log %a : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @mish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act mish strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @mish(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %k0 = "tosa.const"() {values = dense<1.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %u = tosa.exp %v : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %a = tosa.add %u, %k0 : (tensor<1x6x13x5xf32>, tensor<1x1x1x1xf32>) -> tensor<1x6x13x5xf32>
  %l = tosa.log %a : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %t = tosa.tanh %l : (tensor<1x6x13x5xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %v, %t, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}

// CHECK-LABEL: func @square(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act square strides [2, 1] pad_low [1, 0] pad_high [2, 3] layouts(nhwc, fhwc, nhwc) ins({{[^)]*}}) bias(
// CHECK-NEXT:    return %[[R]]
func.func @square(%image: tensor<1x10x11x3xf32>, %filter: tensor<5x3x2x3xf32>) -> tensor<1x6x13x5xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "tosa.const"() {values = dense<[-5.0, -2.0, 0.1, 2.5, 7.0]> : tensor<5xf32>} : () -> tensor<5xf32>
  %v = tosa.conv2d %image, %filter, %bias, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 2, 0, 3>, stride = array<i64: 2, 1>} : (tensor<1x10x11x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x13x5xf32>
  %r = tosa.mul %v, %v, %shift : (tensor<1x6x13x5xf32>, tensor<1x6x13x5xf32>, tensor<1xi8>) -> tensor<1x6x13x5xf32>
  return %r : tensor<1x6x13x5xf32>
}
