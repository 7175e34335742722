// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s
// RUN: fusion-opt %s --fusion-raise-pools --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Near misses: pools that stay in linalg.

// A maximum that starts from 0, as after relu, has 0 where all is negative.
// CHECK-LABEL: func @max_from_zero(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN: not fused: starts from an initial value other than the lowest
func.func @max_from_zero(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0.0 : f32
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

// A sum that starts from 1.
// CHECK-LABEL: func @sum_from_one(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_sum
// EXPLAIN-NEXT: not fused: starts from an initial value other than 0
func.func @sum_from_one(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 1.0 : f32
  %number = arith.constant 0.0 : f32
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

// A maximum that starts from the number above the lowest.
// CHECK-LABEL: func @max_above_the_lowest(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: starts from an initial value other than the lowest
func.func @max_above_the_lowest(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant -3.40282326E+38 : f32
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

// A maximum that starts from NaN.
// CHECK-LABEL: func @nan(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: starts from an initial value other than the lowest
func.func @nan(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %init = arith.constant 0x7FC00000 : f32
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

// A window with holes.
// CHECK-LABEL: func @dilations(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: a window with dilations
func.func @dilations(%x: tensor<2x11x9x5xf32>) -> tensor<2x3x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x3x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  return %r : tensor<2x3x7x5xf32>
}

// A window with holes in the other dimension.
// CHECK-LABEL: func @one_dilation(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: a window with dilations
func.func @one_dilation(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x3x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x3x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 3]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  return %r : tensor<2x4x3x5xf32>
}

// Types that the runtime has not.
// CHECK-LABEL: func @f64(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: element types f64 and f64, expected f32, bf16, f16, or i8 for a maximum
func.func @f64(%x: tensor<2x11x9x5xf64>) -> tensor<2x6x9x5xf64> {
  %init = arith.constant 0xFFF0000000000000 : f64
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f64
  } : tensor<2x11x9x5xf64> to tensor<2x14x11x5xf64>
  %w = tensor.empty() : tensor<4x3xf64>
  %e = tensor.empty() : tensor<2x6x9x5xf64>
  %f = linalg.fill ins(%init : f64) outs(%e : tensor<2x6x9x5xf64>) -> tensor<2x6x9x5xf64>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf64>, tensor<4x3xf64>) outs(%f : tensor<2x6x9x5xf64>) -> tensor<2x6x9x5xf64>
  return %r : tensor<2x6x9x5xf64>
}

// Integers.
// CHECK-LABEL: func @i32_sum(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_sum
// EXPLAIN-NEXT: not fused: unsupported: no kernel adds up integers (i32 into i32)
func.func @i32_sum(%x: tensor<2x11x9x5xi32>) -> tensor<2x4x7x5xi32> {
  %init = arith.constant 0 : i32
  %w = tensor.empty() : tensor<4x3xi32>
  %e = tensor.empty() : tensor<2x4x7x5xi32>
  %f = linalg.fill ins(%init : i32) outs(%e : tensor<2x4x7x5xi32>) -> tensor<2x4x7x5xi32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xi32>, tensor<4x3xi32>) outs(%f : tensor<2x4x7x5xi32>) -> tensor<2x4x7x5xi32>
  return %r : tensor<2x4x7x5xi32>
}

// A result with fewer rows than windows give.
// CHECK-LABEL: func @fewer_rows(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: size 3 in dimension 1, expected 4
func.func @fewer_rows(%x: tensor<2x11x9x5xf32>) -> tensor<2x3x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x3x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x3x7x5xf32>) -> tensor<2x3x7x5xf32>
  return %r : tensor<2x3x7x5xf32>
}

// A result with fewer columns than windows give.
// CHECK-LABEL: func @fewer_columns(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: size 6 in dimension 2, expected 7
func.func @fewer_columns(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x6x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return %r : tensor<2x4x6x5xf32>
}

