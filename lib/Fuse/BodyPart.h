//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_BODYPART_H
#define FUSION_LIB_FUSE_BODYPART_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// A value that the body of an op computes from inputs and constants alone, so
/// that an op of its own can compute it.
struct BodyPart {
  mlir::Value value;
  mlir::SetVector<mlir::Operation *> ops; ///< that compute it, in their order
  llvm::SmallVector<mlir::OpOperand *> inputs; ///< that they read
  /// The operand that has all dimensions of the inputs. It is an input, or the
  /// destination of an op without reductions.
  mlir::OpOperand *largest = nullptr;
  mlir::AffineMap map; ///< of `largest`

  /// Reads how the body of `op` computes `value`. A reason calls it `name`.
  static mlir::FailureOr<BodyPart> match(mlir::linalg::GenericOp op,
                                         mlir::Value value,
                                         llvm::StringRef name,
                                         Refusal &refusal);

  /// Emits an op that computes the value for each element of `largest`.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::linalg::GenericOp op) const;
};

} // namespace fusion

#endif // FUSION_LIB_FUSE_BODYPART_H
