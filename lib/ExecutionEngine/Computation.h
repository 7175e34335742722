//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_COMPUTATION_H
#define FUSION_LIB_EXECUTIONENGINE_COMPUTATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace fusion {

/// True if `value` is there in front of `op`.
bool isOutside(mlir::Value value, mlir::linalg::LinalgOp op);

/// How the body of a linalg op, on buffers, computes some values.
class Computation {
public:
  explicit Computation(mlir::linalg::LinalgOp op)
      : op(op), loops(op.getNumLoops()) {}

  /// Adds `value`. False if it cannot be computed in front of the op, for an
  /// element of a result that the op updates for instance.
  bool add(mlir::Value value);

  /// Creates them for one iteration.
  mlir::IRMapping create(mlir::OpBuilder &builder,
                         llvm::ArrayRef<mlir::OpFoldResult> indices);

  const llvm::SmallBitVector &getLoops() const { return loops; }

private:
  mlir::linalg::LinalgOp op;
  llvm::SmallBitVector loops;
  llvm::SmallPtrSet<mlir::Operation *, 8> ops;
  llvm::SmallSetVector<mlir::BlockArgument, 2> arguments;
};

/// The least and the greatest of some numbers.
struct Extremes {
  mlir::Value least, most;
};

/// Creates loops over the dimensions `loops` of `op`, and no others, in front
/// of it, that find the extremes of what `compute` makes of their indices, of
/// 0 for the least and of -1 for the greatest. Nothing is computed that `op`
/// does not compute.
Extremes
findExtremes(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
             const llvm::SmallBitVector &loops,
             llvm::function_ref<mlir::Value(mlir::OpBuilder &,
                                            llvm::ArrayRef<mlir::OpFoldResult>)>
                 compute);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_COMPUTATION_H
