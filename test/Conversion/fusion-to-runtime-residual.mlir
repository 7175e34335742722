// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime --convert-linalg-to-loops --convert-to-llvm | FileCheck %s --check-prefix=LLVM

// The call site knows that the residual is added to the activation.

// CHECK-LABEL: func @conv(
// CHECK-NEXT:    fusion.rt.execute @[[$CONV:[a-z_0-9]+]] ins({{.*}}) residual(%{{.*}} : memref<1x5x8xf32>) outs(
// CHECK-NEXT:    return
func.func @conv(%x: memref<1x3x9xf32>, %w: memref<5x3x2xf32>, %s: memref<1x5x8xf32>, %y: memref<1x5x8xf32>) {
  fusion.fused_conv_bias_act {
      strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>}
      ins(%x, %w : memref<1x3x9xf32>, memref<5x3x2xf32>) residual_after_activation(%s : memref<1x5x8xf32>)
      outs(%y : memref<1x5x8xf32>)
  return
}

// relu may lose a NaN in a kernel. The sum goes to a buffer, since it must not be
// rounded, and since the residual is still read when it is there.
// CHECK-LABEL: func @relu_outside(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<?x3x9xbf16>, %[[W:[a-z0-9]*]]: memref<5x3x2xbf16>, %[[B:[a-z0-9]*]]: memref<5xf32>, %[[Y:[a-z0-9]*]]: memref<?x5x8xbf16>
// CHECK:         %[[N:.*]] = memref.dim %[[Y]], %{{.*}} : memref<?x5x8xbf16>
// CHECK:         %[[SUM:.*]] = memref.alloc(%[[N]]) : memref<?x5x8xf32>
// CHECK:         fusion.rt.execute @[[$OUTSIDE:[a-z_0-9]+]] ins(%[[X]], %[[W]] : memref<?x3x9xbf16>, memref<5x3x2xbf16>) bias(%[[B]] : memref<5xf32>) outs(%[[SUM]] : memref<?x5x8xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]], %[[Y]] : memref<?x5x8xf32>, memref<?x5x8xbf16>) outs(%[[Y]] : memref<?x5x8xbf16>)
// CHECK-NEXT:    ^bb0(%[[V:.*]]: f32, %[[RESIDUAL:.*]]: bf16, %{{.*}}: bf16):
// CHECK:           %[[A:.*]] = arith.maximumf %[[V]], %{{.*}} : f32
// CHECK:           %[[WIDE:.*]] = arith.extf %[[RESIDUAL]] : bf16 to f32
// CHECK:           arith.addf %[[A]], %[[WIDE]] : f32
// CHECK:         memref.dealloc %[[SUM]]
func.func @relu_outside(%x: memref<?x3x9xbf16>, %w: memref<5x3x2xbf16>, %b: memref<5xf32>, %y: memref<?x5x8xbf16>) {
  fusion.fused_conv_bias_act {
      strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
      input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<relu>,
      nan_mode = #fusion.nan<propagate>}
      ins(%x, %w : memref<?x3x9xbf16>, memref<5x3x2xbf16>) bias(%b : memref<5xf32>)
      residual_after_activation(%y : memref<?x5x8xbf16>) outs(%y : memref<?x5x8xbf16>)
  return
}

// tanh does not: it stays in the kernel, and so does the residual.
// CHECK-LABEL: func @tanh_inside(
// CHECK-NEXT:    fusion.rt.execute @[[$INSIDE:[a-z_0-9]+]] ins({{.*}}) residual(%{{.*}} : memref<4x5xf32>) outs(
// CHECK-NEXT:    return
func.func @tanh_inside(%x: memref<4x7xf32>, %w: memref<5x7xf32>, %y: memref<4x5xf32>) {
  fusion.fused_matmul_bias_act {
    input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<tanh>,
    nan_mode = #fusion.nan<propagate>}
    ins(%x, %w : memref<4x7xf32>, memref<5x7xf32>) residual_after_activation(%y : memref<4x5xf32>)
    outs(%y : memref<4x5xf32>)
  return
}

// CHECK:      fusion.rt.create @[[$CONV]] #fusion.conv_desc<{{.*}}activation = <relu>, residual = f32, residual_after_activation = true>
// CHECK-NEXT: fusion.rt.create @[[$OUTSIDE]] #fusion.conv_desc<{{.*}}init = <ncw, f32>, {{.*}}pad_high = [0], bias = true> {sym
// CHECK-NOT:    residual
// CHECK-SAME:   {{$}}
// CHECK-NEXT: fusion.rt.create @[[$INSIDE]] #fusion.matmul_desc<{{.*}}activation = <tanh>, residual = f32, residual_after_activation = true>

// FUSION_RT_HAS_RESIDUAL and FUSION_RT_RESIDUAL_AFTER_ACTIVATION.
// LLVM-DAG: @fusion_conv_desc("\0E\00\01\00\98\00\00\00\12\00\00\00
// LLVM-DAG: @fusion_matmul_desc("\0E\00\01\00,\00\00\00\12\00\00\00
