// Tiles of fusion ops compute what upstream computes with the whole of it. Sizes
// are such that the last tile is smaller, where it may be.

// RUN: fusion-opt %s --fusion-raise --fusion-raise-pools --fusion-fuse --transform-preload-library=transform-library-paths=%S/Inputs/tile-schedule.mlir --transform-interpreter -o %t.mlir

// RUN: fusion-run %s --entry=conv --verify --output=%t.conv | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=conv --expect=%t.conv/result0.npy | FileCheck %s --check-prefixes=TILED,CONV
// RUN: fusion-run %s --entry=grouped --verify --output=%t.grouped | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=grouped --expect=%t.grouped/result0.npy | FileCheck %s --check-prefixes=TILED,GROUPED
// RUN: fusion-run %s --entry=matmul --verify --output=%t.matmul | FileCheck %s --check-prefix=WHOLE
// RUN: fusion-run %t.mlir --entry=matmul --expect=%t.matmul/result0.npy | FileCheck %s --check-prefixes=TILED,MATMUL
// RUN: fusion-run %s --entry=pool --random=0:-2:-1 --verify --output=%t.pool | FileCheck %s --check-prefix=WHOLE-POOL
// RUN: fusion-run %t.mlir --entry=pool --random=0:-2:-1 --expect=%t.pool/result0.npy | FileCheck %s --check-prefixes=TILED-POOL,POOL

// WHOLE: 1 fused op
// WHOLE: verify: agrees
// WHOLE-POOL: 0 fused ops
// WHOLE-POOL: verify: agrees

// Two runs of all tiles.
//   TILED: 1 fused op
// TILED-POOL: 0 fused ops
//    CONV: 2 kernels created, 24 executed
// GROUPED: 1 kernel created, 4 executed
//  MATMUL: 2 kernels created, 12 executed
//    POOL: 4 kernels created, 8 executed
//   TILED: expect: agrees
// TILED-POOL: expect: agrees

func.func @conv(%x: tensor<1x3x21x17xf32>, %w: tensor<12x3x3x5xf32>, %b: tensor<12xf32>,
                %r: tensor<1x12x11x17xf32>) -> tensor<1x12x11x17xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 3] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x21x17xf32> to tensor<1x3x23x21xf32>
  %e = tensor.empty() : tensor<1x12x11x17xf32>
  %bb = linalg.broadcast ins(%b : tensor<12xf32>) outs(%e : tensor<1x12x11x17xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%p, %w : tensor<1x3x23x21xf32>, tensor<12x3x3x5xf32>)
      outs(%bb : tensor<1x12x11x17xf32>) -> tensor<1x12x11x17xf32>
  %1 = linalg.add ins(%0, %r : tensor<1x12x11x17xf32>, tensor<1x12x11x17xf32>)
      outs(%e : tensor<1x12x11x17xf32>) -> tensor<1x12x11x17xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x11x17xf32>) -> tensor<1x12x11x17xf32>
  %2 = linalg.max ins(%1, %z : tensor<1x12x11x17xf32>, tensor<1x12x11x17xf32>)
      outs(%e : tensor<1x12x11x17xf32>) -> tensor<1x12x11x17xf32>
  return %2 : tensor<1x12x11x17xf32>
}

func.func @grouped(%x: tensor<2x4x9x8x3xf32>, %w: tensor<4x2x3x2x3xf32>) -> tensor<2x4x2x7x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x2x7x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x2x7x4xf32>) -> tensor<2x4x2x7x4xf32>
  %t = tensor.empty() : tensor<2x4x3x9x8xf32>
  %xt = linalg.transpose ins(%x : tensor<2x4x9x8x3xf32>) outs(%t : tensor<2x4x3x9x8xf32>) permutation = [0, 1, 4, 2, 3]
  %u = tensor.empty() : tensor<4x2x3x3x2xf32>
  %wt = linalg.transpose ins(%w : tensor<4x2x3x2x3xf32>) outs(%u : tensor<4x2x3x3x2xf32>) permutation = [0, 1, 4, 2, 3]
  %0 = linalg.conv_2d_ngchw_gfchw {strides = dense<[1, 2]> : tensor<2xi64>}
      ins(%xt, %wt : tensor<2x4x3x9x8xf32>, tensor<4x2x3x3x2xf32>)
      outs(%z : tensor<2x4x2x7x4xf32>) -> tensor<2x4x2x7x4xf32>
  return %0 : tensor<2x4x2x7x4xf32>
}

func.func @matmul(%x: tensor<10x5xf32>, %w: tensor<5x14xf32>, %b: tensor<14xf32>) -> tensor<10x14xf32> {
  %e = tensor.empty() : tensor<10x14xf32>
  %bb = linalg.broadcast ins(%b : tensor<14xf32>) outs(%e : tensor<10x14xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : tensor<10x5xf32>, tensor<5x14xf32>) outs(%bb : tensor<10x14xf32>) -> tensor<10x14xf32>
  return %0 : tensor<10x14xf32>
}

// All numbers are negative: a padding of zeros would be seen.
func.func @pool(%x: tensor<1x9x10x6xf32>) -> tensor<1x5x10x6xf32> {
  %least = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 2, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %least : f32
  } : tensor<1x9x10x6xf32> to tensor<1x11x12x6xf32>
  %e = tensor.empty() : tensor<1x5x10x6xf32>
  %z = linalg.fill ins(%least : f32) outs(%e : tensor<1x5x10x6xf32>) -> tensor<1x5x10x6xf32>
  %k = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %k : tensor<1x11x12x6xf32>, tensor<3x3xf32>) outs(%z : tensor<1x5x10x6xf32>) -> tensor<1x5x10x6xf32>
  return %0 : tensor<1x5x10x6xf32>
}
