// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s

// Pools of linalg become calls of the runtime, with the padding of their input.

// TVM 85: every named pool.
// CHECK-LABEL: func @nhwc_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nhwc_max(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// CHECK-LABEL: func @nchw_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x6x9xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x5x11x9xf32>) outs(%[[E]] : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nchw_max(%x: tensor<2x5x11x9xf32>) -> tensor<2x5x6x9xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x5x11x9xf32> to tensor<2x5x14x11xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x6x9xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  %r = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x5x14x11xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  return %r : tensor<2x5x6x9xf32>
}

// CHECK-LABEL: func @nwc_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x13x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4>, layout = #fusion.layout<nwc>, pad_high = array<i64: 1>, pad_low = array<i64: 2>, pooling = #fusion.pooling<max>, strides = array<i64: 3>} ins(%[[X]] : tensor<2x13x5xf32>) outs(%[[E]] : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nwc_max(%x: tensor<2x13x5xf32>) -> tensor<2x5x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 2, 0] high[0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : f32
  } : tensor<2x13x5xf32> to tensor<2x16x5xf32>
  %w = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<2x5x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %r = linalg.pooling_nwc_max {strides = dense<3> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x16x5xf32>, tensor<4xf32>) outs(%f : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// CHECK-LABEL: func @ncw_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x13xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4>, layout = #fusion.layout<ncw>, pad_high = array<i64: 1>, pad_low = array<i64: 2>, pooling = #fusion.pooling<max>, strides = array<i64: 3>} ins(%[[X]] : tensor<2x5x13xf32>) outs(%[[E]] : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @ncw_max(%x: tensor<2x5x13xf32>) -> tensor<2x5x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : f32
  } : tensor<2x5x13xf32> to tensor<2x5x16xf32>
  %w = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<2x5x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %r = linalg.pooling_ncw_max {strides = dense<3> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x5x16xf32>, tensor<4xf32>) outs(%f : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// CHECK-LABEL: func @ndhwc_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x7x6x3xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x4x3x3xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 2, 3, 4>, layout = #fusion.layout<ndhwc>, pad_high = array<i64: 0, 2, 1>, pad_low = array<i64: 1, 0, 3>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 2, 3>} ins(%[[X]] : tensor<2x4x7x6x3xf32>) outs(%[[E]] : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
// CHECK-NEXT:    return %[[R]]
func.func @ndhwc_max(%x: tensor<2x4x7x6x3xf32>) -> tensor<2x4x4x3x3xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 0, 3, 0] high[0, 0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %init : f32
  } : tensor<2x4x7x6x3xf32> to tensor<2x5x9x10x3xf32>
  %w = tensor.empty() : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x4x4x3x3xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
  %r = linalg.pooling_ndhwc_max {strides = dense<[1, 2, 3]> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
         ins(%p, %w : tensor<2x5x9x10x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
  return %r : tensor<2x4x4x3x3xf32>
}

// CHECK-LABEL: func @nhwc_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nhwc_sum(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// CHECK-LABEL: func @nchw_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x6x9xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x5x11x9xf32>) outs(%[[E]] : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nchw_sum(%x: tensor<2x5x11x9xf32>) -> tensor<2x5x6x9xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x5x11x9xf32> to tensor<2x5x14x11xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x6x9xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  %r = linalg.pooling_nchw_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x5x14x11xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  return %r : tensor<2x5x6x9xf32>
}

