//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H
#define FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/OptBisect.h"
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

/// Keeps the code generator from reordering the instructions of functions that
/// have thousands between two calls, since that takes time quadratic in their
/// number. A function that loads an argument for each weight of a network is
/// one. Belongs in the context of a module that has been optimized.
class ScheduleGate : public llvm::OptPassGate {
public:
  /// Looks at the functions of `module`.
  void add(const llvm::Module &module);

  bool isEnabled() const override { return !units.empty(); }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef unit) const override;

private:
  /// LLVM's descriptions of the functions.
  llvm::StringSet<> units;
};

} // namespace fusion

#endif // FUSION_LIB_EXECUTIONENGINE_OPTIMIZE_H
