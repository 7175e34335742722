// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime --convert-linalg-to-loops --convert-scf-to-cf --convert-to-llvm | FileCheck %s --check-prefix=LLVM

// A fused matrix multiplication becomes a call site of its own kind and one call.

// CHECK-LABEL: func @layer(
// CHECK-NEXT:    fusion.rt.execute @[[$LAYER:[a-z_0-9]+]] ins(%{{.*}}, %{{.*}} : memref<4x7xf32>, memref<5x7xf32>) bias(%{{.*}} : memref<5xf32>) residual(%{{.*}} : memref<4x5xf32>) outs(%{{.*}} : memref<4x5xf32>)
// CHECK-NEXT:    return

// LLVM-LABEL: llvm.func @layer(
// LLVM:         %[[SLOT:.*]] = llvm.mlir.addressof @[[LAYER:fusion_matmul[_0-9]*]]_slot : !llvm.ptr
// LLVM:         %[[CONSTANTS:.*]] = llvm.mlir.addressof @[[LAYER]]_args : !llvm.ptr
// LLVM:         llvm.call @fusion_call_matmul_src_weights_bias_residual_dst(%[[SLOT]], %[[CONSTANTS]],
func.func @layer(%x: memref<4x7xf32>, %w: memref<5x7xf32> {fusion.constant}, %b: memref<5xf32>, %s: memref<4x5xf32>, %y: memref<4x5xf32>) {
  fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<relu>}
      ins(%x, %w : memref<4x7xf32>, memref<5x7xf32>) bias(%b : memref<5xf32>) residual(%s : memref<4x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// A dimension that an operand is without is stored as size 1.
// CHECK-LABEL: func @vector(
// CHECK:         fusion.rt.execute @[[$VECTOR:[a-z_0-9]+]]

// LLVM:       llvm.mlir.global internal constant @fusion_matmul_0_args("{{((\\00){8})}}\01{{((\\00){7})}}\01{{((\\00){7})}}\07
func.func @vector(%x: memref<7xf32>, %w: memref<7x5xf32>, %y: memref<5xf32>) {
  fusion.fused_matmul_bias_act {input_layout = "k", filter_layout = "kn", output_layout = "n"}
      ins(%x, %w : memref<7xf32>, memref<7x5xf32>) outs(%y : memref<5xf32>)
  return
}

// An activation whose kernels may lose a NaN stays outside.
// CHECK-LABEL: func @propagate(
// CHECK:         fusion.rt.execute @[[$PROPAGATE:[a-z_0-9]+]]
// CHECK:         linalg.generic {{.*}} outs(
// CHECK:           arith.maximumf
func.func @propagate(%x: memref<4x7xf32>, %w: memref<7x5xf32>, %y: memref<4x5xf32>) {
  fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn", activation = #fusion.activation<relu>, nan_mode = #fusion.nan<propagate>}
      ins(%x, %w : memref<4x7xf32>, memref<7x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// CHECK-DAG: fusion.rt.create @[[$LAYER]] #fusion.matmul_desc<input = <mk, f32>, filter = <nk, f32>, init = <mn, f32>, bias = true, activation = <relu>, residual = f32, constant_filter = true> {sym_visibility = "private"}
// CHECK-DAG: fusion.rt.create @[[$VECTOR]] #fusion.matmul_desc<input = <k, f32>, filter = <kn, f32>, init = <n, f32>> {sym_visibility = "private"}
// CHECK-DAG: fusion.rt.create @[[$PROPAGATE]] #fusion.matmul_desc<{{.*}}filter = <kn, f32>, init = <mn, f32>> {sym_visibility = "private"}
// CHECK:     func.func @_fusion_release_module()
