//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITVECTOR_H
#define FUSION_UTILS_EMITVECTOR_H

#include "mlir/IR/Builders.h"

namespace fusion {

/// Emits a constant of rank 1 with `numbers`, rounded to f32.
mlir::Value emitVector(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<double> numbers);
mlir::Value emitVector(mlir::OpBuilder &builder, mlir::Location loc,
                       llvm::ArrayRef<int32_t> numbers);

/// Emits the sum of two tensors of rank 1 and of the same type.
mlir::Value emitVectorSum(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lhs, mlir::Value rhs);

/// Emits 0 less a tensor of rank 1 of i32.
mlir::Value emitNegatedVector(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value vector);

} // namespace fusion

#endif // FUSION_UTILS_EMITVECTOR_H
