// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized -o %t.mlir --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not='remark: [Missed] fusion-fuse-quantized'
// RUN: FileCheck %s < %t.mlir

// Scales of a depthwise filter along the channels and the multiplier, which are one dimension of the
// op: so linalg-fuse-elementwise-ops leaves a dequantisation in front of tensor.expand_shape.
// Integration/fuse-dequantized.test executes these functions.

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#n5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// CHECK-LABEL: func @channels(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x9x8x2xi8>, %[[W:[^:]*]]: tensor<3x2x2x3xi8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[6.250000e-02, 3.125000e-02, 1.250000e-01, 2.500000e-01, 1.562500e-02, 5.000000e-01]> : tensor<6xf32>
// CHECK-DAG:     %[[F:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0], [1], [2, 3]] : tensor<3x2x2x3xi8> into tensor<3x2x6xi8>
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 2 {{.*}}ins(%[[X]], %{{.*}} : tensor<1x9x8x2xi8>, tensor<3x2x1x6xi8>) scale(%[[S]] : tensor<6xf32>)
func.func @channels(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> tensor<1x7x7x2x3xf32> {
  %ws = arith.constant dense<[[0.5, 0.25, 1.0], [2.0, 0.125, 4.0]]> : tensor<2x3xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<2x3xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r : tensor<1x7x7x2x3xf32>
}

// Scales along a dimension of the kernel.
// CHECK-LABEL: func @not_neighbours(
// CHECK:         fusion.fused_conv_bias_act
func.func @not_neighbours(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> tensor<1x7x7x2x3xf32> {
  %ws = arith.constant dense<[[0.5, 0.25, 1.0], [2.0, 0.125, 4.0]]> : tensor<2x3xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d1, d3)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<2x3xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  // REMARK: :[[#@LINE+2]]:8: remark: {{.*}}Reason="a constant varies along dimensions [[#]] and [[#]], expected one"
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: a constant varies along dimensions [[#]] and [[#]], expected one
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r : tensor<1x7x7x2x3xf32>
}

// Scales along the multiplier alone.
// CHECK-LABEL: func @one_of_two(
// CHECK:         %[[S:.*]] = arith.constant dense<[6.250000e-02, 3.125000e-02, 1.250000e-01, 6.250000e-02, 3.125000e-02, 1.250000e-01]> : tensor<6xf32>
// CHECK:         fusion.quantized_conv_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>)
func.func @one_of_two(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> tensor<1x7x7x2x3xf32> {
  %ws = arith.constant dense<[0.5, 0.25, 1.0]> : tensor<3xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d3)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<3xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r : tensor<1x7x7x2x3xf32>
}

// Scales along the groups alone.
// CHECK-LABEL: func @groups(
// CHECK:         %[[S:.*]] = arith.constant dense<[6.250000e-02, 6.250000e-02, 6.250000e-02, 3.125000e-02, 3.125000e-02, 3.125000e-02]> : tensor<6xf32>
// CHECK:         fusion.quantized_conv_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>)
func.func @groups(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> tensor<1x7x7x2x3xf32> {
  %ws = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d2)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<2xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r : tensor<1x7x7x2x3xf32>
}

// Scales along a dimension of the kernel alone.
// CHECK-LABEL: func @kernel(
// CHECK:         fusion.fused_conv_bias_act
func.func @kernel(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> tensor<1x7x7x2x3xf32> {
  %ws = arith.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d1)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<2xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  // REMARK: :[[#@LINE+2]]:8: remark: {{.*}}Reason="a scale that varies along dimension 1 is not moved"
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}scale of the filter varies along dimension 1, expected the output channel dimension 3
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r : tensor<1x7x7x2x3xf32>
}

// Something else reads the floats.
// CHECK-LABEL: func @read_twice(
// CHECK:         fusion.fused_conv_bias_act
func.func @read_twice(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>) -> (tensor<1x7x7x2x3xf32>, tensor<3x2x2x3xf32>) {
  %ws = arith.constant dense<[[0.5, 0.25, 1.0], [2.0, 0.125, 4.0]]> : tensor<2x3xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %e = tensor.empty() : tensor<1x7x7x2x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x2xf32>
  %wd = linalg.generic {indexing_maps = [#n, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<3x2x2x3xi8>, tensor<2x3xf32>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  // REMARK: :[[#@LINE+2]]:8: remark: {{.*}}Reason="a constant varies along dimensions [[#]] and [[#]], expected one"
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: a constant varies along dimensions [[#]] and [[#]], expected one
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x7x7x2x3xf32>) -> tensor<1x7x7x2x3xf32>
  return %r, %wd : tensor<1x7x7x2x3xf32>, tensor<3x2x2x3xf32>
}

// Channels in front of groups, which the op has behind them.
// CHECK-LABEL: func @transposed(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x2x3x9x8xi8>, %[[W:[^:]*]]: tensor<4x2x3x3x2xi8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[6.250000e-02, 1.250000e-01, 1.562500e-02, 7.812500e-03, 3.125000e-02, 2.500000e-01, 5.000000e-01, 3.906250e-03]> : tensor<8xf32>
// CHECK-DAG:     %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<4x2x3x3x2xi8>) {{.*}} permutation = [1, 0, 2, 3, 4]
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[T]]
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 2 {{.*}}ins(%{{.*}}, %[[F]] : {{.*}}, tensor<8x3x3x2xi8>) scale(%[[S]] : tensor<8xf32>)
func.func @transposed(%x: tensor<1x2x3x9x8xi8>, %w: tensor<4x2x3x3x2xi8>) -> tensor<1x2x4x4x7xf32> {
  %ws = arith.constant dense<[[0.5, 0.25], [1.0, 2.0], [0.125, 4.0], [0.0625, 0.03125]]> : tensor<4x2xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x2x3x3x2xf32>
  %e = tensor.empty() : tensor<1x2x4x4x7xf32>
  %xd = linalg.generic {indexing_maps = [#n5, #n5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x3x9x8xi8>) outs(%ex : tensor<1x2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#n5, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>, #n5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x2x3x3x2xi8>, tensor<4x2xf32>) outs(%ew : tensor<4x2x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x2x3x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4x7xf32>) -> tensor<1x2x4x4x7xf32>
  %r = linalg.conv_2d_ngchw_fgchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x2x3x9x8xf32>, tensor<4x2x3x3x2xf32>) outs(%f : tensor<1x2x4x4x7xf32>) -> tensor<1x2x4x4x7xf32>
  return %r : tensor<1x2x4x4x7xf32>
}

// The same with scales along a dimension of the kernel.
// CHECK-LABEL: func @transposed_kernel(
// CHECK:         fusion.fused_conv_bias_act
func.func @transposed_kernel(%x: tensor<1x2x3x9x8xi8>, %w: tensor<4x2x3x3x2xi8>) -> tensor<1x2x4x4x7xf32> {
  %ws = arith.constant dense<[[0.5, 0.25, 1.0], [1.0, 2.0, 0.5], [0.125, 4.0, 2.0], [0.0625, 0.03125, 1.0]]> : tensor<4x3xf32>
  %sx = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x2x3x3x2xf32>
  %e = tensor.empty() : tensor<1x2x4x4x7xf32>
  %xd = linalg.generic {indexing_maps = [#n5, #n5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x2x3x9x8xi8>) outs(%ex : tensor<1x2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x2x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#n5, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3)>, #n5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x2x3x3x2xi8>, tensor<4x3xf32>) outs(%ew : tensor<4x2x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x2x3x3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x4x7xf32>) -> tensor<1x2x4x4x7xf32>
  // REMARK: :[[#@LINE+2]]:8: remark: {{.*}}Reason="a constant varies along dimensions [[#]] and [[#]], expected one"
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}filter is not dequantised: a constant varies along dimensions [[#]] and [[#]], expected one
  %r = linalg.conv_2d_ngchw_fgchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x2x3x9x8xf32>, tensor<4x2x3x3x2xf32>) outs(%f : tensor<1x2x4x4x7xf32>) -> tensor<1x2x4x4x7xf32>
  return %r : tensor<1x2x4x4x7xf32>
}

// An op that adds integers to a result behind a reshape is no dequantisation: the reshape moves once.
// CHECK-LABEL: func @sum(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act
// CHECK-NOT:     tensor.collapse_shape %[[R]]
func.func @sum(%x: tensor<6x7xi8>, %w: tensor<7x3xi8>, %y: tensor<18xi8>, %s: tensor<18xf32>) -> (tensor<18xf32>, tensor<18xf32>) {
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<6x3xf32>
  %f = tensor.empty() : tensor<18xf32>
  // REMARK: :[[#@LINE+3]]:8: remark: {{.*}}next op 'linalg.generic' at {{.*}} has 2 results
  // REMARK: :[[#@LINE+4]]:10: remark: {{.*}}unsupported: 'linalg.generic' has 2 results, expected 1
  // REMARK: :[[#@LINE+3]]:10: remark: {{.*}}unsupported: 'linalg.generic' has 2 results, expected 1
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<6x7xi8>, tensor<7x3xi8>) outs(%e : tensor<6x3xf32>) -> tensor<6x3xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<6x3xf32> into tensor<18xf32>
  %t:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c, %y, %s : tensor<18xf32>, tensor<18xi8>, tensor<18xf32>) outs(%f, %f : tensor<18xf32>, tensor<18xf32>) {
  ^bb0(%in: f32, %add: i8, %scale: f32, %out: f32, %out2: f32):
    %0 = arith.sitofp %add : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %in, %1 : f32
    %3 = arith.mulf %2, %half : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<18xf32>, tensor<18xf32>)
  return %t#0, %t#1 : tensor<18xf32>, tensor<18xf32>
}

// The same with one result.
// CHECK-LABEL: func @one_sum(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act
// CHECK-NOT:     tensor.collapse_shape %[[R]]
func.func @one_sum(%x: tensor<6x7xi8>, %w: tensor<7x3xi8>, %y: tensor<18xi8>, %s: tensor<18xf32>) -> tensor<18xf32> {
  %e = tensor.empty() : tensor<6x3xf32>
  %f = tensor.empty() : tensor<18xf32>
  // REMARK: :[[#@LINE+2]]:8: remark: {{.*}}what is added is computed from a tensor by the op that adds it
  // REMARK: :[[#@LINE+3]]:8: remark: {{.*}}what is multiplied is not constant
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<6x7xi8>, tensor<7x3xi8>) outs(%e : tensor<6x3xf32>) -> tensor<6x3xf32>
  %c = tensor.collapse_shape %r [[0, 1]] : tensor<6x3xf32> into tensor<18xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c, %y, %s : tensor<18xf32>, tensor<18xi8>, tensor<18xf32>) outs(%f : tensor<18xf32>) {
  ^bb0(%in: f32, %add: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %add : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %in, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<18xf32>
  return %t : tensor<18xf32>
}
