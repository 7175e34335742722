// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// Transposes of the result that stay, each with its reason.

// IR-COUNT-2: linalg.transpose
// IR-NOT:     linalg.transpose

func.func @two_users(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x7x10x5xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: {{.+$}}
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
  return %r, %c : tensor<2x7x10x5xf32>, tensor<2x5x7x10xf32>
}

// The convolution runs once, the transpose in each round.
func.func @in_a_loop(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<2x7x10x5xf32>, %n: index) -> tensor<2x7x10x5xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; next op 'linalg.transpose' at {{.*}} is in another block{{$}}
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %s) -> tensor<2x7x10x5xf32> {
    %e = tensor.empty() : tensor<2x7x10x5xf32>
    %t = linalg.transpose ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x7x10x5xf32>) permutation = [0, 2, 3, 1]
    %r = linalg.mul ins(%t, %acc : tensor<2x7x10x5xf32>, tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
    scf.yield %r : tensor<2x7x10x5xf32>
  }
  return %l : tensor<2x7x10x5xf32>
}
