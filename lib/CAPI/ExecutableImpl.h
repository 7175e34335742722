//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CAPI_EXECUTABLEIMPL_H
#define FUSION_LIB_CAPI_EXECUTABLEIMPL_H

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "Source.h"

namespace fusion {

/// Behind a FusionExecutable.
struct ExecutableImpl {
  explicit ExecutableImpl(const FusionCompilerOptions &options);

  static ExecutableImpl *get(FusionExecutable executable) {
    return static_cast<ExecutableImpl *>(executable.ptr);
  }

  FusionStatus compile(const FusionSource &source,
                       const FusionCompilerOptions &options);
  /// `entry` exists.
  FusionStatus call(intptr_t entry, llvm::ArrayRef<FusionTensor> arguments,
                    llvm::MutableArrayRef<FusionTensor> results);

  /// Its context has the constants, which the code reads.
  SourcedProgram sourced;
  int32_t threads;
  std::unique_ptr<Executable> executable;
};

} // namespace fusion

#endif // FUSION_LIB_CAPI_EXECUTABLEIMPL_H
