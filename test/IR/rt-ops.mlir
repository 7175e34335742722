// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// The ops that stand for calls of the runtime library.

// CHECK-LABEL: fusion.rt.create @plain
// CHECK-SAME:    dilations = array<i64: 1, 1>, filter_layout = "fchw", filter_type = f32, init_type = f32, input_layout = "nchw", input_type = f32, output_layout = "nchw"
fusion.rt.create @plain {
  strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
  pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
  input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw",
  input_type = f32, filter_type = f32, init_type = f32}

// CHECK-LABEL: fusion.rt.create @everything
// CHECK-SAME:    activation = #fusion.activation<clip, 0.000000e+00, 6.000000e+00>
// CHECK-SAME:    constant_filter
// CHECK-SAME:    groups = 2 : i64, has_bias
// CHECK-SAME:    residual_type = f32
// CHECK-SAME:    sym_visibility = "private"
fusion.rt.create @everything {
  sym_visibility = "private",
  strides = array<i64: 2>, dilations = array<i64: 1>,
  pad_low = array<i64: 0>, pad_high = array<i64: 1>, groups = 2,
  input_layout = "nwc", filter_layout = "wcf", output_layout = "nwc",
  activation = #fusion.activation<clip, 0.0, 6.0>,
  input_type = bf16, filter_type = bf16, init_type = bf16, residual_type = f32, has_bias, constant_filter}

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
