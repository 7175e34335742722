// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=COUNT
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=partly

// More spellings of a batch norm.

// COUNT-COUNT-13: fusion.fused_conv_bias_act
// COUNT-NOT:     fusion.fused_conv_bias_act
// EXPLAIN-COUNT-13: : fused: {{.*}}bn

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// x / sqrt(v + eps): each way to write the root.
// CHECK-LABEL: func @rsqrt(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rsqrt(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.rsqrt %0 : f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @rsqrt_first(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rsqrt_first(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.rsqrt %0 : f32
    %2 = arith.mulf %1, %p0 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @divided_by_sqrt(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @divided_by_sqrt(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.sqrt %0 : f32
    %2 = arith.divf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @one_over_sqrt(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_over_sqrt(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.sqrt %0 : f32
    %2 = arith.divf %one, %1 : f32
    %3 = arith.mulf %p0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @power_minus_half(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @power_minus_half(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %h = arith.constant -0.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.powf %0, %h : f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @divided_by_power(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @divided_by_power(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %h = arith.constant 0.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.powf %0, %h : f32
    %2 = arith.divf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The last word stays bn.
// CHECK-LABEL: func @negated(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @negated(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.rsqrt %0 : f32
    %2 = arith.mulf %p0, %1 : f32
    %3 = arith.negf %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Named ops of linalg.
// CHECK-LABEL: func @named_ops(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @named_ops(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %ve = linalg.add ins(%v, %eps : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %sd = linalg.sqrt ins(%ve : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %u0 = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t0 = linalg.sub ins(%c, %u0 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u1 = linalg.broadcast ins(%sd : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t1 = linalg.div ins(%t0, %u1 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u2 = linalg.broadcast ins(%g : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t2 = linalg.mul ins(%t1, %u2 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u3 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t3 = linalg.add ins(%t2, %u3 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%t3, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// StableHLO with primitive ops: linalg.map.
// CHECK-LABEL: func @maps(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @maps(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %ve = linalg.map { arith.addf } ins(%v, %eps : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>)
  %rs = linalg.map { math.rsqrt } ins(%ve : tensor<5xf32>) outs(%e1 : tensor<5xf32>)
  %u0 = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t0 = linalg.map { arith.subf } ins(%c, %u0 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  %u1 = linalg.broadcast ins(%rs : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t1 = linalg.map { arith.mulf } ins(%t0, %u1 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  %u2 = linalg.broadcast ins(%g : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t2 = linalg.map { arith.mulf } ins(%t1, %u2 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  %u3 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t3 = linalg.map { arith.addf } ins(%t2, %u3 : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %t3 : tensor<2x5x7x10xf32>
}

// linalg.elementwise, operands the other way round.
// CHECK-LABEL: func @elementwise(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @elementwise(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %ve = linalg.add ins(%eps, %v : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %rs = linalg.elementwise kind=#linalg.elementwise_kind<rsqrt> ins(%ve : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %nm = linalg.negf ins(%m : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %t0 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#channel, #all, #all]
         ins(%nm, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t1 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#channel, #all, #all]
         ins(%rs, %t0 : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t2 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#channel, #all, #all]
         ins(%g, %t1 : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %t3 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#channel, #all, #all]
         ins(%b, %t2 : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %t3 : tensor<2x5x7x10xf32>
}

// arith and math on whole tensors.
// CHECK-LABEL: func @tensor_arith(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_arith(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<5xf32>
  %half = arith.constant dense<-0.5> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %ve = arith.addf %v, %eps : tensor<5xf32>
  %rs = math.powf %ve, %half : tensor<5xf32>
  %u0 = linalg.broadcast ins(%m : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t0 = arith.subf %c, %u0 : tensor<2x5x7x10xf32>
  %u1 = linalg.broadcast ins(%rs : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t1 = arith.mulf %t0, %u1 : tensor<2x5x7x10xf32>
  %u2 = linalg.broadcast ins(%g : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t2 = arith.mulf %t1, %u2 : tensor<2x5x7x10xf32>
  %u3 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %t3 = arith.addf %t2, %u3 : tensor<2x5x7x10xf32>
  return %t3 : tensor<2x5x7x10xf32>
}

// Simplified before: scale = gamma / sqrt(v + eps), shift = beta - mean * scale on
// the channels, x * scale + shift on the image.
// CHECK-LABEL: func @scale_and_shift(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scale_and_shift(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant dense<1.0e-5> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %ve = arith.addf %v, %eps : tensor<5xf32>
  %sd = math.sqrt %ve : tensor<5xf32>
  %s = arith.divf %g, %sd : tensor<5xf32>
  %ms = arith.mulf %m, %s : tensor<5xf32>
  %t = arith.subf %b, %ms : tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %t : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.addf %0, %p2 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The same, all in one body.
// CHECK-LABEL: func @everything_in_one_body(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @everything_in_one_body(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.addf %p4, %eps : f32
    %1 = math.sqrt %0 : f32
    %2 = arith.divf %p1, %1 : f32
    %3 = arith.mulf %p3, %2 : f32
    %4 = arith.subf %p2, %3 : f32
    %5 = arith.mulf %p0, %2 : f32
    %6 = arith.addf %5, %4 : f32
    %7 = arith.maximumf %6, %zero : f32
    linalg.yield %7 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
