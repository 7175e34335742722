//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_TRANSFORMS_CONSTANTEVALUATION_H
#define FUSION_TRANSFORMS_CONSTANTEVALUATION_H

#include "FusionDialect/Transforms/Refusal.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// The elements of `value`, a tensor of floats with static shape, in row-major
/// order: of a constant, or of what element-wise ops, broadcasts, transposes,
/// flips, casts and reshapes make of constants. Computed in f64; only casts to
/// a narrower type round, and what computes in a type narrower than f32.
mlir::FailureOr<std::vector<double>> evaluateConstant(mlir::Value value,
                                                      Refusal &refusal);

/// Adds patterns that replace the filter and the bias of a fusion op, where
/// they are computed from constants, by constants: rounded once, however many
/// ops computed them. To be run when nothing else changes the ops any more.
void populateConstantEvaluationPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that erase assertions about constants that hold, so that what
/// stands beside them can be folded.
void populateProvenAssertionPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_TRANSFORMS_CONSTANTEVALUATION_H
