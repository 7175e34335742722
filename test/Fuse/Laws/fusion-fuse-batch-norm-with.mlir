// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=COUNT
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=partly

// A batch norm behind convolutions of other kinds, and with other ops around it.

// COUNT-COUNT-8: fusion.fused_conv_bias_act
// COUNT-NOT:     fusion.fused_conv_bias_act
// EXPLAIN-COUNT-8: : fused: {{.*}}bn

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#first3 = affine_map<(d0, d1, d2) -> (d0)>
#r3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#r3_1 = affine_map<(d0, d1, d2) -> (d1)>
#r4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#r4_1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#r4_3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#r5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#r5_1 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>

// ResNet: batch norm, then the shortcut, then relu.
// CHECK-LABEL: func @residual_behind(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) residual(%{{[^)]*}} : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @residual_behind(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>, %t: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x7x10xf32>
  %h = linalg.add ins(%d, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%h : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.cmpf ugt, %p0, %zero : f32
    %1 = arith.select %0, %p0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Two in a row.
// CHECK-LABEL: func @twice(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>,
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins(%[[X]], %{{[^)]*}}) bias(%{{[^)]*}} : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @twice(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%c : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %g, %b, %m, %v : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%d : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// As linalg-fold-unit-extent-dims leaves it: the batch is gone from all but the
// convolution.
// CHECK-LABEL: func @unit_batch_folded(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "bn"} ins({{.*}} bias(
// CHECK-NEXT:    %[[Y:.*]] = tensor.collapse_shape %[[R]]
// CHECK-NEXT:    return %[[Y]]
func.func @unit_batch_folded(%x: tensor<1x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<5x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %c3 = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x5x7x10xf32> into tensor<5x7x10xf32>
  %e = tensor.empty() : tensor<5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all3, #first3, #first3, #first3, #first3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%c3, %g, %b, %m, %v : tensor<5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<5x7x10xf32>
  return %r : tensor<5x7x10xf32>
}

// CHECK-LABEL: func @depthwise(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 4 {fusion.folded = "bn"} ins({{.*}} bias(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @depthwise(%x: tensor<2x4x9x11xf32>, %w: tensor<4x3x2xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<2x4x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x7x10xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<2x4x9x11xf32>, tensor<4x3x2xf32>) outs(%z : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %r = linalg.generic {indexing_maps = [#r4, #r4_1, #r4_1, #r4_1, #r4_1, #r4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x4x7x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<2x4x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x4x7x10xf32>
  return %r : tensor<2x4x7x10xf32>
}

// CHECK-LABEL: func @depthwise_multiplier(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 4 layouts(nhwc, hwcf, nhwc) {fusion.folded = "bn"} ins({{.*}} bias(%{{.*}} : tensor<12xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @depthwise_multiplier(%x: tensor<2x9x11x4xf32>, %w: tensor<3x2x4x3xf32>, %g: tensor<12xf32>, %b: tensor<12xf32>, %m: tensor<12xf32>, %v: tensor<12xf32>) -> tensor<2x7x10x12xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x7x10x4x3xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x4xf32>, tensor<3x2x4x3xf32>) outs(%z : tensor<2x7x10x4x3xf32>) -> tensor<2x7x10x4x3xf32>
  %c = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<2x7x10x4x3xf32> into tensor<2x7x10x12xf32>
  %e = tensor.empty() : tensor<2x7x10x12xf32>
  %r = linalg.generic {indexing_maps = [#r4, #r4_3, #r4_3, #r4_3, #r4_3, #r4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x7x10x12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) outs(%e : tensor<2x7x10x12xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x7x10x12xf32>
  return %r : tensor<2x7x10x12xf32>
}

// CHECK-LABEL: func @grouped(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 {fusion.folded = "bn"} ins({{.*}} bias(%{{.*}} : tensor<10xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @grouped(%x: tensor<2x2x3x9x11xf32>, %w: tensor<2x5x3x3x2xf32>, %g: tensor<10xf32>, %b: tensor<10xf32>, %m: tensor<10xf32>, %v: tensor<10xf32>) -> tensor<2x10x7x10xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x2x5x7x10xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<2x2x3x9x11xf32>, tensor<2x5x3x3x2xf32>) outs(%z : tensor<2x2x5x7x10xf32>) -> tensor<2x2x5x7x10xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<2x2x5x7x10xf32> into tensor<2x10x7x10xf32>
  %e = tensor.empty() : tensor<2x10x7x10xf32>
  %r = linalg.generic {indexing_maps = [#r4, #r4_1, #r4_1, #r4_1, #r4_1, #r4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x10x7x10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) outs(%e : tensor<2x10x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x10x7x10xf32>
  return %r : tensor<2x10x7x10xf32>
}

// CHECK-LABEL: func @conv_1d(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins({{.*}} bias(%{{.*}} : tensor<5xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @conv_1d(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %g: tensor<5xf32>, %b: tensor<5xf32>, %m: tensor<5xf32>, %v: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#r3, #r3_1, #r3_1, #r3_1, #r3_1, #r3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x5x8xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv_3d(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins({{.*}} bias(%{{.*}} : tensor<4xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d(%x: tensor<2x3x5x7x6xf32>, %w: tensor<4x3x2x3x2xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<2x4x4x5x5xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<4x3x2x3x2xf32>) outs(%z : tensor<2x4x4x5x5xf32>) -> tensor<2x4x4x5x5xf32>
  %e = tensor.empty() : tensor<2x4x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#r5, #r5_1, #r5_1, #r5_1, #r5_1, #r5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<2x4x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<2x4x4x5x5xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<2x4x4x5x5xf32>
  return %r : tensor<2x4x4x5x5xf32>
}
