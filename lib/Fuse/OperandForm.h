//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_OPERANDFORM_H
#define FUSION_LIB_FUSE_OPERANDFORM_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace fusion {

/// The reshapes that turn an operand of a linalg op into one of the fusion op:
/// collapse groups of dimensions, then add missing dimensions.
struct OperandForm {
  /// Groups of dimensions to collapse; empty if there is nothing to collapse.
  llvm::SmallVector<mlir::ReassociationIndices> collapse;
  /// Groups of dimensions that each dimension expands to; none if no dimension
  /// is added. A scalar has no group.
  std::optional<llvm::SmallVector<mlir::ReassociationIndices>> expand;
  /// How many dimensions are added behind all others.
  int64_t numTrailing = 0;
  /// The dimensions of the result.
  std::string layout;

  LayoutAttr getLayout(mlir::Builder &builder) const {
    return LayoutAttr::get(builder.getContext(), layout);
  }
};

/// The groups that expand `from` to `to`, which has further letters of size 1.
/// Each of these joins the group of the next letter that both have, or of the
/// last one.
llvm::SmallVector<mlir::ReassociationIndices> getExpansion(llvm::StringRef from,
                                                           llvm::StringRef to);

/// `value` in `form`.
mlir::Value applyForm(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, const OperandForm &form);

/// The inverse of `applyForm`. The result has the sizes of `like`.
mlir::Value revertForm(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value value, const OperandForm &form,
                       mlir::Value like);

} // namespace fusion

#endif // FUSION_LIB_FUSE_OPERANDFORM_H
