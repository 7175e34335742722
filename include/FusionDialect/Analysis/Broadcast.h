//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_BROADCAST_H
#define FUSION_ANALYSIS_BROADCAST_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace fusion {

/// A copy of `source` in which each element stands at one place or at many.
struct Broadcast {
  mlir::Value source;
  /// The dimension of the source that each dimension of the result is;
  /// `IndexPart::repeated` for one that is added. Dimensions of the source that
  /// are not among them have size 1.
  llvm::SmallVector<int64_t> dims;
};

/// Reads `op`, a broadcast or transpose of linalg or both at once, named or
/// generic; none for any other op.
std::optional<Broadcast> matchBroadcast(mlir::Operation *op);

/// The map by which an op with the dimensions of the result reads the source;
/// none if the source has other dimensions, of size 1.
std::optional<mlir::AffineMap> getSourceMap(const Broadcast &broadcast,
                                            mlir::MLIRContext *context);

/// True if `op`, which `broadcast` was read from, makes more elements of fewer,
/// or may do so at some size.
bool repeatsElements(const Broadcast &broadcast, mlir::Operation *op);

/// True if `op` is a broadcast that adds dimensions or repeats elements.
bool isBroadcast(mlir::Operation *op);

} // namespace fusion

#endif // FUSION_ANALYSIS_BROADCAST_H
