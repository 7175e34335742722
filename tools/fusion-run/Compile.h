//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_COMPILE_H
#define FUSION_TOOLS_FUSION_RUN_COMPILE_H

#include "Program.h"
#include "llvm/ADT/StringMap.h"

namespace fusion::run {

/// What compiling found out on the way.
struct CompileInfo {
  /// Ops of the fusion dialect after optimization.
  unsigned fusedOps = 0;
  /// Convolutions of linalg that are left.
  unsigned otherConvolutions = 0;
  /// How many multiplications with an addition the fusion ops of a location
  /// take, where all sizes are static.
  llvm::StringMap<int64_t> multiplyAdds;
};

/// Lowers the program to the LLVM dialect with Fusion's passes, as the options
/// ask for.
llvm::Error lowerWithFusion(Program &program, const Options &options,
                            CompileInfo &info);

/// Lowers the program with upstream passes alone.
llvm::Error lowerWithReference(Program &program);

/// Takes the data of the lowered program's constants out of it.
llvm::Expected<ConstantTable> takeConstants(Program &program);

/// The level at which the reference is compiled: it runs once, and the less is
/// done to it, the better it is as a reference.
constexpr unsigned kReferenceOptLevel = 1;

/// Compiles the lowered program to memory.
llvm::Expected<std::unique_ptr<Executable>> makeExecutable(Program &program,
                                                           unsigned optLevel);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_COMPILE_H
