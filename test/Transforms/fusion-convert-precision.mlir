// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-convert-precision | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="precision=bf16 propagate-layout=false" | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-convert-precision=to=f16 | FileCheck %s --check-prefix=F16
// RUN: not fusion-opt %s --fusion-convert-precision=to=i8 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not=func.func

// The input is rounded, the filter stays: the runtime rounds it when it packs it.

// ERROR: 'to' must be bf16 or f16, got 'i8'

// CHECK-LABEL: func @alone(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>
// CHECK:         %[[N:.*]] = linalg.generic {{.*}} ins(%[[X]] :
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[N]], %[[W]] : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xf32>) outs({{.*}} -> tensor<2x5x7x10xf32>
// CHECK-NEXT:    return %[[R]]
// F16-LABEL: func @alone(
// F16:         fusion.fused_conv_bias_act{{.*}} : tensor<2x3x9x11xf16>, tensor<5x3x3x2xf32>) outs({{.*}} -> tensor<2x5x7x10xf32>
func.func @alone(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %c : tensor<2x5x7x10xf32>
}

// Between two convolutions the tensor is narrow, without an op of its own.
// CHECK-LABEL: func @chain(
// CHECK:         linalg.generic
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[A]], %{{.*}} : tensor<2x5x7x10xbf16>, tensor<4x5x2x3xf32>) outs({{.*}} -> tensor<2x4x6x8xf32>
func.func @chain(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x2x3xf32>) -> tensor<2x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<2x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  return %d : tensor<2x4x6x8xf32>
}

// The f32 result stays if it has another user.
// CHECK-LABEL: func @result_used_twice(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<2x5x7x10xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[A]] :
// CHECK:         fusion.fused_conv_bias_act{{.*}} -> tensor<2x4x6x8xf32>
func.func @result_used_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<4x5x2x3xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<2x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
  return %d, %c : tensor<2x4x6x8xf32>, tensor<2x5x7x10xf32>
}

// An op that is narrow already stays.
// CHECK-LABEL: func @narrow(
// CHECK-NOT:     truncf
// CHECK:         fusion.fused_conv_bias_act{{.*}} : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>)
func.func @narrow(%x: tensor<2x3x9x11xbf16>, %w: tensor<5x3x3x2xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %c : tensor<2x5x7x10xf32>
}

// A residual between two convolutions is narrow as well, and so is a maximum pool.
// CHECK-LABEL: func @block(
// CHECK:         linalg.generic {{.*}} ins(%arg0
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<1x4x8x8xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[P:.*]] = fusion.pool {{.*}} ins(%[[A]] : tensor<1x4x8x8xbf16>) {{.*}} -> tensor<1x4x4x4xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[B:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[P]], {{.*}} residual(%[[P]] : tensor<1x4x4x4xbf16>) {{.*}} -> tensor<1x4x4x4xbf16>
// CHECK-NOT:     linalg.generic
// CHECK:         %[[C:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[B]], {{.*}} -> tensor<1x4x4x4xf32>
// CHECK:         return %[[C]]
func.func @block(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %k = tensor.empty() : tensor<2x2xf32>
  %s = tensor.empty() : tensor<1x4x4x4xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%s : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %p = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%a, %k : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%f : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %b = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%p, %w : tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) residual(%p : tensor<1x4x4x4xf32>) outs(%s : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%b, %w : tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) outs(%s : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %c : tensor<1x4x4x4xf32>
}

