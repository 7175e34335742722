//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_MOVES_H
#define FUSION_UTILS_MOVES_H

#include "mlir/IR/Builders.h"

namespace fusion {

/// The operand whose elements `op` moves without arithmetic; null if it does
/// something else. A function of each element that never decreases is the same
/// before `op` and behind it, but for the constant of a padding: a maximum is
/// one of the elements.
mlir::OpOperand *getMovedOperand(mlir::Operation *op);

/// Creates `op`, which moves elements, again for those of `source`, which may
/// have another type. `padding` is the number of a padding.
mlir::Operation *recreateMove(mlir::OpBuilder &builder, mlir::Operation *op,
                              mlir::Value source, mlir::TypedAttr padding);

/// An empty tensor with the sizes of `like` and elements of `type`.
mlir::Value createEmptyLike(mlir::OpBuilder &builder, mlir::Value like,
                            mlir::Type type);

} // namespace fusion

#endif // FUSION_UTILS_MOVES_H
