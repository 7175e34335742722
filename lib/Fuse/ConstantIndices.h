//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_CONSTANTINDICES_H
#define FUSION_LIB_FUSE_CONSTANTINDICES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// The factors of the product `op` of which it reads one place of some
/// dimension. Where strides leave an output of one element, upstream's
/// linalg-fold-unit-extent-dims drops the loop over it, and the input keeps its
/// size.
llvm::SmallVector<mlir::OpOperand *>
findConstantIndices(mlir::linalg::LinalgOp op);

/// Replaces these factors by slices without such dimensions.
void sliceConstantIndices(mlir::RewriterBase &rewriter,
                          mlir::linalg::LinalgOp op);

} // namespace fusion

#endif // FUSION_LIB_FUSE_CONSTANTINDICES_H
