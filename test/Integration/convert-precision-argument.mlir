// RUN: fusion-run %s --precision=bf16 --verify --json --profile | FileCheck %s
// RUN: fusion-run %s --precision=f16 --verify --json | FileCheck %s
// RUN: not fusion-run %s --precision=bf16 --verify=1e-6 | FileCheck %s --check-prefix=ROUNDED

// The argument stays f32 and the constant filter becomes narrow: the kernel's copy
// of its input rounds it, and no loop is left. Every size differs, and so do both
// strides and both pads.

// CHECK: "fused_ops": 1,
// CHECK-NOT: "linalg.
// CHECK: "verify": "agrees"
// ROUNDED: verify: result 0 differs

func.func @main(%x: tensor<2x3x9x12xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x12xf32> {
  %w = arith.constant dense<[
    [[[0.31, -1.27], [0.73, 0.11]], [[-0.57, 0.91], [1.13, -0.29]], [[0.43, 0.67], [-0.83, 0.17]]],
    [[[-0.37, 0.59], [0.19, -1.03]], [[0.97, -0.13], [0.41, 0.71]], [[-1.01, 0.23], [0.53, 0.89]]],
    [[[1.07, 0.03], [-0.61, 0.47]], [[0.07, -0.79], [0.33, 1.21]], [[0.77, -0.49], [0.21, -0.93]]],
    [[[-0.09, 0.81], [1.31, -0.51]], [[0.63, 0.27], [-1.19, 0.39]], [[0.01, 1.09], [-0.69, 0.57]]],
    [[[0.87, -0.35], [0.05, 0.99]], [[-0.45, 1.17], [0.75, -0.25]], [[0.15, -0.65], [0.95, 0.55]]]]> : tensor<5x3x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x12xf32> to tensor<2x3x10x13xf32>
  %e = tensor.empty() : tensor<2x5x5x12xf32>
  %bias = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x5x12xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x2x2xf32>) outs(%bias : tensor<2x5x5x12xf32>) -> tensor<2x5x5x12xf32>
  return %c : tensor<2x5x5x12xf32>
}