// Another type in than out.
// CHECK-LABEL: func @widened_sum(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_sum
// EXPLAIN-NEXT: not fused: unsupported: element types bf16 and f32, expected f32, bf16, f16, or i8 for a maximum
func.func @widened_sum(%x: tensor<2x11x9x5xbf16>) -> tensor<2x4x7x5xf32> {
  %init = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<4x3xbf16>
  %e = tensor.empty() : tensor<2x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xbf16>, tensor<4x3xbf16>) outs(%f : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// The accumulator starts from an argument.
// CHECK-LABEL: func @unknown_init(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: starts from an initial value other than the lowest
func.func @unknown_init(%x: tensor<2x11x9x5xf32>, %f: tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32> {
  %w = tensor.empty() : tensor<4x3xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// A window of unknown size.
// CHECK-LABEL: func @unknown_window(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: window tensor<?x3xf32>
func.func @unknown_window(%x: tensor<2x11x9x5xf32>, %w: tensor<?x3xf32>) -> tensor<2x?x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %k = tensor.dim %w, %c0 : tensor<?x3xf32>
  %rows = arith.subi %c12, %k : index
  %e = tensor.empty(%rows) : tensor<2x?x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x?x7x5xf32>) -> tensor<2x?x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<?x3xf32>) outs(%f : tensor<2x?x7x5xf32>) -> tensor<2x?x7x5xf32>
  return %r : tensor<2x?x7x5xf32>
}

// On memrefs.
// CHECK-LABEL: func @memrefs(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: pool on memrefs; raise before bufferization
func.func @memrefs(%x: memref<2x11x9x5xf32>, %w: memref<4x3xf32>, %y: memref<2x4x7x5xf32>) {
  linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<2x11x9x5xf32>, memref<4x3xf32>) outs(%y : memref<2x4x7x5xf32>)
  return
}

// Some windows have nothing but minus infinity, of which kernels make the lowest number.
// CHECK-LABEL: func @window_in_padding(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: 'tensor.pad' pads dimension 1 by 4, expected less than 4
func.func @window_in_padding(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 4, 0, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x15x9x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x6x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x15x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x7x5xf32>) -> tensor<2x6x7x5xf32>
  return %r : tensor<2x6x7x5xf32>
}

// The same in the other dimension.
// CHECK-LABEL: func @window_in_padding_at_the_end(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: 'tensor.pad' pads dimension 2 by 3, expected less than 3
func.func @window_in_padding_at_the_end(%x: tensor<2x11x9x5xf32>) -> tensor<2x5x11x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 0, 3, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x12x13x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x11x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x5x11x5xf32>) -> tensor<2x5x11x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x12x13x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x11x5xf32>) -> tensor<2x5x11x5xf32>
  return %r : tensor<2x5x11x5xf32>
}

// The same in another type.
// CHECK-LABEL: func @window_in_padding_of_init(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_ncw_max
// EXPLAIN-NEXT: not fused: unsupported: 'tensor.pad' pads dimension 2 by 5, expected less than 3
func.func @window_in_padding_of_init(%x: tensor<2x5x11xbf16>) -> tensor<2x5x14xbf16> {
  %init = arith.constant 0xFF80 : bf16
  %p = tensor.pad %x low[0, 0, 0] high[0, 0, 5] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : bf16
  } : tensor<2x5x11xbf16> to tensor<2x5x16xbf16>
  %w = tensor.empty() : tensor<3xbf16>
  %e = tensor.empty() : tensor<2x5x14xbf16>
  %f = linalg.fill ins(%init : bf16) outs(%e : tensor<2x5x14xbf16>) -> tensor<2x5x14xbf16>
  %r = linalg.pooling_ncw_max {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x5x16xbf16>, tensor<3xbf16>) outs(%f : tensor<2x5x14xbf16>) -> tensor<2x5x14xbf16>
  return %r : tensor<2x5x14xbf16>
}

// Images or channels of nothing but minus infinity.
// CHECK-LABEL: func @max_pads_the_batch(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: 'tensor.pad' pads dimension 0 by 1, expected less than 1
func.func @max_pads_the_batch(%x: tensor<2x11x9x5xf32>) -> tensor<3x4x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[1, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<3x11x9x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<3x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<3x4x7x5xf32>) -> tensor<3x4x7x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<3x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<3x4x7x5xf32>) -> tensor<3x4x7x5xf32>
  return %r : tensor<3x4x7x5xf32>
}

// Images or channels of nothing but minus infinity.
// CHECK-LABEL: func @max_pads_channels(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: 'tensor.pad' pads dimension 3 by 1, expected less than 1
func.func @max_pads_channels(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x6xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 0, 1] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x11x9x6xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x6xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x6xf32>) -> tensor<2x4x7x6xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x11x9x6xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x6xf32>) -> tensor<2x4x7x6xf32>
  return %r : tensor<2x4x7x6xf32>
}

// Elements of the input that no window reads, behind padding that is dropped.
// CHECK-LABEL: func @unread_input(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: size 6 in dimension 2, expected 7
func.func @unread_input(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x6x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<2x11x9x5xf32> to tensor<2x11x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x6x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x11x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return %r : tensor<2x4x6x5xf32>
}
