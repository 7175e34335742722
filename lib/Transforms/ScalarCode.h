//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_SCALARCODE_H
#define FUSION_LIB_TRANSFORMS_SCALARCODE_H

#include "Analysis/ScalarExpr.h"

namespace fusion {

/// True if `evaluateScalar` and `emitScalar` can compute nodes of this kind,
/// which have operands.
bool isComputable(ScalarExpr::Kind kind);

/// Rounds `number` to a float of `type`.
double roundTo(mlir::Type type, double number);

/// Computes `node`, which must be computable, in f64 for each element of
/// `result`, from the numbers of its operands. Narrowings round, and so do
/// nodes that compute in a type narrower than f32.
void evaluateScalar(const ScalarExpr::Node &node,
                    llvm::ArrayRef<llvm::ArrayRef<double>> operands,
                    llvm::MutableArrayRef<double> result);

/// Emits the same as IR on f32. A narrowing to less than f32 rounds to its
/// type.
mlir::Value emitScalar(mlir::OpBuilder &builder, mlir::Location loc,
                       const ScalarExpr::Node &node, mlir::ValueRange operands);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_SCALARCODE_H
