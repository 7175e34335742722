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

/// True if nodes of this kind, with operands, can be computed by
/// `evaluateScalar` and `emitScalar`.
bool isComputable(ScalarExpr::Kind kind);

/// `number` as a float of `type` has it.
double roundTo(mlir::Type type, double number);

/// Computes in f64 what `node`, which must be computable, makes of the numbers
/// of its operands, as many as `result` has. A narrowing rounds, and so does
/// what computes in a type narrower than f32.
void evaluateScalar(const ScalarExpr::Node &node,
                    llvm::ArrayRef<llvm::ArrayRef<double>> operands,
                    llvm::MutableArrayRef<double> result);

/// The same as IR on f32; a narrowing to less than f32 rounds as it says.
mlir::Value emitScalar(mlir::OpBuilder &builder, mlir::Location loc,
                       const ScalarExpr::Node &node, mlir::ValueRange operands);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_SCALARCODE_H
