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

/// Facts that compiling finds out.
struct CompileInfo {
  /// Ops of the fusion dialect after optimization.
  unsigned fusedOps = 0;
  /// Whether any of them computes with floats, and so in `Options::precision`.
  bool hasFloats = false;
  /// Convolutions of linalg that are left.
  unsigned otherConvolutions = 0;
  /// The number of multiplications with an addition by the location of the
  /// fusion ops, if all sizes are static.
  llvm::StringMap<int64_t> multiplyAdds;
};

/// Lowers the program to the LLVM dialect with Fusion's passes, according to
/// the options.
llvm::Error lowerWithFusion(Program &program, const Options &options,
                            CompileInfo &info);

/// Lowers the program with upstream passes alone.
llvm::Error lowerWithReference(Program &program);

/// The optimization level of the reference. It runs once, and is a better
/// reference if less is done to it.
constexpr unsigned kReferenceOptLevel = 1;

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_COMPILE_H
