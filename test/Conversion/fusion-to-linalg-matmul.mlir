// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s

// A fused matrix multiplication becomes a contraction in f32 and one element-wise op.

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$BIAS:.*]] = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func @everything(
// CHECK-SAME:    %[[XT:.*]]: tensor<7x2x4xbf16>, %[[WT:.*]]: tensor<5x7xf32>, %[[B:.*]]: tensor<5xf32>, %[[S:.*]]: tensor<2x4x5xbf16>, %[[E:.*]]: tensor<2x4x5xbf16>)
// CHECK:         %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<2x4x5xf32>
// CHECK:         %[[ACC:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #[[$Y]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[XT]], %[[WT]] : {{.*}}) outs(%[[ZERO]] : tensor<2x4x5xf32>)
// CHECK:           %[[NARROW:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK:           %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.extf %[[NARROW]] : bf16 to f32
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$BIAS]], #[[$ALL]], #[[$ALL]]]{{.*}} ins(%[[ACC]], %[[B]], %[[S]] : {{.*}}) outs(%[[E]] : tensor<2x4x5xbf16>)
// CHECK:           arith.maximumf
// CHECK:           arith.truncf
// CHECK:         return %[[R]]
func.func @everything(%x: tensor<7x2x4xbf16>, %w: tensor<5x7xf32>, %b: tensor<5xf32>, %s: tensor<2x4x5xbf16>, %e: tensor<2x4x5xbf16>) -> tensor<2x4x5xbf16> {
  %r = fusion.fused_matmul_bias_act {input_layout = "kbm", filter_layout = "nk", output_layout = "bmn", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<7x2x4xbf16>, tensor<5x7xf32>) bias(%b : tensor<5xf32>) residual(%s : tensor<2x4x5xbf16>)
         outs(%e : tensor<2x4x5xbf16>) -> tensor<2x4x5xbf16>
  return %r : tensor<2x4x5xbf16>
}

// CHECK-LABEL: func @transposed(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
func.func @transposed(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %s: tensor<5x4xf32>, %e: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "kn", output_layout = "nm", activation = #fusion.activation<tanh>}
         ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) bias(%b : tensor<5xf32>) residual(%s : tensor<5x4xf32>)
         outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// CHECK-LABEL: func @batch(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
func.func @batch(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xf32>, %b: tensor<5xf32>, %e: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "bmk", filter_layout = "bkn", output_layout = "bmn", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xf32>) bias(%b : tensor<5xf32>)
         outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @vector(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
func.func @vector(%x: tensor<7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>, %e: tensor<5xf32>) -> tensor<5xf32> {
  %r = fusion.fused_matmul_bias_act {input_layout = "k", filter_layout = "nk", output_layout = "n", activation = #fusion.activation<sigmoid>}
         ins(%x, %w : tensor<7xf32>, tensor<5x7xf32>) bias(%b : tensor<5xf32>)
         outs(%e : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// An f32 input of a narrower filter is rounded to its type.
// CHECK-LABEL: func.func @wide_input(
// CHECK:         ^bb0(%[[X:.*]]: f32, %[[W:.*]]: bf16, %{{.*}}: f32):
// CHECK:           %[[NARROW:.*]] = arith.truncf %[[X]] : f32 to bf16
// CHECK:           %[[A:.*]] = arith.extf %[[NARROW]] : bf16 to f32
// CHECK:           %[[B:.*]] = arith.extf %[[W]] : bf16 to f32
// CHECK:           arith.mulf %[[A]], %[[B]] : f32
func.func @wide_input(%x: tensor<2x4x7xf32>, %w: tensor<2x7x5xbf16>, %e: tensor<2x4x5xf32>) -> tensor<2x4x5xf32> {
  %r = fusion.fused_matmul_bias_act {filter_layout = "bkn", input_layout = "bmk", output_layout = "bmn"}
         ins(%x, %w : tensor<2x4x7xf32>, tensor<2x7x5xbf16>)
         outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}
