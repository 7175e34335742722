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

/// A file as it was read, and the function of it to run. Every program has a
/// context of its own, so that what passes do to the constants of one cannot be
/// seen in another.
struct Program {
  Program();

  mlir::MLIRContext context;
  /// The text, which messages of passes quote.
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::FunctionOpInterface entry;
  Signature signature;
  /// For each argument whether it is the same in all calls (fusion.constant).
  llvm::SmallVector<bool> constantArguments;
};

/// Reads the text or bytecode of the file, "-" for standard input.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readSource(llvm::StringRef path);

/// Parses `source` and finds the entry. Whatever cannot be run is an error that
/// says what to do.
llvm::Expected<std::unique_ptr<Program>>
loadProgram(const llvm::MemoryBuffer &source, const Options &options);

/// Makes constants of the arguments that --bind names, then marks those of the
/// others that --constant-args names.
llvm::Error prepareArguments(Program &program, const Options &options);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_PROGRAM_H
