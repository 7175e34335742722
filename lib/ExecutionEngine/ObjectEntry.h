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
class Constant;
class Function;
class Module;
} // namespace llvm

namespace fusion {

/// The CPU that an object file is compiled for.
struct ObjectCpu {
  std::string name;
  /// The instruction sets that the code needs, in the bits of
  /// `fusion_rt_entry_info`.
  uint64_t features;
};

/// Lets `function` run on every CPU of the architecture, so that it can refuse
/// one that the rest of the code does not run on.
void runOnEveryCpu(llvm::Function &function);

/// Adds the `fusion_rt_entry_info` of an entry, which calls `interface`, its C
/// interface.
llvm::Constant *addEntryInfo(llvm::Module &module, const Signature &signature,
                             llvm::Function &interface, const ObjectCpu &cpu);

/// Adds the function `symbol`, with the results and arguments of `signature`,
/// which calls `info` by `callee` of the runtime and returns its status.
void addStatusEntry(llvm::Module &module, const Signature &signature,
                    llvm::Constant *info, llvm::StringRef callee,
                    llvm::StringRef symbol);

/// Adds the function `symbol`, which returns `info`.
void addSignatureFunction(llvm::Module &module, llvm::Constant *info,
                          llvm::StringRef symbol);

/// Redirects assertions to the runtime. Call it before the optimizer.
void redirectAssertions(llvm::Module &module);

/// Redirects allocations and frees to the runtime. Call it after the optimizer,
/// which has knowledge of malloc.
void redirectAllocations(llvm::Module &module);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_OBJECTENTRY_H
