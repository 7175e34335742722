// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// An activation behind an activation goes in if the two are one that is known.

// tanh(max(x, 0)) is none of the activations, tanh(x) is another function.
// CHECK-LABEL: func @relu_tanh(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(
// CHECK-NEXT:    linalg.tanh ins(%[[R]]
func.func @relu_tanh(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.tanh ins(%t0 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The other way round.
// CHECK-LABEL: func @tanh_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh strides [2, 1] ins(
// CHECK-NEXT:    linalg.max ins(%[[R]],
func.func @tanh_relu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.tanh ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t0, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @relu_square(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(
// CHECK-NEXT:    linalg.square ins(%[[R]]
func.func @relu_square(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.square ins(%t0 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @abs_sqrt(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act abs strides [2, 1] ins(
// CHECK-NEXT:    linalg.sqrt ins(%[[R]]
func.func @abs_sqrt(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.abs ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.sqrt ins(%t0 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// max(exp(x), 0) is exp(x).
// CHECK-LABEL: func @exp_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act exp strides [2, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @exp_relu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t0, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// So is the absolute value of a number that is not negative.
// CHECK-LABEL: func @relu_abs(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @relu_abs(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.abs ins(%t0 : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Two that are one together.
// CHECK-LABEL: func @relu_relu6(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) strides [2, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @relu_relu6(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %six = arith.constant dense<6.0> : tensor<2x5x7x10xf32>
  %r = linalg.min ins(%t0, %six : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @relu_twice(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @relu_twice(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t0 = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t0, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
