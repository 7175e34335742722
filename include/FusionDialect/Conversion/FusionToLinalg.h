//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOLINALG_H
#define FUSION_CONVERSION_FUSIONTOLINALG_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
class RewritePatternSet;
class RewriterBase;
} // namespace mlir

namespace fusion {
class Refusal;

/// Replaces the fused convolution, transposed convolution or matmul `op` by
/// linalg ops, or says why it cannot be. Returns the op that makes the result:
/// it adds bias and residual to the sum, its first input, and applies the
/// activation.
mlir::FailureOr<mlir::Operation *>
decomposeToLinalg(mlir::RewriterBase &rewriter, mlir::Operation *op,
                  Refusal &refusal);

/// Adds patterns that decompose fusion ops on tensors to linalg, those of the
/// pass `convert-fusion-to-linalg`.
void populateFusionToLinalgPatterns(mlir::RewritePatternSet &patterns);

/// Adds the patterns for `fusion.pool` alone.
void populatePoolToLinalgPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_CONVERSION_FUSIONTOLINALG_H
