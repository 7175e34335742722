// RUN: fusion-opt %s --fusion-raise-pools | FileCheck %s
// RUN: fusion-opt %s --fusion-raise-pools --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Pools and paddings in other words, and sizes known at run time only.

#x = affine_map<(n, h, w, c, kh, kw) -> (n, h * 2 + kh, w + kw, c)>
#k = affine_map<(n, h, w, c, kh, kw) -> (kh, kw)>
#y = affine_map<(n, h, w, c, kh, kw) -> (n, h, w, c)>

// CHECK-LABEL: func @generic_max(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     linalg.
// CHECK:         fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nhwc>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 1>} ins(%[[X]] :
func.func @generic_max(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.maximumf %acc, %a : f32
    linalg.yield %m : f32
  } -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

#cx = affine_map<(n, c, h, w, kh, kw) -> (n, c, h * 2 + kh, w + kw)>
#ck = affine_map<(n, c, h, w, kh, kw) -> (kh, kw)>
#cy = affine_map<(n, c, h, w, kh, kw) -> (n, c, h, w)>

// With its padding, and an average behind it.
// CHECK-LABEL: func @generic_sum(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x11x9xf32>)
// CHECK-NOT:     tensor.pad
// CHECK:         %[[S:.*]] = fusion.pool {kernel = array<i64: 4, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>, pooling = #fusion.pooling<sum>, strides = array<i64: 2, 1>} ins(%[[X]] :
// CHECK:         linalg.generic {{.*}} ins(%[[S]] :
// CHECK:           arith.divf
func.func @generic_sum(%x: tensor<2x5x11x9xf32>) -> tensor<2x5x6x9xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 12.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<2x5x11x9xf32> to tensor<2x5x14x11xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x5x6x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x9xf32>) -> tensor<2x5x6x9xf32>
  %s = linalg.generic {indexing_maps = [#cx, #ck, #cy], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%p, %w : tensor<2x5x14x11xf32>, tensor<4x3xf32>) outs(%f : tensor<2x5x6x9xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.addf %acc, %a : f32
    linalg.yield %t : f32
  } -> tensor<2x5x6x9xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x6x9xf32>) outs(%e : tensor<2x5x6x9xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.divf %a, %count : f32
    linalg.yield %t : f32
  } -> tensor<2x5x6x9xf32>
  return %r : tensor<2x5x6x9xf32>
}

// The smallest number as a constant tensor, and the padding as an insertion.
// CHECK-LABEL: func @insertion(
// CHECK-SAME:    %[[X:.*]]: tensor<2x11x9x5xf32>)
// CHECK-NOT:     tensor.insert_slice
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>{{.*}} ins(%[[X]] :
func.func @insertion(%x: tensor<2x11x9x5xf32>) -> tensor<2x6x9x5xf32> {
  %lowest = arith.constant dense<0xFF800000> : tensor<2x14x11x5xf32>
  %p = tensor.insert_slice %x into %lowest[0, 1, 2, 0] [2, 11, 9, 5] [1, 1, 1, 1] : tensor<2x11x9x5xf32> into tensor<2x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %f = arith.constant dense<0xFF800000> : tensor<2x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x6x9x5xf32>) -> tensor<2x6x9x5xf32>
  return %r : tensor<2x6x9x5xf32>
}

// The padding of an image without its dimensions of size 1.
// CHECK-LABEL: func @padding_without_unit_dimensions(
// CHECK-SAME:    %[[X:.*]]: tensor<1x11x9x5xf32>)
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.pool {{.*}}pad_high = array<i64: 2, 0>, pad_low = array<i64: 1, 2>{{.*}} ins(%[[X]] :
func.func @padding_without_unit_dimensions(%x: tensor<1x11x9x5xf32>) -> tensor<1x6x9x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %c = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x11x9x5xf32> into tensor<11x9x5xf32>
  %q = tensor.pad %c low[1, 2, 0] high[2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %init : f32
  } : tensor<11x9x5xf32> to tensor<14x11x5xf32>
  %p = tensor.expand_shape %q [[0, 1], [2], [3]] output_shape [1, 14, 11, 5] : tensor<14x11x5xf32> into tensor<1x14x11x5xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<1x6x9x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<1x6x9x5xf32>) -> tensor<1x6x9x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<1x14x11x5xf32>, tensor<4x3xf32>) outs(%f : tensor<1x6x9x5xf32>) -> tensor<1x6x9x5xf32>
  return %r : tensor<1x6x9x5xf32>
}

