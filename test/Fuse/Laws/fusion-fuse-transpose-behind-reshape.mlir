// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// A matrix multiplication reads its operands in the order that they have in front of a
// transpose and a reshape.

// The keys of an attention.
// CHECK-LABEL: func @filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK-DAG:     %[[I:.*]] = tensor.collapse_shape %[[X]]
// CHECK-DAG:     %[[F:.*]] = tensor.collapse_shape %[[W]]
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, bnk, bmn) ins(%[[I]], %[[F]] : tensor<6x4x7xf32>, tensor<6x5x7xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @filter(%x: tensor<2x3x4x7xf32>, %w: tensor<2x3x5x7xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.transpose ins(%w : tensor<2x3x5x7xf32>) outs(%te : tensor<2x3x7x5xf32>) permutation = [0, 1, 3, 2]
  %xc = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %wb = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %wb : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// The heads of one image, which are between rows and columns.
// CHECK-LABEL: func @input(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2], [3]]
// CHECK:         fusion.fused_matmul_bias_act layouts(mbk, bkn, bmn) ins(%[[I]], %[[W]] : tensor<4x3x7xf32>, tensor<3x7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @input(%x: tensor<1x4x3x7xf32>, %w: tensor<3x7x5xf32>) -> tensor<3x4x5xf32> {
  %te = tensor.empty() : tensor<1x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<1x4x3x7xf32>) outs(%te : tensor<1x3x4x7xf32>) permutation = [0, 2, 1, 3]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<1x3x4x7xf32> into tensor<3x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<3x4x7xf32>, tensor<3x7x5xf32>) outs(%f : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %c : tensor<3x4x5xf32>
}

// Near miss: those of several images are apart from their batch.
// CHECK-LABEL: func @apart(
// CHECK:         linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act ins(
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @apart(%x: tensor<2x4x3x7xf32>, %w: tensor<6x7x5xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<2x4x3x7xf32>) outs(%te : tensor<2x3x4x7xf32>) permutation = [0, 2, 1, 3]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// Near miss: kernels are fast at rows, so that an input is not read by its columns.
// CHECK-LABEL: func @columns(
// CHECK:         linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act ins(
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @columns(%x: tensor<7x2x3x4xf32>, %w: tensor<6x7x5xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<7x2x3x4xf32>) outs(%te : tensor<2x3x4x7xf32>) permutation = [1, 2, 3, 0]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}
