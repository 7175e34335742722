// RUN: fusion-opt %s --convert-fusion-to-runtime=allow-winograd=true | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime=allow-winograd=true --convert-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s --check-prefix=DEFAULT

// Convolutions are marked, and nothing else is.

// CHECK:     fusion.rt.create @fusion_conv {{.*}}, allow_winograd = true,
// CHECK-NOT: allow_winograd
// CHECK:     fusion.rt.create @fusion_deconv
// CHECK-NOT: allow_winograd
// CHECK:     fusion.rt.create @fusion_pool
// CHECK-NOT: allow_winograd

// The flags follow the version and the size: constant weights and allow_winograd.
// LLVM: llvm.mlir.global internal constant @fusion_conv_desc("\0E\00\01\00\98\00\00\00\0C\00\00\00

// DEFAULT:     fusion.rt.create @fusion_conv
// DEFAULT-NOT: allow_winograd

func.func @main(%x: memref<1x8x8x32xf32>, %w: memref<32x3x3x32xf32> {fusion.constant}, %y: memref<1x6x6x32xf32>, %z: memref<1x8x8x32xf32>) {
  fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
      ins(%x, %w : memref<1x8x8x32xf32>, memref<32x3x3x32xf32>) outs(%y : memref<1x6x6x32xf32>)
  fusion.fused_deconv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
      ins(%y, %w : memref<1x6x6x32xf32>, memref<32x3x3x32xf32>) outs(%z : memref<1x8x8x32xf32>)
  fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc", kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>}
      ins(%x : memref<1x8x8x32xf32>) outs(%y : memref<1x6x6x32xf32>)
  return
}
