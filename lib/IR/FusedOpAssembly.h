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

/// Makes layouts of the strings that `op` has where it wants layouts: they were
/// strings before version 0.3 of the dialect.
mlir::LogicalResult
readLayouts(mlir::OperationName op, mlir::NamedAttrList &attributes,
            llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Parses a fused op, whose name `result` has, after this name.
mlir::ParseResult parseFusedOp(mlir::OpAsmParser &parser,
                               mlir::OperationState &result);

/// Prints `op` after its name.
void printFusedOp(mlir::OpAsmPrinter &printer, FusedOpInterface op);

/// Parses and prints the attributes of a pool.
mlir::ParseResult parsePoolAttributes(mlir::OpAsmParser &parser,
                                      mlir::NamedAttrList &attributes);
void printPoolAttributes(mlir::OpAsmPrinter &printer, PoolOp op,
                         mlir::DictionaryAttr attributes);

} // namespace fusion

#endif // FUSION_LIB_IR_FUSEDOPASSEMBLY_H
