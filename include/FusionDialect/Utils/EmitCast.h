//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITCAST_H
#define FUSION_UTILS_EMITCAST_H

#include "mlir/IR/Builders.h"

namespace fusion {

/// Emits the scalar `value` as a number of another float type: widened,
/// rounded, or as it is.
mlir::Value emitFloatCast(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, mlir::Type type);

/// Emits the elements of `tensor` as numbers of the element type of `init`, a
/// tensor of the same sizes to write them to.
mlir::Value emitCast(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value tensor, mlir::Value init);

} // namespace fusion

#endif // FUSION_UTILS_EMITCAST_H
