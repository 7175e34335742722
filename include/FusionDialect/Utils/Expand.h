//===- Expand.h - Ops on tensors with dimensions divided --------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EXPAND_H
#define FUSION_UTILS_EXPAND_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Ops that replace one behind a `tensor.collapse_shape`, in their order. The
/// first works on the source of that reshape.
struct MovedReshape {
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> results;
};

/// The same as `op`, whose operand `leading` is the result of `merge`, with a
/// loop for each dimension that `merge` collapses, and reshapes of its results
/// behind it. Upstream's patterns refuse maps with dimensions that no loop
/// indexes, which torch-mlir writes.
mlir::FailureOr<MovedReshape> moveReshape(mlir::RewriterBase &rewriter,
                                          mlir::linalg::LinalgOp op,
                                          mlir::OpOperand &leading,
                                          mlir::tensor::CollapseShapeOp merge);

/// The same as `op`, which reshapes the result of `merge`, as an expansion of
/// the source of `merge` in front of a collapse.
mlir::FailureOr<MovedReshape> moveReshape(mlir::RewriterBase &rewriter,
                                          mlir::tensor::ExpandShapeOp op,
                                          mlir::tensor::CollapseShapeOp merge);

/// The same as `op`, which reshapes the result of `merge`, as one reshape.
mlir::FailureOr<MovedReshape> moveReshape(mlir::RewriterBase &rewriter,
                                          mlir::tensor::CollapseShapeOp op,
                                          mlir::tensor::CollapseShapeOp merge);

} // namespace fusion

#endif // FUSION_UTILS_EXPAND_H
