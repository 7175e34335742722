// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM 116: a scale of constants is computed at compile time.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// The numbers were computed by another program, in f64 and rounded to f32 once.
// CHECK-LABEL: func @mul(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.330000e-01], [2.660000e-01]], {{\[\[}}-1.140000e-01], [3.249000e-01]]], {{\[\[\[}}3.360000e-02], [-1.296000e-01]], {{\[\[}}-0.424799979], [7.200000e-03]]], {{\[\[\[}}-3.14500022], [-0.459000021]], {{\[\[}}-2.924000e+00], [-2.788000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @div(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}3.68421054], [7.36842108]], {{\[\[}}-3.15789485], [9.000000e+00]]], {{\[\[\[}}0.583333373], [-2.25000024]], {{\[\[}}-7.375000e+00], [1.250000e-01]]], {{\[\[\[}}-1.08823526], [-0.158823535]], {{\[\[}}-1.01176465], [-0.964705824]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @div(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @negf(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.699999988], [1.400000e+00]], {{\[\[}}-6.000000e-01], [1.710000e+00]]], {{\[\[\[}}-1.400000e-01], [5.400000e-01]], {{\[\[}}1.770000e+00], [-3.000000e-02]]], {{\[\[\[}}1.850000e+00], [2.700000e-01]], {{\[\[}}1.720000e+00], [1.640000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @negf(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = arith.negf %c : tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// CHECK-LABEL: func @number(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.210000008], [-0.420000017]], {{\[\[}}1.800000e-01], [-5.130000e-01]]], {{\[\[\[}}0.0420000032], [-0.162000015]], {{\[\[}}-5.310000e-01], [0.00900000054]]], {{\[\[\[}}-5.550000e-01], [-0.0810000076]], {{\[\[}}-0.516000032], [-4.920000e-01]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @number(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %q = arith.constant 0.3 : f32
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<1x3x5x4xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %q, %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// 0.7 - (x + b) / s.
// CHECK-LABEL: func @number_minus_value(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-3.68421054], [-7.36842108]], {{\[\[}}3.15789485], [-9.000000e+00]]], {{\[\[\[}}-0.583333373], [2.25000024]], {{\[\[}}7.375000e+00], [-1.250000e-01]]], {{\[\[\[}}1.08823526], [0.158823535]], {{\[\[}}1.01176465], [0.964705824]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-5.93157911, 0.491666645, 0.394117653]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @number_minus_value(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %b = arith.constant dense<[-1.26, 0.05, 0.52]> : tensor<3xf32>
  %q = arith.constant 0.7 : f32
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<1x3x5x4xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p0, %p2 : f32
    %1 = arith.divf %0, %p1 : f32
    %2 = arith.subf %q, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// x / s * t: rounding in between would change 4 of the 12 elements.
// CHECK-LABEL: func @rounded_once(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-0.711290299], [-1.4225806]], {{\[\[}}0.609677434], [-1.73758066]]], {{\[\[\[}}0.1723077], [-0.664615393]], {{\[\[}}-2.17846155], [0.036923077]]], {{\[\[\[}}-1.75263155], [-0.255789489]], {{\[\[}}-1.62947369], [-1.55368423]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rounded_once(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[0.62, 1.56, 1.9]> : tensor<3xf32>
  %t = arith.constant dense<[0.63, 1.92, 1.8]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %t : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// (x + p + q) * s: the same for the bias.
// CHECK-LABEL: func @bias_rounded_once(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.680000e-01], [-3.360000e-01]], {{\[\[}}0.144000009], [-4.104000e-01]]], {{\[\[\[}}0.197399989], [-7.614000e-01]], {{\[\[}}-2.495700e+00], [0.0422999971]]], {{\[\[\[}}-8.510000e-01], [-0.124200009]], {{\[\[}}-0.791200041], [-7.544000e-01]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[0.412809372, 1.50858295, 0.565740228]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_rounded_once(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %p = arith.constant dense<[3.9e-05, -8.3e-05, -0.00013]> : tensor<3xf32>
  %q = arith.constant dense<[1.72, 1.07, 1.23]> : tensor<3xf32>
  %s = arith.constant dense<[0.24, 1.41, 0.46]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %d0 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %p : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %d1 = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d0, %q : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d1, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// A rounding that is written stays one: s is rounded to bf16 first.
// CHECK-LABEL: func @rounded_to_bf16_on_the_way(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.623437464], [1.24687493]], {{\[\[}}-5.343750e-01], [1.52296877]]], {{\[\[\[}}2.362500e-01], [-0.911250054]], {{\[\[}}-2.98687506], [5.062500e-02]]], {{\[\[\[}}2.21132827], [0.322734386]], {{\[\[}}2.05593753], [1.96031249]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @rounded_to_bf16_on_the_way(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.8888, 1.6867, -1.1918]> : tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %n = arith.truncf %s : tensor<3xf32> to tensor<3xbf16>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %n : tensor<1x3x5x4xf32>, tensor<3xbf16>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %out: f32):
    %0 = arith.extf %p1 : bf16 to f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// Filter and factor as resources.
