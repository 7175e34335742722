// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s
// RUN: fusion-opt %s --resolve-ranked-shaped-type-result-dims --canonicalize | FileCheck %s --check-prefix=SIZES

// A pool bufferizes in place, into memory of its own.

// CHECK-LABEL: func @one_allocation(
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<2x8x3xf32>
// CHECK-NEXT:    fusion.pool {{.*}} ins(%{{.*}} : memref<2x9x3xf32>) outs(%[[A]] : memref<2x8x3xf32>){{$}}
// CHECK-NEXT:    return %[[A]]
func.func @one_allocation(%x: tensor<2x9x3xf32>) -> tensor<2x8x3xf32> {
  %e = tensor.empty() : tensor<2x8x3xf32>
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x9x3xf32>) outs(%e : tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// The destination is overwritten, and not copied first.
// CHECK-LABEL: func @destination_is_not_read(
// CHECK-SAME:    %{{.*}}, %[[E:[a-z0-9]*]]: memref<2x8x3xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         fusion.pool {{.*}} outs(%[[E]] : memref<2x8x3xf32>)
func.func @destination_is_not_read(%x: tensor<2x9x3xf32>, %e: tensor<2x8x3xf32> {bufferization.writable = true}) -> tensor<2x8x3xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x9x3xf32>) outs(%e : tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}

// The input may not be the destination, even if the sizes are equal.
// CHECK-LABEL: func @input_is_destination(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<2x9x3xf32>
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<2x9x3xf32>
// CHECK-NOT:     memref.copy
// CHECK:         fusion.pool {{.*}} ins(%[[X]] : {{.*}}) outs(%[[A]] : memref<2x9x3xf32>)
func.func @input_is_destination(%x: tensor<2x9x3xf32> {bufferization.writable = true}) -> tensor<2x9x3xf32> {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 1>}
         ins(%x : tensor<2x9x3xf32>) outs(%x : tensor<2x9x3xf32>) -> tensor<2x9x3xf32>
  return %r : tensor<2x9x3xf32>
}

// A result that is not asked for goes away.
// CHECK-LABEL: func @unused(
// SIZES-LABEL: func @unused(
// SIZES-NOT:     fusion.pool
// SIZES:         return
func.func @unused(%x: tensor<2x9x3xf32>, %e: tensor<2x9x3xf32>) {
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 1>}
         ins(%x : tensor<2x9x3xf32>) outs(%e : tensor<2x9x3xf32>) -> tensor<2x9x3xf32>
  return
}

// The sizes of the result are those of the destination.
// SIZES-LABEL: func @sizes(
// SIZES-SAME:    %{{.*}}, %[[E:[a-z0-9]*]]: tensor<?x?x3xf32>)
// SIZES:         %[[D:.*]] = tensor.dim %[[E]]
// SIZES-NOT:     fusion.pool
// SIZES:         return %[[D]]
func.func @sizes(%x: tensor<?x?x3xf32>, %e: tensor<?x?x3xf32>) -> index {
  %c1 = arith.constant 1 : index
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<?x?x3xf32>) outs(%e : tensor<?x?x3xf32>) -> tensor<?x?x3xf32>
  %d = tensor.dim %r, %c1 : tensor<?x?x3xf32>
  return %d : index
}
