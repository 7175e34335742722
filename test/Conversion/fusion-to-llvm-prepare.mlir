// RUN: fusion-opt %s --convert-to-llvm | FileCheck %s
// RUN: fusion-opt %s --fusion-convert-to-llvm | FileCheck %s

// The shapes of a call become a global, into which the address of the filter is
// written. 88 bytes are in front of the second tensor: a pointer, five sizes and five
// strides.

fusion.rt.create @conv #fusion.conv_desc<
  input = <nwc, f32>, filter = <wcf, f32>, init = <nwc, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], residual = f32, constant_filter = true>
fusion.rt.create @matmul #fusion.matmul_desc<
  input = <mk, f32>, filter = <kn, f32>, init = <mn, f32>>

// CHECK-DAG: llvm.func @fusion_rt_prepare_checked(i32, !llvm.ptr, !llvm.ptr)
// Data without an address, then n, c, w of 1, 3, 9 with strides of 27, 1, 3.
// CHECK: llvm.mlir.global internal @conv_shapes("\00\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\03\00\00\00\00\00\00\00\09\00\00\00\00\00\00\00{{(\\00)+}}\1B\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\03\00

// CHECK-LABEL: llvm.func @prepare(
// CHECK:         %[[ARGS:.*]] = llvm.mlir.addressof @conv_shapes : !llvm.ptr
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr %[[ARGS]][88] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK:         llvm.store %{{.*}}, %[[PLACE]] : !llvm.ptr, !llvm.ptr
// CHECK:         %[[KIND:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK:         %[[SLOT:.*]] = llvm.mlir.addressof @conv_slot : !llvm.ptr
// CHECK:         llvm.call @fusion_rt_prepare_checked(%[[KIND]], %[[SLOT]], %[[ARGS]]) : (i32, !llvm.ptr, !llvm.ptr) -> ()
// CHECK:         llvm.mlir.addressof @conv_shapes_0 : !llvm.ptr
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call @fusion_rt_prepare_checked(
// CHECK:         %[[KIND:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK:         llvm.call @fusion_rt_prepare_checked(%[[KIND]],
func.func @prepare(%w: memref<2x3x5xf32>) {
  fusion.rt.prepare @conv ins memref<1x9x3xf32> filter memref<2x3x5xf32> residual memref<1x8x5xf32> outs memref<1x8x5xf32>
    packs(%w : memref<2x3x5xf32>)
  fusion.rt.prepare @conv ins memref<1x9x3xf32> filter memref<2x3x5xf32> residual memref<1x8x5xf32> outs memref<1x8x5xf32> in_place
  fusion.rt.prepare @matmul ins memref<4x3xf32> filter memref<3x5xf32> outs memref<4x5xf32>
  return
}
