//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_LAWS_DEPTHTOSPACE_H
#define FUSION_LIB_TRANSFORMS_LAWS_DEPTHTOSPACE_H

#include "Analysis/ElementOrder.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Refusal.h"

namespace fusion {

/// Which elements of a dimension are left when the ends are cut off.
struct Extent {
  int64_t begin, end;
};

/// What reads the result of a convolution and makes rows and columns of a
/// larger image of parts of its channel.
struct DepthToSpace {
  /// Reshapes and transposes, then what crops the image, in order.
  llvm::SmallVector<mlir::Operation *> ops;
  ElementOrder order;
  /// The dimensions of the image, and what it has of each.
  std::string layout;
  llvm::SmallVector<Extent> extents;
  /// What pads the image for something element-wise, or null.
  mlir::Operation *pad = nullptr;
};

/// The depth-to-space that reads the result of `op`, whatever it makes of it.
std::optional<DepthToSpace> matchDepthToSpace(FusedConvBiasActOp op);

/// Fails unless each row and column is one of the convolution with parts of the
/// channel behind it.
mlir::LogicalResult checkDims(FusedConvBiasActOp op,
                              const DepthToSpace &shuffle, Refusal &refusal);

/// The parts of the channel that are places of a row or column, for dimension
/// `letter` of the image.
llvm::ArrayRef<IndexPart> getPlaces(FusedConvBiasActOp op,
                                    const DepthToSpace &shuffle, char letter);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_LAWS_DEPTHTOSPACE_H
