// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// A batch norm of constants is computed at compile time, in f64, and each element
// rounded to f32 once. The numbers were computed by another program.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>
#id = affine_map<(d0) -> (d0)>

// Everything is known: filter and bias are computed in f64 and rounded once.
// CHECK-LABEL: func @one_generic(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.320243269], [0.640486538]], {{\[\[}}-0.274494261], [0.782308638]]], {{\[\[\[}}0.113304682], [-0.437032342]], {{\[\[}}-1.43249488], [0.0242795739]]], {{\[\[\[}}2.67023253], [0.389709622]], {{\[\[}}2.48259473], [2.36712503]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_generic(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%c : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// TVM 127: with a bias of the convolution, and relu.
// CHECK-LABEL: func @bias_and_relu(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.320243269], [0.640486538]], {{\[\[}}-0.274494261], [0.782308638]]], {{\[\[\[}}0.113304682], [-0.437032342]], {{\[\[}}-1.43249488], [0.0242795739]]], {{\[\[\[}}2.67023253], [0.389709622]], {{\[\[}}2.48259473], [2.36712503]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.318541616, -0.396437436, 5.65822887]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_and_relu(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %b0 = arith.constant dense<[-1.42, -1.53, -0.77]> : tensor<3xf32>
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %z = linalg.broadcast ins(%b0 : tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    %6 = arith.maximumf %5, %zero : f32
    linalg.yield %6 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// The channel is the last dimension of the filter.
// CHECK-LABEL: func @channels_last(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.576437891, -1.03592849, -0.476311773], [-0.256194621, -0.412752748, -0.274240106]]], {{\[\[\[}}0.800608217, -1.42440164, 1.70317531], [-0.329393119, -0.234702542, 1.06809306]]]]> : tensor<2x1x2x3xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, hwcf, nhwc) {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @channels_last(%x: tensor<1x6x4x2xf32>) -> tensor<1x5x4x3xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[[1.26, -1.28, 0.33], [0.56, -0.51, 0.19]]], [[[-1.75, -1.76, -1.18], [0.72, -0.29, -0.74]]]]> : tensor<2x1x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x5x4x3xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x4x2xf32>, tensor<2x1x2x3xf32>) outs(%z : tensor<1x5x4x3xf32>) -> tensor<1x5x4x3xf32>
  %e = tensor.empty() : tensor<1x5x4x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #last, #last, #last, #last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x5x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x5x4x3xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x5x4x3xf32>
  return %r : tensor<1x5x4x3xf32>
}

// CHECK-LABEL: func @depthwise(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.15554674, 0.0869231745, 0.365992337], [-0.539838672, -0.365992337, 0.466640204]]], {{\[\[\[}}0.24279575, 0.0809319168, 1.21397877], [0.744573593, -0.687921286, 1.55389273]]], {{\[\[\[}}2.20835447, 0.476311773, -1.486670e+00], [2.00628281, 0.0577347577, 2.65579891]]]]> : tensor<3x1x2x3xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 3 {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @depthwise(%x: tensor<1x3x6x5xf32>) -> tensor<1x3x5x3xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[0.34, -0.19, -0.8], [1.18, 0.8, -1.02]], [[0.3, 0.1, 1.5], [0.92, -0.85, 1.92]], [[-1.53, -0.33, 1.03], [-1.39, -0.04, -1.84]]]> : tensor<3x2x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x3xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x3x6x5xf32>, tensor<3x2x3xf32>) outs(%z : tensor<1x3x5x3xf32>) -> tensor<1x3x5x3xf32>
  %e = tensor.empty() : tensor<1x3x5x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x3x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x3xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x3x5x3xf32>
  return %r : tensor<1x3x5x3xf32>
}

// Two channels with two filters each.
// CHECK-LABEL: func @depthwise_multiplier(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.0830242783, 2.40263319, 0.414620459, -0.17320393]]], {{\[\[\[}}0.0929376184, 1.76797533, 0.543295801, -0.036950171]]]]> : tensor<2x1x1x4xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[0.904116153, -4.68395948, 2.03956413, 0.536884129]> : tensor<4xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 layouts(nhwc, hwcf, nhwc) {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @depthwise_multiplier(%x: tensor<1x6x3x2xf32>) -> tensor<1x5x3x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.18, 1.36, 1.78, -0.1]> : tensor<4xf32>
  %b = arith.constant dense<[0.66, -1.76, 0.81, 0.59]> : tensor<4xf32>
  %m = arith.constant dense<[1.97, 1.29, -0.86, -0.46]> : tensor<4xf32>
  %v = arith.constant dense<[2.11, 0.36, 1.55, 0.75]> : tensor<4xf32>
  %w = arith.constant dense<[[[[0.67, 1.06], [0.29, 1.5]]], [[[-0.75, 0.78], [0.38, 0.32]]]]> : tensor<2x1x2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x5x3x2x2xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<1x6x3x2xf32>, tensor<2x1x2x2xf32>) outs(%z : tensor<1x5x3x2x2xf32>) -> tensor<1x5x3x2x2xf32>
  %c = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<1x5x3x2x2xf32> into tensor<1x5x3x4xf32>
  %e = tensor.empty() : tensor<1x5x3x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #last, #last, #last, #last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x5x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<1x5x3x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x5x3x4xf32>
  return %r : tensor<1x5x3x4xf32>
}

