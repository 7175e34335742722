// RUN: fusion-opt %s --fusion-raise --canonicalize | FileCheck %s

// The contents of a convolution's accumulator, in every spelling.

#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#last = affine_map<(d0, d1, d2, d3) -> (d3)>
#element = affine_map<(d0, d1, d2, d3) -> (0)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @fill_zero(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x5x6xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(%[[E]] :
func.func @fill_zero(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @fill_minus_zero(
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @fill_minus_zero(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x6xf32> {
  %zero = arith.constant -0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @splat_zero(
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @splat_zero(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x6xf32> {
  %f = arith.constant dense<0.0> : tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// One fill for two convolutions, as CSE leaves it.
// CHECK-LABEL: func @shared_fill(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// CHECK:         return %[[A]], %[[B]]
func.func @shared_fill(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %v: tensor<4x3x3x2xf32>)
    -> (tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %b = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %a, %b : tensor<2x4x5x6xf32>, tensor<2x4x5x6xf32>
}

// A fill with another number is a bias that is the same for all channels.
// CHECK-LABEL: func @fill_other_number(
// CHECK:         %[[B:.*]] = arith.constant dense<-2.400000e+01> : tensor<4xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<4xf32>) outs(
func.func @fill_other_number(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x6xf32> {
  %number = arith.constant -24.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%number : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @fill_run_time_number(
// CHECK-SAME:    %[[N:[a-z0-9]*]]: f32)
// CHECK:         %[[B:.*]] = linalg.fill ins(%[[N]] : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<4xf32>) outs(
func.func @fill_run_time_number(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %number: f32) -> tensor<2x4x5x6xf32> {
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%number : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @broadcast_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK-NOT:     linalg
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<4xf32>) outs(
func.func @broadcast_bias(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x6xf32> {
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x5x6xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @generic_broadcast_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<4xf32>) outs(
func.func @generic_broadcast_bias(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x6xf32> {
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @generic_broadcast_bias_channels_last(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<4xf32>) outs(
func.func @generic_broadcast_bias_channels_last(%x: tensor<2x7x7x3xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<4xf32>) -> tensor<2x5x6x4xf32> {
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.generic {indexing_maps = [#last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<4xf32>) outs(%e : tensor<2x5x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5x6x4xf32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x7x7x3xf32>, tensor<4x3x2x3xf32>)
         outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %r : tensor<2x5x6x4xf32>
}

// A bias in bf16 is widened, on its own elements and not on the whole image.
// CHECK-LABEL: func @widened_bias(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<4xbf16>)
// CHECK:         %[[F:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<4xbf16>) outs(%{{.*}} : tensor<4xf32>)
// CHECK:           arith.extf
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[F]] : tensor<4xf32>) outs(
func.func @widened_bias(%x: tensor<2x3x7x7xbf16>, %w: tensor<4x3x3x2xbf16>, %b: tensor<4xbf16>) -> tensor<2x4x5x6xf32> {
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<4xbf16>) outs(%e : tensor<2x4x5x6xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %wide = arith.extf %in : bf16 to f32
    linalg.yield %wide : f32
  } -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xbf16>, tensor<4x3x3x2xbf16>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// TOSA writes "no bias" as a zero of size 1.
// CHECK-LABEL: func @zero_of_size_one(
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @zero_of_size_one(%x: tensor<2x7x7x3xf32>, %w: tensor<4x3x2x3xf32>) -> tensor<2x5x6x4xf32> {
  %b = arith.constant dense<0.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.generic {indexing_maps = [#element, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<1xf32>) outs(%e : tensor<2x5x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5x6x4xf32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x7x7x3xf32>, tensor<4x3x2x3xf32>)
         outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %r : tensor<2x5x6x4xf32>
}

// CHECK-LABEL: func @bias_of_size_one(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<1xf32>)
// CHECK:         %[[N:.*]] = tensor.extract %[[B]]
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs(%{{.*}} : tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<4xf32>) outs(
func.func @bias_of_size_one(%x: tensor<2x7x7x3xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<1xf32>) -> tensor<2x5x6x4xf32> {
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.generic {indexing_maps = [#element, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%b : tensor<1xf32>) outs(%e : tensor<2x5x6x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x5x6x4xf32>
  %r = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x7x7x3xf32>, tensor<4x3x2x3xf32>)
         outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %r : tensor<2x5x6x4xf32>
}

// torch-mlir's groups: everything is split, the convolution done, all put together.
// CHECK-LABEL: func @grouped_broadcast_bias(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x6x7x7xf32>, %[[W:[a-z0-9]*]]: tensor<8x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<8xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 ins(
// CHECK-SAME:      %[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<8xf32>) outs(
// CHECK:         return %[[R]]
func.func @grouped_broadcast_bias(%x: tensor<2x6x7x7xf32>, %w: tensor<8x3x3x2xf32>, %b: tensor<8xf32>) -> tensor<2x8x5x6xf32> {
  %e = tensor.empty() : tensor<2x8x5x6xf32>
  %f = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<2x8x5x6xf32>) dimensions = [0, 2, 3]
  %xg = tensor.expand_shape %x [[0], [1, 2], [3], [4]] output_shape [2, 2, 3, 7, 7] : tensor<2x6x7x7xf32> into tensor<2x2x3x7x7xf32>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [2, 4, 3, 3, 2] : tensor<8x3x3x2xf32> into tensor<2x4x3x3x2xf32>
  %fg = tensor.expand_shape %f [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 5, 6] : tensor<2x8x5x6xf32> into tensor<2x2x4x5x6xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%xg, %wg : tensor<2x2x3x7x7xf32>, tensor<2x4x3x3x2xf32>)
         outs(%fg : tensor<2x2x4x5x6xf32>) -> tensor<2x2x4x5x6xf32>
  %c = tensor.collapse_shape %r [[0], [1, 2], [3], [4]] : tensor<2x2x4x5x6xf32> into tensor<2x8x5x6xf32>
  return %c : tensor<2x8x5x6xf32>
}

// CHECK-LABEL: func @grouped_zero(
// CHECK:         fusion.fused_conv_bias_act groups 2 ins({{[^)]*}}) outs(
func.func @grouped_zero(%x: tensor<2x2x3x7x7xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<2x2x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x5x6xf32>) -> tensor<2x8x5x6xf32>
  %d = tensor.cast %f : tensor<2x8x5x6xf32> to tensor<?x8x?x?xf32>
  %s = tensor.cast %d : tensor<?x8x?x?xf32> to tensor<2x8x5x6xf32>
  %fg = tensor.expand_shape %s [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 5, 6] : tensor<2x8x5x6xf32> into tensor<2x2x4x5x6xf32>
  %r = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<2x2x3x7x7xf32>, tensor<2x4x3x3x2xf32>)
         outs(%fg : tensor<2x2x4x5x6xf32>) -> tensor<2x2x4x5x6xf32>
  return %r : tensor<2x2x4x5x6xf32>
}

// CHECK-LABEL: func @residual_argument(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: tensor<2x4x5x6xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x5x6xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[S]] : tensor<2x4x5x6xf32>) outs(%[[E]] :
func.func @residual_argument(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>, %s: tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%s : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// Two convolutions that accumulate into one sum.
// CHECK-LABEL: func @residual_convolution(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[A]] :
func.func @residual_convolution(%x: tensor<2x3x7x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x7x7xf32>, tensor<4x3x3x2xf32>)
         outs(%a : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// With four channels and four rows a broadcast along the rows is no bias.
// CHECK-LABEL: func @broadcast_along_rows(
// CHECK:         %[[F:.*]] = linalg.broadcast
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(%[[F]] :
func.func @broadcast_along_rows(%x: tensor<2x4x6x7xf32>, %w: tensor<4x4x3x2xf32>, %b: tensor<4xf32>) -> tensor<2x4x4x6xf32> {
  %e = tensor.empty() : tensor<2x4x4x6xf32>
  %f = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<2x4x4x6xf32>) dimensions = [0, 1, 3]
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x6x7xf32>, tensor<4x4x3x2xf32>)
         outs(%f : tensor<2x4x4x6xf32>) -> tensor<2x4x4x6xf32>
  return %r : tensor<2x4x4x6xf32>
}

// A cast in front of the accumulator knows a size that its operand does not, and the
// other way round.
// CHECK-LABEL: func @cast_to_static(
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<1x5x3x4xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} residual({{.*}}) outs(%[[E]] :
func.func @cast_to_static(%x: tensor<1x2x3x4xf32>, %w: tensor<5x2x1x1xf32>, %r: tensor<1x5x3x?xf32>) -> tensor<1x5x3x4xf32> {
  %i = tensor.cast %r : tensor<1x5x3x?xf32> to tensor<1x5x3x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x3x4xf32>, tensor<5x2x1x1xf32>)
         outs(%i : tensor<1x5x3x4xf32>) -> tensor<1x5x3x4xf32>
  return %c : tensor<1x5x3x4xf32>
}

// CHECK-LABEL: func @cast_to_dynamic(
// CHECK:         fusion.fused_conv_bias_act{{.*}} residual(%{{.*}} : tensor<1x5x3x4xf32>) outs(
func.func @cast_to_dynamic(%x: tensor<1x2x3x?xf32>, %w: tensor<5x2x1x1xf32>, %r: tensor<1x5x3x4xf32>) -> tensor<1x5x3x?xf32> {
  %i = tensor.cast %r : tensor<1x5x3x4xf32> to tensor<1x5x3x?xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x3x?xf32>, tensor<5x2x1x1xf32>)
         outs(%i : tensor<1x5x3x?xf32>) -> tensor<1x5x3x?xf32>
  return %c : tensor<1x5x3x?xf32>
}
