// RUN: fusion-opt %s --fusion-optimize="disable=transpose propagate-layout=false" | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="disable=transpose propagate-layout=false" -o %t.once
// RUN: fusion-opt %t.once --fusion-fuse=disable=transpose -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: fusion-opt %s --fusion-optimize="disable=transpose allow-contract-rounding=false propagate-layout=false" | FileCheck %s --check-prefix=STRICT

// Constants are computed at compile time: the filter and the bias of each fusion op, up
// to 1023 elements as an attribute, from there on as a resource.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#id = affine_map<(d0) -> (d0)>

// Row-major order of the filter as the op reads it.
// CHECK-LABEL: func @transposed_filter(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}-1.500000e+00], [0.000000e+00]], {{\[\[}}-7.500000e-01], [7.500000e-01]]], {{\[\[\[}}-1.250000e+00], [2.500000e-01]], {{\[\[}}-5.000000e-01], [1.000000e+00]]], {{\[\[\[}}-1.000000e+00], [5.000000e-01]], {{\[\[}}-2.500000e-01], [1.250000e+00]]]]> : tensor<3x2x2x1xf32>
// CHECK:         fusion.fused_conv_bias_act ins(%{{.*}}, %[[W]] :
func.func @transposed_filter(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %wt = arith.constant dense<[[[[-1.5, -1.25, -1.0], [-0.75, -0.5, -0.25]]], [[[0.0, 0.25, 0.5], [0.75, 1.0, 1.25]]]]> : tensor<2x1x2x3xf32>
  %e4 = tensor.empty() : tensor<3x2x2x1xf32>
  %w = linalg.transpose ins(%wt : tensor<2x1x2x3xf32>) outs(%e4 : tensor<3x2x2x1xf32>) permutation = [3, 2, 0, 1]
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// Zeros around a filter, or another number in one dimension,
// CHECK-LABEL: func @padded_filter(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [0.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00]]]> : tensor<1x3x4xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @padded_filter(%x: tensor<1x3x9xf32>) -> tensor<1x1x6xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]> : tensor<1x2x3xf32>
  %p = tensor.pad %w low[0, 0, 1] high[0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x2x3xf32> to tensor<1x3x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x6xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %p : tensor<1x3x9xf32>, tensor<1x3x4xf32>) outs(%z : tensor<1x1x6xf32>) -> tensor<1x1x6xf32>
  return %r : tensor<1x1x6xf32>
}

// CHECK-LABEL: func @padded_with_halves(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}5.000000e-01, 5.000000e-01, 1.000000e+00, 2.000000e+00, 3.000000e+00, 5.000000e-01]]]> : tensor<1x1x6xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @padded_with_halves(%x: tensor<1x1x9xf32>) -> tensor<1x1x4xf32> {
  %half = arith.constant dense<0.5> : tensor<1x1x6xf32>
  %w = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %p = tensor.insert_slice %w into %half[0, 0, 2] [1, 1, 3] [1, 1, 1] : tensor<1x1x3xf32> into tensor<1x1x6xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x4xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %p : tensor<1x1x9xf32>, tensor<1x1x6xf32>) outs(%z : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return %r : tensor<1x1x4xf32>
}

// but not a crop, nor a value that is known only at run time.
// CHECK-LABEL: func @cropped_filter(
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[P]] :
func.func @cropped_filter(%x: tensor<1x1x9xf32>) -> tensor<1x1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %p = tensor.pad %w low[0, 0, 1] high[0, 0, -2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x1x3xf32> to tensor<1x1x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x8xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %p : tensor<1x1x9xf32>, tensor<1x1x2xf32>) outs(%z : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %r : tensor<1x1x8xf32>
}

// CHECK-LABEL: func @padded_with_any_number(
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[P]] :
func.func @padded_with_any_number(%x: tensor<1x1x9xf32>, %number: f32) -> tensor<1x1x6xf32> {
  %w = arith.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %p = tensor.pad %w low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %number : f32
  } : tensor<1x1x3xf32> to tensor<1x1x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x6xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %p : tensor<1x1x9xf32>, tensor<1x1x4xf32>) outs(%z : tensor<1x1x6xf32>) -> tensor<1x1x6xf32>
  return %r : tensor<1x1x6xf32>
}

