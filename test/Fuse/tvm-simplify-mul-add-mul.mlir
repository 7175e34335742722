// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// SimplifyExpr of TVM, test_simplify_mul_add (TVM-CASES.md): a chain of sums and
// products with constants is one filter and one bias, in whatever order operands
// stand; x is a convolution. The numbers were computed by another program.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// TVM 125: (x * c1 + c2) * c3, eight orders.
// CHECK-LABEL: func @mul_add_mul_000(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_000(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.addf %0, %p2 : f32
    %2 = arith.mulf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_001(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_001(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.addf %0, %p2 : f32
    %2 = arith.mulf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_010(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_010(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.addf %p2, %0 : f32
    %2 = arith.mulf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_011(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_011(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.addf %p2, %0 : f32
    %2 = arith.mulf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_100(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_100(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p1, %p0 : f32
    %1 = arith.addf %0, %p2 : f32
    %2 = arith.mulf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_101(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_101(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p1, %p0 : f32
    %1 = arith.addf %0, %p2 : f32
    %2 = arith.mulf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_110(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_110(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p1, %p0 : f32
    %1 = arith.addf %p2, %0 : f32
    %2 = arith.mulf %1, %p3 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @mul_add_mul_111(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.433250e+00], [-2.866500e+00]], {{\[\[}}1.228500e+00], [-3.50122499]]], {{\[\[\[}}0.0340200029], [-0.131220013]], {{\[\[}}-4.301100e-01], [7.290000e-03]]], {{\[\[\[}}-0.923519968], [-1.347840e-01]], {{\[\[}}-0.858623981], [-0.818687915]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-8.190000e-01, 6.750000e-01, 1.670400e+00]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_add_mul_111(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
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
    %0 = arith.mulf %p1, %p0 : f32
    %1 = arith.addf %p2, %0 : f32
    %2 = arith.mulf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}
