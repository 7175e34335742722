// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// The addition of a tensor that has the size of the result, behind the activation.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @add(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%a, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @add_swapped(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%s, %a : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @arith(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @arith(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.addf %a, %s : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The activation and the sum in one op.
// CHECK-LABEL: func @one_body(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %k = arith.constant 0.0 : f32
    %m = arith.maximumf %i, %k : f32
    %n = arith.addf %j, %m : f32
    linalg.yield %n : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Behind a reshape of the result.
// CHECK-LABEL: func @collapsed(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x70xf32>)
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[S]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%[[E]] : tensor<2x5x7x10xf32>) outs(
func.func @collapsed(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x70xf32>) -> tensor<2x5x70xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %f = tensor.collapse_shape %a [[0], [1], [2, 3]] : tensor<2x5x7x10xf32> into tensor<2x5x70xf32>
  %g = tensor.empty() : tensor<2x5x70xf32>
  %r = linalg.add ins(%f, %s : tensor<2x5x70xf32>, tensor<2x5x70xf32>) outs(%g : tensor<2x5x70xf32>) -> tensor<2x5x70xf32>
  return %r : tensor<2x5x70xf32>
}

// A rounding that follows is folded; nothing else is.
// CHECK-LABEL: func @rounded(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) residual_after_activation(%{{.*}} : tensor<2x5x7x10xf32>) outs({{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @rounded(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%a, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.truncf %t : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// Of two fusion ops the later one takes the sum.
// CHECK-LABEL: func @both_activated(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act relu ins(%arg0, %arg1
// CHECK:         fusion.fused_conv_bias_act relu ins(%arg0, %arg2 : {{[^)]*}}) residual_after_activation(%[[F]] :
// CHECK-NEXT:    return
func.func @both_activated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.max ins(%d, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%a, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// If one has no activation it takes the sum, so that a relu can follow.
// CHECK-LABEL: func @one_activated(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act relu ins(%arg0, %arg2
// CHECK:         fusion.fused_conv_bias_act relu ins(%arg0, %arg1 : {{[^)]*}}) residual(%[[F]] :
// CHECK-NEXT:    return
func.func @one_activated(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.max ins(%d, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%c, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The same where the other one comes first, and the one without still has its bias apart.
// CHECK-LABEL: func @one_activated_first(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act relu ins(%arg0, %arg1
// CHECK:         fusion.fused_conv_bias_act relu ins(%arg0, %arg2 : {{[^)]*}}) bias({{.*}}) residual(%[[F]] :
// CHECK-NEXT:    return
func.func @one_activated_first(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %g = linalg.add ins(%d, %f : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%a, %g : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @one_activated_last(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act relu ins(%arg0, %arg1
// CHECK:         fusion.fused_conv_bias_act relu ins(%arg0, %arg2 : {{[^)]*}}) bias({{.*}}) residual(%[[F]] :
// CHECK-NEXT:    return
func.func @one_activated_last(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %f = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %g = linalg.add ins(%d, %f : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%a, %g : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// If the one without activation is needed elsewhere, the other takes the sum.
// CHECK-LABEL: func @other_has_two_users(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act ins(%arg0, %arg2
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%arg0, %arg1 : {{[^)]*}}) residual_after_activation(%[[F]] :
// CHECK-NEXT:    return %[[R]], %[[F]]
func.func @other_has_two_users(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5x3x3x2xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%a, %d : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r, %d : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @matmul(
// CHECK:         fusion.fused_matmul_bias_act tanh ins({{[^)]*}}) residual_after_activation(%arg2 :
// CHECK-NEXT:    return
func.func @matmul(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %s: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %z = arith.constant dense<0.0> : tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = math.tanh %c : tensor<4x5xf32>
  %r = arith.addf %a, %s : tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
