//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H
#define FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H

#include "FusionDialect/ExecutionEngine/Executable.h"

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace fusion {

/// Gives compiled code its constants, functions of ours in place of those of
/// the C library that must not affect this process, and the functions of
/// `declared` that the runtime has, or a library that it links. Others are
/// looked for in the process.
void registerJitSymbols(mlir::ExecutionEngine &engine,
                        const ConstantTable &constants,
                        llvm::ArrayRef<std::string> declared, Host host);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_JITSYMBOLS_H
