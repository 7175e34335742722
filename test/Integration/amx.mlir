// Kernels for AMX, in bf16, compared with upstream's lowering: a first layer of three
// channels, a window with pads that differ, one of 1x1 with a residual, and a depthwise
// one, which has other kernels.

// REQUIRES: amx
// RUN: fusion-run %s --constant-args=1- --precision=bf16 --verify --json > %t.json
// RUN: %python -c "import json, sys; [print(k['kernel']) for k in json.load(open(sys.argv[1]))['kernels']]" %t.json | FileCheck %s --check-prefix=KERNELS
// RUN: FileCheck %s < %t.json

// KERNELS-COUNT-3: amx
// KERNELS-NOT:     amx

// CHECK-DAG: "fused_ops": 4
// CHECK-DAG: "other_convolutions": 0
// CHECK-DAG: "reference_kernels": 0

func.func @main(%x: tensor<2x3x27x25xf32>, %w0: tensor<48x3x3x3xf32>, %w1: tensor<32x48x3x2xf32>, %w2: tensor<32x32x1x1xf32>, %w3: tensor<32x3x3xf32>, %b: tensor<48xf32>) -> tensor<2x32x10x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<2x48x13x12xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x48x13x12xf32>) -> tensor<2x48x13x12xf32>
  %bias = linalg.broadcast ins(%b : tensor<48xf32>) outs(%e0 : tensor<2x48x13x12xf32>) dimensions = [0, 2, 3]
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %w0 : tensor<2x3x27x25xf32>, tensor<48x3x3x3xf32>) outs(%bias : tensor<2x48x13x12xf32>) -> tensor<2x48x13x12xf32>
  %r0 = linalg.max ins(%c0, %z0 : tensor<2x48x13x12xf32>, tensor<2x48x13x12xf32>) outs(%e0 : tensor<2x48x13x12xf32>) -> tensor<2x48x13x12xf32>

  %p = tensor.pad %r0 low[0, 0, 1, 1] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x48x13x12xf32> to tensor<2x48x14x13xf32>
  %e1 = tensor.empty() : tensor<2x32x12x6xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x32x12x6xf32>) -> tensor<2x32x12x6xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[1, 2]> : tensor<2xi64>} ins(%p, %w1 : tensor<2x48x14x13xf32>, tensor<32x48x3x2xf32>) outs(%z1 : tensor<2x32x12x6xf32>) -> tensor<2x32x12x6xf32>

  %c2 = linalg.conv_2d_nchw_fchw ins(%c1, %w2 : tensor<2x32x12x6xf32>, tensor<32x32x1x1xf32>) outs(%z1 : tensor<2x32x12x6xf32>) -> tensor<2x32x12x6xf32>
  %s2 = arith.addf %c2, %c1 : tensor<2x32x12x6xf32>
  %r2 = linalg.max ins(%s2, %z1 : tensor<2x32x12x6xf32>, tensor<2x32x12x6xf32>) outs(%e1 : tensor<2x32x12x6xf32>) -> tensor<2x32x12x6xf32>

  %e3 = tensor.empty() : tensor<2x32x10x4xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x32x10x4xf32>) -> tensor<2x32x10x4xf32>
  %c3 = linalg.depthwise_conv_2d_nchw_chw ins(%r2, %w3 : tensor<2x32x12x6xf32>, tensor<32x3x3xf32>) outs(%z3 : tensor<2x32x10x4xf32>) -> tensor<2x32x10x4xf32>

  return %c3 : tensor<2x32x10x4xf32>
}
