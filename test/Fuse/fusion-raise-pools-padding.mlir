// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s

// Pools that become calls of the runtime, while their padding stays an op.

// Padding that no window reads is dropped: rows end with the input, of columns one is left.
// CHECK-LABEL: func @unread_padding(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 1>, pad_low = array<i64: 1, 0>{{.*}} ins(%{{.*}} : tensor<2x11x9x5xf32>)
// CHECK-SAME:      -> tensor<2x5x8x5xf32>
func.func @unread_padding(%x: tensor<2x11x9x5xf32>) -> tensor<2x5x8x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 4, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x16x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x8x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x8x5xf32>) -> tensor<2x5x8x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x16x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x8x5xf32>) -> tensor<2x5x8x5xf32>
  return %r : tensor<2x5x8x5xf32>
}

// A padding by another number.
// CHECK-LABEL: func @pad_42(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, 2, 0, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @pad_42(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %number = arith.constant 42.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// A maximum over zeros, which may be the greatest.
// CHECK-LABEL: func @pad_zero(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, 2, 0, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @pad_zero(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %number = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// A sum over other numbers than 0.
// CHECK-LABEL: func @sum_of_lowest(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 2, 0] high[0, 2, 0, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @sum_of_lowest(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0.0 : f32
  %number = arith.constant -1.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// Some windows have nothing but padding.
// CHECK-LABEL: func @sum_of_nothing(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 4, 0, 0] high[0, 0, 0, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @sum_of_nothing(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x7x5xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 4, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x15x9x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x15x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
  return %r : tensor<2x6x7x5xf32>
}

// Some windows have nothing but padding.
// CHECK-LABEL: func @maximum_of_the_lowest(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 0, 3, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @maximum_of_the_lowest(%x: tensor<2x11x9x5xf32>) -> tensor<2x5x11x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %number = arith.constant -3.40282347E+38 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 0, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : f32
  } : tensor<2x11x9x5xf32> to tensor<2x12x13x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x11x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x11x5xf32>) -> tensor<2x5x11x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x12x13x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x11x5xf32>) -> tensor<2x5x11x5xf32>
  return %r : tensor<2x5x11x5xf32>
}

// Padding that is no part of an image.
// CHECK-LABEL: func @sum_pads_the_batch(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 0, 0, 0] high[1, 0, 0, 0]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @sum_pads_the_batch(%x: tensor<2x11x9x5xf32>) -> tensor<3x4x7x5xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[1, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<3x11x9x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<3x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<3x4x7x5xf32>) -> tensor<3x4x7x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<3x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<3x4x7x5xf32>) -> tensor<3x4x7x5xf32>
  return %r : tensor<3x4x7x5xf32>
}

// Padding that is no part of an image.
// CHECK-LABEL: func @sum_pads_channels(
// CHECK:         %[[P:.*]] = tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 0, 0, 1]
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @sum_pads_channels(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x6xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x11x9x6xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x6xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x6xf32>) -> tensor<2x4x7x6xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x11x9x6xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x6xf32>) -> tensor<2x4x7x6xf32>
  return %r : tensor<2x4x7x6xf32>
}

// A padding by an amount known only at run time.
// CHECK-LABEL: func @unknown_padding(
// CHECK:         tensor.pad
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>
func.func @unknown_padding(%x: tensor<2x11x9x5xf32>, %low: index) -> tensor<2x?x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, %low, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x?x9x5xf32>
  %c8 = arith.constant 8 : index
  %rows = arith.addi %c8, %low : index
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty(%rows) : tensor<2x?x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x?x7x5xf32>) -> tensor<2x?x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x?x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x?x7x5xf32>) -> tensor<2x?x7x5xf32>
  return %r : tensor<2x?x7x5xf32>
}
