// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// A value that something else needs stays: nothing is computed twice.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// IR-LABEL: func @result_returned_too(
// IR:         %[[C:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) outs(
// IR:         %[[R:.*]] = linalg.max ins(%[[C]],
// IR:         return %[[R]], %[[C]]
func.func @result_returned_too(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: {{.*'(linalg.max|func.return)' at .*'(linalg.max|func.return)' at .*}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}

// The sum has two users: the bias goes in, neither activation does.
// IR-LABEL: func @sum_used_twice(
// IR:         %[[C:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias({{[^)]*}}) outs(
// IR:         %[[R:.*]] = linalg.max ins(%[[C]],
// IR:         %[[S:.*]] = linalg.tanh ins(%[[C]]
// IR:         return %[[R]], %[[S]]
func.func @sum_used_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; result has 2 users: {{.*}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.tanh ins(%t : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}

// Two users of the value between a reshape and the sum.
// IR-LABEL: func @reshape_used_twice(
// IR:         fusion.fused_conv_bias_act ins({{[^)]*}}) outs(
// IR:         tensor.collapse_shape
// IR:         linalg.tanh
func.func @reshape_used_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x70xf32>, tensor<2x5x70xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %v = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %e = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.tanh ins(%v : tensor<2x5x70xf32>) outs(%e : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r, %v : tensor<2x5x70xf32>, tensor<2x5x70xf32>
}

// TVM 62: silu in two ops: the product reads the sigmoid and the value.
// IR-LABEL: func @diamond(
// IR-COUNT-1: fusion.fused_conv_bias_act
// IR-NOT:     fusion.fused_conv_bias_act
// IR:         linalg.mul
func.func @diamond(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.mul ins(%t, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A user whose result nothing needs is no user.
// IR-LABEL: func @dead_user(
// IR:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// IR-NEXT:    return %[[R]]
func.func @dead_user(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :{{[0-9]+}}:8: fused: relu{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %dead = linalg.tanh ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 63: two convolutions in a row, each with its own relu: the second does not swallow
// the first, nor the first the second.
// IR-LABEL: func @chain(
// IR:         %[[A:.*]] = fusion.fused_conv_bias_act relu ins(
// IR-NEXT:    %[[B:.*]] = fusion.fused_conv_bias_act relu ins(
// IR-SAME:      %[[A]],
// IR-NEXT:    return %[[B]]
func.func @chain(%x: tensor<2x5x7x10xf32>, %w: tensor<5x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: relu{{$}}
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: relu{{$}}
  %s = linalg.max ins(%d, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %s : tensor<2x5x7x10xf32>
}

// An assertion of torch-mlir stands between convolution and sum.
// IR-LABEL: func @assertion_between(
// IR:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(
// IR-NEXT:    return %[[R]]
func.func @assertion_between(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %false = arith.constant false
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :{{[0-9]+}}:8: fused: bias{{$}}
  %ok = arith.cmpi eq, %false, %false : i1
  cf.assert %ok, "training is not supported for now"
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
