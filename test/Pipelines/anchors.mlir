// RUN: not fusion-opt %s --pass-pipeline='builtin.module(func.func(fusion-optimize))' 2>&1 | FileCheck %s --check-prefix=OPTIMIZE
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(func.func(fusion-compile))' 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize{no-such-option=1})' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize{nan-mode=sometimes})' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(fusion-optimize{disable=pads})' 2>&1 | FileCheck %s --check-prefix=LAW
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(fusion-compile{precision=f64})' 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not fusion-opt %s --fusion-optimize=precision=f64 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: fusion-opt %s --fusion-optimize=precision=f32 | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='builtin.module(func.func(fusion-raise,fusion-fuse))' | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='builtin.module(any(fusion-raise,fusion-fuse))' | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='any(fusion-optimize)' | FileCheck %s
// RUN: not fusion-opt %s --pass-pipeline='builtin.module(func.func(convert-fusion-to-runtime))' 2>&1 | FileCheck %s --check-prefix=RUNTIME

// A pipeline in the wrong place says where it belongs; it never does nothing.

// OPTIMIZE: error: pipeline 'fusion-optimize' runs on 'builtin.module', not on 'func.func': write builtin.module(fusion-optimize)
// COMPILE: error: pipeline 'fusion-compile' runs on 'builtin.module', not on 'func.func': write builtin.module(fusion-compile)
// OPTION: no-such-option
// VALUE: sometimes
// PRECISION: error: 'precision' must be f32, bf16 or f16, got 'f64'
// LAW: error: no law is called 'pads'; there are pad,
// RUNTIME: error: {{.*}} restricted to 'builtin.module'

// CHECK-LABEL: func.func @main(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// CHECK-NEXT:    return %[[R]]
func.func @main(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %r = arith.maximumf %c, %z : tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
