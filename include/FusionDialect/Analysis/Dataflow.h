//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_DATAFLOW_H
#define FUSION_ANALYSIS_DATAFLOW_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"

namespace fusion {

/// `root` and the ops in it, in program order, without the bodies of ops that
/// compute one element of a tensor: these move with their op.
llvm::SmallVector<mlir::Operation *> getTensorOps(mlir::Operation *root);

/// All values that `op` reads: its operands, and outer values used in its
/// regions.
llvm::SetVector<mlir::Value> getReadValues(mlir::Operation *op);

/// True if `isSource` holds for an op that `value` is computed from, with only
/// casts, reshapes and element-wise ops behind it.
bool comesFrom(mlir::Value value,
               llvm::function_ref<bool(mlir::Operation *)> isSource);

/// True if `value` is computed from constants and from arguments marked
/// `fusion.constant` alone.
bool neverChanges(mlir::Value value);

/// The operand of `op` whose elements `value` is in the body of `op`; null if
/// `value` is no argument of the body.
mlir::OpOperand *getReadOperand(mlir::linalg::LinalgOp op, mlir::Value value);

/// Fails if the body of `op` has too many ops to follow its values: each takes
/// some of the stack.
mlir::LogicalResult checkBodySize(mlir::linalg::LinalgOp op, Refusal &refusal);

/// Fails if an op in the body of `op` has side effects: an assertion, for
/// example, would be lost with `op`.
mlir::LogicalResult checkNoSideEffects(mlir::Operation *op, Refusal &refusal);

/// Refuses `op` if it rounds in another direction than to the nearest number,
/// as kernels and the ops that we build do.
mlir::LogicalResult checkRoundsToNearest(mlir::Operation *op, Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_DATAFLOW_H