// A transpose moves narrow elements, too.
// CHECK-LABEL: func @transposed(
// CHECK:         %[[A:.*]] = fusion.fused_conv_bias_act{{.*}} -> tensor<1x4x8x6xbf16>
// CHECK:         linalg.transpose ins(%[[A]] : tensor<1x4x8x6xbf16>)
// CHECK:         fusion.fused_conv_bias_act layouts(ncwh, fchw, nchw) ins(%[[A]],
func.func @transposed(%x: tensor<1x4x8x6xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x6x8xf32> {
  %e = tensor.empty() : tensor<1x4x8x6xf32>
  %a = fusion.fused_conv_bias_act ins(%x, %w : tensor<1x4x8x6xf32>, tensor<4x4x1x1xf32>) outs(%e : tensor<1x4x8x6xf32>) -> tensor<1x4x8x6xf32>
  %s = tensor.empty() : tensor<1x4x6x8xf32>
  %t = linalg.transpose ins(%a : tensor<1x4x8x6xf32>) outs(%s : tensor<1x4x6x8xf32>) permutation = [0, 1, 3, 2]
  %c = fusion.fused_conv_bias_act ins(%t, %w : tensor<1x4x6x8xf32>, tensor<4x4x1x1xf32>) residual(%t : tensor<1x4x6x8xf32>) outs(%s : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %c : tensor<1x4x6x8xf32>
}

// A sum of several elements is another one when they are rounded first: f32 stays.
// CHECK-LABEL: func @summed(
// CHECK:         fusion.fused_conv_bias_act{{.*}} -> tensor<1x4x8x8xf32>
// CHECK:         fusion.pool {{.*}}<sum>{{.*}} -> tensor<1x4x4x4xf32>
// CHECK:         linalg.generic
// CHECK:         fusion.fused_conv_bias_act{{.*}} : tensor<1x4x4x4xbf16>
func.func @summed(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) outs(%e : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %s = tensor.empty() : tensor<1x4x4x4xf32>
  %p = fusion.pool {pooling = #fusion.pooling<sum>, layout = "nchw", kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>,
    pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>} ins(%a : tensor<1x4x8x8xf32>) outs(%s : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%p, %w : tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) outs(%s : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %c : tensor<1x4x4x4xf32>
}

// An input from outside is rounded by the op that reads it, as its narrow filter says:
// the kernel has to copy it anyway. 1 + 2^-8 is rounded to 1.
// CHECK-LABEL: func @argument(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x2x5x7xf32>)
// CHECK-NOT:     linalg.generic
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.000000e+00]], {{\[\[}}-2.000000e+00]]], {{\[\[\[}}5.000000e-01]], {{\[\[}}3.000000e+00]]]]> : tensor<2x2x1x1xbf16>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : tensor<1x2x5x7xf32>, tensor<2x2x1x1xbf16>) outs({{.*}} -> tensor<1x2x5x7xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @argument(%x: tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32> {
  %w = arith.constant dense<[[[[1.00390625]], [[-2.0]]], [[[0.5]], [[3.0]]]]> : tensor<2x2x1x1xf32>
  %e = tensor.empty() : tensor<1x2x5x7xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<1x2x5x7xf32>, tensor<2x2x1x1xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  return %a : tensor<1x2x5x7xf32>
}

// Two that read it share a cast.
// CHECK-LABEL: func @argument_read_twice(
// CHECK:         linalg.generic
// CHECK:           arith.truncf
// CHECK-COUNT-2: fusion.fused_conv_bias_act{{.*}} : tensor<1x2x5x7xbf16>, tensor<2x2x1x1xf32>)
func.func @argument_read_twice(%x: tensor<1x2x5x7xf32>) -> (tensor<1x2x5x7xf32>, tensor<1x2x5x7xf32>) {
  %w = arith.constant dense<[[[[1.25]], [[-2.0]]], [[[0.5]], [[3.0]]]]> : tensor<2x2x1x1xf32>
  %v = arith.constant dense<[[[[0.25]], [[1.0]]], [[[2.5]], [[-3.0]]]]> : tensor<2x2x1x1xf32>
  %e = tensor.empty() : tensor<1x2x5x7xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<1x2x5x7xf32>, tensor<2x2x1x1xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  %b = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %v : tensor<1x2x5x7xf32>, tensor<2x2x1x1xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  return %a, %b : tensor<1x2x5x7xf32>, tensor<1x2x5x7xf32>
}

// A computed input is rounded where it is computed, once loops are fused.
// CHECK-LABEL: func @computed(
// CHECK:         linalg.generic
// CHECK:           arith.truncf
// CHECK:         fusion.fused_conv_bias_act{{.*}} : tensor<1x2x5x7xbf16>, tensor<2x2x1x1xf32>)
func.func @computed(%y: tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32> {
  %w = arith.constant dense<[[[[1.25]], [[-2.0]]], [[[0.5]], [[3.0]]]]> : tensor<2x2x1x1xf32>
  %e = tensor.empty() : tensor<1x2x5x7xf32>
  %x = linalg.exp ins(%y : tensor<1x2x5x7xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<1x2x5x7xf32>, tensor<2x2x1x1xf32>) outs(%e : tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32>
  return %a : tensor<1x2x5x7xf32>
}

// Asking for a size reads no element.
// CHECK-LABEL: func @argument_of_any_batch(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x2x5x7xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %{{.*}} : tensor<?x2x5x7xf32>, tensor<2x2x1x1xbf16>)
func.func @argument_of_any_batch(%x: tensor<?x2x5x7xf32>) -> tensor<?x2x5x7xf32> {
  %zero = arith.constant 0 : index
  %w = arith.constant dense<[[[[1.25]], [[-2.0]]], [[[0.5]], [[3.0]]]]> : tensor<2x2x1x1xf32>
  %n = tensor.dim %x, %zero : tensor<?x2x5x7xf32>
  %e = tensor.empty(%n) : tensor<?x2x5x7xf32>
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : tensor<?x2x5x7xf32>, tensor<2x2x1x1xf32>) outs(%e : tensor<?x2x5x7xf32>) -> tensor<?x2x5x7xf32>
  return %a : tensor<?x2x5x7xf32>
}
