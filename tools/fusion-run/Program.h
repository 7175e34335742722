//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_PROGRAM_H
#define FUSION_TOOLS_FUSION_RUN_PROGRAM_H

#include "FusionDialect/Execute/Program.h"
#include "Options.h"

namespace fusion::run {

/// Reads the file, text or bytecode; "-" is standard input.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSource(llvm::StringRef path);

/// Parses `source` and finds the entry. If the program cannot be run, the error
/// says what to do.
llvm::Expected<std::unique_ptr<Program>>
loadProgram(const llvm::MemoryBuffer &source, const Options &options);

/// Replaces the arguments that --bind names by constants, then marks the
/// arguments that --constant-args names.
llvm::Error prepareArguments(Program &program, const Options &options);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_PROGRAM_H
