//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_CREATETILE_H
#define FUSION_INTERFACES_CREATETILE_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fusion {

/// The offsets and sizes of a part of a tensor or memref.
struct Part {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
};

/// The part that is all of `value`.
Part getWhole(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// True if dimension `dim` of `part` is known to cover all of `value`.
bool isWhole(const Part &part, mlir::Value value, int64_t dim);

/// The dimensions of the result of a fusion op, a letter each. The output
/// channel of a convolution is "f", as in its filter.
std::string getResultLetters(mlir::Operation *op);

/// The dimensions of an operand, a letter each, and those letters that it
/// shares with the result: a tile of the result needs the same part of them.
struct Sharing {
  std::string layout;
  std::string letters;

  /// The dimension of the result, with the letters `result`, that dimension
  /// `dim` of the operand shares; none if it shares none.
  std::optional<size_t> getResultDim(size_t dim, llvm::StringRef result) const;
};

Sharing getSharing(mlir::Operation *op, mlir::OpOperand &operand);

/// Creates the fusion op that computes `tile` of the result of `op`, or says
/// why it cannot.
mlir::FailureOr<mlir::TilingResult> createTile(mlir::OpBuilder &builder,
                                               mlir::Operation *op,
                                               const Part &tile,
                                               Refusal &refusal);

} // namespace fusion

#endif // FUSION_INTERFACES_CREATETILE_H
