// RUN: fusion-opt %s --fusion-fuse-quantized --canonicalize | FileCheck %s

// A bias of integers that constants make, by a chain of ops that read each result several times.
// Its time grows with the number of ops, not with the number of ways through them.

// CHECK-LABEL: func @chain(
// CHECK:         %[[B:.*]] = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<6xi32>)
func.func @chain(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %e = tensor.empty() : tensor<5x6xi32>
  %v = tensor.empty() : tensor<6xi32>
  %b0 = arith.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %b1 = linalg.add ins(%b0, %b0 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b2 = linalg.sub ins(%b1, %b0 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b3 = linalg.add ins(%b2, %b2 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b4 = linalg.sub ins(%b3, %b2 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b5 = linalg.add ins(%b4, %b4 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b6 = linalg.sub ins(%b5, %b4 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b7 = linalg.add ins(%b6, %b6 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b8 = linalg.sub ins(%b7, %b6 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b9 = linalg.add ins(%b8, %b8 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b10 = linalg.sub ins(%b9, %b8 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b11 = linalg.add ins(%b10, %b10 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b12 = linalg.sub ins(%b11, %b10 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b13 = linalg.add ins(%b12, %b12 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b14 = linalg.sub ins(%b13, %b12 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b15 = linalg.add ins(%b14, %b14 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b16 = linalg.sub ins(%b15, %b14 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b17 = linalg.add ins(%b16, %b16 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b18 = linalg.sub ins(%b17, %b16 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b19 = linalg.add ins(%b18, %b18 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b20 = linalg.sub ins(%b19, %b18 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b21 = linalg.add ins(%b20, %b20 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b22 = linalg.sub ins(%b21, %b20 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b23 = linalg.add ins(%b22, %b22 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b24 = linalg.sub ins(%b23, %b22 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b25 = linalg.add ins(%b24, %b24 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b26 = linalg.sub ins(%b25, %b24 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b27 = linalg.add ins(%b26, %b26 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b28 = linalg.sub ins(%b27, %b26 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b29 = linalg.add ins(%b28, %b28 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b30 = linalg.sub ins(%b29, %b28 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b31 = linalg.add ins(%b30, %b30 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b32 = linalg.sub ins(%b31, %b30 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b33 = linalg.add ins(%b32, %b32 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b34 = linalg.sub ins(%b33, %b32 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b35 = linalg.add ins(%b34, %b34 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b36 = linalg.sub ins(%b35, %b34 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b37 = linalg.add ins(%b36, %b36 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b38 = linalg.sub ins(%b37, %b36 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b39 = linalg.add ins(%b38, %b38 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b40 = linalg.sub ins(%b39, %b38 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b41 = linalg.add ins(%b40, %b40 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b42 = linalg.sub ins(%b41, %b40 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b43 = linalg.add ins(%b42, %b42 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b44 = linalg.sub ins(%b43, %b42 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b45 = linalg.add ins(%b44, %b44 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b46 = linalg.sub ins(%b45, %b44 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b47 = linalg.add ins(%b46, %b46 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b48 = linalg.sub ins(%b47, %b46 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b49 = linalg.add ins(%b48, %b48 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b50 = linalg.sub ins(%b49, %b48 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b51 = linalg.add ins(%b50, %b50 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b52 = linalg.sub ins(%b51, %b50 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b53 = linalg.add ins(%b52, %b52 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b54 = linalg.sub ins(%b53, %b52 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b55 = linalg.add ins(%b54, %b54 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b56 = linalg.sub ins(%b55, %b54 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b57 = linalg.add ins(%b56, %b56 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b58 = linalg.sub ins(%b57, %b56 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b59 = linalg.add ins(%b58, %b58 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b60 = linalg.sub ins(%b59, %b58 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b61 = linalg.add ins(%b60, %b60 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b62 = linalg.sub ins(%b61, %b60 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b63 = linalg.add ins(%b62, %b62 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %b64 = linalg.sub ins(%b63, %b62 : tensor<6xi32>, tensor<6xi32>) outs(%v : tensor<6xi32>) -> tensor<6xi32>
  %f = linalg.broadcast ins(%b64 : tensor<6xi32>) outs(%e : tensor<5x6xi32>) dimensions = [0]
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %c : tensor<5x6xi32>
}
