//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITQUANTIZEDEPILOGUE_H
#define FUSION_UTILS_EMITQUANTIZEDEPILOGUE_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// Emits the i32 of `value`, an i8 whose bits are 0..255 if `isUnsigned`, less
/// `zeroPoint`.
mlir::Value emitInteger(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, bool isUnsigned, int32_t zeroPoint);

/// Emits all that `op` does with `sum`, its sum of products in i32, laid out as
/// the result: bias, scale, residual, activation and rounding. A NaN becomes
/// the least integer of an i8 result.
mlir::linalg::GenericOp emitQuantizedEpilogue(mlir::OpBuilder &builder,
                                              QuantizedOpInterface op,
                                              mlir::Value sum);

} // namespace fusion

#endif // FUSION_UTILS_EMITQUANTIZEDEPILOGUE_H
