//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_RAISE_H
#define FUSION_FUSE_RAISE_H

#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/IR/FusionOps.h"
#include <functional>

namespace fusion {

/// True if `op` is a convolution or a matrix multiplication of linalg.
inline bool isRaisable(mlir::Operation *op) {
  return isConvolution(op) || isMatmul(op);
}

/// Fails unless `raise` can take `op`, for which `isRaisable` holds.
mlir::LogicalResult checkMayRaise(mlir::linalg::LinalgOp op,
                                  const RaiseOptions &options,
                                  Refusal &refusal);

/// Replaces the linalg op `op` by a fusion op with nothing fused, or says why
/// it cannot be. Returns the fusion op.
mlir::FailureOr<FusedOpInterface> raise(mlir::RewriterBase &rewriter,
                                        mlir::linalg::LinalgOp op,
                                        const RaiseOptions &options,
                                        Refusal &refusal);

/// Computes factors of the sum of products `op` by ops of their own, so that it
/// becomes a matrix multiplication: sum(x * (w * s)) multiplies x by y, an
/// element-wise op computes y = w * s. This takes apart what
/// `linalg-fuse-elementwise-ops` has put together. The factor has as many
/// elements as its largest input. Fails with the reason if `op` is no such sum.
mlir::LogicalResult splitFactors(mlir::RewriterBase &rewriter,
                                 mlir::linalg::GenericOp op, Refusal &refusal);

/// Returns true if a convolution or matrix multiplication shall be raised, or
/// become one by `splitFactors`.
using RaiseControlFn = std::function<bool(mlir::linalg::LinalgOp)>;

/// Adds patterns that raise each op that `control` allows, or all without
/// `control`, after `splitFactors`. A refusal is reported to the rewriter's
/// listener.
void populateRaisePatterns(mlir::RewritePatternSet &patterns,
                           const RaiseOptions &options,
                           RaiseControlFn control = nullptr);

} // namespace fusion

#endif // FUSION_FUSE_RAISE_H
