//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTE_COMPILE_H
#define FUSION_EXECUTE_COMPILE_H

#include "FusionDialect/Execute/Program.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "mlir/Pass/PassManager.h"

namespace fusion {

/// Steps beside those of `fusion-compile`.
struct LowerOptions {
  /// Traces the loops between kernels.
  bool traceLoops = false;
  /// Sets up the pass manager.
  std::function<mlir::LogicalResult(mlir::PassManager &)> setUp;
  /// Adds passes that look at the fusion ops, on tensors.
  std::function<void(mlir::OpPassManager &)> inspect;
};

/// Runs `pm` on `module`. The error is `sentence` with the first error that is
/// reported, which the caller may have no other way to see.
llvm::Error runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                      const llvm::Twine &sentence);

/// Lowers the program to the LLVM dialect by the passes of `fusion-compile`,
/// and one that checks sizes and indices that only a call decides.
llvm::Error lowerProgram(Program &program, const CompileOptions &compile,
                         const LowerOptions &options);

/// Lowers the program by the passes that `build` adds: `how` says in an error
/// whose they are. Functions that no entry reaches are dropped.
llvm::Error
lowerProgram(Program &program,
             llvm::function_ref<mlir::LogicalResult(mlir::PassManager &)> build,
             llvm::StringRef how);

/// Moves the data of the lowered program's constants to a table.
llvm::Expected<ConstantTable> takeConstants(Program &program);

/// Compiles the lowered program to memory.
llvm::Expected<std::unique_ptr<Executable>>
makeExecutable(Program &program, unsigned optLevel, Host host);

} // namespace fusion

#endif // FUSION_EXECUTE_COMPILE_H
