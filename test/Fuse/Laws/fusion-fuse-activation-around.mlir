// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize --cse | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="disable=activation propagate-layout=false" --mlir-print-op-generic | FileCheck %s --check-prefix=OFF

// Activations in several ops, and the ops around them.

// OFF-NOT: activation =

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#first = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#flat = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// The bias and a tensor come first, in ops of their own.
// CHECK-LABEL: func @bias_and_residual(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins({{[^)]*}}) bias(%{{[a-z0-9_]*}} : tensor<5xf32>) residual(%{{[a-z0-9_]*}} : tensor<2x5x6x13xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_and_residual(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %t: tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %b1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x6x13xf32>, tensor<5xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %s = arith.addf %in, %in_0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  %sum = linalg.add ins(%b1, %t : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%sum : tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %sum : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// A residual behind the activation is folded, too.
// CHECK-LABEL: func @residual_behind(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins({{[^)]*}}) bias({{[^)]*}}) residual_after_activation(%arg3 :
// CHECK-NEXT:    return %[[R]]
func.func @residual_behind(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %t: tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %b1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x6x13xf32>, tensor<5xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %s = arith.addf %in, %in_0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x6x13xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b1 : tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %b1 : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  %sum = linalg.add ins(%r, %t : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  return %sum : tensor<2x5x6x13xf32>
}

// A reshape in front of the ops; it is kept.
// CHECK-LABEL: func @behind_a_reshape(
// CHECK:         %[[F:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins(
// CHECK-NEXT:    %[[R:.*]] = tensor.collapse_shape %[[F]]
// CHECK-NEXT:    return %[[R]]
func.func @behind_a_reshape(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x78xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %v = tensor.collapse_shape %c [[0], [1], [2, 3]] : tensor<2x5x6x13xf32> into tensor<2x5x78xf32>
  %fe = tensor.empty() : tensor<2x5x78xf32>
  %fs = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%v : tensor<2x5x78xf32>) outs(%fe : tensor<2x5x78xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x78xf32>
  %fr = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%fs, %v : tensor<2x5x78xf32>, tensor<2x5x78xf32>) outs(%fe : tensor<2x5x78xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<2x5x78xf32>
  return %fr : tensor<2x5x78xf32>
}

// A batch of 1, read at index 0.
// CHECK-LABEL: func @batch_of_one(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins(
// CHECK-NEXT:    return %[[R]]
func.func @batch_of_one(%x: tensor<1x3x13x14xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x6x13xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x6x13xf32>) -> tensor<1x5x6x13xf32>
  %oe = tensor.empty() : tensor<1x5x6x13xf32>
  %os = linalg.generic {indexing_maps = [#first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<1x5x6x13xf32>) outs(%oe : tensor<1x5x6x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<1x5x6x13xf32>
  %or = linalg.generic {indexing_maps = [#first, #first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%os, %c : tensor<1x5x6x13xf32>, tensor<1x5x6x13xf32>) outs(%oe : tensor<1x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<1x5x6x13xf32>
  return %or : tensor<1x5x6x13xf32>
}

// Dynamic sizes, channels last.
// CHECK-LABEL: func @dynamic(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] layouts(nhwc, hwcf, nhwc) ins(
// CHECK-NEXT:    return %[[R]]
func.func @dynamic(%x: tensor<?x?x?x3xf32>, %w: tensor<3x2x3x5xf32>, %init: tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%init : tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<?x?x?x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<?x?x?x5xf32>) -> tensor<?x?x?x5xf32>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %batch = tensor.dim %init, %i0 : tensor<?x?x?x5xf32>
  %height = tensor.dim %init, %i1 : tensor<?x?x?x5xf32>
  %width = tensor.dim %init, %i2 : tensor<?x?x?x5xf32>
  %de = tensor.empty(%batch, %height, %width) : tensor<?x?x?x5xf32>
  %ds = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<?x?x?x5xf32>) outs(%de : tensor<?x?x?x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<?x?x?x5xf32>
  %dr = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%ds, %c : tensor<?x?x?x5xf32>, tensor<?x?x?x5xf32>) outs(%de : tensor<?x?x?x5xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<?x?x?x5xf32>
  return %dr : tensor<?x?x?x5xf32>
}

// Two convolutions, each with its activation in two ops.
// CHECK-LABEL: func @two_convolutions(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins(
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(%[[A]],
// CHECK-NEXT:    return %[[B]]
func.func @two_convolutions(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>, %w2: tensor<7x5x3x2xf32>) -> tensor<2x7x4x12xf32> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x5x6x13xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x7x4x12xf32>
  %c2 = linalg.conv_2d_nchw_fchw ins(%r, %w2 : tensor<2x5x6x13xf32>, tensor<7x5x3x2xf32>) outs(%z2 : tensor<2x7x4x12xf32>) -> tensor<2x7x4x12xf32>
  %ue = tensor.empty() : tensor<2x7x4x12xf32>
  %us = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c2 : tensor<2x7x4x12xf32>) outs(%ue : tensor<2x7x4x12xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %u = math.exp %n : f32
    %a = arith.addf %u, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<2x7x4x12xf32>
  %ur = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%us, %c2 : tensor<2x7x4x12xf32>, tensor<2x7x4x12xf32>) outs(%ue : tensor<2x7x4x12xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %m = arith.mulf %in, %in_0 : f32
    linalg.yield %m : f32
  } -> tensor<2x7x4x12xf32>
  return %ur : tensor<2x7x4x12xf32>
}

// All in one body: a bias, the activation, a rounding.
// CHECK-LABEL: func @one_body(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act mish strides [2, 1] ins({{[^)]*}}) bias({{.*}} -> tensor<2x5x6x13xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @one_body(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x6x13xbf16> {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %ne = tensor.empty() : tensor<2x5x6x13xbf16>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x6x13xf32>, tensor<5xf32>) outs(%ne : tensor<2x5x6x13xbf16>) {
  ^bb0(%in: f32, %in_0: f32, %out: bf16):
    %s = arith.addf %in, %in_0 : f32
    %u = math.exp %s : f32
    %l = math.log1p %u : f32
    %t = math.tanh %l : f32
    %m = arith.mulf %s, %t : f32
    %n = arith.truncf %m : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<2x5x6x13xbf16>
  return %r : tensor<2x5x6x13xbf16>
}

// All of x + 3, which is clamped, belongs to the activation, so that the 3 is no bias;
// a real bias is folded first.
// CHECK-LABEL: func @bias_and_hardswish(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardswish strides [2, 1] ins({{[^)]*}}) bias(%{{arg2|b}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_and_hardswish(%x: tensor<2x3x13x14xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x6x13xf32> {
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x13x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x6x13xf32>, tensor<5xf32>) outs(%e : tensor<2x5x6x13xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %s = arith.addf %in, %in_0 : f32
    %t = arith.addf %s, %three : f32
    %u = arith.maximumf %t, %zero : f32
    %v = arith.minimumf %u, %six : f32
    %q = arith.divf %v, %six : f32
    %m = arith.mulf %q, %s : f32
    linalg.yield %m : f32
  } -> tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}
