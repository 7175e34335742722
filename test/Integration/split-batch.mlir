// Parts of a batch computed in loops are what upstream computes of the whole.

// RUN: fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize,fusion-split-batch{cache-bytes=16000 start-bytes=0})' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=LOOPS

// RUN: fusion-run %s --entry=block --verify --output=%t.block | FileCheck %s --check-prefixes=WHOLE,THREE
// RUN: fusion-run %t.mlir --entry=block --expect=%t.block/result0.npy | FileCheck %s --check-prefixes=SPLIT,BLOCK
// RUN: fusion-run %s --entry=inception --verify --output=%t.inception | FileCheck %s --check-prefixes=WHOLE,FOUR
// RUN: fusion-run %t.mlir --entry=inception --expect=%t.inception/result0.npy | FileCheck %s --check-prefixes=SPLIT,INCEPTION
// RUN: fusion-run %s --entry=dynamic --shape=0:3x3x13x11 --verify --output=%t.dynamic | FileCheck %s --check-prefixes=WHOLE,TWO
// RUN: fusion-run %t.mlir --entry=dynamic --shape=0:3x3x13x11 --expect=%t.dynamic/result0.npy | FileCheck %s --check-prefixes=SPLIT,DYNAMIC
// RUN: fusion-run %s --entry=padded --verify --output=%t.padded | FileCheck %s --check-prefixes=WHOLE,TWO
// RUN: fusion-run %t.mlir --entry=padded --expect=%t.padded/result0.npy | FileCheck %s --check-prefixes=SPLIT,PADDED

// One function after the other, two or three or four convolutions each.
//   TWO: : 2 fused ops
// THREE: : 3 fused ops
//  FOUR: : 4 fused ops
// WHOLE: verify: agrees

// Two runs of all parts: of six images two at a time, of three one at a time; a pool is
// a kernel too.
//     BLOCK: 3 fused ops
// INCEPTION: 4 fused ops
//   DYNAMIC: 2 fused ops
//    PADDED: 2 fused ops
//     BLOCK: kernels created, 18 executed
// INCEPTION: kernels created, 30 executed
//   DYNAMIC: kernels created, 12 executed
//    PADDED: kernels created, 18 executed
//     SPLIT: expect: agrees

// LOOPS-LABEL: func.func @block
// LOOPS:         scf.for
// LOOPS-LABEL: func.func @inception
// LOOPS:         scf.for
// LOOPS-LABEL: func.func @dynamic
// LOOPS:         scf.for
// LOOPS-LABEL: func.func @padded
// LOOPS:         scf.for
// LOOPS:         tensor.pad
// LOOPS:         scf.for

func.func @block(%x: tensor<6x3x13x11xf32>, %v: tensor<8x3x3x2xf32>, %w: tensor<8x8x1x1xf32>, %u: tensor<5x8x1x3xf32>, %b: tensor<8xf32>) -> tensor<6x5x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<6x3x13x11xf32> to tensor<6x3x15x12xf32>
  %e = tensor.empty() : tensor<6x8x7x11xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x7x11xf32>) -> tensor<6x8x7x11xf32>
  %bb = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<6x8x7x11xf32>) dimensions = [0, 2, 3]
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%p, %v : tensor<6x3x15x12xf32>, tensor<8x3x3x2xf32>) outs(%bb : tensor<6x8x7x11xf32>) -> tensor<6x8x7x11xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %w : tensor<6x8x7x11xf32>, tensor<8x8x1x1xf32>) outs(%z : tensor<6x8x7x11xf32>) -> tensor<6x8x7x11xf32>
  %2 = linalg.add ins(%1, %0 : tensor<6x8x7x11xf32>, tensor<6x8x7x11xf32>) outs(%e : tensor<6x8x7x11xf32>) -> tensor<6x8x7x11xf32>
  %3 = linalg.max ins(%2, %z : tensor<6x8x7x11xf32>, tensor<6x8x7x11xf32>) outs(%e : tensor<6x8x7x11xf32>) -> tensor<6x8x7x11xf32>
  %f = tensor.empty() : tensor<6x5x7x9xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<6x5x7x9xf32>) -> tensor<6x5x7x9xf32>
  %4 = linalg.conv_2d_nchw_fchw ins(%3, %u : tensor<6x8x7x11xf32>, tensor<5x8x1x3xf32>) outs(%y : tensor<6x5x7x9xf32>) -> tensor<6x5x7x9xf32>
  return %4 : tensor<6x5x7x9xf32>
}

