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

/// Replaces the linalg op `op`, for which `isRaisable` or `computesFactors`
/// holds, by a fusion op with nothing fused, or says why it cannot be. Returns
/// the fusion op.
mlir::FailureOr<FusedOpInterface> raise(mlir::RewriterBase &rewriter,
                                        mlir::linalg::LinalgOp op,
                                        const RaiseOptions &options,
                                        Refusal &refusal);

/// True if `op` is a sum of products whose factors its body computes, and would
/// be a matrix multiplication if ops of their own computed them:
/// sum(x * (w * s)) is one of x and w * s. `linalg-fuse-elementwise-ops` makes
/// such ops.
bool computesFactors(mlir::Operation *op);

/// Fails unless `raise` can take `op`, for which `computesFactors` holds.
mlir::LogicalResult checkMaySplitFactors(mlir::linalg::LinalgOp op,
                                         const RaiseOptions &options,
                                         Refusal &refusal);

/// True if `op` is a sum of products with the loops of a matrix multiplication,
/// and neither `isRaisable` nor `computesFactors` holds: its body does more, as
/// `linalg-fuse-elementwise-ops` leaves it.
bool isMergedProduct(mlir::Operation *op);

/// Fails with the reason why `op`, for which `isMergedProduct` holds, stays.
mlir::LogicalResult explainMergedProduct(mlir::linalg::LinalgOp op,
                                         Refusal &refusal);

/// Returns true if a convolution or matrix multiplication shall be raised.
using RaiseControlFn = std::function<bool(mlir::linalg::LinalgOp)>;

/// Adds a pattern that raises each op that `control` allows, or all without
/// `control`. A refusal is reported to the rewriter's listener.
void populateRaisePatterns(mlir::RewritePatternSet &patterns,
                           const RaiseOptions &options,
                           RaiseControlFn control = nullptr);

} // namespace fusion

#endif // FUSION_FUSE_RAISE_H