// A padding that something else reads too stays for that.
// CHECK-LABEL: func @padding_of_two(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x5xf32>)
// CHECK:         %[[P:.*]] = tensor.pad %[[X]]
// CHECK:         %[[R:.*]] = fusion.pool {{.*}} ins(%[[X]] :
// CHECK:         %[[T:.*]] = linalg.{{.*}} ins(%[[P]]
// CHECK:         return %[[R]], %[[T]]
func.func @padding_of_two(%x: tensor<2x9x5xf32>) -> (tensor<2x9x5xf32>, tensor<2x11x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %zero : f32
  } : tensor<2x9x5xf32> to tensor<2x11x5xf32>
  %w = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<2x9x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x9x5xf32>) -> tensor<2x9x5xf32>
  %r = linalg.pooling_nwc_sum {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%p, %w : tensor<2x11x5xf32>, tensor<3xf32>) outs(%f : tensor<2x9x5xf32>) -> tensor<2x9x5xf32>
  %g = tensor.empty() : tensor<2x11x5xf32>
  %t = linalg.exp ins(%p : tensor<2x11x5xf32>) outs(%g : tensor<2x11x5xf32>) -> tensor<2x11x5xf32>
  return %r, %t : tensor<2x9x5xf32>, tensor<2x11x5xf32>
}

// A batch known at run time only.
// CHECK-LABEL: func @dynamic_batch(
// CHECK-SAME:    %[[X:.*]]: tensor<?x5x11x9xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[X]]
// CHECK:         %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x5x6x9xf32>
// CHECK:         fusion.pool {{.*}} ins(%[[X]] : tensor<?x5x11x9xf32>) outs(%{{.*}} : tensor<?x5x6x9xf32>)
func.func @dynamic_batch(%x: tensor<?x5x11x9xf32>) -> tensor<?x5x6x9xf32> {
  %init = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x5x11x9xf32>
  %p = tensor.pad %x low[0, 0, 1, 2] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %init : f32
  } : tensor<?x5x11x9xf32> to tensor<?x5x14x11xf32>
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty(%n) : tensor<?x5x6x9xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<?x5x6x9xf32>) -> tensor<?x5x6x9xf32>
  %r = linalg.pooling_nchw_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<?x5x14x11xf32>, tensor<4x3xf32>) outs(%f : tensor<?x5x6x9xf32>) -> tensor<?x5x6x9xf32>
  return %r : tensor<?x5x6x9xf32>
}

// Strides and dilations that are not written are 1.
// CHECK-LABEL: func @default_steps(
// CHECK:         fusion.pool {kernel = array<i64: 3, 2>, {{.*}}strides = array<i64: 1, 1>}
func.func @default_steps(%x: tensor<2x11x9x5xf32>) -> tensor<2x9x8x5xf32> {
  %init = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<3x2xf32>
  %e = tensor.empty() : tensor<2x9x8x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x9x8x5xf32>) -> tensor<2x9x8x5xf32>
  %r = linalg.pooling_nhwc_max ins(%x, %w : tensor<2x11x9x5xf32>, tensor<3x2xf32>) outs(%f : tensor<2x9x8x5xf32>) -> tensor<2x9x8x5xf32>
  return %r : tensor<2x9x8x5xf32>
}

// A body that computes more than a sum of elements is no pool.
// CHECK-LABEL: func @of_squares(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.generic
// CHECK:           arith.mulf
// EXPLAIN: not fused: unsupported: body is not one multiplication and one addition
func.func @of_squares(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.mulf %a, %a : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// The least element, from the greatest number.
// CHECK-LABEL: func @minimum(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.{{.*}}min
// EXPLAIN-NEXT: not fused: unsupported: 'linalg.pooling_nhwc_min', expected a maximum or sum of windows
func.func @minimum(%x: tensor<2x11x9x5xf32>) -> tensor<2x4x7x5xf32> {
  %init = arith.constant 0x7F800000 : f32
  %w = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<2x4x7x5xf32>
  %f = linalg.fill ins(%init : f32) outs(%e : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  %r = linalg.pooling_nhwc_min {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<2x11x9x5xf32>, tensor<4x3xf32>) outs(%f : tensor<2x4x7x5xf32>) -> tensor<2x4x7x5xf32>
  return %r : tensor<2x4x7x5xf32>
}

// A convolution is none.
// CHECK-LABEL: func @convolution(
// CHECK-NOT:     fusion.pool
// CHECK:         linalg.conv_1d_nwc_wcf
// EXPLAIN-NEXT: not fused: it can be raised; 'fusion-raise' has not run
func.func @convolution(%x: tensor<2x9x5xf32>, %w: tensor<3x5x4xf32>) -> tensor<2x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x7x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  %r = linalg.conv_1d_nwc_wcf {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xf32>, tensor<3x5x4xf32>) outs(%f : tensor<2x7x4xf32>) -> tensor<2x7x4xf32>
  return %r : tensor<2x7x4xf32>
}
