// RUN: fusion-opt %s --convert-scf-to-cf --convert-to-llvm | FileCheck %s

// A call site becomes three globals: the descriptor, the location, and the slot
// that points at both. An execution calls a function of its own, which fills a struct and calls the
// runtime.

// CHECK-DAG: llvm.func @fusion_rt_conv_checked(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @fusion_rt_release(!llvm.ptr)
// CHECK:     llvm.mlir.global internal constant @site_desc("
// CHECK:     llvm.mlir.global internal constant @site_loc("{{.*}}fusion-to-llvm.mlir:[[#@LINE+5]]:1\00")
// CHECK:     llvm.mlir.global internal @site_slot() {{.*}}: !llvm.struct<(ptr, ptr, ptr)> {
// CHECK-DAG:   llvm.mlir.addressof @site_desc
// CHECK-DAG:   llvm.mlir.addressof @site_loc
// CHECK:       llvm.return
fusion.rt.create @site #fusion.conv_desc<
  input = <nwc, f32>, filter = <wcf, f32>, init = <nwc, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0], bias = true, residual = f32, constant_filter = true>
fusion.rt.create @plain #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1],
  pad_low = [0], pad_high = [0]>

// The functions are behind the globals: of the two executions of @site the later comes
// first. Constants are stored in the order n, c, w whatever the layout is: the sizes 2, 3,
// 9 of channels-last memory, the strides 27, 1, 3.
// CHECK:     llvm.func internal @site_call_0({{.*}}) attributes {no_inline} {
// CHECK:     llvm.func internal @site_call(%[[X:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {no_inline} {
// CHECK:       %[[ARGS:.*]] = llvm.alloca %{{.*}} x !llvm.array<5 x struct<(ptr, array<5 x i64>, array<5 x i64>)>> {alignment = 8 : i64}
// CHECK:       llvm.store %[[X]],
// CHECK:       %[[N:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][0, 1, 0]
// CHECK-NEXT:  llvm.store %[[N]], %[[AT]]
// CHECK:       llvm.mlir.constant(27 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[ARGS]][0, 2, 0]
// CHECK:       llvm.mlir.constant(3 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[ARGS]][0, 1, 1]
// CHECK:       llvm.mlir.constant(1 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[ARGS]][0, 2, 1]
// CHECK:       llvm.mlir.constant(9 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[ARGS]][0, 1, 2]
// CHECK:       llvm.mlir.constant(3 : i64)
// CHECK-NEXT:  llvm.getelementptr %[[ARGS]][0, 2, 2]
// CHECK:       %[[SLOT:.*]] = llvm.mlir.addressof @site_slot : !llvm.ptr
// CHECK-NEXT:  llvm.call @fusion_rt_conv_checked(%[[SLOT]], %[[ARGS]]) : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:  llvm.return

// CHECK-LABEL: llvm.func @release()
// CHECK-NEXT:    %[[SLOT:.*]] = llvm.mlir.addressof @site_slot : !llvm.ptr
// CHECK-NEXT:    llvm.call @fusion_rt_release(%[[SLOT]]) : (!llvm.ptr) -> ()
// CHECK-NEXT:    llvm.return
func.func @release() {
  fusion.rt.release @site
  return
}

// CHECK-LABEL: llvm.func @in_a_loop(
// CHECK:         llvm.cond_br
// CHECK:         llvm.call @site_call(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
// CHECK:         llvm.br
// CHECK:         llvm.return
func.func @in_a_loop(%x: memref<2x9x3xf32>, %w: memref<2x3x5xf32>, %b: memref<5xf32>, %s: memref<2x8x5xf32>, %y: memref<2x8x5xf32>, %n: index) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  scf.for %i = %i0 to %n step %i1 {
    fusion.rt.execute @site ins(%x, %w : memref<2x9x3xf32>, memref<2x3x5xf32>) bias(%b : memref<5xf32>) residual(%s : memref<2x8x5xf32>) outs(%y : memref<2x8x5xf32>)
  }
  return
}

// An absent bias or residual is a null pointer.
// CHECK-LABEL: llvm.func @absent_operands(
// CHECK:         %[[BIAS:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         %[[RESIDUAL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         llvm.call @plain_call(%{{.*}}, %{{.*}}, %[[BIAS]], %[[RESIDUAL]], %{{.*}}) :
func.func @absent_operands(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: llvm.func @logical_order(
// CHECK:         llvm.call @site_call_0(
func.func @logical_order(%b: memref<5xf32>, %w: memref<2x3x5xf32>, %s: memref<2x8x5xf32>, %y: memref<2x8x5xf32>) {
  %x = memref.alloc() : memref<2x9x3xf32>
  fusion.rt.execute @site ins(%x, %w : memref<2x9x3xf32>, memref<2x3x5xf32>) bias(%b : memref<5xf32>) residual(%s : memref<2x8x5xf32>) outs(%y : memref<2x8x5xf32>)
  memref.dealloc %x : memref<2x9x3xf32>
  return
}

// Offset views: the pointer is that of the first element. Strides that are not known are
// arguments.
// CHECK-LABEL: llvm.func @offset_view(
// CHECK:         llvm.getelementptr {{.*}}[{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK:         llvm.call @plain_call_0({{.*}}) : (!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
func.func @offset_view(%x: memref<1x3x9xf32, strided<[?, ?, ?], offset: ?>>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x9xf32, strided<[?, ?, ?], offset: ?>>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}
