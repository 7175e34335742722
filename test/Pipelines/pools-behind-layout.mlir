// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=OPTIMIZED
// RUN: fusion-opt %s --fusion-compile | FileCheck %s

// Upstream names no 3-D pool with channels first. It has a name once it lies between
// convolutions with channels last.

#in = affine_map<(n, c, d, h, w, i, j, k) -> (n, c, d * 2 + i, h + j, w * 2 + k)>
#window = affine_map<(n, c, d, h, w, i, j, k) -> (i, j, k)>
#out = affine_map<(n, c, d, h, w, i, j, k) -> (n, c, d, h, w)>

// OPTIMIZED-NOT: fusion.pool
// CHECK-COUNT-1: call @fusion_rt_pool
// CHECK-NOT:     call @fusion_rt_pool
func.func @main(%x: tensor<1x3x9x10x11xf32>, %w: tensor<8x3x2x3x2xf32>,
                %u: tensor<6x8x1x2x2xf32>) -> tensor<1x6x4x6x3xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x8x8x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x8x10xf32>) -> tensor<1x8x8x8x10xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw
    ins(%x, %w : tensor<1x3x9x10x11xf32>, tensor<8x3x2x3x2xf32>)
    outs(%f : tensor<1x8x8x8x10xf32>) -> tensor<1x8x8x8x10xf32>
  %window = tensor.empty() : tensor<2x2x3xf32>
  %pe = tensor.empty() : tensor<1x8x4x7x4xf32>
  %pf = linalg.fill ins(%lowest : f32) outs(%pe : tensor<1x8x4x7x4xf32>) -> tensor<1x8x4x7x4xf32>
  %p = linalg.generic {
      indexing_maps = [#in, #window, #out],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel",
                        "reduction", "reduction", "reduction"]}
    ins(%c, %window : tensor<1x8x8x8x10xf32>, tensor<2x2x3xf32>)
    outs(%pf : tensor<1x8x4x7x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.maximumf %o, %a : f32
    linalg.yield %m : f32
  } -> tensor<1x8x4x7x4xf32>
  %re = tensor.empty() : tensor<1x6x4x6x3xf32>
  %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<1x6x4x6x3xf32>) -> tensor<1x6x4x6x3xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw
    ins(%p, %u : tensor<1x8x4x7x4xf32>, tensor<6x8x1x2x2xf32>)
    outs(%rf : tensor<1x6x4x6x3xf32>) -> tensor<1x6x4x6x3xf32>
  return %r : tensor<1x6x4x6x3xf32>
}
