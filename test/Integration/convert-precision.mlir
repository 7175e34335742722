// RUN: fusion-run %s --precision=bf16 --verify --json | FileCheck %s
// RUN: fusion-run %s --precision=bf16 --constant-args=1- --verify --json --repeat=3 | FileCheck %s --check-prefix=PACKED
// RUN: not fusion-run %s --precision=bf16 --verify=1e-6 | FileCheck %s --check-prefix=ROUNDED

// Two convolutions in bf16 against the file in f32: equal within bf16's precision,
// and not within f32's. Constant filters are rounded and packed once.

// CHECK: "fused_ops": 2,
// CHECK: "verify": "agrees"
// PACKED: "weight_packs": 2,
// PACKED: "verify": "agrees"
// ROUNDED: verify: result 0 differs

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %v: tensor<4x5x2x3xf32>) -> tensor<2x4x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x4x3x8xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %bias = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%bias : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%r, %v : tensor<2x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%z : tensor<2x4x3x8xf32>) -> tensor<2x4x3x8xf32>
  return %d : tensor<2x4x3x8xf32>
}
