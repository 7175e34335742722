//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Execute/Compile.h"

#include "FusionDialect/ExecutionEngine/CheckSizes.h"
#include "FusionDialect/ExecutionEngine/InstrumentLoops.h"
#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/IR/LocationText.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fusion;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Leaves only the entries public: functions that they do not reach need not be
/// lowerable.
static llvm::Error prepareEntries(Program &program) {
  if (llvm::Error error = renameReservedSymbols(*program.module))
    return error;
  for (auto function : program.module->getOps<FunctionOpInterface>())
    SymbolTable::setSymbolVisibility(function,
                                     SymbolTable::Visibility::Private);
  auto prepare = [](FunctionOpInterface function, Signature &signature) {
    signature.symbol = function.getName().str();
    prepareEntry(function);
  };
  prepare(program.entry, program.signature);
  for (Entry &other : program.others)
    prepare(other.function, other.signature);
  return llvm::Error::success();
}

/// "FILE:1:2: MESSAGE"
static std::string describe(Diagnostic &diagnostic) {
  std::string place = getLocationText(diagnostic.getLocation());
  return (place.empty() ? "" : place + ": ") + diagnostic.str();
}

llvm::Error fusion::runPasses(PassManager &pm, ModuleOp module,
                              const Twine &sentence) {
  std::string firstError;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (firstError.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          firstError = describe(diagnostic);
        return failure(); // others report it
      });
  if (succeeded(pm.run(module)))
    return llvm::Error::success();
  return createStringError(sentence +
                           (firstError.empty() ? "" : ": " + firstError));
}

llvm::Error
fusion::lowerProgram(Program &program,
                     llvm::function_ref<LogicalResult(PassManager &)> build,
                     StringRef how) {
  if (llvm::Error error = prepareEntries(program))
    return error;
  PassManager pm(&program.context, ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  pm.addPass(createSymbolDCEPass());
  if (failed(build(pm)))
    return createStringError(
        "the pass manager's options contradict each other");
  return runPasses(pm, *program.module,
                   "'" + program.signature.name + "' could not be lowered " +
                       how);
}

llvm::Error fusion::lowerProgram(Program &program,
                                 const CompileOptions &compile,
                                 const LowerOptions &options) {
  auto build = [&](PassManager &pm) -> LogicalResult {
    if (options.setUp && failed(options.setUp(pm)))
      return failure();
    buildFusionOpsPipeline(pm, compile);
    if (options.inspect)
      options.inspect(pm);
    buildRuntimeOpsPipeline(pm, compile);
    buildBufferizePipeline(pm, compile);
    pm.addPass(createCheckSizesPass());
    if (options.traceLoops)
      pm.addPass(createInstrumentLoopsPass());
    buildLowerToLLVMPipeline(pm, compile);
    return success();
  };
  return lowerProgram(program, build, "with Fusion's passes");
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Fails for ops of other dialects, which the export to LLVM IR does not know.
static llvm::Error checkLowered(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    // A cast is between two ops of which one was not lowered; report that op.
    if (!found || isa<UnrealizedConversionCastOp>(found))
      found = op;
    return WalkResult::advance();
  });
  if (!found)
    return llvm::Error::success();
  found->emitError("this op was not lowered to the LLVM dialect");
  return createStringError("'" + found->getName().getStringRef() +
                           "' cannot be compiled");
}

llvm::Expected<ConstantTable> fusion::takeConstants(Program &program) {
  if (llvm::Error error = checkLowered(*program.module))
    return error;
  auto constants = externalizeConstants(*program.module);
  if (constants)
    releaseOtherResources(program.context, *constants);
  return constants;
}

llvm::Expected<std::unique_ptr<Executable>>
fusion::makeExecutable(Program &program, unsigned optLevel, Host host) {
  auto constants = takeConstants(program);
  if (!constants)
    return constants.takeError();
  return Executable::create(*program.module, program.getSignatures(),
                            std::move(*constants), optLevel, host);
}