func.func @inception(%x: tensor<6x3x13x11xf32>, %v: tensor<8x3x1x1xf32>, %w: tensor<4x8x3x3xf32>, %u: tensor<5x8x1x1xf32>, %t: tensor<3x9x2x2xf32>) -> tensor<6x3x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x13x11xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x13x11xf32>) -> tensor<6x8x13x11xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<6x3x13x11xf32>, tensor<8x3x1x1xf32>) outs(%z : tensor<6x8x13x11xf32>) -> tensor<6x8x13x11xf32>
  %f = tensor.empty() : tensor<6x4x11x9xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<6x4x11x9xf32>) -> tensor<6x4x11x9xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %w : tensor<6x8x13x11xf32>, tensor<4x8x3x3xf32>) outs(%y : tensor<6x4x11x9xf32>) -> tensor<6x4x11x9xf32>
  %g = tensor.empty() : tensor<6x5x13x11xf32>
  %q = linalg.fill ins(%zero : f32) outs(%g : tensor<6x5x13x11xf32>) -> tensor<6x5x13x11xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%0, %u : tensor<6x8x13x11xf32>, tensor<5x8x1x1xf32>) outs(%q : tensor<6x5x13x11xf32>) -> tensor<6x5x13x11xf32>
  %low = arith.constant 0xFF800000 : f32
  %h = tensor.empty() : tensor<6x5x11x9xf32>
  %m = linalg.fill ins(%low : f32) outs(%h : tensor<6x5x11x9xf32>) -> tensor<6x5x11x9xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %3 = linalg.pooling_nchw_max ins(%2, %window : tensor<6x5x13x11xf32>, tensor<3x3xf32>) outs(%m : tensor<6x5x11x9xf32>) -> tensor<6x5x11x9xf32>
  %4 = tensor.concat dim(1) %1, %3 : (tensor<6x4x11x9xf32>, tensor<6x5x11x9xf32>) -> tensor<6x9x11x9xf32>
  %s = tensor.empty() : tensor<6x3x10x8xf32>
  %r = linalg.fill ins(%zero : f32) outs(%s : tensor<6x3x10x8xf32>) -> tensor<6x3x10x8xf32>
  %5 = linalg.conv_2d_nchw_fchw ins(%4, %t : tensor<6x9x11x9xf32>, tensor<3x9x2x2xf32>) outs(%r : tensor<6x3x10x8xf32>) -> tensor<6x3x10x8xf32>
  return %5 : tensor<6x3x10x8xf32>
}

func.func @dynamic(%x: tensor<?x3x13x11xf32>, %v: tensor<8x3x3x2xf32>, %w: tensor<5x8x2x3xf32>) -> tensor<?x5x10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3x13x11xf32>
  %e = tensor.empty(%n) : tensor<?x8x11x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x11x10xf32>) -> tensor<?x8x11x10xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<?x3x13x11xf32>, tensor<8x3x3x2xf32>) outs(%z : tensor<?x8x11x10xf32>) -> tensor<?x8x11x10xf32>
  %1 = linalg.max ins(%0, %z : tensor<?x8x11x10xf32>, tensor<?x8x11x10xf32>) outs(%e : tensor<?x8x11x10xf32>) -> tensor<?x8x11x10xf32>
  %m = tensor.dim %1, %c0 : tensor<?x8x11x10xf32>
  %f = tensor.empty(%m) : tensor<?x5x10x8xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<?x5x10x8xf32>) -> tensor<?x5x10x8xf32>
  %2 = linalg.conv_2d_nchw_fchw ins(%1, %w : tensor<?x8x11x10xf32>, tensor<5x8x2x3xf32>) outs(%y : tensor<?x5x10x8xf32>) -> tensor<?x5x10x8xf32>
  return %2 : tensor<?x5x10x8xf32>
}

// Padding that differs from row to row, between two loops.
func.func @padded(%x: tensor<6x3x13x11xf32>, %v: tensor<8x3x3x2xf32>, %w: tensor<5x8x2x3xf32>) -> tensor<6x5x13x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8x11x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x8x11x10xf32>) -> tensor<6x8x11x10xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %v : tensor<6x3x13x11xf32>, tensor<8x3x3x2xf32>) outs(%z : tensor<6x8x11x10xf32>) -> tensor<6x8x11x10xf32>
  %p = tensor.pad %0 low[0, 0, 1, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    %m = arith.addi %j, %k : index
    %n = arith.index_cast %m : index to i32
    %f = arith.sitofp %n : i32 to f32
    tensor.yield %f : f32
  } : tensor<6x8x11x10xf32> to tensor<6x8x14x10xf32>
  %f = tensor.empty() : tensor<6x5x13x8xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<6x5x13x8xf32>) -> tensor<6x5x13x8xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<6x8x14x10xf32>, tensor<5x8x2x3xf32>) outs(%y : tensor<6x5x13x8xf32>) -> tensor<6x5x13x8xf32>
  return %1 : tensor<6x5x13x8xf32>
}
