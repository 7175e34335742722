// The output channel in two dimensions, group and channel: a bias varies along one of them or both.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=addi
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | FileCheck %s --check-prefix=GENERIC --implicit-check-not=addi
// Ops of their own: a broadcast is read by a generic op behind a reshape.
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-fuse-quantized | FileCheck %s --check-prefix=GENERIC --implicit-check-not=addi
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fold-unit-extent-dims --canonicalize --cse --fusion-fuse-quantized | FileCheck %s --check-prefix=GENERIC --implicit-check-not=addi
// GENERIC-COUNT-7: fusion.quantized_{{.*}} bias(
// GENERIC:         fusion.quantized_{{.*}} scale({{.*}}xi8>{{$}}
// GENERIC-NOT:     fusion.quantized

#o = affine_map<(n, h, w, c, m) -> (n, h, w, c, m)>
#m = affine_map<(n, h, w, c, m) -> (m)>
#g = affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>
#fg = affine_map<(n, g, f, h, w) -> (f, g)>

// The accumulator.
// CHECK-LABEL: func @both(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<3x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act {{.*}} bias(%[[V]] : tensor<15xi32>)
func.func @both(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<3x5xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %f = linalg.broadcast ins(%b : tensor<3x5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) dimensions = [0, 1, 2]
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%f : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  return %c : tensor<2x6x7x3x5xi32>
}

// CHECK-LABEL: func @group(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<3xi32>)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<3xi32>) outs(%{{.*}} : tensor<3x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[W]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act {{.*}} bias(%[[V]] : tensor<15xi32>)
func.func @group(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<3xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %f = linalg.broadcast ins(%b : tensor<3xi32>) outs(%e : tensor<2x6x7x3x5xi32>) dimensions = [0, 1, 2, 4]
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%f : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  return %c : tensor<2x6x7x3x5xi32>
}

// A reshape of the accumulator takes back that of the result.
// CHECK-LABEL: func @expanded(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<15xi32>)
// CHECK:         fusion.quantized_conv_bias_act {{.*}} bias(%[[B]] : tensor<15xi32>)
func.func @expanded(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<15xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x15xi32>
  %v = linalg.broadcast ins(%b : tensor<15xi32>) outs(%e : tensor<2x6x7x15xi32>) dimensions = [0, 1, 2]
  %f = tensor.expand_shape %v [[0], [1], [2], [3, 4]] output_shape [2, 6, 7, 3, 5] : tensor<2x6x7x15xi32> into tensor<2x6x7x3x5xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%f : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  return %c : tensor<2x6x7x3x5xi32>
}

// An op behind. The bias of the accumulator is one more.
// CHECK-LABEL: func @channel(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<5xi32>)
// CHECK:         %[[K:.*]] = arith.constant dense<{{\[}}1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<15xi32>
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<5xi32>) outs(%{{.*}} : tensor<3x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[W]]
// CHECK:         %[[S:.*]] = linalg.add ins(%[[K]], %[[V]] :
// CHECK:         fusion.quantized_conv_bias_act {{.*}} bias(%[[S]] : tensor<15xi32>)
func.func @channel(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<5xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %k = arith.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15]]> : tensor<3x5xi32>
  %f = linalg.broadcast ins(%k : tensor<3x5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) dimensions = [0, 1, 2]
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%f : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  %r = linalg.generic {indexing_maps = [#m, #o, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%b, %c : tensor<5xi32>, tensor<2x6x7x3x5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %in, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<2x6x7x3x5xi32>
  return %r : tensor<2x6x7x3x5xi32>
}

// A named op adds.
// CHECK-LABEL: func @named(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<5xi32>) outs(%{{.*}} : tensor<3x5xi32>)
// CHECK:         fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<15xi32>)
func.func @named(%x: tensor<2x13x8x3xi8>, %w: tensor<3x2x3x5xi8>, %b: tensor<5xi32>) -> tensor<2x6x7x3x5xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x6x7x3x5xi32>
  %z = arith.constant dense<0> : tensor<2x6x7x3x5xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<2x13x8x3xi8>, tensor<3x2x3x5xi8>, i32, i32) outs(%z : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  %v = linalg.broadcast ins(%b : tensor<5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) dimensions = [0, 1, 2, 3]
  %r = linalg.add ins(%v, %c : tensor<2x6x7x3x5xi32>, tensor<2x6x7x3x5xi32>) outs(%e : tensor<2x6x7x3x5xi32>) -> tensor<2x6x7x3x5xi32>
  return %r : tensor<2x6x7x3x5xi32>
}

