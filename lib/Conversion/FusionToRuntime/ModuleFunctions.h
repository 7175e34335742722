//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_FUSIONTORUNTIME_MODULEFUNCTIONS_H
#define FUSION_LIB_CONVERSION_FUSIONTORUNTIME_MODULEFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace fusion {

/// Adds `_fusion_prepare_<module>`, which prepares the call sites whose shapes
/// are static, on several threads. Packs filters that are constant globals.
void createPrepareFunction(mlir::ModuleOp module, mlir::SymbolTable &symbols);

/// Adds `_fusion_release_<module>`, which releases every call site.
void createReleaseFunction(mlir::ModuleOp module, mlir::SymbolTable &symbols);

} // namespace fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTORUNTIME_MODULEFUNCTIONS_H
