//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITSCALAR_H
#define FUSION_UTILS_EMITSCALAR_H

#include "FusionDialect/Analysis/ScalarExpr.h"
#include "mlir/IR/Builders.h"

namespace fusion {

/// Emits `node`, which must be computable, as IR on f32. A narrowing to less
/// than f32 rounds to its type.
mlir::Value emitScalar(mlir::OpBuilder &builder, mlir::Location loc,
                       const ScalarExpr::Node &node, mlir::ValueRange operands);

} // namespace fusion

#endif // FUSION_UTILS_EMITSCALAR_H
