// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s

// A pool becomes a padding with the neutral element and a pool of linalg.

// CHECK-LABEL: func @max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>, %{{.*}}: tensor<2x6x9x5xf32>)
// CHECK:         %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%[[LOWEST]] : f32) outs(%{{.*}} : tensor<2x6x9x5xf32>)
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 2, 0] high[0, 2, 0, 0]
// CHECK:           tensor.yield %{{.*}} : f32
// CHECK:         %[[W:.*]] = tensor.empty() : tensor<4x3xf32>
// CHECK:         %[[R:.*]] = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%[[P]], %[[W]] : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%[[INIT]] : tensor<2x6x9x5xf32>)
// CHECK:         return %[[R]]
func.func @max(%x: tensor<2x11x9x5xf32>, %e: tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 2>, pad_high = array<i64: 2, 0>}
         ins(%x : tensor<2x11x9x5xf32>) outs(%e : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// CHECK-LABEL: func @sum(
// CHECK:         linalg.fill ins(%{{.*}} : f32)
// CHECK-NOT:     tensor.pad
// CHECK:         linalg.pooling_nchw_sum
// CHECK-NOT:     linalg.generic
func.func @sum(%x: tensor<2x5x11x9xf32>, %e: tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<sum>, layout = "nchw", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>}
         ins(%x : tensor<2x5x11x9xf32>) outs(%e : tensor<2x5x4x7xf32>) -> tensor<2x5x4x7xf32>
  return %r : tensor<2x5x4x7xf32>
}

// A sum is in f32, whatever the type is; it is rounded once.
// CHECK-LABEL: func @narrow_sum(
// CHECK-SAME:    %{{.*}}, %[[E:.*]]: tensor<2x6x3xbf16>)
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<2x6x3xf32>)
// CHECK:         tensor.pad %{{.*}} low[0, 1, 0] high[0, 2, 0]
// CHECK:           tensor.yield %{{.*}} : bf16
// CHECK:         %[[S:.*]] = linalg.pooling_nwc_sum {{.*}} outs(%[[INIT]] : tensor<2x6x3xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[S]] : tensor<2x6x3xf32>) outs(%[[E]] : tensor<2x6x3xbf16>)
// CHECK:           arith.truncf %{{.*}} : f32 to bf16
func.func @narrow_sum(%x: tensor<2x13x3xbf16>, %e: tensor<2x6x3xbf16>) -> tensor<2x6x3xbf16> {
  %r = fusion.pool {pooling = #fusion.pooling<sum>, layout = "nwc", kernel = array<i64: 5>, strides = array<i64: 2>,
         pad_low = array<i64: 1>, pad_high = array<i64: 2>}
         ins(%x : tensor<2x13x3xbf16>) outs(%e : tensor<2x6x3xbf16>) -> tensor<2x6x3xbf16>
  return %r : tensor<2x6x3xbf16>
}

// A maximum is exact as it is.
// CHECK-LABEL: func @narrow_max(
// CHECK:         linalg.fill ins(%{{.*}} : f16)
// CHECK:         linalg.pooling_ncw_max {{.*}} -> tensor<2x3x5xf16>
// CHECK-NOT:     linalg.generic
func.func @narrow_max(%x: tensor<2x3x13xf16>, %e: tensor<2x3x5xf16>) -> tensor<2x3x5xf16> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "ncw", kernel = array<i64: 5>, strides = array<i64: 2>,
         pad_low = array<i64: 0>, pad_high = array<i64: 1>}
         ins(%x : tensor<2x3x13xf16>) outs(%e : tensor<2x3x5xf16>) -> tensor<2x3x5xf16>
  return %r : tensor<2x3x5xf16>
}

// CHECK-LABEL: func @volume(
// CHECK:         linalg.pooling_ndhwc_max
func.func @volume(%x: tensor<1x4x7x6x3xf32>, %e: tensor<1x4x4x3x3xf32>) -> tensor<1x4x4x3x3xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "ndhwc", kernel = array<i64: 2, 3, 4>, strides = array<i64: 1, 2, 2>,
         pad_low = array<i64: 1, 1, 3>, pad_high = array<i64: 0, 1, 0>}
         ins(%x : tensor<1x4x7x6x3xf32>) outs(%e : tensor<1x4x4x3x3xf32>) -> tensor<1x4x4x3x3xf32>
  return %r : tensor<1x4x4x3x3xf32>
}

