//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_LAWS_DEPTHTOSPACE_H
#define FUSION_LIB_FUSE_LAWS_DEPTHTOSPACE_H

#include "FusionDialect/Analysis/ElementOrder.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"

namespace fusion {

/// The elements of a dimension that are left when its ends are cut off.
struct Extent {
  int64_t begin, end;
};

/// The ops that read the result of a convolution and put parts of its channel
/// into rows and columns of a larger image.
struct DepthToSpace {
  /// Reshapes and transposes, then slices that crop the image, in order.
  llvm::SmallVector<mlir::Operation *> ops;
  ElementOrder order;
  /// The dimensions of the image, and the part that is left of each.
  std::string layout;
  llvm::SmallVector<Extent> extents;
  /// The op that pads the image for an element-wise op, or null.
  mlir::Operation *pad = nullptr;
};

/// The depth-to-space that reads the result of `op`, foldable or not.
std::optional<DepthToSpace> matchDepthToSpace(FusedConvBiasActOp op);

/// Fails unless each row or column of the image is one of the convolution, with
/// parts of the channel behind it.
mlir::LogicalResult checkDims(FusedConvBiasActOp op,
                              const DepthToSpace &shuffle, Refusal &refusal);

/// The parts of the channel that are places of dimension `letter` of the image.
llvm::ArrayRef<IndexPart> getPlaces(FusedConvBiasActOp op,
                                    const DepthToSpace &shuffle, char letter);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_DEPTHTOSPACE_H
