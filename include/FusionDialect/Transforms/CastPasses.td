//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The pass in front of all others of fusion-optimize. Passes.td includes it.

#ifndef FUSION_TRANSFORMS_CASTPASSES_TD
#define FUSION_TRANSFORMS_CASTPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionLowerQuantCasts : Pass<"fusion-lower-quant-casts"> {
  let summary = "lower casts of the quant dialect, rounding to the nearest integer";
  let description = [{
    `quant.dcast` and `quant.qcast` say nothing of rounding. Upstream's `lower-quant-ops` truncates,
    and numbers out of range wrap around. This pass rounds half to even and saturates, as front
    ends do that write the arithmetic themselves, and makes one op of each cast, which the laws on
    integers read. Types have one scale or one for each channel of a ranked tensor; a remark names
    others, which `lower-quant-ops` may take.
    ```mlir
    %q = quant.qcast %x : tensor<5x7xf32> to tensor<5x7x!quant.uniform<i8:f32, 0.5:3>>
    %r = quant.scast %q : tensor<5x7x!quant.uniform<i8:f32, 0.5:3>> to tensor<5x7xi8>
    ```
    becomes
    ```mlir
    %r = linalg.generic ... ins(%x : tensor<5x7xf32>) ... {
      %0 = arith.divf %in, %cst : f32
      %1 = math.roundeven %0 : f32
      %2 = arith.addf %1, %cst_0 : f32
      %3 = arith.maximumf %2, %cst_1 : f32
      %4 = arith.minimumf %3, %cst_2 : f32
      %5 = arith.fptosi %4 : f32 to i8
      linalg.yield %5 : i8
    } -> tensor<5x7xi8>
    ```
    It stands in front of `fusion-optimize`'s canonicalisation, which like any other takes
    `quant.dcast` of `quant.qcast` for nothing at all. Arguments and results of quantised types
    stay: `strip-func-quant-types` makes integers of them.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
    "mlir::math::MathDialect", "mlir::tensor::TensorDialect"];
}

#endif // FUSION_TRANSFORMS_CASTPASSES_TD
