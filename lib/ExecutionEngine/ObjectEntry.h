//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_OBJECTENTRY_H
#define FUSION_LIB_EXECUTIONENGINE_OBJECTENTRY_H

#include "FusionDialect/ExecutionEngine/Executable.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace fusion {

/// Adds the function `symbol`, which calls `interface`, the C interface of the
/// entry, through `fusion_rt_call`, and returns its status.
void addStatusEntry(llvm::Module &module, const Signature &signature,
                    llvm::Function &interface, llvm::StringRef symbol);

/// Redirects assertions to the runtime. Call it before the optimizer.
void redirectAssertions(llvm::Module &module);

/// Redirects allocations and frees to the runtime. Call it after the optimizer,
/// which has knowledge of malloc.
void redirectAllocations(llvm::Module &module);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_OBJECTENTRY_H
