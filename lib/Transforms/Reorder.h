//===- Reorder.h - Tensors with their dimensions in another order -*- C++ -*-=//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_REORDER_H
#define FUSION_LIB_TRANSFORMS_REORDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// For each dimension of a reordered tensor, which one of the original it is:
/// [0, 2, 3, 1] brings NCHW to NHWC.
using DimOrder = llvm::SmallVector<int64_t>;

/// `type` with its dimensions in `order`.
mlir::RankedTensorType reorderType(mlir::RankedTensorType type,
                                   llvm::ArrayRef<int64_t> order);

/// True if `order` leaves all dimensions but those of size 1 of `type` in their
/// order, so that the elements stay where they are in memory.
bool keepsElements(mlir::RankedTensorType type, llvm::ArrayRef<int64_t> order);

/// A tensor that has the elements of `value` with its dimensions in `order`. It
/// is the source of a transpose that makes `value`, if that is the order of the
/// source; a constant, an empty or a filled tensor where `value` is one with
/// the same element everywhere; a reshape where the elements stay where they
/// are; and a new `linalg.transpose` otherwise.
mlir::Value reorder(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::Value value, llvm::ArrayRef<int64_t> order);

/// The same for a destination whose elements nothing reads: an empty tensor
/// where that would be a new transpose.
mlir::Value reorderDestination(mlir::RewriterBase &rewriter, mlir::Location loc,
                               mlir::Value value,
                               llvm::ArrayRef<int64_t> order);

/// `value` as a tensor of `type`, which says more or less of its sizes.
mlir::Value castTo(mlir::RewriterBase &rewriter, mlir::Location loc,
                   mlir::Value value, mlir::Type type);

/// Makes an op that computes what `op` does with the dimensions of its operand
/// `leading` in `order`, those of the others as they follow, and loops
/// likewise; a named op where there is one. Returns it and the orders of its
/// results, or null where results have dimensions that `leading` has not.
std::pair<mlir::linalg::LinalgOp, llvm::SmallVector<DimOrder>>
reorderLinalgOp(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                mlir::OpOperand &leading, llvm::ArrayRef<int64_t> order);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_REORDER_H
