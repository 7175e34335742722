//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CAPI_SOURCE_H
#define FUSION_LIB_CAPI_SOURCE_H

#include "FusionDialect-c/Executable.h"
#include "FusionDialect/Execute/Program.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fusion {

/// A module and its source, which belong together.
struct SourcedProgram {
  explicit SourcedProgram(const FusionCompilerOptions &options);

  std::unique_ptr<llvm::MemoryBuffer> source;
  Program program;
};

/// The text or bytecode of `source`, in memory of its own.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSource(const FusionSource &source);

} // namespace fusion

#endif // FUSION_LIB_CAPI_SOURCE_H
