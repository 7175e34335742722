// Dequantisations into which upstream has merged a transpose. Integration/fuse-dequantized.test
// executes them.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

#nchw = affine_map<(n, c, h, w) -> (n, c, h, w)>
#nhwc = affine_map<(n, c, h, w) -> (n, h, w, c)>
#channel = affine_map<(f, c, h, w) -> (f)>
#second = affine_map<(n, c, h, w) -> (c)>
#hwcf = affine_map<(f, c, h, w) -> (h, w, c, f)>

// CHECK-LABEL: func @both(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<2x9x8x3xi8>, %[[W:[^:]*]]: tensor<3x2x3x5xi8>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[XT:.*]] = linalg.transpose ins(%[[X]] : {{.*}} permutation = [0, 3, 1, 2]
// CHECK:         %[[WT:.*]] = linalg.transpose ins(%[[W]] : {{.*}} permutation = [3, 2, 0, 1]
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {input_zero_point = -6 : i32} ins(%[[XT]], %[[WT]] :
// CHECK-NOT:     linalg.generic
// EXPLAIN: fused: dequantize
func.func @both(%x: tensor<2x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<2x5x4x7xf32> {
  %sx = arith.constant 0.125 : f32
  %zx = arith.constant -6.0 : f32
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#nhwc, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x8x3xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x9x8xf32>
  %sw = arith.constant dense<[0.5, 0.25, 1.0, 2.0, 0.125]> : tensor<5xf32>
  %ew = tensor.empty() : tensor<5x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#hwcf, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x5xi8>, tensor<5xf32>) outs(%ew : tensor<5x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x3x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0.0> : tensor<2x5x4x7xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// Two tensors are no dequantisation.
// CHECK-LABEL: func @two_tensors(
// CHECK:         linalg.generic
// EXPLAIN: input is not dequantised:
func.func @two_tensors(%x: tensor<2x9x8x3xi8>, %y: tensor<2x3x9x8xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<2x5x4x7xf32> {
  %sx = arith.constant 0.125 : f32
  %zx = arith.constant -6.0 : f32
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#nhwc, #nchw, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %y : tensor<2x9x8x3xi8>, tensor<2x3x9x8xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %other: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %3 = arith.sitofp %other : i8 to f32
    %1 = arith.addf %0, %3 : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x9x8xf32>
  %sw = arith.constant dense<[0.5, 0.25, 1.0, 2.0, 0.125]> : tensor<5xf32>
  %ew = tensor.empty() : tensor<5x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#hwcf, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x5xi8>, tensor<5xf32>) outs(%ew : tensor<5x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x3x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0.0> : tensor<2x5x4x7xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// The scales of the input vary along its channels; it is transposed, and stays f32.
// CHECK-LABEL: func @scales(
// CHECK:         linalg.generic
// EXPLAIN: scale of the input varies along dimension 1, expected one number
func.func @scales(%x: tensor<2x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<2x5x4x7xf32> {
  %sx = arith.constant dense<[0.125, 0.25, 0.5]> : tensor<3xf32>
  %zx = arith.constant -6.0 : f32
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#nhwc, #second, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %sx : tensor<2x9x8x3xi8>, tensor<3xf32>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x9x8xf32>
  %sw = arith.constant dense<[0.5, 0.25, 1.0, 2.0, 0.125]> : tensor<5xf32>
  %ew = tensor.empty() : tensor<5x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#hwcf, #channel, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<3x2x3x5xi8>, tensor<5xf32>) outs(%ew : tensor<5x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x3x3x2xf32>
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0.0> : tensor<2x5x4x7xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// No product reads the result: one loop dequantises and transposes.
// CHECK-LABEL: func @alone(
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.generic
func.func @alone(%x: tensor<2x9x8x3xi8>) -> tensor<2x3x9x8xf32> {
  %sx = arith.constant 0.125 : f32
  %zx = arith.constant -6.0 : f32
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#nhwc, #nchw], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x8x3xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zx : f32
    %2 = arith.mulf %1, %sx : f32
    linalg.yield %2 : f32
  } -> tensor<2x3x9x8xf32>
  return %xd : tensor<2x3x9x8xf32>
}
