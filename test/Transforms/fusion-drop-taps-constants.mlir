// RUN: fusion-opt %s --fusion-drop-taps | FileCheck %s
// RUN: fusion-opt %s --fusion-drop-taps --fusion-hoist-constants | FileCheck %s --check-prefix=HOISTED

// Constant filters are cut at compile time, whatever holds their elements.

// CHECK-LABEL: func.func @dense(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[}}[2.000000e+00, 3.000000e+00, 4.000000e+00]], {{\[\[}}8.000000e+00, 9.000000e+00, 1.000000e+01]]]> : tensor<2x1x3xf32>
// CHECK-NOT:     tensor.extract_slice
// CHECK:         fusion.fused_conv_bias_act dilations [2] pad_low [1] pad_high [2] ins(%{{.*}}, %[[W]] :
func.func @dense(%x: tensor<3x1x4xf32>) -> tensor<3x2x3xf32> {
  %w = arith.constant dense<[[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]], [[6.0, 7.0, 8.0, 9.0, 10.0, 11.0]]]> : tensor<2x1x6xf32>
  %e = tensor.empty() : tensor<3x2x3xf32>
  %c = fusion.fused_conv_bias_act dilations [2] pad_low [5] pad_high [4]
         ins(%x, %w : tensor<3x1x4xf32>, tensor<2x1x6xf32>) outs(%e : tensor<3x2x3xf32>) -> tensor<3x2x3xf32>
  return %c : tensor<3x2x3xf32>
}

// Outer dimensions of the tensor are cut, and inner ones stay: rows of 3 elements.
// CHECK-LABEL: func.func @integers(
// CHECK:         arith.constant dense<{{\[\[\[\[}}13, 14, 15], [16, -17, 18]]]]> : tensor<1x1x2x3xi8>
// CHECK:         fusion.quantized_conv_bias_act
func.func @integers(%x: tensor<3x1x1x2xi8>) -> tensor<3x1x1x3xi32> {
  %w = arith.constant dense<[[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], [[[13, 14, 15], [16, -17, 18]], [[19, 20, 21], [22, 23, 24]]]]> : tensor<2x2x2x3xi8>
  %e = tensor.empty() : tensor<3x1x1x3xi32>
  %c = fusion.quantized_conv_bias_act pad_low [1, 0] pad_high [0, 1] layouts(nhwc, hwcf, nhwc) {input_zero_point = 3 : i32}
         ins(%x, %w : tensor<3x1x1x2xi8>, tensor<2x2x2x3xi8>) outs(%e : tensor<3x1x1x3xi32>) -> tensor<3x1x1x3xi32>
  return %c : tensor<3x1x1x3xi32>
}

// Elements of two bytes in a resource: 1 to 6.
// CHECK-LABEL: func.func @resource(
// CHECK:         arith.constant dense<{{\[\[}}[2.000000e+00]], {{\[\[}}5.000000e+00]]]> : tensor<2x1x1xbf16>
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @resource(%x: tensor<3x1x1xbf16>) -> tensor<3x2x1xbf16> {
  %w = arith.constant dense_resource<filter> : tensor<2x1x3xbf16>
  %e = tensor.empty() : tensor<3x2x1xbf16>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<3x1x1xbf16>, tensor<2x1x3xbf16>) outs(%e : tensor<3x2x1xbf16>) -> tensor<3x2x1xbf16>
  return %c : tensor<3x2x1xbf16>
}

// CHECK-LABEL: func.func @splat(
// CHECK:         arith.constant dense<2.500000e+00> : tensor<2x1x1xf32>
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @splat(%x: tensor<3x1x1xf32>) -> tensor<3x2x1xf32> {
  %w = arith.constant dense<2.5> : tensor<2x1x3xf32>
  %e = tensor.empty() : tensor<3x2x1xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<3x1x1xf32>, tensor<2x1x3xf32>) outs(%e : tensor<3x2x1xf32>) -> tensor<3x2x1xf32>
  return %c : tensor<3x2x1xf32>
}

// Another op goes on to read the whole constant.
// CHECK-LABEL: func.func @shared(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[}}[1.000000e+00, 2.000000e+00, 3.000000e+00]]]>
// CHECK-DAG:     %[[V:.*]] = arith.constant dense<2.000000e+00> : tensor<1x1x1xf32>
// CHECK-DAG:     fusion.fused_conv_bias_act ins(%{{.*}}, %[[V]] :
// CHECK-DAG:     fusion.fused_conv_bias_act pad_low [1] pad_high [1] ins(%{{.*}}, %[[W]] :
func.func @shared(%x: tensor<3x1x1xf32>, %y: tensor<3x1x7xf32>) -> (tensor<3x1x1xf32>, tensor<3x1x7xf32>) {
  %w = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %e = tensor.empty() : tensor<3x1x1xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<3x1x1xf32>, tensor<1x1x3xf32>) outs(%e : tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %f = tensor.empty() : tensor<3x1x7xf32>
  %d = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%y, %w : tensor<3x1x7xf32>, tensor<1x1x3xf32>) outs(%f : tensor<3x1x7xf32>) -> tensor<3x1x7xf32>
  return %c, %d : tensor<3x1x1xf32>, tensor<3x1x7xf32>
}

// A weight that is an argument is cut once, before the first call needs it.
// HOISTED-LABEL: func.func @weight(
// HOISTED-SAME:    %[[W:[a-z0-9]*]]: tensor<2x1x3xf32>
// HOISTED:         %[[V:.*]] = fusion.rt.once @weight_constants(%[[W]])
// HOISTED:         fusion.fused_conv_bias_act ins(%{{.*}}, %[[V]] :
// HOISTED:       func.func private @weight_constants(
// HOISTED:         tensor.extract_slice %{{.*}}[0, 0, 1] [2, 1, 1]
func.func @weight(%x: tensor<3x1x1xf32>, %w: tensor<2x1x3xf32> {fusion.constant}) -> tensor<3x2x1xf32> {
  %e = tensor.empty() : tensor<3x2x1xf32>
  %c = fusion.fused_conv_bias_act pad_low [1] pad_high [1]
         ins(%x, %w : tensor<3x1x1xf32>, tensor<2x1x3xf32>) outs(%e : tensor<3x2x1xf32>) -> tensor<3x2x1xf32>
  return %c : tensor<3x2x1xf32>
}

{-#
  dialect_resources: {
    builtin: {
      filter: "0x02000000803F004040408040A040C040"
    }
  }
#-}
