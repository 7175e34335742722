// Minimal filtering where it is allowed and worth it, compared with upstream's
// lowering: pads that differ, a bias, an activation that the kernel does and one that
// it does not, a residual.

// RUN: fusion-run %s --constant-args=1- --allow-winograd --verify --profile > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %if winograd %{ FileCheck %s --check-prefix=WINOGRAD < %t.txt %}
// RUN: fusion-run %s --constant-args=1- --verify --profile | FileCheck %s --implicit-check-not=_wino

// Weights that may change would be transformed in each call.
// RUN: fusion-run %s --allow-winograd --verify --profile | FileCheck %s --implicit-check-not=_wino

// Winograd kernels are for f32, with or without ops folded into them.
// RUN: fusion-run %s --constant-args=1- --allow-winograd --mode=unfused --verify --profile > %t.unfused.txt
// RUN: FileCheck %s --check-prefix=UNFUSED < %t.unfused.txt
// RUN: %if winograd %{ FileCheck %s --check-prefix=WINOGRAD < %t.unfused.txt %}
// RUN: fusion-run %s --constant-args=1- --allow-winograd --precision=bf16 --verify | FileCheck %s

// CHECK:     2 fused ops
// CHECK:     verify: agrees
// UNFUSED:   verify: agrees
// WINOGRAD-COUNT-2: conv jit_{{.*}}wino

func.func @main(%x: tensor<1x64x26x25xf32>, %w: tensor<96x64x3x3xf32>, %b: tensor<96xf32>, %v: tensor<96x96x3x3xf32>) -> tensor<1x96x25x24xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x64x26x25xf32> to tensor<1x64x27x26xf32>
  %e = tensor.empty() : tensor<1x96x25x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x96x25x24xf32>) -> tensor<1x96x25x24xf32>
  %bias = linalg.broadcast ins(%b : tensor<96xf32>) outs(%e : tensor<1x96x25x24xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x64x27x26xf32>, tensor<96x64x3x3xf32>) outs(%z : tensor<1x96x25x24xf32>) -> tensor<1x96x25x24xf32>
  %s = arith.addf %c, %bias : tensor<1x96x25x24xf32>
  %r = linalg.max ins(%s, %z : tensor<1x96x25x24xf32>, tensor<1x96x25x24xf32>) outs(%e : tensor<1x96x25x24xf32>) -> tensor<1x96x25x24xf32>

  %q = tensor.pad %r low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x96x25x24xf32> to tensor<1x96x27x26xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%q, %v : tensor<1x96x27x26xf32>, tensor<96x96x3x3xf32>) outs(%z : tensor<1x96x25x24xf32>) -> tensor<1x96x25x24xf32>
  %t = arith.addf %d, %r : tensor<1x96x25x24xf32>
  %u = math.tanh %t : tensor<1x96x25x24xf32>
  return %u : tensor<1x96x25x24xf32>
}
