//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_ACME_H
#define ACME_ACME_H

#include "FusionDialect/Interfaces/TransposableOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "AcmeDialect.h.inc"
#define GET_OP_CLASSES
#include "AcmeOps.h.inc"

namespace acme {

/// Registers the pass `acme-to-fusion` and the pipeline `acme-compile`.
void registerAcmePasses();

/// Registers the pass `acme-fuse`.
void registerAcmeFuse();

} // namespace acme

#endif // ACME_ACME_H
