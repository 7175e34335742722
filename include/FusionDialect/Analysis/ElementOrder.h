//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ELEMENTORDER_H
#define FUSION_ANALYSIS_ELEMENTORDER_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace fusion {

/// A part of the index of a tensor: `index[dim] / step % size`. If `dim` is
/// `repeated`, it is no part of that index: a broadcast repeats the elements
/// `size` times.
struct IndexPart {
  static constexpr int64_t repeated = -1;

  int64_t dim, size, step;

  bool isRepeated() const { return dim == repeated; }

  bool operator==(const IndexPart &other) const {
    return dim == other.dim && size == other.size && step == other.step;
  }
};

/// The order of a tensor's elements after reshapes, transposes and broadcasts.
/// Each current dimension has an index made of parts of the original index,
/// outermost first. A dimension of size 1 has no parts.
class ElementOrder {
public:
  using Parts = llvm::SmallVector<IndexPart, 3>;

  /// The order in a tensor of `shape`, unchanged.
  explicit ElementOrder(llvm::ArrayRef<int64_t> shape);

  /// False if a part cannot be divided as `shape` asks, or is dynamic and would
  /// have to be. Then the order is lost.
  [[nodiscard]] bool expand(llvm::ArrayRef<mlir::ReassociationIndices> groups,
                            llvm::ArrayRef<int64_t> shape);
  void collapse(llvm::ArrayRef<mlir::ReassociationIndices> groups);
  void transpose(llvm::ArrayRef<int64_t> permutation);
  /// Dimension i of the result, of `shape`, is dimension `dims[i]`; -1 stands
  /// for one that is added.
  void broadcast(llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> shape);

  /// The same for an op for which `isReordering` holds.
  [[nodiscard]] bool apply(mlir::Operation *op);

  /// True if `op` is a transpose, or a reshape that names which dimensions
  /// become which (expand_shape or collapse_shape).
  static bool isReordering(mlir::Operation *op);

  llvm::ArrayRef<Parts> getDims() const { return dims; }
  bool operator==(const ElementOrder &other) const {
    return dims == other.dims;
  }

private:
  llvm::SmallVector<Parts> dims;
};

} // namespace fusion

#endif // FUSION_ANALYSIS_ELEMENTORDER_H
