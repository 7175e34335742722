// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s

// The forms of `fusion.fused_matmul_bias_act`: what is printed parses to the same.

// CHECK-LABEL: func @plain
// CHECK-SAME:    (%[[X:.*]]: tensor<4x7xf32>, %[[W:.*]]: tensor<7x5xf32>, %[[E:.*]]: tensor<4x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins(%[[X]], %[[W]] : tensor<4x7xf32>, tensor<7x5xf32>) outs(%[[E]] : tensor<4x5xf32>) -> tensor<4x5xf32>
// CHECK:         return %[[R]]
func.func @plain(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "mn"}
       ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @everything
// CHECK:         fusion.fused_matmul_bias_act clip(0.000000e+00, 6.000000e+00) layouts(kbm, bnk, mnb) {nan_mode = #fusion.nan<propagate>} ins(
// CHECK-SAME:      %{{.*}}, %{{.*}} : tensor<7x2x4xbf16>, tensor<2x5x7xf32>)
// CHECK-SAME:      bias(%{{.*}} : tensor<5xf32>)
// CHECK-SAME:      residual(%{{.*}} : tensor<4x5x2xf32>)
// CHECK-SAME:      outs(%{{.*}} : tensor<4x5x2xbf16>) -> tensor<4x5x2xbf16>
func.func @everything(%x: tensor<7x2x4xbf16>, %w: tensor<2x5x7xf32>, %b: tensor<5xf32>, %s: tensor<4x5x2xf32>, %e: tensor<4x5x2xbf16>) -> tensor<4x5x2xbf16> {
  %r = fusion.fused_matmul_bias_act {input_layout = "kbm", filter_layout = "bnk", output_layout = "mnb",
         activation = #fusion.activation<clip, 0.0, 6.0>, nan_mode = #fusion.nan<propagate>}
       ins(%x, %w : tensor<7x2x4xbf16>, tensor<2x5x7xf32>) bias(%b : tensor<5xf32>) residual(%s : tensor<4x5x2xf32>)
       outs(%e : tensor<4x5x2xbf16>) -> tensor<4x5x2xbf16>
  return %r : tensor<4x5x2xbf16>
}

// A vector, and a batch of vectors with one filter.
// CHECK-LABEL: func @vectors
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<?xf32>, tensor<?x?xf32>) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
// CHECK:         fusion.fused_matmul_bias_act layouts(bk, kn, bn) ins(
func.func @vectors(%x: tensor<?xf32>, %y: tensor<2x?xf32>, %w: tensor<?x?xf32>, %e: tensor<?xf32>, %f: tensor<2x?xf32>) -> (tensor<?xf32>, tensor<2x?xf32>) {
  %r = fusion.fused_matmul_bias_act {input_layout = "k", filter_layout = "kn", output_layout = "n"}
       ins(%x, %w : tensor<?xf32>, tensor<?x?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = fusion.fused_matmul_bias_act {input_layout = "bk", filter_layout = "kn", output_layout = "bn"}
       ins(%y, %w : tensor<2x?xf32>, tensor<?x?xf32>) outs(%f : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %r, %s : tensor<?xf32>, tensor<2x?xf32>
}

// CHECK-LABEL: func @memrefs
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%{{.*}}, %{{.*}} : memref<4x7xf32, strided<[9, 1]>>, memref<5x7xf32>) residual(%[[Y:.*]] : memref<4x5xf32>) outs(%[[Y]] : memref<4x5xf32>){{$}}
func.func @memrefs(%x: memref<4x7xf32, strided<[9, 1]>>, %w: memref<5x7xf32>, %y: memref<4x5xf32>) {
  fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "nk", output_layout = "mn"}
    ins(%x, %w : memref<4x7xf32, strided<[9, 1]>>, memref<5x7xf32>) residual(%y : memref<4x5xf32>) outs(%y : memref<4x5xf32>)
  return
}

// One of input and filter may be f32 beside a narrower one.
// CHECK-LABEL: func.func @wide_input(
// CHECK:         ins(%{{.*}}, %{{.*}} : tensor<2x4x7xf32>, tensor<2x7x5xf16>)
func.func @wide_input(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf16>, %e: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
       ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf16>)
       outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// Attributes that are words of other ops are a matter of the user here.
// CHECK-LABEL: func @words_of_convolutions(
// CHECK:         fusion.fused_matmul_bias_act {groups = 3 : i64, strides = 5 : i64} ins(
func.func @words_of_convolutions(%x: tensor<4x3xf32>, %w: tensor<3x5xf32>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.fused_matmul_bias_act {strides = 5 : i64, groups = 3 : i64} ins(%x, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
