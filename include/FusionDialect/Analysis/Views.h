//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_VIEWS_H
#define FUSION_ANALYSIS_VIEWS_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// True if `op` is a cast or reshape of its first operand, a ranked tensor.
bool isView(mlir::Operation *op);

/// The dimension behind `views` that dimension `dim` in front of them becomes;
/// none if it is merged with others or split.
std::optional<int64_t>
trackThroughViews(int64_t dim, llvm::ArrayRef<mlir::Operation *> views);

/// True if `revertViews` can revert `view`.
bool canRevertView(mlir::Operation *view);

} // namespace fusion

#endif // FUSION_ANALYSIS_VIEWS_H
