//===- PreparationPasses.h - What pipelines do on the side ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PIPELINES_PREPARATIONPASSES_H
#define FUSION_LIB_PIPELINES_PREPARATIONPASSES_H

#include "mlir/Pass/Pass.h"

namespace fusion {

/// Makes transposes part of the fusion ops that read them, and of the one that
/// makes what they alone read: the runtime copies where that helps.
std::unique_ptr<mlir::Pass> createAbsorbTransposesPass();

/// Computes transposed convolutions as convolutions of stride 1 that have an
/// output channel for each place in a step, and puts these into rows and
/// columns. Filter, rows and columns must be static, the kernel a multiple of
/// the stride, and there must be neither groups nor dilations.
/// oneDNN 2.6 is many times slower at the transposed convolution itself: see
/// docs/Rationale.md.
std::unique_ptr<mlir::Pass> createSplitDeconvolutionsPass();

/// Lets a fusion op write its result over its residual. Whether nobody reads
/// that any more is for bufferization to prove, which takes another buffer if
/// it cannot.
std::unique_ptr<mlir::Pass> createReuseResidualsPass();

/// Merges the element-wise ops that are left, as linalg-fuse-elementwise-ops
/// does, but for producers that read their destination: where the consumer
/// broadcasts one, upstream's rewrite computes it again for each element, on
/// top of what it has computed before.
std::unique_ptr<mlir::Pass> createMergeElementwisePass();

/// Leaves of the functions that another code generator compiles a declaration
/// under their global symbol, to be called through the C interface.
std::unique_ptr<mlir::Pass> createDeclareExternalCodePass();

/// Decomposes linalg.softmax as upstream does, but for the maximum: upstream's
/// passes over NaN, which takes LLVM's vectors away and makes no difference,
/// since the sum is NaN then.
std::unique_ptr<mlir::Pass> createDecomposeSoftmaxPass();

/// Expands conversions of bf16 and divisions that round up or down, as
/// arith-expand does, but leaves maxima and minima whole: LLVM finds a
/// reduction in them, and none in comparisons and selections.
std::unique_ptr<mlir::Pass> createExpandArithmeticPass();

} // namespace fusion

#endif // FUSION_LIB_PIPELINES_PREPARATIONPASSES_H
