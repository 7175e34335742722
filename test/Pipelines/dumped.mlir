// The output of --dump-pass-pipeline for fusion-compile can be read back, and gives the
// same code: every pass has a name, and each of its options is text.

// RUN: fusion-opt %s --fusion-compile="precision=bf16 nan-mode=propagate cache-bytes=4096 allow-winograd=true" --dump-pass-pipeline -o %t.whole.mlir 2> %t.txt
// RUN: sed 1d %t.txt | tr -d '\n' > %t.pipeline
// RUN: xargs -0 -I PIPELINE fusion-opt %s --pass-pipeline=PIPELINE -o %t.passes.mlir < %t.pipeline
// RUN: cmp %t.whole.mlir %t.passes.mlir
// RUN: FileCheck %s < %t.passes.mlir

// But for one pattern the canonicalizer is upstream's, with its own defaults.
// RUN: FileCheck %s --check-prefix=CANONICAL < %t.txt
// CANONICAL-COUNT-7: canonicalize{{.*}}disable-patterns={{.*}}FoldInsertPadIntoFill{{.*}} region-simplify=normal {{.*}}top-down=true}

// CHECK: llvm.call @fusion_rt_conv_checked(
func.func @main(%x: tensor<4x3x9x11xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<4x8x7x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8x7x9xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8x7x9xf32>) -> tensor<4x8x7x9xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x3x9x11xf32>, tensor<8x3x3x3xf32>) outs(%z : tensor<4x8x7x9xf32>) -> tensor<4x8x7x9xf32>
  %r = linalg.max ins(%a, %z : tensor<4x8x7x9xf32>, tensor<4x8x7x9xf32>) outs(%e : tensor<4x8x7x9xf32>) -> tensor<4x8x7x9xf32>
  return %r : tensor<4x8x7x9xf32>
}
