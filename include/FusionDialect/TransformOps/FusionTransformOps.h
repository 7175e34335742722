//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMOPS_FUSIONTRANSFORMOPS_H
#define FUSION_TRANSFORMOPS_FUSIONTRANSFORMOPS_H

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "FusionDialect/TransformOps/FusionTransformOps.h.inc"

namespace fusion {

/// Adds `transform.fusion.*` and `transform.apply_patterns.fusion.*` to the
/// transform dialect.
void registerTransformDialectExtension(mlir::DialectRegistry &registry);

} // namespace fusion

#endif // FUSION_TRANSFORMOPS_FUSIONTRANSFORMOPS_H
