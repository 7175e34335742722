//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_RUNTIMEDEQUANTIZATION_H
#define FUSION_LIB_FUSE_QUANTIZED_RUNTIMEDEQUANTIZATION_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {

/// A scalar in the body of `op`, an element-wise op, that is the same for all
/// elements, or for those that differ in the last dimension.
struct UniformScalar {
  mlir::linalg::LinalgOp op;
  mlir::Value value;

  /// Makes a tensor of it with `count` elements of `type`: f32, or integers
  /// that it always is one of.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc, int64_t count,
                   mlir::Type type) const;

  /// Makes i8 of it, which it always is.
  mlir::Value emitByte(mlir::OpBuilder &builder, mlir::Location loc) const;

  /// Makes f32 of it, a tensor with the dimensions of `op` but the last.
  mlir::Value emitRows(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// f32 values made of an i8 tensor by one op or by one for each step, with
/// parameters that only a call knows, as in dynamic quantisation:
///
///   (source - zeroPoint) * factor * ... * row factor * ...
struct RunTimeDequantization {
  struct Factor {
    UniformScalar number;
    bool divides; ///< whether the values are divided by it
  };

  mlir::Value source;
  bool isUnsigned = false;    ///< how the bits of `source` are read
  int64_t knownZeroPoint = 0; ///< if `zeroPoint` is none
  std::optional<UniformScalar> zeroPoint;
  llvm::SmallVector<Factor> factors;

  /// A factor of each row: of what differs in the last dimension.
  struct RowFactor : Factor {
    /// Collapses of other dimensions behind it, the last one first.
    llvm::SmallVector<mlir::tensor::CollapseShapeOp> collapses;
  };

  llvm::SmallVector<RowFactor> rowFactors;
  /// Reshapes and transposes behind `source`, the last one first.
  llvm::SmallVector<mlir::Operation *> moves;

  /// None if no parameter of `value` is known to be one of a call. Fails if one
  /// is, but `value` is computed otherwise.
  static mlir::FailureOr<std::optional<RunTimeDequantization>>
  match(mlir::Value value, Refusal &refusal);

  /// `vector`, a tensor<Cxf32>, times the factors.
  mlir::Value emitScaled(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value vector) const;

  /// `rows`, of f32, times the row factors.
  mlir::Value emitScaledRows(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value rows) const;
};

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_RUNTIMEDEQUANTIZATION_H