// Every second column of a filter, from the second row on, with one dimension fewer,
// CHECK-LABEL: func @sliced_filter(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}9.000000e+00, 1.100000e+01], [1.300000e+01, 1.500000e+01]]]> : tensor<1x2x2xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @sliced_filter(%x: tensor<1x2x9xf32>) -> tensor<1x1x8xf32> {
  %w = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], [[9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]]]> : tensor<1x2x2x4xf32>
  %s = tensor.extract_slice %w[0, 1, 0, 0] [1, 1, 2, 2] [1, 1, 1, 2] : tensor<1x2x2x4xf32> to tensor<1x2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x8xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %s : tensor<1x2x9xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %r : tensor<1x1x8xf32>
}

// but not from a row that is known only at run time.
// CHECK-LABEL: func @sliced_anywhere(
// CHECK:         %[[S:.*]] = tensor.extract_slice
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[S]] :
func.func @sliced_anywhere(%x: tensor<1x2x9xf32>, %row: index) -> tensor<1x1x8xf32> {
  %w = arith.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %s = tensor.extract_slice %w[%row, 0, 0] [1, 2, 2] [1, 1, 1] : tensor<2x2x2xf32> to tensor<1x2x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x8xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %s : tensor<1x2x9xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %r : tensor<1x1x8xf32>
}

// 1023 elements are an attribute.
// CHECK-LABEL: func @elements_1023(
// CHECK:         %[[W:.*]] = arith.constant dense<"0x0000003E{{[0-9A-F]*}}"> : tensor<11x31x3x1xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @elements_1023(%x: tensor<1x31x4x3xf32>) -> tensor<1x11x2x3xf32> {
  %s = arith.constant dense<[0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75]> : tensor<11xf32>
  %w = arith.constant dense<0.5> : tensor<11x31x3x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x11x2x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x31x4x3xf32>, tensor<11x31x3x1xf32>) outs(%z : tensor<1x11x2x3xf32>) -> tensor<1x11x2x3xf32>
  %e = tensor.empty() : tensor<1x11x2x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x11x2x3xf32>, tensor<11xf32>) outs(%e : tensor<1x11x2x3xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x11x2x3xf32>
  return %r : tensor<1x11x2x3xf32>
}

// 1024 are a resource, of which the first and the last element are looked at below.
// CHECK-LABEL: func @elements_1024(
// CHECK:         %[[W:.*]] = arith.constant dense_resource<[[KEY:fusion_folded[_0-9]*]]> : tensor<16x8x2x4xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @elements_1024(%x: tensor<1x8x3x6xf32>) -> tensor<1x16x2x3xf32> {
  %s = arith.constant dense<[0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0]> : tensor<16xf32>
  %w = arith.constant dense<0.5> : tensor<16x8x2x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x3x6xf32>, tensor<16x8x2x4xf32>) outs(%z : tensor<1x16x2x3xf32>) -> tensor<1x16x2x3xf32>
  %e = tensor.empty() : tensor<1x16x2x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x16x2x3xf32>, tensor<16xf32>) outs(%e : tensor<1x16x2x3xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x16x2x3xf32>
  return %r : tensor<1x16x2x3xf32>
}

// CHECK-LABEL: func @elements_1024_again(
// CHECK:         %[[W:.*]] = arith.constant dense_resource<[[KEY:fusion_folded[_0-9]*]]> : tensor<16x8x2x4xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @elements_1024_again(%x: tensor<1x8x3x6xf32>) -> tensor<1x16x2x3xf32> {
  %s = arith.constant dense<[0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0]> : tensor<16xf32>
  %w = arith.constant dense<0.5> : tensor<16x8x2x4xf32>
  %z = arith.constant dense<0.0> : tensor<1x16x2x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x3x6xf32>, tensor<16x8x2x4xf32>) outs(%z : tensor<1x16x2x3xf32>) -> tensor<1x16x2x3xf32>
  %e = tensor.empty() : tensor<1x16x2x3xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x16x2x3xf32>, tensor<16xf32>) outs(%e : tensor<1x16x2x3xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x16x2x3xf32>
  return %r : tensor<1x16x2x3xf32>
}

