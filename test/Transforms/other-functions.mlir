// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --pass-pipeline='builtin.module(ml_program.func(fusion-raise,fusion-fuse,canonicalize))' | FileCheck %s --check-prefix=PROGRAM
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | grep ': fused: relu$' | count 2
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --convert-fusion-to-linalg | FileCheck %s --check-prefix=LINALG

// Functions of another kind than func.func, and modules inside modules.

// CHECK-LABEL: ml_program.func @program(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// CHECK-NEXT:    ml_program.return %[[R]]
// CHECK:       module @inner
// CHECK-LABEL:   func.func @nested(
// CHECK:           %[[S:.*]] = fusion.fused_conv_bias_act relu ins(
// CHECK-NEXT:      return %[[S]]

// PROGRAM-LABEL: ml_program.func @program(
// PROGRAM:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// PROGRAM-NEXT:    ml_program.return %[[R]]
// PROGRAM-LABEL:   func.func @nested(
// PROGRAM:           linalg.conv_1d_ncw_fcw

// LINALG-NOT: fusion.
ml_program.func @program(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  %r = arith.maximumf %c, %z : tensor<1x5x8xf32>
  ml_program.return %r : tensor<1x5x8xf32>
}
module @inner {
  func.func @nested(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
    %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
    %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
    %r = arith.maximumf %c, %z : tensor<1x5x8xf32>
    return %r : tensor<1x5x8xf32>
  }
}
