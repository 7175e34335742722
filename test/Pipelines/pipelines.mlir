// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=OPT
// RUN: fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize)' | FileCheck %s --check-prefix=OPT
// RUN: fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize{allow-reshape=false nan-mode=propagate allow-contract-rounding=false disable=pad})' | FileCheck %s --check-prefix=OPTIONS
// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=LLVM --implicit-check-not=builtin.unrealized
// RUN: fusion-opt %s --pass-pipeline='builtin.module(fusion-compile)' | FileCheck %s --check-prefix=LLVM
// RUN: fusion-opt %s --fusion-compile=fuse=false | FileCheck %s --check-prefix=UNFUSED
// RUN: fusion-opt %s --fusion-compile="fuse=false precision=bf16" --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: fusion-opt %s --fusion-compile | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// The pipelines and their options.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel = affine_map<(d0, d1, d2) -> (0, d1, 0)>

// OPT-LABEL: func.func @main(
// OPT:         %[[R:.*]] = fusion.fused_conv_bias_act relu pad_low [1] ins({{.*}} bias(
// OPT-NEXT:    return %[[R]]

// OPTIONS-LABEL: func.func @main(
// OPTIONS:         tensor.pad
// OPTIONS:         fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// OPTIONS:         linalg.elementwise
// OPTIONS:         linalg.max

// LLVM-DAG:   llvm.func @main(
// LLVM-DAG:   llvm.call @fusion_rt_conv_checked(
// LLVM-DAG:   llvm.func @_fusion_release_module()
// LLVM-NOT:   memref.
// LLVM-NOT:   linalg.
// LLVM-NOT:   fusion.{{rt|fused|pool}}

// Without fusion: the kernel, and loops for padding, sum and maximum.
// UNFUSED:       llvm.func @main(
// UNFUSED:         llvm.call @fusion_call_conv_src_weights_dst(
// UNFUSED:         llvm.intr.maximum

// NARROW:      fusion-raise{
// NARROW-NEXT: fusion-convert-precision{to=bf16}

// IR: call void @fusion_rt_conv_checked(ptr
// IR: define {{.*}} @main(
// IR: call void @fusion_call_conv_src_weights_bias_dst(ptr

func.func @main(%x: tensor<1x3x8xf32>, %w: tensor<5x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<3xi64>) -> tensor<1x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %e = tensor.empty() : tensor<1x5x8xf32>
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8xf32> to tensor<1x3x9xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%p, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<3xi64>) -> tensor<1x5x1xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %v : tensor<1x5x8xf32>, tensor<1x5x1xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %r = linalg.max ins(%s, %z : tensor<1x5x8xf32>, tensor<1x5x8xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