// Sizes known at run time only.
// CHECK-LABEL: func @dynamic(
// CHECK:         tensor.pad %{{.*}} low[0, 1, 0, 0] high[0, 1, 1, 0]
// CHECK:         } : tensor<?x?x?x3xf32> to tensor<?x?x?x3xf32>
// CHECK:         linalg.pooling_nhwc_max
func.func @dynamic(%x: tensor<?x?x?x3xf32>, %e: tensor<?x?x?x3xf32>) -> tensor<?x?x?x3xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 3, 2>, strides = array<i64: 2, 3>,
         pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 1>}
         ins(%x : tensor<?x?x?x3xf32>) outs(%e : tensor<?x?x?x3xf32>) -> tensor<?x?x?x3xf32>
  return %r : tensor<?x?x?x3xf32>
}

// A layout without a named op.
// CHECK-LABEL: func @other_layout(
// CHECK:         tensor.pad {{.*}} low[1, 0, 0, 0] high[0, 0, 0, 1]
// CHECK:         linalg.generic {{.*}}"parallel", "parallel", "parallel", "parallel", "reduction", "reduction"{{.*}} ins(%{{.*}} : tensor<12x2x5x10xf32>, tensor<4x3xf32>)
// CHECK:           arith.maximumf
func.func @other_layout(%x: tensor<11x2x5x9xf32>, %e: tensor<5x2x5x8xf32>) -> tensor<5x2x5x8xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "hncw", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>}
         ins(%x : tensor<11x2x5x9xf32>) outs(%e : tensor<5x2x5x8xf32>) -> tensor<5x2x5x8xf32>
  return %r : tensor<5x2x5x8xf32>
}

// There is nothing to compute: linalg has no loops over nothing.
// CHECK-LABEL: func @nothing(
// CHECK-SAME:    %{{.*}}, %[[E:.*]]: tensor<2x0x5xf32>)
// CHECK-NEXT:    return %[[E]]
func.func @nothing(%x: tensor<2x3x5xf32>, %e: tensor<2x0x5xf32>) -> tensor<2x0x5xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 4>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x3x5xf32>) outs(%e : tensor<2x0x5xf32>) -> tensor<2x0x5xf32>
  return %r : tensor<2x0x5xf32>
}

// The least integer pads, and begins.
// CHECK-LABEL: func @integers(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>, %{{.*}}: tensor<2x6x9x5xi8>)
// CHECK:         %[[LEAST:.*]] = arith.constant -128 : i8
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%[[LEAST]] : i8)
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[0, 1, 2, 0] high[0, 2, 0, 0]
// CHECK:           tensor.yield %{{.*}} : i8
// CHECK:         linalg.pooling_nhwc_max {{{.*}}strides = dense<[2, 1]> : tensor<2xi64>} ins(%[[P]], %{{.*}} : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%[[INIT]] : tensor<2x6x9x5xi8>)
func.func @integers(%x: tensor<2x11x9x5xi8>, %e: tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 2>, pad_high = array<i64: 2, 0>}
         ins(%x : tensor<2x11x9x5xi8>) outs(%e : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// CHECK-LABEL: func @unsigned_integers(
// CHECK:         %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK:         linalg.fill ins(%[[ZERO]] : i8)
// CHECK:         tensor.pad
// CHECK:         linalg.pooling_nhwc_max_unsigned
func.func @unsigned_integers(%x: tensor<2x11x9x5xi8>, %e: tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 1, 2>, pad_high = array<i64: 2, 0>, input_unsigned}
         ins(%x : tensor<2x11x9x5xi8>) outs(%e : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// Upstream names no unsigned pool with channels first.
// CHECK-LABEL: func @unsigned_channels_first(
// CHECK:         linalg.generic
// CHECK:           arith.maxui
func.func @unsigned_channels_first(%x: tensor<2x5x11x9xi8>, %e: tensor<2x5x4x7xi8>) -> tensor<2x5x4x7xi8> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nchw", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
         pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_unsigned}
         ins(%x : tensor<2x5x11x9xi8>) outs(%e : tensor<2x5x4x7xi8>) -> tensor<2x5x4x7xi8>
  return %r : tensor<2x5x4x7xi8>
}