// The filter of two convolutions, one of which is scaled.
// CHECK-LABEL: func @shared_filter(
// CHECK-DAG:     %[[W1:.*]] = arith.constant dense<{{\[\[\[\[}}5.000000e-01], [-1.250000e+00]], {{\[\[}}2.000000e+00], [7.500000e-01]]], {{\[\[\[}}-5.000000e-01], [1.500000e+00]], {{\[\[}}3.000000e+00], [-2.500000e+00]]], {{\[\[\[}}1.000000e+00], [4.000000e+00]], {{\[\[}}-3.500000e+00], [2.500000e-01]]]]>
// CHECK-DAG:     %[[W2:.*]] = arith.constant dense<{{\[\[\[\[}}1.000000e+00], [-2.500000e+00]], {{\[\[}}4.000000e+00], [1.500000e+00]]], {{\[\[\[}}2.500000e-01], [-7.500000e-01]], {{\[\[}}-1.500000e+00], [1.250000e+00]]], {{\[\[\[}}4.000000e+00], [1.600000e+01]], {{\[\[}}-1.400000e+01], [1.000000e+00]]]]>
// CHECK:         %[[R2:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W1]] :
// CHECK:         %[[R1:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W2]] :
// CHECK-NEXT:    return %[[R1]], %[[R2]]
func.func @shared_filter(%x: tensor<1x2x6x4xf32>, %y: tensor<1x2x6x4xf32>) -> (tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>) {
  %s = arith.constant dense<[2.0, -0.5, 4.0]> : tensor<3xf32>
  %w = arith.constant dense<[[[[0.5], [-1.25]], [[2.0], [0.75]]], [[[-0.5], [1.5]], [[3.0], [-2.5]]], [[[1.0], [4.0]], [[-3.5], [0.25]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<1x3x5x4xf32>, tensor<3xf32>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x5x4xf32>
  return %r, %d : tensor<1x3x5x4xf32>, tensor<1x3x5x4xf32>
}

// A value that is not known stays in IR: a filter times an argument.
// CHECK-LABEL: func @factor_of_run_time(
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:           arith.mulf
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @factor_of_run_time(%x: tensor<1x2x6x4xf32>, %s: tensor<3xf32>) -> tensor<1x3x5x4xf32> {
  %w = arith.constant dense<[[[[0.5], [-1.25]], [[2.0], [0.75]]], [[[-0.5], [1.5]], [[3.0], [-2.5]]], [[[1.0], [4.0]], [[-3.5], [0.25]]]]> : tensor<3x2x2x1xf32>
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

// A resource of 8 bytes is not that of 12 elements, and is left to those who read it.
// CHECK-LABEL: func @resource_too_short(
// CHECK:         %[[E:.*]] = arith.constant dense_resource<short>
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[E]],
// CHECK:           arith.mulf
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @resource_too_short(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.96, 0.74, 0.74]> : tensor<3xf32>
  %w = arith.constant dense_resource<short> : tensor<3x2x2x1xf32>
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

// Weights that were left out are not known either.
// CHECK-LABEL: func @elided(
// CHECK:         %[[E:.*]] = arith.constant dense_resource<__elided__>
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%[[E]],
// CHECK:           arith.mulf
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @elided(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %s = arith.constant dense<[-0.96, 0.74, 0.74]> : tensor<3xf32>
  %w = arith.constant dense_resource<__elided__> : tensor<3x2x2x1xf32>
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

// A bias in f16 and a resource, expanded, and widened in the op that adds it.
// CHECK-LABEL: func @half_bias(
// CHECK:         %[[B:.*]] = arith.constant dense<[5.000000e-01, -2.500000e-01, 6.10351563E-5]> : tensor<3xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} bias(%[[B]] :
func.func @half_bias(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %k = arith.constant dense_resource<half> : tensor<3xf16>
  %u = tensor.expand_shape %k [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf16> into tensor<3x1x1xf16>
  %w = arith.constant dense<[[[[0.5], [-1.25]], [[2.0], [0.75]]], [[[-0.5], [1.5]], [[3.0], [-2.5]]], [[[1.0], [4.0]], [[-3.5], [0.25]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %u : tensor<1x3x5x4xf32>, tensor<3x1x1xf16>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: f16, %out: f32):
    %0 = arith.extf %p1 : f16 to f32
    %1 = arith.addf %0, %p0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// 1 + 1/512 is 1 in bf16. With allow-contract-rounding=false the sum is rounded to
// bf16, as in the op.
// CHECK-LABEL: func @bf16_sum(
// STRICT-LABEL: func @bf16_sum(
// STRICT:         %[[B:.*]] = arith.constant dense<1.000000e+00> : tensor<3xf32>
// STRICT:         fusion.fused_conv_bias_act{{.*}} bias(%[[B]] :
func.func @bf16_sum(%x: tensor<1x2x6x4xf32>) -> tensor<1x3x5x4xf32> {
  %p = arith.constant dense<1.0> : tensor<3xbf16>
  %q = arith.constant dense<[0.001953125, 0.0009765625, 0.00390625]> : tensor<3xbf16>
  %e1 = tensor.empty() : tensor<3xbf16>
  %k = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
         ins(%p, %q : tensor<3xbf16>, tensor<3xbf16>) outs(%e1 : tensor<3xbf16>) {
  ^bb0(%p0: bf16, %p1: bf16, %out: bf16):
    %0 = arith.addf %p0, %p1 : bf16
    linalg.yield %0 : bf16
  } -> tensor<3xbf16>
  %w = arith.constant dense<[[[[0.5], [-1.25]], [[2.0], [0.75]]], [[[-0.5], [1.5]], [[3.0], [-2.5]]], [[[1.0], [4.0]], [[-3.5], [0.25]]]]> : tensor<3x2x2x1xf32>
  %z = arith.constant dense<0.0> : tensor<1x3x5x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x4xf32>, tensor<3x2x2x1xf32>) outs(%z : tensor<1x3x5x4xf32>) -> tensor<1x3x5x4xf32>
  %e = tensor.empty() : tensor<1x3x5x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %k : tensor<1x3x5x4xf32>, tensor<3xbf16>) outs(%e : tensor<1x3x5x4xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %out: f32):
    %0 = arith.extf %p1 : bf16 to f32
    %1 = arith.addf %0, %p0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x3x5x4xf32>
  return %r : tensor<1x3x5x4xf32>
}

// A maximum is NaN where an operand is, if maximumf computes it.
// CHECK-LABEL: func @maximum_of_nan(
// CHECK-DAG:     %[[KEPT:.*]] = arith.constant dense<[0x7FC00000, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG:     %[[LOST:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK:         fusion.fused_conv_bias_act {{.*}} bias(%[[KEPT]] :
// CHECK:         fusion.fused_conv_bias_act {{.*}} bias(%[[LOST]] :
func.func @maximum_of_nan(%x: tensor<1x1x5x4xf32>) -> (tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>) {
  %w = arith.constant dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>
  %numbers = arith.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %one = arith.constant 1.0 : f32
  %e1 = tensor.empty() : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2x5x4xf32>
  %kept = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<2xf32>) outs(%e1 : tensor<2xf32>) {
  ^bb0(%number: f32, %o: f32):
    %m = arith.maximumf %number, %one : f32
    linalg.yield %m : f32
  } -> tensor<2xf32>
  %lost = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<2xf32>) outs(%e1 : tensor<2xf32>) {
  ^bb0(%number: f32, %o: f32):
    %m = arith.maxnumf %number, %one : f32
    linalg.yield %m : f32
  } -> tensor<2xf32>
  %b0 = linalg.broadcast ins(%kept : tensor<2xf32>) outs(%e : tensor<1x2x5x4xf32>) dimensions = [0, 2, 3]
  %r0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x1x5x4xf32>, tensor<2x1x1x1xf32>) outs(%b0 : tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  %b1 = linalg.broadcast ins(%lost : tensor<2xf32>) outs(%e : tensor<1x2x5x4xf32>) dimensions = [0, 2, 3]
  %r1 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x1x5x4xf32>, tensor<2x1x1x1xf32>) outs(%b1 : tensor<1x2x5x4xf32>) -> tensor<1x2x5x4xf32>
  return %r0, %r1 : tensor<1x2x5x4xf32>, tensor<1x2x5x4xf32>
}

// The first element is 0.5 * 0.25, the last 0.5 * 4.
// CHECK:      dialect_resources: {
// CHECK:          fusion_folded{{[_1]*}}: "0x400000000000003E{{[0-9A-F]*}}00000040"
// CHECK-NEXT:     fusion_folded{{[_1]*}}: "0x400000000000003E{{[0-9A-F]*}}00000040"

{-#
  dialect_resources: {
    builtin: {
      half: "0x02000000003800B40004",
      short: "0x040000000000803F00000040"
    }
  }
#-}
