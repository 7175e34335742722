// RUN: fusion-opt %s --fusion-optimize --fusion-absorb-transposes | FileCheck %s

// Before ops become calls of the runtime, the transposes that are left from bringing
// a network to channels-last become part of the fusion ops on either side, where
// there are any.

// The edges of a chain.
// CHECK-LABEL: func.func @edges(
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins(
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @edges(%x: tensor<1x3x11x9xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x1x2xf32>) -> tensor<1x4x9x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x5x9x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x9x8xf32>) -> tensor<1x5x9x8xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x11x9xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<1x5x9x8xf32>) -> tensor<1x5x9x8xf32>
  %g = tensor.empty() : tensor<1x4x9x7xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%c, %v : tensor<1x5x9x8xf32>, tensor<4x5x1x2xf32>) outs(%h : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %r : tensor<1x4x9x7xf32>
}

// A transposed tensor that two convolutions read becomes part of both.
// CHECK-LABEL: func.func @two_readers(
// CHECK-NOT:     linalg.transpose
// CHECK-COUNT-2: fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @two_readers(%x: tensor<1x3x11x9xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x3x3x2xf32>) -> (tensor<1x9x8x5xf32>, tensor<1x9x8x4xf32>) {
  %e = tensor.empty() : tensor<1x11x9x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x3x11x9xf32>) outs(%e : tensor<1x11x9x3xf32>) permutation = [0, 2, 3, 1]
  %g = tensor.empty() : tensor<1x9x8x5xf32>
  %h = tensor.empty() : tensor<1x9x8x4xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
         ins(%t, %w : tensor<1x11x9x3xf32>, tensor<5x3x3x2xf32>) outs(%g : tensor<1x9x8x5xf32>) -> tensor<1x9x8x5xf32>
  %d = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
         ins(%t, %v : tensor<1x11x9x3xf32>, tensor<4x3x3x2xf32>) outs(%h : tensor<1x9x8x4xf32>) -> tensor<1x9x8x4xf32>
  return %c, %d : tensor<1x9x8x5xf32>, tensor<1x9x8x4xf32>
}

// One that an op of another kind reads too stays for that.
// CHECK-LABEL: func.func @another_reader(
// CHECK:         linalg.transpose
// CHECK:         fusion.fused_conv_bias_act layouts(nchw, fchw, nhwc) ins(
// CHECK:         return
func.func @another_reader(%x: tensor<1x3x11x9xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x9x8x5xf32>, tensor<1x11x9x3xf32>) {
  %e = tensor.empty() : tensor<1x11x9x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x3x11x9xf32>) outs(%e : tensor<1x11x9x3xf32>) permutation = [0, 2, 3, 1]
  %g = tensor.empty() : tensor<1x9x8x5xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
         ins(%t, %w : tensor<1x11x9x3xf32>, tensor<5x3x3x2xf32>) outs(%g : tensor<1x9x8x5xf32>) -> tensor<1x9x8x5xf32>
  return %c, %t : tensor<1x9x8x5xf32>, tensor<1x11x9x3xf32>
}

// A result that is read as it is cannot be made transposed.
// CHECK-LABEL: func.func @result_of_two(
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(
// CHECK:         linalg.transpose
// CHECK:         return
func.func @result_of_two(%x: tensor<1x11x9x3xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x9x8x5xf32>, tensor<1x5x9x8xf32>) {
  %g = tensor.empty() : tensor<1x9x8x5xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nhwc", filter_layout = "fchw", output_layout = "nhwc"}
         ins(%x, %w : tensor<1x11x9x3xf32>, tensor<5x3x3x2xf32>) outs(%g : tensor<1x9x8x5xf32>) -> tensor<1x9x8x5xf32>
  %h = tensor.empty() : tensor<1x5x9x8xf32>
  %r = linalg.transpose ins(%c : tensor<1x9x8x5xf32>) outs(%h : tensor<1x5x9x8xf32>) permutation = [0, 3, 1, 2]
  return %c, %r : tensor<1x9x8x5xf32>, tensor<1x5x9x8xf32>
}

// A pool between transposes stays between them: it has one layout.
// CHECK-LABEL: func.func @around_a_pool(
// CHECK:         linalg.transpose
// CHECK:         fusion.pool {{.*}}layout = #fusion.layout<nhwc>
// CHECK:         linalg.transpose
// CHECK:         return
func.func @around_a_pool(%x: tensor<1x3x11x9xf32>) -> tensor<1x3x9x8xf32> {
  %init = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x11x9x3xf32>
  %t = linalg.transpose ins(%x : tensor<1x3x11x9xf32>) outs(%e : tensor<1x11x9x3xf32>) permutation = [0, 2, 3, 1]
  %w = tensor.empty() : tensor<3x2xf32>
  %g = tensor.empty() : tensor<1x9x8x3xf32>
  %f = linalg.fill ins(%init : f32) outs(%g : tensor<1x9x8x3xf32>) -> tensor<1x9x8x3xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%t, %w : tensor<1x11x9x3xf32>, tensor<3x2xf32>) outs(%f : tensor<1x9x8x3xf32>) -> tensor<1x9x8x3xf32>
  %h = tensor.empty() : tensor<1x3x9x8xf32>
  %r = linalg.transpose ins(%p : tensor<1x9x8x3xf32>) outs(%h : tensor<1x3x9x8xf32>) permutation = [0, 3, 1, 2]
  return %r : tensor<1x3x9x8xf32>
}

// The transpose between a pool and a convolution goes into the convolution.
// CHECK-LABEL: func.func @behind_a_pool(
// CHECK:         fusion.pool {{.*}}layout = #fusion.layout<nhwc>
// CHECK-NOT:     linalg.transpose
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(
// CHECK-NOT:     linalg.transpose
// CHECK:         return
func.func @behind_a_pool(%x: tensor<1x11x9x3xf32>, %v: tensor<5x3x2x3xf32>) -> tensor<1x5x8x6xf32> {
  %init = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<3x2xf32>
  %g = tensor.empty() : tensor<1x9x8x3xf32>
  %f = linalg.fill ins(%init : f32) outs(%g : tensor<1x9x8x3xf32>) -> tensor<1x9x8x3xf32>
  %p = linalg.pooling_nhwc_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x11x9x3xf32>, tensor<3x2xf32>) outs(%f : tensor<1x9x8x3xf32>) -> tensor<1x9x8x3xf32>
  %h = tensor.empty() : tensor<1x3x9x8xf32>
  %t = linalg.transpose ins(%p : tensor<1x9x8x3xf32>) outs(%h : tensor<1x3x9x8xf32>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<1x5x8x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x8x6xf32>) -> tensor<1x5x8x6xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%t, %v : tensor<1x3x9x8xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<1x5x8x6xf32>) -> tensor<1x5x8x6xf32>
  return %r : tensor<1x5x8x6xf32>
}
