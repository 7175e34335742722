// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize --cse | FileCheck %s

// Every spelling of the addition of a bias without a reshape, either operand first
// (TVM 60).

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#none = affine_map<(d0, d1, d2, d3) -> ()>
#element = affine_map<(d0, d1, d2, d3) -> (0)>

// CHECK-LABEL: func @generic(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @generic(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @generic_swapped_operands(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @generic_swapped_operands(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @generic_swapped_addition(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @generic_swapped_addition(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p1, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The result of the convolution is the destination and is read.
// CHECK-LABEL: func @generic_accumulates_in_result(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @generic_accumulates_in_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %acc: f32):
    %s = arith.addf %acc, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @broadcast_add(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_add(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @broadcast_add_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_add_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// StableHLO: the bias at full size.
// CHECK-LABEL: func @generic_broadcast_add(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @generic_broadcast_add(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Arithmetic on whole tensors.
// CHECK-LABEL: func @broadcast_arith_add(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_arith_add(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = arith.addf %c, %u : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @broadcast_arith_add_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_arith_add_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = arith.addf %u, %c : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The destination is the result of the convolution: one user, read once.
// CHECK-LABEL: func @broadcast_into_result(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_into_result(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%c : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @broadcast_in_two_steps(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @broadcast_in_two_steps(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e0 = tensor.empty() : tensor<2x5xf32>
  %u0 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e0 : tensor<2x5xf32>) dimensions = [0]
  %u = linalg.broadcast ins(%u0 : tensor<2x5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [2, 3]
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Channels-last, then transposed.
// CHECK-LABEL: func @transposed_broadcast(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @transposed_broadcast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e0 = tensor.empty() : tensor<2x7x10x5xf32>
  %u0 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e0 : tensor<2x7x10x5xf32>) dimensions = [0, 1, 2]
  %u = linalg.transpose ins(%u0 : tensor<2x7x10x5xf32>) outs(%e : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @elementwise(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @elementwise(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @elementwise_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @elementwise_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#channel, #all, #all]
         ins(%b, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @map(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @map(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.map {arith.addf} ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @map_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @map_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.map {arith.addf} ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %r : tensor<2x5x7x10xf32>
}

// c - b is c + (-b).
// CHECK-LABEL: func @subtraction(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[B]] : tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[N]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @subtraction(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.sub ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @subtraction_of_constant(
// CHECK:         %[[N:.*]] = arith.constant dense<[-1.000000e+00, 2.000000e+00, -3.000000e+00, 4.000000e+00, -5.000000e+00]> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[N]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @subtraction_of_constant(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %b = arith.constant dense<[1.0, -2.0, 3.0, -4.0, 5.0]> : tensor<5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = arith.subf %c, %u : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One number, as a constant of full size.
// CHECK-LABEL: func @splat_constant(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @splat_constant(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = arith.constant dense<2.5> : tensor<2x5x7x10xf32>
  %r = arith.addf %c, %u : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @splat_constant_generic(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @splat_constant_generic(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %u = arith.constant dense<2.5> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @constant_in_body(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @constant_in_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %n = arith.constant 2.5 : f32
    %s = arith.addf %p0, %n : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @constant_captured(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @constant_captured(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = arith.constant 2.5 : f32
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.addf %n, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @fill(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @fill(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = arith.constant 2.5 : f32
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.fill ins(%n : f32) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @rank_0_constant(
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e+00> : tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rank_0_constant(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %n = arith.constant dense<2.5> : tensor<f32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A number known at run time.
// CHECK-LABEL: func @rank_0_tensor(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: tensor<f32>)
// CHECK:         %[[S:.*]] = tensor.extract %[[N]][] : tensor<f32>
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[S]] : f32) outs(%{{.*}} : tensor<5xf32>) -> tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rank_0_tensor(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %n: tensor<f32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @scalar_captured(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: f32)
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs(%{{.*}} : tensor<5xf32>) -> tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scalar_captured(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %n: f32) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %s = arith.addf %p0, %n : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @scalar_operand(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: f32)
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs(%{{.*}} : tensor<5xf32>) -> tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scalar_operand(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %n: f32) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<2x5x7x10xf32>, f32) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @one_element(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: tensor<1xf32>)
// CHECK:         %[[S:.*]] = tensor.extract %[[N]][{{.*}}] : tensor<1xf32>
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[S]] : f32) outs(%{{.*}} : tensor<5xf32>) -> tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_element(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %n: tensor<1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #element, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<2x5x7x10xf32>, tensor<1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The bias is computed behind the convolution.
// CHECK-LABEL: func @bias_defined_later(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[V:.*]] = linalg.exp ins(%[[B]] :
// CHECK-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_defined_later(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e0 = tensor.empty() : tensor<5xf32>
  %d = linalg.exp ins(%b : tensor<5xf32>) outs(%e0 : tensor<5xf32>) -> tensor<5xf32>
  %u = linalg.broadcast ins(%d : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.add ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @bias_of_the_input(
// CHECK:         %[[V:.*]] = tensor.extract_slice
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_of_the_input(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %i = tensor.extract_slice %x[0, 0, 0, 0] [1, 1, 1, 5] [1, 1, 1, 1] : tensor<2x3x9x11xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %i : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
