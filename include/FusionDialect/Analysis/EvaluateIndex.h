//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_EVALUATEINDEX_H
#define FUSION_ANALYSIS_EVALUATEINDEX_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// The constants that `value`, a scalar in the body of `op`, is in each
/// iteration of loop `loop`, which has a static size. Upstream's folders
/// compute them, so that its spelling does not matter. Fails if `value` depends
/// on anything but constants and the index of that loop, or if an op has no
/// folder.
mlir::FailureOr<llvm::SmallVector<mlir::TypedAttr>>
evaluateOverLoop(mlir::linalg::GenericOp op, mlir::Value value, unsigned loop,
                 Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_EVALUATEINDEX_H
