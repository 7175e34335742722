//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITEPILOGUE_H
#define FUSION_UTILS_EMITEPILOGUE_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// Emits act(sum + bias + residual), or act(sum + bias) + residual, computed in
/// f32 and rounded to the element type of the init of `op`, which gives
/// activation, residual with its place, and destination. `sum` is f32 and laid
/// out as the result; `bias` may be null.
mlir::linalg::GenericOp emitEpilogue(mlir::OpBuilder &builder,
                                     FusedOpInterface op, mlir::Value sum,
                                     mlir::Value bias);

} // namespace fusion

#endif // FUSION_UTILS_EMITEPILOGUE_H
