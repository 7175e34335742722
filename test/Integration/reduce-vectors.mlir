// RUN: fusion-run %s --entry=pixels --verify | FileCheck %s
// RUN: fusion-run %s --entry=pixels_of_any_size --shape=0:2x9x7x5 --verify | FileCheck %s
// RUN: fusion-run %s --entry=largest --verify | FileCheck %s
// RUN: fusion-run %s --entry=product --verify | FileCheck %s

// The executed twin of Loops/fusion-lower-to-loops-reductions.mlir.

// CHECK: verify: agrees

#image = affine_map<(n, c, h, w) -> (n, h, w, c)>
#channel = affine_map<(n, c, h, w) -> (n, c)>

func.func @pixels(%x: tensor<2x9x7x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x9x7x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

func.func @pixels_of_any_size(%x: tensor<2x?x?x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0.5> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x?x?x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

func.func @largest(%x: tensor<2x9x7x5xf32>) -> tensor<2x5xf32> {
  %z = arith.constant dense<0xFF800000> : tensor<2x5xf32>
  %r = linalg.generic {indexing_maps = [#image, #channel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
         ins(%x : tensor<2x9x7x5xf32>) outs(%z : tensor<2x5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %s = arith.maximumf %u, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}

// A product that is no fusion op, since its accumulator is of i64.
func.func @product(%x: tensor<5x63xi32>, %w: tensor<63x7xi32>) -> tensor<5x7xi64> {
  %z = arith.constant dense<0> : tensor<5x7xi64>
  %r = linalg.matmul ins(%x, %w : tensor<5x63xi32>, tensor<63x7xi32>) outs(%z : tensor<5x7xi64>) -> tensor<5x7xi64>
  return %r : tensor<5x7xi64>
}
