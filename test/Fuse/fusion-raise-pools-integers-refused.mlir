// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s
// RUN: fusion-opt %s --fusion-raise-pools --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Near misses of fusion-raise-pools-integers.mlir.

// A maximum that starts from 0, the least number without a sign.
// CHECK-LABEL: func @signed_from_zero(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN: not fused: starts from an initial value other than the lowest
func.func @signed_from_zero(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant -128 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// -128 is 128 without a sign.
// CHECK-LABEL: func @unsigned_from_minus_128(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max_unsigned
// EXPLAIN-NEXT: not fused: starts from an initial value other than the lowest
func.func @unsigned_from_minus_128(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-128> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max_unsigned {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// The number above the least.
// CHECK-LABEL: func @above_the_least(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: starts from an initial value other than the lowest
func.func @above_the_least(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant -128 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-127> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// Sums may wrap.
// CHECK-LABEL: func @sum(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_sum
// EXPLAIN-NEXT: not fused: unsupported: no kernel adds up integers (i8 into i8)
func.func @sum(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// Kernels have maxima of 8 bits.
// CHECK-LABEL: func @wide(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: element types i16 and i16, expected f32, bf16, f16, or i8 for a maximum
func.func @wide(%x: tensor<2x11x9x5xi16>) -> tensor<2x6x9x5xi16> {
  %number = arith.constant -32768 : i16
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i16
  } : tensor<2x11x9x5xi16> to tensor<2x14x11x5xi16>
  %w = tensor.empty() : tensor<4x3xi16>
  %f = arith.constant dense<-32768> : tensor<2x6x9x5xi16>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi16>, tensor<4x3xi16>) outs(%f : tensor<2x6x9x5xi16>) -> tensor<2x6x9x5xi16>
  return %r : tensor<2x6x9x5xi16>
}

// A padding by the zero point counts as an element.
// CHECK-LABEL: func @signed_padded_by_zero(
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @signed_padded_by_zero(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-128> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// So does one by 128.
// CHECK-LABEL: func @unsigned_padded_by_minus_128(
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         fusion.pool {input_unsigned, kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>{{.*}} ins(%[[P]] :
func.func @unsigned_padded_by_minus_128(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %number = arith.constant -128 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %number : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max_unsigned {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// The accumulator is wider than the elements.
// CHECK-LABEL: func @into_i32(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.pooling_nhwc_max
// EXPLAIN-NEXT: not fused: unsupported: element types i8 and i32, expected f32, bf16, f16, or i8 for a maximum
func.func @into_i32(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x7x5xi32> {
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-2147483648> : tensor<2x4x7x5xi32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x4x7x5xi32>) -> tensor<2x4x7x5xi32>
  return %r : tensor<2x4x7x5xi32>
}

#cx = affine_map<(n, c, h, w, kh, kw) -> (n, c, h * 2 + kh, w + kw)>
#ck = affine_map<(n, c, h, w, kh, kw) -> (kh, kw)>
#cy = affine_map<(n, c, h, w, kh, kw) -> (n, c, h, w)>

// Upstream names no unsigned pool with channels first.
// CHECK-LABEL: func @unsigned_channels_first(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.generic
// EXPLAIN-NEXT: not fused: unsupported: pool in generic form, for which linalg has no name
func.func @unsigned_channels_first(%x: tensor<2x5x11x9xi8>) -> tensor<2x5x4x7xi8> {
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<2x5x4x7xi8>
  %r = linalg.generic {indexing_maps = [#cx, #ck, #cy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x5x11x9xi8>, tensor<4x3xi8>) outs(%f : tensor<2x5x4x7xi8>) {
  ^bb0(%a: i8, %b: i8, %acc: i8):
    %m = arith.maxui %acc, %a : i8
    linalg.yield %m : i8
  } -> tensor<2x5x4x7xi8>
  return %r : tensor<2x5x4x7xi8>
}
