// RUN: fusion-opt %s --convert-fusion-to-runtime --split-input-file --verify-diagnostics | FileCheck %s
// RUN: sed '/^\/\/ REFUSED/,$d' %s > %t.mlir
// RUN: fusion-opt %t.mlir --convert-fusion-to-runtime --convert-to-llvm | FileCheck %s --check-prefix=LLVM

// Symbols that lowering makes differ from those of the module: those of a call site,
// those derived from it, and the function that releases.

// CHECK:     func.func @main(
// CHECK:       fusion.rt.execute @[[SITE:fusion_pool_[0-9]+]] ins
// CHECK:     func.func private @fusion_pool_slot()
// CHECK:     func.func @_fusion_release_module(%{{.*}}: index) -> index
// CHECK:     fusion.rt.create @[[SITE]]
// CHECK:     func.func @[[RELEASE:_fusion_release_module_[0-9]+]]() attributes {fusion.release}
// CHECK-NEXT:  fusion.rt.release @[[SITE]]

// LLVM-DAG:  llvm.mlir.global internal @[[SITE:fusion_pool_[0-9]+]]_slot()
// LLVM-DAG:  llvm.func @fusion_pool_slot()
// LLVM-DAG:  llvm.func @_fusion_release_module(%{{.*}}: i64) -> i64
// LLVM:      llvm.func @_fusion_release_module_{{[0-9]+}}() attributes {fusion.release}
// LLVM-NEXT:   llvm.mlir.addressof @[[SITE]]_slot
func.func @main(%x: memref<1x6x8x3xf32>, %r: memref<1x5x6x3xf32>) {
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 2, 3>, strides = array<i64: 1, 1>,
    pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>} ins(%x : memref<1x6x8x3xf32>) outs(%r : memref<1x5x6x3xf32>)
  call @fusion_pool_slot() : () -> ()
  return
}
func.func private @fusion_pool_slot() {
  return
}
func.func @_fusion_release_module(%i: index) -> index {
  return %i : index
}

// REFUSED

// -----

// expected-error @+1 {{a function must not be called 'fusion_rt_conv_checked': that is what compiled code calls for something else}}
func.func private @fusion_rt_conv_checked() {
  return
}

// -----

// expected-error @+1 {{a function must not be called 'malloc': that is what compiled code calls for something else}}
func.func @malloc(%x: memref<3xf32>) {
  return
}

// -----

func.func @forward() attributes {llvm.emit_c_interface} {
  return
}
// expected-error @+1 {{a function must not be called '_mlir_ciface_forward': that is what compiled code calls the C interface of another}}
func.func @_mlir_ciface_forward() {
  return
}

// -----

// A declaration stands for the function of the C library.
// CHECK: func.func private @free(
func.func private @free(memref<3xf32>)
