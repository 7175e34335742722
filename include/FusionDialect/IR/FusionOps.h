//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSIONOPS_H
#define FUSION_IR_FUSIONOPS_H

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "FusionDialect/IR/FusionInterfaces.h.inc"

#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.h.inc"

namespace fusion {

/// True if the memory of the residual of `op` may be the destination, if their
/// types are the same: integers need the same sign.
bool mayOverwriteResidual(FusedOpInterface op);

} // namespace fusion

#endif // FUSION_IR_FUSIONOPS_H
