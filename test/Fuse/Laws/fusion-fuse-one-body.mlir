// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Bodies that do several things, as linalg-fuse-elementwise-ops leaves them: the first
// steps are folded, one by one, and the rest stays.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// CHECK-LABEL: func @bias_relu(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    %q = arith.cmpf ugt, %s, %zero : f32
    %t = arith.select %q, %s, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// torch-mlir's batch norm names the convolution's result twice, as operand and as
// destination, and reads it once. That is one user.
// CHECK-LABEL: func @destination_is_the_result(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @destination_is_the_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    %t = arith.maximumf %s, %zero : f32
    %u = arith.minimumf %t, %six : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// (x - mean) * gamma and the relu behind it go in one by one.
// CHECK-LABEL: func @bias_then_scale(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[G:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[B]] :
// CHECK:         %[[WS:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[G]] :
// CHECK:           arith.mulf
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[G]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_then_scale(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %g: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %g : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %s = arith.subf %p0, %p1 : f32
    %t = arith.mulf %s, %p2 : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// relu goes in, the sum behind it stays.
// CHECK-LABEL: func @relu_then_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[B]] :
// CHECK-NEXT:      ^bb0(%[[V:[a-z0-9_]*]]: f32, %[[W:[a-z0-9_]*]]: f32,
// CHECK-NEXT:      arith.addf %[[V]], %[[W]]
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[Y]]
func.func @relu_then_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.maximumf %p0, %zero : f32
    %t = arith.addf %s, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An op that accumulates in its destination: the destination is the value.
// CHECK-LABEL: func @value_is_the_destination(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[G:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} outs(%[[R]] : tensor<2x5x7x10xf32>)
// CHECK:           arith.mulf
// CHECK:         return %[[Y]]
func.func @value_is_the_destination(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %g: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b, %g : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %acc: f32):
    %s = arith.addf %acc, %p0 : f32
    %t = arith.mulf %s, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The sum goes in, the product with a tensor of the result's size stays.
// CHECK-LABEL: func @bias_then_product(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[G:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias(%[[N]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], {{.*}}%[[G]] :
// CHECK-NEXT:      ^bb0(%[[V:[a-z0-9_]*]]: f32,
// CHECK-NOT:       arith.subf
// CHECK:           arith.mulf %[[V]],
// CHECK:           arith.maximumf
// CHECK:         return %[[Y]]
func.func @bias_then_product(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %g: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %g : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %s = arith.subf %p0, %p1 : f32
    %t = arith.mulf %s, %p2 : f32
    %u = arith.maximumf %t, %zero : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A rounding in the middle: the value becomes bf16, the destination is f32.
// CHECK-LABEL: func @rounded_in_the_destination(
// CHECK:         fusion.fused_conv_bias_act
// CHECK:         return
func.func @rounded_in_the_destination(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%acc: f32):
    %s = arith.truncf %acc : f32 to bf16
    %t = arith.extf %s : bf16 to f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The value is read by the sum and by the product: nothing goes in.
// CHECK-LABEL: func @read_twice(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]],
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:         return %[[Y]]
func.func @read_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    %t = arith.mulf %s, %p0 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The same tensor through two operands of one op: one user, but read twice.
// CHECK-LABEL: func @read_by_two_operands(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
// CHECK:         return
func.func @read_by_two_operands(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %c, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %s = arith.addf %p0, %p2 : f32
    %t = arith.mulf %s, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The addend is a sum: each part of it is folded.
// CHECK-LABEL: func @sum_of_residual_and_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @sum_of_residual_and_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %t = arith.addf %p1, %p2 : f32
    %u = arith.addf %p0, %t : f32
    %v = arith.maximumf %u, %zero : f32
    linalg.yield %v : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A bias is subtracted from a residual.
// CHECK-LABEL: func @difference_of_residual_and_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias(%[[N]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @difference_of_residual_and_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %t = arith.subf %p1, %p2 : f32
    %u = arith.addf %t, %p0 : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// In c + ((s + (b + 2)) + b) the first bias is a sum itself.
// CHECK-LABEL: func @nested_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[B]] :
// CHECK:         %[[A:.*]] = linalg.add ins(%[[B]], %[[V]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias(%[[A]] : tensor<5xf32>) residual(%[[S]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @nested_sum(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %two = arith.constant 2.0 : f32
    %t = arith.addf %p2, %two : f32
    %u = arith.addf %p1, %t : f32
    %v = arith.addf %u, %p2 : f32
    %q = arith.addf %v, %p0 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// In c - (s + b) the bias is folded; the tensor that is subtracted is not.
// CHECK-LABEL: func @subtracted_sum(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) bias(%[[N]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[S]],
// CHECK-NEXT:      ^bb0(%[[V:[a-z0-9_]*]]: f32, %[[W:[a-z0-9_]*]]: f32,
// CHECK-NEXT:      arith.subf %[[V]], %[[W]]
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[Y]]
func.func @subtracted_sum(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %t = arith.addf %p1, %p2 : f32
    %u = arith.subf %p0, %t : f32
    linalg.yield %u : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The sum of residual and bias is needed as it is.
// CHECK-LABEL: func @sum_read_twice(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins({{[^)]*}}) outs(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[S]], %[[B]] :
// CHECK:         return %[[Y]]
func.func @sum_read_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %t = arith.addf %p1, %p2 : f32
    %u = arith.addf %p0, %t : f32
    %v = arith.mulf %u, %t : f32
    linalg.yield %v : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
