// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// The addition of a tensor that has the size of the result: the residual. TVM 75.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#unit = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @add(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @add_swapped(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.add ins(%s, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @arith(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @arith(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.addf %s, %c : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @map(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @map(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.map {arith.addf} ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %r : tensor<2x5x7x10xf32>
}

// The convolution's result is added to the contents of the destination.
// CHECK-LABEL: func @accumulates(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @accumulates(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%s : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// torch-mlir writes 0 for a batch of one, on both operands.
// CHECK-LABEL: func @unit_batch_map(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<1x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<1x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @unit_batch_map(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#unit, #unit, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// Bias, residual and activation, one op each.
// CHECK-LABEL: func @bias_residual_relu(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_residual_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %t = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = linalg.add ins(%s, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%u, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The residual first, then the bias: a sum has no order.
// CHECK-LABEL: func @residual_then_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @residual_then_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.add ins(%s, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%u, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// All in one body, as linalg-fuse-elementwise-ops leaves it.
// CHECK-LABEL: func @one_body(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %b, %c : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %t = arith.addf %p2, %p1 : f32
    %u = arith.addf %p0, %t : f32
    %v = arith.maximumf %u, %zero : f32
    linalg.yield %v : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A bottleneck: the skip is a fusion op itself and has two users. The convolution
// at the end takes it as residual, whichever operand it is.
// CHECK-LABEL: func @skip_first(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{[^)]*}}) residual(%[[A]] :
// CHECK-NEXT:    return %[[R]]
func.func @skip_first(%x: tensor<2x5x7x10xf32>, %w: tensor<5x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.max ins(%a, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%b, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%b, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @skip_second(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{[^)]*}}) residual(%[[A]] :
// CHECK-NEXT:    return %[[R]]
func.func @skip_second(%x: tensor<2x5x7x10xf32>, %w: tensor<5x5x1x1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.max ins(%a, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%b, %w : tensor<2x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Two branches, each with a convolution: the later one takes the sum.
// CHECK-LABEL: func @branches(
// CHECK-SAME:    %[[V:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%{{[a-z0-9]*}}, %[[V]] : {{[^)]*}}) outs(
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%{{[a-z0-9]*}}, %[[W]] : {{[^)]*}}) residual(%[[A]] :
// CHECK-NEXT:    return %[[R]]
func.func @branches(%x: tensor<2x3x9x11xf32>, %v: tensor<5x3x3x2xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%a, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An earlier convolution with its own activation, and one that adds to it.
// CHECK-LABEL: func @branches_relu_first(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[A]] :
// CHECK-NEXT:    return %[[R]]
func.func @branches_relu_first(%x: tensor<2x3x9x11xf32>, %v: tensor<5x3x3x2xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = linalg.max ins(%a, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%b, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The tensor that is added is computed behind the convolution.
// CHECK-LABEL: func @residual_defined_later(
// CHECK:         %[[S:.*]] = linalg.exp
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] :
// CHECK-NEXT:    return %[[R]]
func.func @residual_defined_later(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.exp ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A tensor of f32 is added to the accumulator of a bf16 convolution.
// CHECK-LABEL: func @f32_into_bf16(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x5x7x10xf32>) outs({{[^)]*}}) -> tensor<2x5x7x10xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @f32_into_bf16(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xbf16> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t = linalg.add ins(%c, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.truncf %t : tensor<2x5x7x10xf32> to tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}
