//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_SPLITFACTORS_H
#define FUSION_LIB_FUSE_SPLITFACTORS_H

#include "FusionDialect/Fuse/Raise.h"

namespace fusion {

/// Fails if a sum starts from `init` that has no contents, as `tensor.empty`.
mlir::LogicalResult checkAccumulator(mlir::Value init, Refusal &refusal);

/// Computes the factors of `op`, for which `computesFactors` holds, by ops of
/// their own, each with as many elements as its largest input. Returns the sum
/// of products that is left, which a fusion op can do, or says why there is
/// none.
mlir::FailureOr<mlir::linalg::LinalgOp>
splitFactors(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
             const RaiseOptions &options, Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_FUSE_SPLITFACTORS_H
