// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// The ops that stand for calls of the runtime library.

// CHECK-LABEL: fusion.rt.create @plain
// CHECK-SAME:    #fusion.conv_desc<input = <nchw, f32>, filter = <fchw, f32>, init = <nchw, f32>, strides = [1, 1], dilations = [1, 1], pad_low = [0, 0], pad_high = [0, 0]>{{$}}
fusion.rt.create @plain #fusion.conv_desc<
  input = <nchw, f32>, filter = <fchw, f32>, init = <nchw, f32>, strides = [1, 1], dilations = [1, 1],
  pad_low = [0, 0], pad_high = [0, 0]>

// CHECK-LABEL: fusion.rt.create @everything
// CHECK-SAME:    #fusion.conv_desc<input = <nwc, bf16>, filter = <wcf, bf16>, init = <nwc, bf16>, strides = [2], dilations = [1], pad_low = [0], pad_high = [1], groups = 2
// CHECK-SAME:    bias = true, activation = <clip, 0.000000e+00, 6.000000e+00>, residual = f32
// CHECK-SAME:    constant_filter = true> {sym_visibility = "private"}
fusion.rt.create @everything #fusion.conv_desc<
  input = <nwc, bf16>, filter = <wcf, bf16>, init = <nwc, bf16>, strides = [2], dilations = [1],
  pad_low = [0], pad_high = [1], groups = 2, bias = true, activation = <clip, 0.0, 6.0>, residual = f32,
  constant_filter = true> {sym_visibility = "private"}

// CHECK-LABEL: fusion.rt.create @transposed
// CHECK-SAME:    pad_high = [0], transposed = true>{{$}}
fusion.rt.create @transposed #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [2], dilations = [1], pad_low = [1], pad_high = [0],
  transposed = true>

// CHECK-LABEL: fusion.rt.create @winograd
// CHECK-SAME:    pad_high = [0], allow_winograd = true>{{$}}
fusion.rt.create @winograd #fusion.conv_desc<
  input = <ncw, f32>, filter = <fcw, f32>, init = <ncw, f32>, strides = [1], dilations = [1], pad_low = [1], pad_high = [0],
  allow_winograd = true>

// CHECK-LABEL: fusion.rt.create @matmul
// CHECK-SAME:    #fusion.matmul_desc<input = <k, f16>, filter = <nk, f32>, init = <n, f16>, residual = f16>{{$}}
fusion.rt.create @matmul #fusion.matmul_desc<input = <k, f16>, filter = <nk, f32>, init = <n, f16>, residual = f16>

// CHECK-LABEL: fusion.rt.create @pool
// CHECK-SAME:    #fusion.pool_desc<pooling = sum, input = <ndhwc, f32>, kernel = [1, 2, 3], strides = [2, 1, 3], pad_low = [0, 1, 2], pad_high = [0, 0, 1]>{{$}}
fusion.rt.create @pool #fusion.pool_desc<
  pooling = sum, input = <ndhwc, f32>, kernel = [1, 2, 3], strides = [2, 1, 3], pad_low = [0, 1, 2], pad_high = [0, 0, 1]>

// CHECK-LABEL: func @calls
// CHECK-SAME:    (%[[X:.*]]: memref<1x3x10x12xf32>, %[[W:.*]]: memref<6x3x3x3xf32>, %[[Y:.*]]: memref<1x6x8x10xf32>
func.func @calls(%x: memref<1x3x10x12xf32>, %w: memref<6x3x3x3xf32>, %y: memref<1x6x8x10xf32>,
                 %x1: memref<?x?x4xbf16, strided<[?, 4, 1], offset: ?>>, %w1: memref<3x2x6xbf16>,
                 %b1: memref<6xf32>, %s1: memref<?x?x6xf32>, %y1: memref<?x?x6xbf16>) {
  // CHECK: fusion.rt.execute @plain ins(%[[X]], %[[W]] : memref<1x3x10x12xf32>, memref<6x3x3x3xf32>) outs(%[[Y]] : memref<1x6x8x10xf32>){{$}}
  fusion.rt.execute @plain ins(%x, %w : memref<1x3x10x12xf32>, memref<6x3x3x3xf32>)
    outs(%y : memref<1x6x8x10xf32>)
  // CHECK: fusion.rt.execute @everything
  // CHECK-SAME: ins(%{{.*}}, %{{.*}} : memref<?x?x4xbf16, strided<[?, 4, 1], offset: ?>>, memref<3x2x6xbf16>)
  // CHECK-SAME: bias(%{{.*}} : memref<6xf32>)
  // CHECK-SAME: residual(%{{.*}} : memref<?x?x6xf32>)
  // CHECK-SAME: outs(%{{.*}} : memref<?x?x6xbf16>)
  fusion.rt.execute @everything
    ins(%x1, %w1 : memref<?x?x4xbf16, strided<[?, 4, 1], offset: ?>>, memref<3x2x6xbf16>)
    bias(%b1 : memref<6xf32>) residual(%s1 : memref<?x?x6xf32>)
    outs(%y1 : memref<?x?x6xbf16>)
  return
}

// CHECK-LABEL: func @release
func.func @release() {
  // CHECK: fusion.rt.release @plain
  fusion.rt.release @plain
  // CHECK: fusion.rt.release @everything
  fusion.rt.release @everything
  return
}

// CHECK-LABEL: func @arena(
// CHECK-NEXT:    %[[A:.*]] = fusion.rt.arena_begin : memref<128xi8>
// CHECK-NEXT:    fusion.rt.arena_end %[[A]] : memref<128xi8>
func.func @arena() {
  %a = fusion.rt.arena_begin : memref<128xi8>
  fusion.rt.arena_end %a : memref<128xi8>
  return
}

// CHECK-LABEL: func @arena_of_dynamic_size(
// CHECK-NEXT:    %[[A:.*]] = fusion.rt.arena_begin(%{{.*}}) : memref<?xi8>
// CHECK-NEXT:    fusion.rt.arena_end %[[A]] : memref<?xi8>
func.func @arena_of_dynamic_size(%n: index) {
  %a = fusion.rt.arena_begin(%n) : memref<?xi8>
  fusion.rt.arena_end %a : memref<?xi8>
  return
}