// CHECK-LABEL: func @nwc_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x13x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4>, layout = #fusion.layout<nwc>, pad_high = array<i64: 1>, pad_low = array<i64: 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 3>} ins(%[[X]] : tensor<2x13x5xf32>) outs(%[[E]] : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @nwc_sum(%x: tensor<2x13x5xf32>) -> tensor<2x5x5xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 2, 0] high[0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : f32
  } : tensor<2x13x5xf32> to tensor<2x16x5xf32>
  %w = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<2x5x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %r = linalg.pooling_nwc_sum {strides = dense<3> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x16x5xf32>, tensor<4xf32>) outs(%f : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// CHECK-LABEL: func @ncw_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x13xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4>, layout = #fusion.layout<ncw>, pad_high = array<i64: 1>, pad_low = array<i64: 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 3>} ins(%[[X]] : tensor<2x5x13xf32>) outs(%[[E]] : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @ncw_sum(%x: tensor<2x5x13xf32>) -> tensor<2x5x5xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 2] high[0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : f32
  } : tensor<2x5x13xf32> to tensor<2x5x16xf32>
  %w = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<2x5x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %r = linalg.pooling_ncw_sum {strides = dense<3> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x5x16xf32>, tensor<4xf32>) outs(%f : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// CHECK-LABEL: func @ndhwc_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x4x7x6x3xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x4x3x3xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 2, 3, 4>, layout = #fusion.layout<ndhwc>, pad_high = array<i64: 0, 2, 1>, pad_low = array<i64: 1, 0, 3>, pooling = #fusion.pooling<sum>, strides = array<i64: 1, 2, 3>} ins(%[[X]] : tensor<2x4x7x6x3xf32>) outs(%[[E]] : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
// CHECK-NEXT:    return %[[R]]
func.func @ndhwc_sum(%x: tensor<2x4x7x6x3xf32>) -> tensor<2x4x4x3x3xf32> {
  %init = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0, 3, 0] high[0, 0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %init : f32
  } : tensor<2x4x7x6x3xf32> to tensor<2x5x9x10x3xf32>
  %w = tensor.empty() : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x4x4x3x3xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
  %r = linalg.pooling_ndhwc_sum {strides = dense<[1, 2, 3]> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
         ins(%p, %w : tensor<2x5x9x10x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x4x4x3x3xf32>) -> tensor<2x4x4x3x3xf32>
  return %r : tensor<2x4x4x3x3xf32>
}

// Without padding, and over the whole image.
// CHECK-LABEL: func @no_padding(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4x7x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @no_padding(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// CHECK-LABEL: func @global(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x7x9xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x1x1xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 7, 9>, layout = #fusion.layout<nchw>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<sum>, strides = array<i64: 1, 1>} ins(%[[X]] : tensor<2x5x7x9xf32>) outs(%[[E]] : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
// CHECK-NEXT:    return %[[R]]
func.func @global(%x: tensor<2x5x7x9xf32>) -> tensor<2x5x1x1xf32> {
  %init = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<7x9xf32>
  %e = tensor.empty() : tensor<2x5x1x1xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  %r = linalg.pooling_nchw_sum {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x5x7x9xf32>, tensor<7x9xf32>) outs(%f : tensor<2x5x1x1xf32>) -> tensor<2x5x1x1xf32>
  return %r : tensor<2x5x1x1xf32>
}

// Narrow types.
// CHECK-LABEL: func @bf16(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xbf16>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xbf16>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xbf16>) outs(%[[E]] : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @bf16(%x: tensor<2x11x9x5xbf16>) -> tensor<2x6x9x5xbf16> {
  %init = arith.constant 0xFF80 : bf16
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : bf16
  } : tensor<2x11x9x5xbf16> to tensor<2x14x11x5xbf16>
  %w = tensor.empty() : tensor<4x3xbf16>
  %e = tensor.empty() : tensor<2x6x9x5xbf16>
  %f = linalg.fill ins(%init : bf16) outs(%e : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xbf16>, tensor<4x3xbf16>) outs(%f : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
  return %r : tensor<2x6x9x5xbf16>
}

// CHECK-LABEL: func @bf16_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xbf16>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xbf16>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xbf16>) outs(%[[E]] : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
// CHECK-NEXT:    return %[[R]]
func.func @bf16_sum(%x: tensor<2x11x9x5xbf16>) -> tensor<2x6x9x5xbf16> {
  %init = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : bf16
  } : tensor<2x11x9x5xbf16> to tensor<2x14x11x5xbf16>
  %w = tensor.empty() : tensor<4x3xbf16>
  %e = tensor.empty() : tensor<2x6x9x5xbf16>
  %f = linalg.fill ins(%init : bf16) outs(%e : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xbf16>, tensor<4x3xbf16>) outs(%f : tensor<2x6x9x5xbf16>) -> tensor<2x6x9x5xbf16>
  return %r : tensor<2x6x9x5xbf16>
}

