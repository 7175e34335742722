//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_REQUANTIZEDSUM_H
#define FUSION_FUSE_REQUANTIZEDSUM_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// An operand of a sum that is the result of a product of integers, perhaps
/// behind reshapes, as `fusion-conv-to-matmul` leaves them.
struct ViewedProduct {
  QuantizedOpInterface op; ///< null if the operand is another tensor
  llvm::SmallVector<mlir::Operation *> views;

  static ViewedProduct find(mlir::Value value);
  bool hasOneUse() const;
};

/// The product among the operands of a sum that should add the others; null if
/// there is none.
ViewedProduct findBestProduct(mlir::ValueRange operands);

/// An op that adds an i8 tensor to the rounded result of a product:
///
///   result = saturate(rint((rounded + residualScale *
///                           (residual - residualZeroPoint)) * outputScale +
///                          outputZeroPoint))
///   rounded = clamp(rint(value of the product), least, greatest)
struct RequantizedSum {
  ViewedProduct product;
  mlir::Value residual;
  double least, greatest;
  double residualScale, outputScale;
  int32_t residualZeroPoint, outputZeroPoint;
  bool isUnsigned; ///< how the bits of residual and result are read

  /// Reads `op`, which stands in `block` and has `operands`. Its own may only
  /// stand for these.
  static mlir::FailureOr<RequantizedSum> match(mlir::linalg::GenericOp op,
                                               mlir::ValueRange operands,
                                               mlir::Block *block,
                                               Refusal &refusal);
};

/// True if `op`, an element-wise op that makes integers of 8 bits of one
/// tensor, is a step of a sum with another tensor, which makes integers of 8
/// bits as well.
bool isSideOfSum(mlir::Operation *op);

/// Fails, with the reason, if ops behind `op`, an op on integers, make others
/// of its integers, no law tells of them, and `fusion-fuse-requantized-sums` is
/// going to leave them.
mlir::LogicalResult explainReaders(FusedOpInterface op, Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_REQUANTIZEDSUM_H
