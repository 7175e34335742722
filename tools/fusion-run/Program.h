//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_PROGRAM_H
#define FUSION_TOOLS_FUSION_RUN_PROGRAM_H

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace fusion::run {

/// A parsed file, and its function to run. Every program has a context of its
/// own, so that changes of constants by passes do not affect another program.
struct Program {
  Program();

  mlir::MLIRContext context;
  /// The text, which messages of passes quote.
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface entry;
  Signature signature;
  /// For each argument, whether it is the same in all calls (fusion.constant).
  llvm::SmallVector<bool> constantArguments;
};

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
