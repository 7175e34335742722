//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H
#define FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace fusion {

/// Optimizes `module`. Level 0 does nothing. Level 1 does what plain loops need
/// most, and costs next to no time. Levels 2 and 3 run LLVM's pipeline.
llvm::Error optimize(llvm::Module &module, unsigned optLevel,
                     llvm::TargetMachine &machine);

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H
