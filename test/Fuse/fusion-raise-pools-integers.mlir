// RUN: fusion-opt %s --fusion-raise-pools=nan-mode=propagate | FileCheck %s

// Maxima of integers. There is no NaN among them.

// CHECK-LABEL: func @signed(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>)
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] :
func.func @signed(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %least = arith.constant -128 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %least : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %e = tensor.empty() : tensor<2x6x9x5xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// CHECK-LABEL: func @unsigned(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xi8>)
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.pool {input_unsigned, kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] :
func.func @unsigned(%x: tensor<2x11x9x5xi8>) -> tensor<2x6x9x5xi8> {
  %least = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %least : i8
  } : tensor<2x11x9x5xi8> to tensor<2x14x11x5xi8>
  %w = tensor.empty() : tensor<4x3xi8>
  %e = tensor.empty() : tensor<2x6x9x5xi8>
  %f = linalg.fill ins(%least : i8) outs(%e : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  %r = linalg.pooling_nhwc_max_unsigned {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x6x9x5xi8>) -> tensor<2x6x9x5xi8>
  return %r : tensor<2x6x9x5xi8>
}

// CHECK-LABEL: func @channels_first(
// CHECK:         fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, {{.*}} -> tensor<2x5x4x7xi8>
func.func @channels_first(%x: tensor<2x5x11x9xi8>) -> tensor<2x5x4x7xi8> {
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-128> : tensor<2x5x4x7xi8>
  %r = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x5x11x9xi8>, tensor<4x3xi8>) outs(%f : tensor<2x5x4x7xi8>) -> tensor<2x5x4x7xi8>
  return %r : tensor<2x5x4x7xi8>
}

// CHECK-LABEL: func @unsigned_line(
// CHECK:         fusion.pool {input_unsigned, kernel = array<i64: 3>, layout = #fusion.layout<nwc>, {{.*}} -> tensor<2x4x5xi8>
func.func @unsigned_line(%x: tensor<2x9x5xi8>) -> tensor<2x4x5xi8> {
  %w = tensor.empty() : tensor<3xi8>
  %f = arith.constant dense<0> : tensor<2x4x5xi8>
  %r = linalg.pooling_nwc_max_unsigned {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xi8>, tensor<3xi8>) outs(%f : tensor<2x4x5xi8>) -> tensor<2x4x5xi8>
  return %r : tensor<2x4x5xi8>
}

// CHECK-LABEL: func @volume(
// CHECK:         fusion.pool {kernel = array<i64: 2, 3, 1>, layout = #fusion.layout<ndhwc>, {{.*}} -> tensor<1x4x3x4x2xi8>
func.func @volume(%x: tensor<1x5x7x4x2xi8>) -> tensor<1x4x3x4x2xi8> {
  %w = tensor.empty() : tensor<2x3x1xi8>
  %f = arith.constant dense<-128> : tensor<1x4x3x4x2xi8>
  %r = linalg.pooling_ndhwc_max {strides = dense<[1, 2, 1]> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
         ins(%x, %w : tensor<1x5x7x4x2xi8>, tensor<2x3x1xi8>) outs(%f : tensor<1x4x3x4x2xi8>) -> tensor<1x4x3x4x2xi8>
  return %r : tensor<1x4x3x4x2xi8>
}

#x = affine_map<(n, h, w, c, kh, kw) -> (n, h * 2 + kh, w + kw, c)>
#k = affine_map<(n, h, w, c, kh, kw) -> (kh, kw)>
#y = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>

// CHECK-LABEL: func @generic_signed(
// CHECK:         fusion.pool {kernel
func.func @generic_signed(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x7x5xi8> {
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<-128> : tensor<2x4x7x5xi8>
  %r = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x11x9x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x4x7x5xi8>) {
  ^bb0(%a: i8, %b: i8, %acc: i8):
    %m = arith.maxsi %acc, %a : i8
    linalg.yield %m : i8
  } -> tensor<2x4x7x5xi8>
  return %r : tensor<2x4x7x5xi8>
}

// CHECK-LABEL: func @generic_unsigned(
// CHECK:         fusion.pool {input_unsigned, kernel
func.func @generic_unsigned(%x: tensor<2x11x9x5xi8>) -> tensor<2x4x7x5xi8> {
  %w = tensor.empty() : tensor<4x3xi8>
  %f = arith.constant dense<0> : tensor<2x4x7x5xi8>
  %r = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x11x9x5xi8>, tensor<4x3xi8>) outs(%f : tensor<2x4x7x5xi8>) {
  ^bb0(%a: i8, %b: i8, %acc: i8):
    %m = arith.maxui %acc, %a : i8
    linalg.yield %m : i8
  } -> tensor<2x4x7x5xi8>
  return %r : tensor<2x4x7x5xi8>
}
