//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_RAISEPOOLS_H
#define FUSION_FUSE_RAISEPOOLS_H

#include "FusionDialect/Fuse/Laws.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// True if `op` is a pool of linalg, named or generic: it reads windows of one
/// tensor.
bool isPool(mlir::Operation *op);

/// Fails with the reason if `fusion-raise-pools` leaves `op`, for which
/// `isPool` holds, as it is.
mlir::LogicalResult checkMayRaisePool(mlir::linalg::LinalgOp op,
                                      const FuseOptions &options,
                                      Refusal &refusal);

/// Replaces pools of linalg, with the padding of their input, by `fusion.pool`.
void populateRaisePoolsPatterns(mlir::RewritePatternSet &patterns,
                                const FuseOptions &options);

} // namespace fusion

#endif // FUSION_FUSE_RAISEPOOLS_H