// CHECK-LABEL: func @resource(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.330000e-01], [2.660000e-01]], {{\[\[}}-1.140000e-01], [3.249000e-01]]], {{\[\[\[}}3.360000e-02], [-1.296000e-01]], {{\[\[}}-0.424799979], [7.200000e-03]]], {{\[\[\[}}-3.14500022], [-0.459000021]], {{\[\[}}-2.924000e+00], [-2.788000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @resource(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense_resource<factor> : tensor<3xf32>
  %w = arith.constant dense_resource<filter> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// A filter in bf16 becomes one in f32.
// CHECK-LABEL: func @resource_bf16(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}0.132851556], [0.265703112]], {{\[\[}}-0.114296876], [0.32507813]]], {{\[\[\[}}0.0335156247], [-1.293750e-01]], {{\[\[}}-4.256250e-01], [0.0072070309]]], {{\[\[\[}}-3.14765644], [-0.458203137]], {{\[\[}}-2.921875], [-2.7890625]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @resource_bf16(%x: tensor<1x2x6x4xbf16>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %w = arith.constant dense_resource<narrow> : tensor<3x2x2x1xbf16>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xbf16>, tensor<3x2x2x1xbf16>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// A splat becomes one number for each channel.
// CHECK-LABEL: func @splat_filter(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-5.700000e-02], [-5.700000e-02]], {{\[\[}}-5.700000e-02], [-5.700000e-02]]], {{\[\[\[}}0.0720000044], [0.0720000044]], {{\[\[}}0.0720000044], [0.0720000044]]], {{\[\[\[}}0.51000005], [0.51000005]], {{\[\[}}0.51000005], [0.51000005]]]]> : tensor<3x2x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @splat_filter(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %w = arith.constant dense<0.3> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// A constant of 1x3 that is transposed, collapsed and cast.
// CHECK-LABEL: func @through_views(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.351000e+00], [2.702000e+00]], {{\[\[}}-1.158000e+00], [3.300300e+00]]], {{\[\[\[}}-1.288000e-01], [0.496800035]], {{\[\[}}1.628400e+00], [-2.760000e-02]]], {{\[\[\[}}4.070000e-01], [0.0594000034]], {{\[\[}}3.784000e-01], [3.608000e-01]]]]> : tensor<3x2x2x1xf32>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-1.930000e+00, -9.200000e-01, -2.200000e-01]> : tensor<3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) bias(%[[B]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @through_views(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k = arith.constant dense<[[-1.93, -0.92, -0.22]]> : tensor<1x3xf32>
  %e2 = tensor.empty() : tensor<3x1xf32>
  %kt = linalg.transpose ins(%k : tensor<1x3xf32>) outs(%e2 : tensor<3x1xf32>) permutation = [1, 0]
  %k1 = tensor.collapse_shape %kt [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
  %w = arith.constant dense<[[[[-0.7], [-1.4]], [[0.6], [-1.71]]], [[[0.14], [-0.54]], [[-1.77], [0.03]]], [[[-1.85], [-0.27]], [[-1.72], [-1.64]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %u = linalg.broadcast ins(%k1 : tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) dimensions = [0, 2, 3]
  %d = linalg.mul ins(%u, %c : tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>) outs(%e : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %r = linalg.add ins(%d, %u : tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>) outs(%e : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// The filter is a transpose, folded into the layout: its channel is neither the first
// dimension nor the last.
// CHECK-LABEL: func @channel_in_the_middle(
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}3.344000e-01], [0.245099992]], {{\[\[}}-0.124799989], [0.0695999935]], {{\[\[}}-2.499000e+00], [-0.935000061]]], {{\[\[\[}}-0.296399981], [-0.364799976]], {{\[\[}}1.512000e-01], [0.182399988]], {{\[\[}}5.780000e-01], [-2.44800019]]]]> : tensor<2x3x2x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nchw, cfhw, nchw) {fusion.folded = "scale"} ins(%{{.*}}, %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @channel_in_the_middle(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.19, 0.24, 1.7]> : tensor<3xf32>
  %wt = arith.constant dense<[[[[-1.76], [-1.29]], [[-0.52], [0.29]], [[-1.47], [-0.55]]], [[[1.56], [1.92]], [[0.63], [0.76]], [[0.34], [-1.44]]]]> : tensor<2x3x2x1xf32>
  %e4 = tensor.empty() : tensor<3x2x2x1xf32>
  %w = linalg.transpose ins(%wt : tensor<2x3x2x1xf32>) outs(%e4 : tensor<3x2x2x1xf32>) permutation = [1, 0, 2, 3]
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

{-#
  dialect_resources: {
    builtin: {
      factor: "0x040000005C8F42BE8FC2753E9A99D93F",
      filter: "0x04000000333333BF3333B3BF9A99193F48E1DABF295C0F3E713D0ABF5C8FE2BF8FC2F53CCDCCECBF713D8ABEF628DCBF85EBD1BF",
      narrow: "0x0200000033BFB3BF1A3FDBBF0F3E0ABFE3BFF63CEDBF8ABEDCBFD2BF"
    }
  }
#-}
