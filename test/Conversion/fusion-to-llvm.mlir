// RUN: fusion-opt %s --convert-scf-to-cf --convert-to-llvm | FileCheck %s
// RUN: fusion-opt %s --convert-scf-to-cf --fusion-convert-to-llvm | FileCheck %s

// A call site becomes three globals: the descriptor, the location, and the slot
// that points at both. Executions with the same kinds of operands call a function, which fills a
// struct and calls the runtime.

// CHECK:     llvm.func internal @fusion_call_conv_src_src_stride0_src_stride1_src_stride2_weights_dst(
// CHECK-DAG: llvm.func internal @fusion_call_conv_src_weights_dst(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {no_inline}
// CHECK:     llvm.func internal @fusion_call_conv_src_weights_bias_residual_dst(%[[SLOT:.*]]: !llvm.ptr, %[[CONSTANTS:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[W:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr, %[[S:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr) attributes {no_inline} {
// CHECK-NEXT:  %[[FIVE:.*]] = llvm.mlir.constant(5 : i64)
// CHECK-NEXT:  %[[ARGS:.*]] = llvm.alloca %[[FIVE]] x !llvm.struct<(ptr, array<5 x i64>, array<5 x i64>)> {alignment = 8 : i64}
// CHECK-NEXT:  %[[SIZE:.*]] = llvm.mlir.constant(440 : i64)
// CHECK-NEXT:  "llvm.intr.memcpy"(%[[ARGS]], %[[CONSTANTS]], %[[SIZE]])
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][0, 0]
// CHECK-NEXT:  llvm.store %[[X]], %[[AT]]
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][1, 0]
// CHECK-NEXT:  llvm.store %[[W]], %[[AT]]
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][2, 0]
// CHECK-NEXT:  llvm.store %[[B]], %[[AT]]
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][3, 0]
// CHECK-NEXT:  llvm.store %[[S]], %[[AT]]
// CHECK-NEXT:  %[[AT:.*]] = llvm.getelementptr %[[ARGS]][4, 0]
// CHECK-NEXT:  llvm.store %[[Y]], %[[AT]]
// CHECK-NEXT:  llvm.call @fusion_rt_conv_checked(%[[SLOT]], %[[ARGS]])
// CHECK-NEXT:  llvm.return

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

// A global has the constants of each execution, in the order n, c, w whatever the layout is: no
// address, the sizes 2, 3, 9 of channels-last memory, the strides 27, 1, 3. That of the later
// execution comes first.
// CHECK-DAG: llvm.mlir.global internal constant @site_args_0("
// CHECK-DAG: llvm.mlir.global internal constant @site_args("{{((\\00){8})}}\02{{((\\00){7})}}\03{{((\\00){7})}}\09{{((\\00){23})}}\1B{{((\\00){7})}}\01{{((\\00){7})}}\03{{((\\00){23})}}
// Strides that are not known are 0x8000000000000000, and written over.
// CHECK-DAG: llvm.mlir.global internal constant @plain_args_0("{{((\\00){8})}}\01{{((\\00){7})}}\03{{((\\00){7})}}\09{{((\\00){23})}}{{(((\\00){7}\\80){3})}}

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
// CHECK:         %[[SLOT:.*]] = llvm.mlir.addressof @site_slot
// CHECK:         %[[CONSTANTS:.*]] = llvm.mlir.addressof @site_args
// CHECK:         llvm.call @fusion_call_conv_src_weights_bias_residual_dst(%[[SLOT]], %[[CONSTANTS]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
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

// An absent bias or residual is a null pointer among the constants.
// CHECK-LABEL: llvm.func @absent_operands(
// CHECK:         llvm.call @fusion_call_conv_src_weights_dst(
func.func @absent_operands(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}

// CHECK-LABEL: llvm.func @logical_order(
// CHECK:         llvm.mlir.addressof @site_args_0
// CHECK:         llvm.call @fusion_call_conv_src_weights_bias_residual_dst(
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
// CHECK:         llvm.call @fusion_call_conv_src_src_stride0_src_stride1_src_stride2_weights_dst({{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr) -> ()
func.func @offset_view(%x: memref<1x3x9xf32, strided<[?, ?, ?], offset: ?>>, %w: memref<5x3x2xf32>, %y: memref<1x5x8xf32>) {
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x9xf32, strided<[?, ?, ?], offset: ?>>, memref<5x3x2xf32>) outs(%y : memref<1x5x8xf32>)
  return
}
