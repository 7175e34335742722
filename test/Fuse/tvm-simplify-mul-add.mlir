// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// SimplifyExpr of TVM, test_simplify_mul_add (TVM-CASES.md): a chain of sums and
// products with constants is one filter and one bias, in whatever order operands
// stand; x is a convolution. The numbers were computed by another program.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// TVM 120: x + c1 + c2.
// CHECK-LABEL: func @add_add(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.699999988], [-1.400000e+00]], {{\[\[}}6.000000e-01], [-1.710000e+00]]], {{\[\[\[}}1.400000e-01], [-5.400000e-01]], {{\[\[}}-1.770000e+00], [3.000000e-02]]], {{\[\[\[}}-1.850000e+00], [-2.700000e-01]], {{\[\[}}-1.720000e+00], [-1.640000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-6.300000e-01, 6.800000e-01, -2.260000e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_add(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// TVM 121: c1 + x + c2.
// CHECK-LABEL: func @add_add_swapped(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.699999988], [-1.400000e+00]], {{\[\[}}6.000000e-01], [-1.710000e+00]]], {{\[\[\[}}1.400000e-01], [-5.400000e-01]], {{\[\[}}-1.770000e+00], [3.000000e-02]]], {{\[\[\[}}-1.850000e+00], [-2.700000e-01]], {{\[\[}}-1.720000e+00], [-1.640000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-6.300000e-01, 6.800000e-01, -2.260000e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_add_swapped(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// TVM 122: x * c1 * c2.
// CHECK-LABEL: func @mul_mul(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.308699965], [0.617399931]], {{\[\[}}-0.264599979], [7.541100e-01]]], {{\[\[\[}}0.0126000009], [-0.0486000031]], {{\[\[}}-1.593000e-01], [2.700000e-03]]], {{\[\[\[}}-1.673880e+00], [-2.442960e-01]], {{\[\[}}-1.55625594], [-1.48387194]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_mul(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %t0 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t0, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// TVM 123: (x + c1) * c2, four orders.
// CHECK-LABEL: func @add_mul_00(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.440999955, 9.000000e-02, 0.904799997]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_00(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %0, %p2 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_01(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.440999955, 9.000000e-02, 0.904799997]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_01(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %p2, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_10(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.440999955, 9.000000e-02, 0.904799997]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_10(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %0, %p2 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_11(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-0.440999955, 9.000000e-02, 0.904799997]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_11(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %p2, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// TVM 124: (x + c1) * c2 + c3, eight orders.
// CHECK-LABEL: func @add_mul_add_000(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_000(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %0, %p2 : f32
    %2 = arith.addf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_001(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_001(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %0, %p2 : f32
    %2 = arith.addf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_010(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_010(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %p2, %0 : f32
    %2 = arith.addf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_011(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_011(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %p2, %0 : f32
    %2 = arith.addf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_100(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_100(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %0, %p2 : f32
    %2 = arith.addf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_101(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_101(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %0, %p2 : f32
    %2 = arith.addf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_110(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_110(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %p2, %0 : f32
    %2 = arith.addf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @add_mul_add_111(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-2.940000e-01], [-5.880000e-01]], {{\[\[}}2.520000e-01], [-0.718199968]]], {{\[\[\[}}7.000000e-02], [-2.700000e-01]], {{\[\[}}-8.850000e-01], [1.500000e-02]]], {{\[\[\[}}3.219000e+00], [0.469800025]], {{\[\[}}2.992800e+00], [2.853600e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-2.391000e+00, 1.440000e+00, -0.0552000068]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @add_mul_add_111(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k1 = arith.constant dense<[-1.05, 0.18, -0.52]> : tensor<3xf32>
  %k2 = arith.constant dense<[0.42, 0.5, -1.74]> : tensor<3xf32>
  %k3 = arith.constant dense<[-1.95, 1.35, -0.96]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k1, %k2, %k3 : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p1, %p0 : f32
    %1 = arith.mulf %p2, %0 : f32
    %2 = arith.addf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}