// Parameters of 1x3x1x1, variance and root in ops of their own.
// CHECK-LABEL: func @four_generics(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.320243269], [0.640486538]], {{\[\[}}-0.274494261], [0.782308638]]], {{\[\[\[}}0.113304682], [-0.437032342]], {{\[\[}}-1.43249488], [0.0242795739]]], {{\[\[\[}}2.67023253], [0.389709622]], {{\[\[}}2.48259473], [2.36712503]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @four_generics(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %m4 = tensor.expand_shape %m [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32>
  %v4 = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32>
  %g4 = tensor.expand_shape %g [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32>
  %b4 = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 3, 1, 1] : tensor<3xf32> into tensor<1x3x1x1xf32>
  %e4 = tensor.empty() : tensor<1x3x1x1xf32>
  %ve = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v4 : tensor<1x3x1x1xf32>) outs(%e4 : tensor<1x3x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.addf %p0, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x1x1xf32>
  %rs = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%ve : tensor<1x3x1x1xf32>) outs(%e4 : tensor<1x3x1x1xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.rsqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x1x1xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m4 : tensor<1x3x5x4xf32>, tensor<1x3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %rs : tensor<1x3x5x4xf32>, tensor<1x3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g4 : tensor<1x3x5x4xf32>, tensor<1x3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b4 : tensor<1x3x5x4xf32>, tensor<1x3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// The assertion of the FX importer stays, although it holds.
// CHECK-LABEL: func @fx_assert(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.320243269], [0.640486538]], {{\[\[}}-0.274494261], [0.782308638]]], {{\[\[\[}}0.113304682], [-0.437032342]], {{\[\[}}-1.43249488], [0.0242795739]]], {{\[\[\[}}2.67023253], [0.389709622]], {{\[\[}}2.48259473], [2.36712503]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK:         return %[[R]]
func.func @fx_assert(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %a0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%v : tensor<3xf32>) outs(%e1 : tensor<3xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.addf %p0, %eps : f32
    linalg.yield %0 : f32
  } -> tensor<3xf32>
  %a1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a0 : tensor<3xf32>) outs(%e1 : tensor<3xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.sqrt %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<3xf32>
  %a2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%a1 : tensor<3xf32>) outs(%e1 : tensor<3xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.cmpf one, %p0, %zero : f32
    cf.assert %0, "tensor with zero element"
    %1 = arith.divf %one, %p0 : f32
    linalg.yield %1 : f32
  } -> tensor<3xf32>
  %m3 = tensor.expand_shape %m [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
  %r3 = tensor.expand_shape %a2 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
  %g3 = tensor.expand_shape %g [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
  %b3 = tensor.expand_shape %b [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m3 : tensor<1x3x5x4xf32>, tensor<3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %t1 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %r3 : tensor<1x3x5x4xf32>, tensor<3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %t2 = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t1, %g3 : tensor<1x3x5x4xf32>, tensor<3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t2, %b3 : tensor<1x3x5x4xf32>, tensor<3x1x1xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// The filter is an argument: only the bias is computed.
// CHECK-LABEL: func @filter_of_run_time(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.968177974, 0.841820836, 4.54683447]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(%{{.*}}, %{{[^ ]*}} : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @filter_of_run_time(%x: tensor<1x2x6x4xf32>, %w: tensor<3x2x2x1xf32>) -> tensor<1x3x5x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %b = arith.constant dense<[-1.11, 0.51, 1.79]> : tensor<3xf32>
  %m = arith.constant dense<[0.31, -0.41, 1.91]> : tensor<3xf32>
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %g, %b, %m, %v : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %p4: f32, %out: f32):
    %0 = arith.subf %p0, %p3 : f32
    %1 = arith.addf %p4, %eps : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %0, %2 : f32
    %4 = arith.mulf %3, %p1 : f32
    %5 = arith.addf %4, %p2 : f32
    linalg.yield %5 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// pow and division.
// CHECK-LABEL: func @power(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.320243269], [0.640486538]], {{\[\[}}-0.274494261], [0.782308638]]], {{\[\[\[}}0.113304682], [-0.437032342]], {{\[\[}}-1.43249488], [0.0242795739]]], {{\[\[\[}}2.67023253], [0.389709622]], {{\[\[}}2.48259473], [2.36712503]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @power(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %eps = arith.constant 1.0e-5 : f32
  %h = arith.constant 0.5 : f32
  %v = arith.constant dense<[0.43, 2.62, 1.08]> : tensor<3xf32>
  %g = arith.constant dense<[-0.3, 1.31, -1.5]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v, %g : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p1, %eps : f32
    %1 = math.powf %0, %h : f32
    %2 = arith.divf %p0, %1 : f32
    %3 = arith.mulf %p2, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}