// CHECK-LABEL: func @f16(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf16>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x6x9xf16>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x5x11x9xf16>) outs(%[[E]] : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
// CHECK-NEXT:    return %[[R]]
func.func @f16(%x: tensor<2x5x11x9xf16>) -> tensor<2x5x6x9xf16> {
  %init = arith.constant 0xFC00 : f16
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f16
  } : tensor<2x5x11x9xf16> to tensor<2x5x14x11xf16>
  %w = tensor.empty() : tensor<4x3xf16>
  %e = tensor.empty() : tensor<2x5x6x9xf16>
  %f = linalg.fill ins(%init : f16) outs(%e : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
  %r = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x5x14x11xf16>, tensor<4x3xf16>) outs(%f : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
  return %r : tensor<2x5x6x9xf16>
}

// The lowest number is as good as minus infinity, and one may stand beside the other.
// CHECK-LABEL: func @lowest(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @lowest(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant -3.40282347E+38 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// CHECK-LABEL: func @lowest_pad(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @lowest_pad(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %number = arith.constant -3.40282347E+38 : f32
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

// CHECK-LABEL: func @lowest_init(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x6x9x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x11x9x5xf32>) outs(%[[E]] : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @lowest_init(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant -3.40282347E+38 : f32
  %number = arith.constant 0xFF800000 : f32
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

// CHECK-LABEL: func @lowest_f16(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf16>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x6x9xf16>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x5x11x9xf16>) outs(%[[E]] : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
// CHECK-NEXT:    return %[[R]]
func.func @lowest_f16(%x: tensor<2x5x11x9xf16>) -> tensor<2x5x6x9xf16> {
  %init = arith.constant -6.550400e+04 : f16
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f16
  } : tensor<2x5x11x9xf16> to tensor<2x5x14x11xf16>
  %w = tensor.empty() : tensor<4x3xf16>
  %e = tensor.empty() : tensor<2x5x6x9xf16>
  %f = linalg.fill ins(%init : f16) outs(%e : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
  %r = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x5x14x11xf16>, tensor<4x3xf16>) outs(%f : tensor<2x5x6x9xf16>) -> tensor<2x5x6x9xf16>
  return %r : tensor<2x5x6x9xf16>
}

// CHECK-LABEL: func @negative_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x5x6x9xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 2, 1>} ins(%[[X]] : tensor<2x5x11x9xf32>) outs(%[[E]] : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
// CHECK-NEXT:    return %[[R]]
func.func @negative_zero(%x: tensor<2x5x11x9xf32>) -> tensor<2x5x6x9xf32> {
  %init = arith.constant 0.0 : f32
  %number = arith.constant -0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : f32
  } : tensor<2x5x11x9xf32> to tensor<2x5x14x11xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x6x9xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  %r = linalg.pooling_nchw_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x5x14x11xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  return %r : tensor<2x5x6x9xf32>
}

// Rows that no window reaches, as the size of the result says.
// CHECK-LABEL: func @does_not_fit_evenly(
// CHECK-SAME:    %[[X:.*]]: tensor<2x12x11x5xf32>)
// CHECK-NOT:     linalg.
// CHECK-NOT:     tensor.pad
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x3x4x5xf32>
// CHECK:         %[[R:.*]] = fusion.pool {kernel = array<i64: 3, 2>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 4, 3>} ins(%[[X]] : tensor<2x12x11x5xf32>) outs(%[[E]] : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT:    return %[[R]]
func.func @does_not_fit_evenly(%x: tensor<2x12x11x5xf32>) -> tensor<2x3x4x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[4, 3]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x12x11x5xf32>, tensor<3x2xf32>) outs(%f : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}
