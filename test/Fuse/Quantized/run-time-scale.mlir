// A sum that is scaled by numbers that only a call knows: they become the scale of the op.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=arith.sitofp
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | grep -c 'fusion.quantized.* scale(' | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}5{{$}}
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact | FileCheck %s --check-prefix=EXACT

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m1 = affine_map<(d0, d1, d2, d3) -> (d1)>

// As torch-mlir writes ONNX: a scale that is computed in the op.
// CHECK-LABEL: func @computed(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[W:[a-z0-9]*]]: tensor<7x6xi8>, %[[SX:[a-z0-9]*]]: tensor<f32>
// CHECK:         %[[V:.*]] = linalg.fill
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<6xf32>)
// CHECK:           arith.mulf
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], %[[W]] : {{.*}}) scale(%[[S]] : tensor<6xf32>) outs({{.*}} : tensor<5x6xf32>)
// EXACT-LABEL: func @computed(
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} scale(
func.func @computed(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %sx: tensor<f32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.03 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %sx : tensor<5x6xi32>, tensor<f32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %s: f32, %out: f32):
    %0 = arith.mulf %s, %sw : f32
    %1 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %1, %0 : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// One for each channel, in front of a bias and a relu, which are folded, too.
// CHECK-LABEL: func @channels(
// CHECK-SAME:      %[[S:[a-z0-9]*]]: tensor<4xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] ins({{.*}}) bias(%[[B]] : tensor<4xf32>) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x4x7xf32>)
// EXACT-LABEL: func @channels(
// EXACT:         fusion.quantized_conv_bias_act {{.*}} scale(
func.func @channels(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<1x4x4x7xi32>
  %e = tensor.empty() : tensor<1x4x4x7xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %q = linalg.generic {indexing_maps = [#m, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s : tensor<1x4x4x7xi32>, tensor<4xf32>) outs(%e : tensor<1x4x4x7xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x7xf32>
  %a = linalg.generic {indexing_maps = [#m, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %b : tensor<1x4x4x7xf32>, tensor<4xf32>) outs(%e : tensor<1x4x4x7xf32>) {
  ^bb0(%in: f32, %bi: f32, %out: f32):
    %0 = arith.addf %in, %bi : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x7xf32>
  return %a : tensor<1x4x4x7xf32>
}

// Two products, which round twice: the formula has one.
// CHECK-LABEL: func @two(
// CHECK-SAME:      %[[SX:[a-z0-9]*]]: tensor<f32>, %[[SW:[a-z0-9]*]]: tensor<6xf32>
// CHECK:         %[[S:.*]] = linalg.mul ins({{.*}}, %[[SW]] :
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>)
// EXACT-LABEL: func @two(
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} scale(
// EXACT:         arith.mulf
func.func @two(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %sx: tensor<f32>, %sw: tensor<6xf32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #s, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %sx, %sw : tensor<5x6xi32>, tensor<f32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %s: f32, %t: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %s, %0 : f32
    %2 = arith.mulf %1, %t : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// Scaled, with a bias and a bound behind it, in one op.
// CHECK-LABEL: func @one_op(
// CHECK-SAME:      %[[S:[a-z0-9]*]]: tensor<4xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] ins({{.*}}) bias(%[[B]] : tensor<4xf32>) scale(%[[S]] : tensor<4xf32>) outs(%{{.*}} : tensor<1x4x4x7xf32>)
// EXACT-LABEL: func @one_op(
// EXACT:         fusion.quantized_conv_bias_act {{.*}} scale(
// EXACT:         arith.addf
func.func @one_op(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x4x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<1x4x4x7xi32>
  %e = tensor.empty() : tensor<1x4x4x7xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  %q = linalg.generic {indexing_maps = [#m, #m1, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s, %b : tensor<1x4x4x7xi32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<1x4x4x7xf32>) {
  ^bb0(%in: i32, %sc: f32, %bi: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.addf %1, %bi : f32
    %3 = arith.maximumf %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<1x4x4x7xf32>
  return %q : tensor<1x4x4x7xf32>
}

// Quantised again.
// CHECK-LABEL: func @requantised(
// CHECK-SAME:      %[[S:[a-z0-9]*]]: tensor<6xf32>)
// CHECK:         fusion.quantized_matmul_bias_act {output_zero_point = 5 : i32} ins({{.*}}) scale(%[[S]] : tensor<6xf32>) outs(%{{.*}} : tensor<5x6xi8>)
// EXACT-LABEL: func @requantised(
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} scale(
func.func @requantised(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xi8> {
  %zp = arith.constant 5.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %sc: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zp : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
