//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Execute/Compile.h"
#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Support/ReadFile.h"
#include "Guard.h"
#include "Source.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassManager.h"
#include <cstring>

using namespace mlir;
using namespace fusion;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static std::string &getLastError() {
  static thread_local std::string sentence;
  return sentence;
}

FusionStatus fusion::failWith(FusionStatus status,
                              const llvm::Twine &sentence) {
  // Without memory for it there is no sentence.
  try {
    getLastError() = sentence.str();
  } catch (const std::bad_alloc &) {
    getLastError().clear();
  }
  return status;
}

FusionStatus fusion::failWith(llvm::Error error) {
  return failWith(FusionStatusNotCompiled, llvm::toString(std::move(error)));
}

MlirStringRef fusionGetLastError(void) {
  return wrap(StringRef(getLastError()));
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

static FusionSeverity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return FusionSeverityError;
  case DiagnosticSeverity::Warning:
    return FusionSeverityWarning;
  case DiagnosticSeverity::Remark:
    return FusionSeverityRemark;
  case DiagnosticSeverity::Note:
    return FusionSeverityNote;
  }
  return FusionSeverityError;
}

static void report(const FusionCompilerOptions &options,
                   Diagnostic &diagnostic) {
  if (!options.diagnose)
    return;
  std::string place = getLocationText(diagnostic.getLocation());
  std::string message = diagnostic.str();
  options.diagnose(getSeverity(diagnostic.getSeverity()),
                   wrap(StringRef(place)), wrap(StringRef(message)),
                   options.userData);
  for (Diagnostic &note : diagnostic.getNotes())
    report(options, note);
}

SourcedProgram::SourcedProgram(const FusionCompilerOptions &options)
    : program(
          [options](Diagnostic &diagnostic) { report(options, diagnostic); }) {}

/// Copies `contents` to where resources of bytecode may be read in place, and
/// text ends with a zero.
static std::unique_ptr<llvm::MemoryBuffer> copySource(StringRef contents,
                                                      StringRef name) {
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      contents.size(), name, llvm::Align(64));
  if (copy)
    std::memcpy(copy->getBufferStart(), contents.data(), contents.size());
  return copy;
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fusion::readSource(const FusionSource &source) {
  bool hasContents = source.contents.data, hasPath = source.path.data,
       hasModule = source.module.ptr;
  if (hasContents + hasPath + hasModule != 1)
    return createStringError(
        "one of 'contents', 'path' and 'module' of a source must be set, got " +
        Twine(hasContents + hasPath + hasModule));
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  if (hasContents) {
    buffer = copySource(unwrap(source.contents), "<module>");
  } else if (hasPath) {
    auto file = readFile(unwrap(source.path));
    if (!file)
      return createStringError("cannot open '" + unwrap(source.path) +
                               "': " + llvm::toString(file.takeError()));
    buffer = std::move(*file);
  } else {
    std::string bytecode;
    llvm::raw_string_ostream stream(bytecode);
    if (failed(writeBytecodeToFile(unwrap(source.module), stream)))
      return createStringError("the module cannot be written as bytecode");
    buffer = copySource(bytecode, "<module>");
  }
  if (!buffer)
    return createStringError("the source does not fit into memory");
  return buffer;
}

//===----------------------------------------------------------------------===//
// fusion-optimize, fusion-explain
//===----------------------------------------------------------------------===//

/// Parses `source`, runs fusion-optimize and calls `use` with the module.
template <typename Use>
static FusionStatus optimize(const FusionSource *source,
                             const FusionCompilerOptions *given,
                             bool hasCallback, Use use) {
  if (!source || !hasCallback)
    return failWith(FusionStatusInvalidArgument,
                    "'source' and 'callback' must not be null");
  FusionCompilerOptions options = {};
  if (given)
    options = *given;
  SourcedProgram sourced(options);
  auto buffer = readSource(*source);
  if (!buffer)
    return failWith(buffer.takeError());
  sourced.source = std::move(*buffer);
  if (llvm::Error error = parseProgram(*sourced.source, sourced.program))
    return failWith(std::move(error));
  PassManager pm(&sourced.program.context, ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  FusionStatus status = FusionStatusSuccess;
  auto refuse = [&](const Twine &message) -> LogicalResult {
    status = failWith(FusionStatusInvalidArgument, message);
    return failure();
  };
  if (failed(addOptimizePipeline(pm, unwrap(options.pipeline), refuse)))
    return status;
  if (llvm::Error error = runPasses(pm, *sourced.program.module,
                                    "the module could not be optimized"))
    return failWith(std::move(error));
  use(*sourced.program.module);
  return FusionStatusSuccess;
}

FusionStatus fusionOptimize(const FusionSource *source,
                            const FusionCompilerOptions *options,
                            MlirStringCallback callback, void *userData) {
  return guarded([&] {
    return optimize(source, options, callback, [&](ModuleOp module) {
      mlir::detail::CallbackOstream stream(callback, userData);
      module->print(stream);
    });
  });
}

static FusionOutcome getOutcome(Explanation::Status status) {
  switch (status) {
  case Explanation::Status::Fused:
    return FusionOutcomeFused;
  case Explanation::Status::PartlyFused:
    return FusionOutcomePartlyFused;
  case Explanation::Status::NotFused:
    return FusionOutcomeNotFused;
  }
  return FusionOutcomeNotFused;
}

static void explainTo(FusionExplanationCallback callback, void *userData,
                      const Explanation &explanation) {
  SmallVector<MlirStringRef> folded;
  for (const std::string &name : explanation.folded)
    folded.push_back(wrap(StringRef(name)));
  std::string location = getLocationText(explanation.op->getLoc());
  std::string text = explanation.str();
  FusionExplanation result = {wrap(StringRef(location)),
                              wrap(explanation.op->getName().getStringRef()),
                              getOutcome(explanation.status),
                              static_cast<intptr_t>(folded.size()),
                              folded.data(),
                              wrap(StringRef(explanation.reason)),
                              wrap(StringRef(text))};
  callback(&result, userData);
}

FusionStatus fusionExplain(const FusionSource *source,
                           const FusionCompilerOptions *options,
                           FusionExplanationCallback callback, void *userData) {
  return guarded([&] {
    return optimize(source, options, callback, [&](ModuleOp module) {
      for (const Explanation &explanation :
           explainAll(module, ExplainOptions()))
        explainTo(callback, userData, explanation);
    });
  });
}
