// Padding in front of grouped convolutions of linalg, whose groups are a dimension of their own.
// Integration/fuse-pad.test executes it.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=unsupported

// EXPLAIN: fused: pad
// CHECK-LABEL: func @channels_first(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 1] groups 2 {input_zero_point = 5 : i32}
func.func @channels_first(%x: tensor<1x2x3x7x9xi8>, %w: tensor<2x4x3x3x2xi8>) -> tensor<1x2x4x4x9xi32> {
  %z8 = arith.constant 5 : i8
  %z = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 0, 0, 1, 0] high[0, 0, 0, 2, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %z8 : i8
  } : tensor<1x2x3x7x9xi8> to tensor<1x2x3x10x10xi8>
  %f = arith.constant dense<0> : tensor<1x2x4x4x9xi32>
  %r = linalg.conv_2d_ngchw_gfchw_q {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%p, %w, %z, %zero : tensor<1x2x3x10x10xi8>, tensor<2x4x3x3x2xi8>, i32, i32) outs(%f : tensor<1x2x4x4x9xi32>) -> tensor<1x2x4x4x9xi32>
  return %r : tensor<1x2x4x4x9xi32>
}

// EXPLAIN: fused: pad
// CHECK-LABEL: func @channels_last(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 1] groups 2 {{.*}}{input_zero_point = 5 : i32}
func.func @channels_last(%x: tensor<1x7x9x2x3xi8>, %w: tensor<2x4x3x2x3xi8>) -> tensor<1x4x9x2x4xi32> {
  %z8 = arith.constant 5 : i8
  %z = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 1, 0, 0, 0] high[0, 2, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %z8 : i8
  } : tensor<1x7x9x2x3xi8> to tensor<1x10x10x2x3xi8>
  %f = arith.constant dense<0> : tensor<1x4x9x2x4xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%p, %w, %z, %zero : tensor<1x10x10x2x3xi8>, tensor<2x4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x4x9x2x4xi32>) -> tensor<1x4x9x2x4xi32>
  return %r : tensor<1x4x9x2x4xi32>
}

// A channel that is padded in each group is none of the op's.
// EXPLAIN: fused: {{.*}}; unsupported: 'tensor.collapse_shape' at {{.*}} comes between the input and 'tensor.pad'
// CHECK-LABEL: func @channel_of_a_group(
// CHECK:         tensor.pad
// CHECK:         fusion.quantized_conv_bias_act
func.func @channel_of_a_group(%x: tensor<1x2x3x7x9xi8>, %w: tensor<2x5x4x3x2xi8>) -> tensor<1x2x5x4x9xi32> {
  %z8 = arith.constant 5 : i8
  %z = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[0, 0, 1, 1, 0] high[0, 0, 0, 2, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %z8 : i8
  } : tensor<1x2x3x7x9xi8> to tensor<1x2x4x10x10xi8>
  %f = arith.constant dense<0> : tensor<1x2x5x4x9xi32>
  %r = linalg.conv_2d_ngchw_gfchw_q {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%p, %w, %z, %zero : tensor<1x2x4x10x10xi8>, tensor<2x5x4x3x2xi8>, i32, i32) outs(%f : tensor<1x2x5x4x9xi32>) -> tensor<1x2x5x4x9xi32>
  return %r : tensor<1x2x5x4x9xi32>
}
