//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITACTIVATION_H
#define FUSION_UTILS_EMITACTIVATION_H

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/IR/Builders.h"

namespace fusion {

/// Emits `activation` of `x`, a scalar f32, as arith and math ops. A NaN stays
/// NaN.
mlir::Value emitActivation(mlir::OpBuilder &builder, mlir::Location loc,
                           ActivationAttr activation, mlir::Value x);

} // namespace fusion

#endif // FUSION_UTILS_EMITACTIVATION_H
