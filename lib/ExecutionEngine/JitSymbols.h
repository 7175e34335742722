//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H
#define FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H

#include "FusionDialect/ExecutionEngine/ConstantTable.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fusion {

/// Gives compiled code its constants, and functions of ours in place of those
/// of the C library that must not affect this process.
void registerJitSymbols(mlir::ExecutionEngine &engine,
                        const ConstantTable &constants);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H
