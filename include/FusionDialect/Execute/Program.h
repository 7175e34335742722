//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTE_PROGRAM_H
#define FUSION_EXECUTE_PROGRAM_H

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <functional>
#include <optional>
#include <vector>

namespace fusion {

/// All dialects of MLIR and this one, with what translates them to LLVM IR.
mlir::DialectRegistry makeRegistry();

/// A function of a program that can be called.
struct Entry {
  mlir::FunctionOpInterface function;
  Signature signature;
};

/// A parsed module and its functions to run. Every program has a context of its
/// own, so that changes of constants by passes do not affect another program.
struct Program {
  /// Messages of the compiler go to standard error, with the line of the text.
  Program();
  /// Messages of the compiler go to `handler`.
  explicit Program(std::function<void(mlir::Diagnostic &)> handler);

  mlir::MLIRContext context;
  /// The text, which messages of passes quote.
  llvm::SourceMgr sources;
  std::optional<mlir::SourceMgrDiagnosticHandler> diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The function to run.
  mlir::FunctionOpInterface entry;
  Signature signature;
  /// Other functions to keep.
  std::vector<Entry> others;

  /// Those of all functions that can be called.
  std::vector<Signature> getSignatures() const;
};

/// Which functions of a module to load.
struct LoadOptions {
  /// The entry, and others to keep. Empty: `main`, else `forward`, else the
  /// only public function.
  std::vector<std::string> entries;
  /// Keeps the other public functions, too. Then without `entries` the first of
  /// them may be the entry.
  bool keepPublic = false;
  /// Takes constants whose data was left out.
  bool allowElided = false;
};

/// Parses `source`, text or bytecode, which must outlive the program. If its
/// dialects cannot be run, the error says what to do.
llvm::Error parseProgram(const llvm::MemoryBuffer &source, Program &program);

/// Parses `source`, finds the entry, and brings the module to the form that
/// pipelines expect. If it cannot be run, the error says what to do.
llvm::Error loadProgram(const llvm::MemoryBuffer &source,
                        const LoadOptions &options, Program &program);

/// Fails if the data of a constant was left out when the file was written.
llvm::Error checkWeights(mlir::ModuleOp module);

/// The entries and all functions that they refer to, directly or through
/// others.
llvm::SetVector<mlir::Operation *> findFunctions(Program &program);

/// Refuses tensors that do not fit into any memory, before the lowering:
/// compiled code multiplies their sizes without checking for overflow.
llvm::Error checkTensorSizes(Program &program);

/// Refuses a function without a body that neither the runtime nor the process
/// of the compiled code provides.
llvm::Error checkDeclarations(Program &program, Host host);

} // namespace fusion

#endif // FUSION_EXECUTE_PROGRAM_H
