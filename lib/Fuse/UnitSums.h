//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_UNITSUMS_H
#define FUSION_LIB_FUSE_UNITSUMS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// The loops of `op` that sum up products over one element, besides loops that
/// sum up more. Upstream's passes leave them where reshapes have put dimensions
/// of size 1 between others.
llvm::SmallVector<unsigned> findUnitSums(mlir::linalg::LinalgOp op);

/// Replaces `op` by one without its sums over one element, and returns it; null
/// if `op` has none.
mlir::linalg::LinalgOp dropUnitSums(mlir::RewriterBase &rewriter,
                                    mlir::linalg::LinalgOp op);

} // namespace fusion

#endif // FUSION_LIB_FUSE_UNITSUMS_H
