//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_FUSE_CONSTANTEVALUATION_H
#define FUSION_FUSE_CONSTANTEVALUATION_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// The elements of `value`, a tensor of floats with static shape, in row-major
/// order. It must be a constant, or computed from constants by element-wise
/// ops, broadcasts, transposes, flips, slices, casts and reshapes. Computes in
/// f64: only casts to a narrower type and ops in a type narrower than f32
/// round.
mlir::FailureOr<std::vector<double>> evaluateConstant(mlir::Value value,
                                                      Refusal &refusal);

/// The elements of `value`, a tensor of integers with static shape. It must be
/// a constant, or computed from constants by ops of linalg that add, multiply
/// and convert: a sum over a filter, for example. Integers wrap.
mlir::FailureOr<std::vector<int64_t>> evaluateIntegers(mlir::Value value,
                                                       Refusal &refusal);

/// A constant with the elements of `value`, a tensor, if they are known; else
/// `value`. Other laws read constants.
mlir::Value emitEvaluated(mlir::OpBuilder &builder, mlir::Value value);

/// Adds patterns that replace a filter or bias that is computed from constants
/// by a constant, rounded once, whatever the number of ops. Apply them after
/// everything else that changes the ops.
void populateConstantEvaluationPatterns(mlir::RewritePatternSet &patterns);

/// Adds patterns that erase assertions that are true of constants, so that the
/// ops beside them can be folded.
void populateProvenAssertionPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_FUSE_CONSTANTEVALUATION_H
