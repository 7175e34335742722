//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_REPLAYVIEWS_H
#define FUSION_UTILS_REPLAYVIEWS_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Applies `views` to `value`, whose element type may be another one.
mlir::Value replayViews(mlir::RewriterBase &rewriter,
                        llvm::ArrayRef<mlir::Operation *> views,
                        mlir::Value value);

/// The tensor from which `views` make `value`.
mlir::Value revertViews(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::ArrayRef<mlir::Operation *> views,
                        mlir::Value value);

} // namespace fusion

#endif // FUSION_UTILS_REPLAYVIEWS_H
