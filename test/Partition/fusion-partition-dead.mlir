// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-dead.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,matmul,conv2d,any_tanh pattern-file=%t.pdl.mlir" | FileCheck %s --implicit-check-not=tanh
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,matmul,conv2d,conv_tanh pattern-file=%S/Inputs/partition-dead-user.pdl.mlir" | FileCheck %s --implicit-check-not=tanh

// Dead ops are in no composite, and hold none back.

// A dead op that a pattern of a file would begin or end with is erased together with
// the op that it reads, when that becomes a composite.
// CHECK-LABEL: func.func @dead_user(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @dead_user(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// Each op uses the one in front twice, so that there are very many ways to the end.
// CHECK-LABEL: func.func @dead_chain(
// CHECK-NEXT:    %[[R:.*]] = call @fused_matmul(%arg0, %arg1)
// CHECK:         return %[[R]]
func.func @dead_chain(%x: tensor<5x4xf32>, %w: tensor<4x3xf32>) -> tensor<5x3xf32> {
  %z = arith.constant dense<0.0> : tensor<5x3xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x3xf32>) outs(%z : tensor<5x3xf32>) -> tensor<5x3xf32>
  %d0 = arith.mulf %c, %c : tensor<5x3xf32>
  %d1 = arith.mulf %d0, %d0 : tensor<5x3xf32>
  %d2 = arith.mulf %d1, %d1 : tensor<5x3xf32>
  %d3 = arith.mulf %d2, %d2 : tensor<5x3xf32>
  %d4 = arith.mulf %d3, %d3 : tensor<5x3xf32>
  %d5 = arith.mulf %d4, %d4 : tensor<5x3xf32>
  %d6 = arith.mulf %d5, %d5 : tensor<5x3xf32>
  %d7 = arith.mulf %d6, %d6 : tensor<5x3xf32>
  %d8 = arith.mulf %d7, %d7 : tensor<5x3xf32>
  %d9 = arith.mulf %d8, %d8 : tensor<5x3xf32>
  %d10 = arith.mulf %d9, %d9 : tensor<5x3xf32>
  %d11 = arith.mulf %d10, %d10 : tensor<5x3xf32>
  %d12 = arith.mulf %d11, %d11 : tensor<5x3xf32>
  %d13 = arith.mulf %d12, %d12 : tensor<5x3xf32>
  %d14 = arith.mulf %d13, %d13 : tensor<5x3xf32>
  %d15 = arith.mulf %d14, %d14 : tensor<5x3xf32>
  %d16 = arith.mulf %d15, %d15 : tensor<5x3xf32>
  %d17 = arith.mulf %d16, %d16 : tensor<5x3xf32>
  %d18 = arith.mulf %d17, %d17 : tensor<5x3xf32>
  %d19 = arith.mulf %d18, %d18 : tensor<5x3xf32>
  %d20 = arith.mulf %d19, %d19 : tensor<5x3xf32>
  %d21 = arith.mulf %d20, %d20 : tensor<5x3xf32>
  %d22 = arith.mulf %d21, %d21 : tensor<5x3xf32>
  %d23 = arith.mulf %d22, %d22 : tensor<5x3xf32>
  %d24 = arith.mulf %d23, %d23 : tensor<5x3xf32>
  %d25 = arith.mulf %d24, %d24 : tensor<5x3xf32>
  %d26 = arith.mulf %d25, %d25 : tensor<5x3xf32>
  %d27 = arith.mulf %d26, %d26 : tensor<5x3xf32>
  %d28 = arith.mulf %d27, %d27 : tensor<5x3xf32>
  %d29 = arith.mulf %d28, %d28 : tensor<5x3xf32>
  %d30 = arith.mulf %d29, %d29 : tensor<5x3xf32>
  %d31 = arith.mulf %d30, %d30 : tensor<5x3xf32>
  %d32 = arith.mulf %d31, %d31 : tensor<5x3xf32>
  %d33 = arith.mulf %d32, %d32 : tensor<5x3xf32>
  %d34 = arith.mulf %d33, %d33 : tensor<5x3xf32>
  %d35 = arith.mulf %d34, %d34 : tensor<5x3xf32>
  %d36 = arith.mulf %d35, %d35 : tensor<5x3xf32>
  %d37 = arith.mulf %d36, %d36 : tensor<5x3xf32>
  %d38 = arith.mulf %d37, %d37 : tensor<5x3xf32>
  %d39 = arith.mulf %d38, %d38 : tensor<5x3xf32>
  return %c : tensor<5x3xf32>
}
