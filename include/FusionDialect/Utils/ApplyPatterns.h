//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_UTILS_APPLYPATTERNS_H
#define FUSION_UTILS_APPLYPATTERNS_H

#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace fusion {

/// Applies `patterns` to the ops in `op` until none matches. If some still
/// match after `maxIterations`, emits an error that begins with `what`, a
/// plural for the patterns. Each pattern that enables another one may take an
/// iteration.
mlir::LogicalResult
applyToFixpoint(mlir::Operation *op,
                const mlir::FrozenRewritePatternSet &patterns,
                llvm::StringRef what, int64_t maxIterations = 1000);

/// The same for `ops` in `op` and the ops that the patterns create, and no
/// others.
mlir::LogicalResult
applyToFixpoint(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> ops,
                const mlir::FrozenRewritePatternSet &patterns,
                llvm::StringRef what);

} // namespace fusion

#endif // FUSION_UTILS_APPLYPATTERNS_H