// The bias has channels in front of groups.
// CHECK-LABEL: func @swapped(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<5x2xi32>)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<5x2xi32>) outs(%{{.*}} : tensor<2x5xi32>)
// CHECK:         fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%{{.*}} : tensor<10xi32>)
func.func @swapped(%x: tensor<1x2x3x10x8xi8>, %w: tensor<2x5x3x3x2xi8>, %b: tensor<5x2xi32>) -> tensor<1x2x5x8x7xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x2x5x8x7xi32>
  %e = tensor.empty() : tensor<1x2x5x8x7xi32>
  %c = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x2x3x10x8xi8>, tensor<2x5x3x3x2xi8>, i32, i32) outs(%z : tensor<1x2x5x8x7xi32>) -> tensor<1x2x5x8x7xi32>
  %r = linalg.generic {indexing_maps = [#fg, #g, #g], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%b, %c : tensor<5x2xi32>, tensor<1x2x5x8x7xi32>) outs(%e : tensor<1x2x5x8x7xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %in, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<1x2x5x8x7xi32>
  return %r : tensor<1x2x5x8x7xi32>
}

// Constants stay constants, which one op may add that also quantises.
// CHECK-LABEL: func @requantised(
// CHECK:         arith.constant dense<[70, -900, 3000, 11, 240, 70, -900, 3000, 11, 240]> : tensor<10xi32>
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%{{.*}} : tensor<10xi32>) scale({{.*}}) outs(%{{.*}} : tensor<1x10x8x7xi8>)
// CHECK:         tensor.expand_shape %[[R]]
func.func @requantised(%x: tensor<1x2x3x10x8xi8>, %w: tensor<2x5x3x3x2xi8>) -> tensor<1x2x5x8x7xi8> {
  %b = arith.constant dense<[70, -900, 3000, 11, 240]> : tensor<5xi32>
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant 0.002 : f32
  %zo = arith.constant 4.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<1x2x5x8x7xi32>
  %e = tensor.empty() : tensor<1x2x5x8x7xi8>
  %e32 = tensor.empty() : tensor<1x2x5x8x7xi32>
  %c = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x2x3x10x8xi8>, tensor<2x5x3x3x2xi8>, i32, i32) outs(%z : tensor<1x2x5x8x7xi32>) -> tensor<1x2x5x8x7xi32>
  %v = linalg.broadcast ins(%b : tensor<5xi32>) outs(%e32 : tensor<1x2x5x8x7xi32>) dimensions = [0, 1, 3, 4]
  %a = linalg.add ins(%c, %v : tensor<1x2x5x8x7xi32>, tensor<1x2x5x8x7xi32>) outs(%e32 : tensor<1x2x5x8x7xi32>) -> tensor<1x2x5x8x7xi32>
  %r = linalg.generic {indexing_maps = [#g, #g], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x2x5x8x7xi32>) outs(%e : tensor<1x2x5x8x7xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x2x5x8x7xi8>
  return %r : tensor<1x2x5x8x7xi8>
}

// Scales of the channels of a group, too.
// CHECK-LABEL: func @scaled(
// CHECK:         arith.constant dense<[6.250000e-02, 1.250000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00, 6.250000e-02, 1.250000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00]> : tensor<10xf32>
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act groups 2 {{.*}} scale({{.*}}) outs(%{{.*}} : tensor<1x10x8x7xi8>)
// CHECK:         tensor.expand_shape %[[R]]
func.func @scaled(%x: tensor<1x2x3x10x8xi8>, %w: tensor<2x5x3x3x2xi8>) -> tensor<1x2x5x8x7xi8> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant dense<[0.0625, 0.125, 0.25, 0.5, 1.0]> : tensor<5xf32>
  %zo = arith.constant 4.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<1x2x5x8x7xi32>
  %e = tensor.empty() : tensor<1x2x5x8x7xi8>
  %c = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x2x3x10x8xi8>, tensor<2x5x3x3x2xi8>, i32, i32) outs(%z : tensor<1x2x5x8x7xi32>) -> tensor<1x2x5x8x7xi32>
  %r = linalg.generic {indexing_maps = [#g, affine_map<(n, g, c, h, w) -> (c)>, #g], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%c, %s : tensor<1x2x5x8x7xi32>, tensor<5xf32>) outs(%e : tensor<1x2x5x8x7xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x2x5x8x7xi8>
  return %r : tensor<1x2x5x8x7xi8>
}
