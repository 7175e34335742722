// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s --input-file=%t.mlir

// Activations in several ops, of which the last does more: the rest of it stays.
// The image is square, so that it can be transposed.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// The sum of silu and a tensor.
// CHECK-LABEL: func @silu_and_sum(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{[^)]*}}) residual_after_activation(%[[T]] :
// CHECK-NEXT:    return %[[R]]
func.func @silu_and_sum(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: fused: swish, residual{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c, %t : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %m = arith.mulf %p0, %p1 : f32
    %q = arith.addf %m, %p2 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// A scale behind it, and the operands in another order.
// CHECK-LABEL: func @scaled_silu(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[G]], %[[R]], %[[R]] :
// CHECK-NEXT:      ^bb0(%[[W:[a-z0-9_]*]]: f32, %[[V:[a-z0-9_]*]]: f32,
// CHECK-NEXT:      arith.mulf %[[W]], %[[V]]
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[Y]]
func.func @scaled_silu(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: swish; 'swish' comes before the scale{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%g, %c, %s : tensor<5xf32>, tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %m = arith.mulf %p1, %p2 : f32
    %q = arith.mulf %p0, %m : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// A function of the result alone that is no activation as a whole.
// CHECK-LABEL: func @sine_of_silu(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[R]] :
// CHECK-NEXT:      ^bb0(%[[V:[a-z0-9_]*]]: f32,
// CHECK-NEXT:      math.sin %[[V]]
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[Y]]
func.func @sine_of_silu(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: swish; next op 'linalg.generic' at {{.*}} neither scales nor adds to the result nor is an activation that is known{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %m = arith.mulf %p0, %p1 : f32
    %q = math.sin %m : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// Three ops, each of which is read by the next.
// CHECK-LABEL: func @softplus_and_product(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act softplus ins(
// CHECK-NEXT:    %[[Y:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[R]] :
// CHECK-NEXT:      ^bb0(%[[W:[a-z0-9_]*]]: f32, %[[V:[a-z0-9_]*]]: f32,
// CHECK-NEXT:      arith.mulf %[[V]], %[[W]]
// CHECK-NEXT:      linalg.yield
// CHECK:         return %[[Y]]
func.func @softplus_and_product(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: softplus; 'softplus' comes before the scale{{$}}
  %p = math.exp %c : tensor<2x5x7x7xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%p : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %q = arith.addf %p0, %one : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t, %s : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %m = math.log %p1 : f32
    %q = arith.mulf %m, %p0 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// Near misses. The sum comes first.
// CHECK-LABEL: func @sum_in_between(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[R]]
// CHECK:         return %[[Y]]
func.func @sum_in_between(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c, %t : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %m = arith.addf %p1, %p2 : f32
    %q = arith.mulf %m, %p0 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// The value in between is read again behind it.
// CHECK-LABEL: func @sigmoid_read_again(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[R]]
// CHECK:         return %[[Y]]
func.func @sigmoid_read_again(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %m = arith.mulf %p1, %p0 : f32
    %q = arith.subf %m, %p0 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// Or used elsewhere.
// CHECK-LABEL: func @sigmoid_used_too(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[R]]
// CHECK:         return %[[Y]]
func.func @sigmoid_used_too(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> (tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c, %t : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %m = arith.mulf %p1, %p0 : f32
    %q = arith.addf %m, %p2 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r, %s : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>
}

// It is read at other places.
// CHECK-LABEL: func @transposed_in_between(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[R]]
// CHECK:         return %[[Y]]
func.func @transposed_in_between(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#swapped, #all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c, %t : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %m = arith.mulf %p1, %p0 : f32
    %q = arith.addf %m, %p2 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}

// The last op accumulates into the value in between.
// CHECK-LABEL: func @accumulates_in_between(
// CHECK-SAME:    %[[G:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x7xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-NEXT:    %[[S:.*]] = linalg.generic {{.*}} ins(%[[R]] :
// CHECK:         %[[Y:.*]] = linalg.generic {{.*}} ins(%[[R]], %[[T]] : {{.*}} outs(%[[S]] :
// CHECK:         return %[[Y]]
func.func @accumulates_in_between(%x: tensor<2x3x9x8xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %t: tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x7xf32>
  %e = tensor.empty() : tensor<2x5x7x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x7xf32>) -> tensor<2x5x7x7xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.generic' at {{.*}}, 'linalg.generic' at {{.*}}{{$}}
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<2x5x7x7xf32>) outs(%e : tensor<2x5x7x7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x7x7xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %t : tensor<2x5x7x7xf32>, tensor<2x5x7x7xf32>) outs(%s : tensor<2x5x7x7xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %m = arith.mulf %p0, %out : f32
    %q = arith.addf %m, %p1 : f32
    linalg.yield %q : f32
  } -> tensor<2x5x7x7xf32>
  return %r : tensor<2x5x7x7xf32>
}
