//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IR_FUSEDOPASSEMBLY_H
#define FUSION_LIB_IR_FUSEDOPASSEMBLY_H

#include "FusionDialect/IR/FusionOps.h"

namespace fusion {

/// Parses a fused op, whose name `result` has, after this name.
mlir::ParseResult parseFusedOp(mlir::OpAsmParser &parser,
                               mlir::OperationState &result);

/// Prints `op` after its name.
void printFusedOp(mlir::OpAsmPrinter &printer, FusedOpInterface op);

} // namespace fusion

#endif // FUSION_LIB_IR_FUSEDOPASSEMBLY_H
