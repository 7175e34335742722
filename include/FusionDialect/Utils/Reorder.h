//===- Reorder.h - Tensors with their dimensions in another order -*- C++ -*-=//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_REORDER_H
#define FUSION_UTILS_REORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// For each dimension of a reordered tensor, its dimension in the original: [0,
/// 2, 3, 1] brings NCHW to NHWC.
using DimOrder = llvm::SmallVector<int64_t>;

/// `type` with its dimensions in `order`.
mlir::RankedTensorType reorderType(mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> order);

/// The groups of a reshape in `order`, with dimensions numbered consecutively.
llvm::SmallVector<mlir::ReassociationIndices>
reorderGroups(llvm::ArrayRef<mlir::ReassociationIndices> groups,
              llvm::ArrayRef<int64_t> order);

/// True if `order` moves only dimensions of `type` that have size 1, so that
/// the elements stay where they are in memory.
bool keepsElements(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// A tensor with the elements of `value` and its dimensions in `order`. If a
/// transpose makes `value` and its source has that order, it is the source. If
/// all elements are the same, it is a constant, an empty or a filled tensor. If
/// the elements stay where they are, it is a reshape. Otherwise it is a new
/// `linalg.transpose`.
mlir::Value reorder(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::Value value, llvm::ArrayRef<int64_t> order);

/// The same for a destination whose elements nothing reads: it is an empty
/// tensor in place of a new transpose.
mlir::Value reorderDestination(mlir::RewriterBase &rewriter, mlir::Location loc,
                               mlir::Value value,
                               llvm::ArrayRef<int64_t> order);

/// Casts `value` to `type`, which has more or fewer static sizes.
mlir::Value castTo(mlir::RewriterBase &rewriter, mlir::Location loc,
                   mlir::Value value, mlir::Type type);

/// Creates an op that computes the same as `op` on reordered tensors: the
/// dimensions of its operand `leading` have the order `order`, those of other
/// operands and the loops follow. It is a named op if there is one. Returns it
/// and the orders of its results, or null if results have dimensions that
/// `leading` does not have.
std::pair<mlir::linalg::LinalgOp, llvm::SmallVector<DimOrder>>
reorderLinalgOp(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                mlir::OpOperand &leading, llvm::ArrayRef<int64_t> order);

} // namespace fusion

#endif // FUSION_UTILS_REORDER_H
