// RUN: fusion-opt %s --convert-fusion-to-runtime --split-input-file --verify-diagnostics | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime --convert-to-llvm --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=LLVM

// A pool becomes a call site of its own kind and one call without a filter.

// CHECK-LABEL: func @max(
// CHECK-SAME:    %[[X:.*]]: memref<2x11x9x5xf32>, %[[Y:.*]]: memref<2x6x9x5xf32>)
// CHECK-NEXT:    fusion.rt.execute @[[$MAX:[a-z_0-9]+]] ins(%[[X]] : memref<2x11x9x5xf32>) outs(%[[Y]] : memref<2x6x9x5xf32>)
// CHECK-NEXT:    return

// LLVM-DAG:     llvm.func @fusion_rt_pool_checked(!llvm.ptr, !llvm.ptr)
// LLVM-LABEL: llvm.func @max(
// LLVM:         %[[SLOT:.*]] = llvm.mlir.addressof @fusion_pool{{[_0-9]*}}_slot : !llvm.ptr
// LLVM:         llvm.call @fusion_call_pool_src_dst(%[[SLOT]],
func.func @max(%x: memref<2x11x9x5xf32>, %y: memref<2x6x9x5xf32>) {
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 4, 3>, strides = array<i64: 2, 1>,
      pad_low = array<i64: 1, 2>, pad_high = array<i64: 2, 0>}
      ins(%x : memref<2x11x9x5xf32>) outs(%y : memref<2x6x9x5xf32>)
  return
}

// Two ops are two call sites.
// CHECK-LABEL: func @two(
// CHECK:         fusion.rt.execute @[[$FIRST:[a-z_0-9]+]] ins(%{{.*}} : memref<?x3x?xbf16, strided<[?, ?, 1], offset: ?>>)
// CHECK:         fusion.rt.execute @[[$SECOND:[a-z_0-9]+]] ins
func.func @two(%x: memref<?x3x?xbf16, strided<[?, ?, 1], offset: ?>>, %y: memref<?x3x?xbf16>, %z: memref<?x3x?xbf16>) {
  fusion.pool {pooling = #fusion.pooling<sum>, layout = "ncw", kernel = array<i64: 2>, strides = array<i64: 1>,
      pad_low = array<i64: 0>, pad_high = array<i64: 0>}
      ins(%x : memref<?x3x?xbf16, strided<[?, ?, 1], offset: ?>>) outs(%y : memref<?x3x?xbf16>)
  fusion.pool {pooling = #fusion.pooling<max>, layout = "ncw", kernel = array<i64: 3>, strides = array<i64: 2>,
      pad_low = array<i64: 0>, pad_high = array<i64: 1>}
      ins(%y : memref<?x3x?xbf16>) outs(%z : memref<?x3x?xbf16>)
  return
}

// The sign goes into the type.
// CHECK-LABEL: func @integers(
// CHECK:         fusion.rt.execute @[[$S8:[a-z_0-9]+]] ins
// CHECK:         fusion.rt.execute @[[$U8:[a-z_0-9]+]] ins
func.func @integers(%x: memref<2x9x3xi8>, %y: memref<2x8x3xi8>, %z: memref<2x7x3xi8>) {
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
      pad_low = array<i64: 0>, pad_high = array<i64: 0>}
      ins(%x : memref<2x9x3xi8>) outs(%y : memref<2x8x3xi8>)
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 3>, strides = array<i64: 1>,
      pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_unsigned}
      ins(%y : memref<2x8x3xi8>) outs(%z : memref<2x7x3xi8>)
  return
}

// CHECK-DAG: fusion.rt.create @[[$MAX]] #fusion.pool_desc<pooling = max, input = <nhwc, f32>, kernel = [4, 3], strides = [2, 1], pad_low = [1, 2], pad_high = [2, 0]> {sym_visibility = "private"}
// CHECK-DAG: fusion.rt.create @[[$FIRST]] #fusion.pool_desc<pooling = sum, input = <{{.*}}, bf16>, kernel = [2],
// CHECK-DAG: fusion.rt.create @[[$SECOND]] #fusion.pool_desc<pooling = max, input = <{{.*}}, bf16>, kernel = [3],
// CHECK-DAG: fusion.rt.create @[[$S8]] #fusion.pool_desc<pooling = max, input = <nwc, si8>, kernel = [2],
// CHECK-DAG: fusion.rt.create @[[$U8]] #fusion.pool_desc<pooling = max, input = <nwc, ui8>, kernel = [3],
// CHECK:     func.func @_fusion_release_module()
// CHECK-COUNT-5: fusion.rt.release @fusion_pool

// -----

func.func @tensors(%x: tensor<2x9x3xf32>, %e: tensor<2x8x3xf32>) -> tensor<2x8x3xf32> {
  // expected-error@+1 {{cannot become a call of the runtime: it is on tensors, bufferize first}}
  %r = fusion.pool {pooling = #fusion.pooling<max>, layout = "nwc", kernel = array<i64: 2>, strides = array<i64: 1>,
         pad_low = array<i64: 0>, pad_high = array<i64: 0>}
         ins(%x : tensor<2x9x3xf32>) outs(%e : tensor<2x8x3xf32>) -> tensor<2x8x3xf32>
  return %r : tensor<2x8x3xf32>
}
