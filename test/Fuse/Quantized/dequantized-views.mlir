// Filters that are reshaped behind their dequantisation: those of depthwise convolutions, which
// get a dimension for the input channel, and of groups.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --implicit-check-not=linalg.generic

// CHECK-LABEL: func @depthwise(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x9x8x3xi8>, %[[W:[^:]*]]: tensor<3x2x3xi8>
// CHECK:         %[[S:.*]] = arith.constant dense<[6.250000e-02, 3.125000e-02, 1.250000e-01]> : tensor<3xf32>
// CHECK:         %[[F:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<3x2x3xi8> into tensor<3x2x1x3xi8>
// CHECK:         fusion.quantized_conv_bias_act {{.*}}ins(%[[X]], %[[F]] : tensor<1x9x8x3xi8>, tensor<3x2x1x3xi8>) scale(%[[S]] : tensor<3xf32>)
func.func @depthwise(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3xi8>) -> tensor<1x4x7x3xf32> {
  %ws = arith.constant dense<[0.5, 0.25, 1.0]> : tensor<3xf32>
  %sx = arith.constant 0.125 : f32
  %zx = arith.constant 5 : i32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x3xf32>
  %ew = tensor.empty() : tensor<3x2x3xf32>
  %e = tensor.empty() : tensor<1x4x7x3xf32>
  %xd = linalg.generic {indexing_maps = [affine_map<(n, h, w, c) -> (n, h, w, c)>, affine_map<(n, h, w, c) -> (n, h, w, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%ex : tensor<1x9x8x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x9x8x3xf32>
  %wd = linalg.generic {indexing_maps = [affine_map<(h, w, c) -> (h, w, c)>, affine_map<(h, w, c) -> (c)>, affine_map<(h, w, c) -> (h, w, c)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x3xi8>, tensor<3xf32>) outs(%ew : tensor<3x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x3xf32>) -> tensor<1x4x7x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x3xf32>, tensor<3x2x3xf32>) outs(%f : tensor<1x4x7x3xf32>) -> tensor<1x4x7x3xf32>
  return %r : tensor<1x4x7x3xf32>
}

// The channels of a group and the groups are two dimensions, which the op has as one.
// CHECK-LABEL: func @groups(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x4x9x8xi8>, %[[W:[^:]*]]: tensor<6x2x3x2xi8>
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 2 {{.*}}ins(%[[X]], %[[W]] : tensor<1x4x9x8xi8>, tensor<6x2x3x2xi8>) scale(%{{.*}} : tensor<6xf32>)
func.func @groups(%x: tensor<1x4x9x8xi8>, %w: tensor<6x2x3x2xi8>) -> tensor<1x2x3x7x7xf32> {
  %ws = arith.constant dense<[0.5, 0.25, 1.0, 2.0, 0.125, 4.0]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x4x9x8xf32>
  %ew = tensor.empty() : tensor<6x2x3x2xf32>
  %e = tensor.empty() : tensor<1x2x3x7x7xf32>
  %xd = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x9x8xi8>) outs(%ex : tensor<1x4x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x9x8xf32>
  %wd = linalg.generic {indexing_maps = [affine_map<(f, c, h, w) -> (f, c, h, w)>, affine_map<(f, c, h, w) -> (f)>, affine_map<(f, c, h, w) -> (f, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<6x2x3x2xi8>, tensor<6xf32>) outs(%ew : tensor<6x2x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<6x2x3x2xf32>
  %xg = tensor.expand_shape %xd [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 9, 8] : tensor<1x4x9x8xf32> into tensor<1x2x2x9x8xf32>
  %wg = tensor.expand_shape %wd [[0, 1], [2], [3], [4]] output_shape [2, 3, 2, 3, 2] : tensor<6x2x3x2xf32> into tensor<2x3x2x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x7x7xf32>) -> tensor<1x2x3x7x7xf32>
  %r = linalg.conv_2d_ngchw_gfchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xg, %wg : tensor<1x2x2x9x8xf32>, tensor<2x3x2x3x2xf32>) outs(%f : tensor<1x2x3x7x7xf32>) -> tensor<1x2x3x7x7xf32>
  return %r : tensor<1x2x3x7x7xf32>
}
