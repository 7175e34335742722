//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "FusionDialect/Execute/Compile.h"
#include "FusionDialect/ExecutionEngine/ObjectFile.h"
#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/InitAll.h"
#include "FusionDialect/Support/Npy.h"
#include "FusionDialect/Support/WriteFile.h"
#include "InputData.h"
#include "Measure.h"
#include "Options.h"
#include "Report.h"
#include "Verify.h"

#include "mlir/InitAllPasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <chrono>
#include <unistd.h>

using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

/// Exit codes beside 0 and 1, as documented.
static constexpr int kProvesNothing = 2;

static Error writeResults(const Measurement &measurement,
                          const Options &options) {
  if (options.outputDir.empty())
    return Error::success();
  if (std::error_code failure =
          llvm::sys::fs::create_directories(options.outputDir))
    return createStringError("cannot make the folder '" + options.outputDir +
                             "': " + failure.message());
  for (auto [index, result] : llvm::enumerate(measurement.firstResults)) {
    llvm::SmallString<128> path(options.outputDir);
    llvm::sys::path::append(path, "result" + Twine(index) + ".npy");
    if (Error error = writeNpy(path, result))
      return error;
  }
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Whether the entry computes with 16-bit floats, whose rounding is coarse.
static bool usesNarrowFloats(Program &program, const Options &options) {
  if (options.precision != Precision::F32)
    return true;
  auto isNarrow = [](mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    return element.isBF16() || element.isF16();
  };
  auto visit = [&](mlir::Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), isNarrow) ||
                 llvm::any_of(op->getOperandTypes(), isNarrow);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  return llvm::any_of(findFunctions(program), [&](mlir::Operation *function) {
    return function->walk(visit).wasInterrupted();
  });
}

static Tolerance getTolerance(Program &program, const Options &options) {
  double relative = usesNarrowFloats(program, options) ? 3e-2 : 1e-4;
  return {options.absoluteTolerance,
          options.relativeTolerance.value_or(relative),
          options.integerTolerance};
}

static Comparison compareRuns(const Report &report,
                              llvm::ArrayRef<HostTensor> expected) {
  const Measurement &measurement = *report.measurement;
  auto compare = [&](llvm::ArrayRef<HostTensor> results) {
    return compareResults(results, expected, report.tolerance,
                          report.nonFinite);
  };
  Comparison first = compare(measurement.firstResults);
  if (first.verdict != Comparison::Agrees)
    return first;
  size_t callers = measurement.lastResults.size();
  for (auto [index, results] : llvm::enumerate(measurement.lastResults)) {
    Comparison last = compare(results);
    if (last.verdict == Comparison::Differs)
      last.reason =
          (callers == 1 ? "" : "caller " + std::to_string(index) + ", ") +
          "the last run: " + last.reason;
    first = worse(first, last);
  }
  return first;
}

static Expected<Comparison> compareWithFiles(const Report &report,
                                             const Options &options) {
  llvm::SmallVector<HostTensor> expected;
  for (const std::string &path : options.expected) {
    Expected<NpyArray> array = readNpy(path);
    if (!array)
      return array.takeError();
    expected.push_back(std::move(array->tensor));
  }
  return compareRuns(report, expected);
}

/// Parses the file once more, lowers it by upstream passes and runs it. Bound
/// arrays are passed as arguments.
static Expected<Comparison>
compareWithReference(const llvm::MemoryBuffer &source, const Report &report,
                     llvm::ArrayRef<HostTensor> arguments,
                     const Options &options) {
  auto program = loadProgram(source, options);
  if (!program)
    return program.takeError();
  if (options.randomizeConstants)
    randomizeConstants(**program, options);
  std::vector<HostTensor> all;
  if (!options.bindings.empty()) {
    auto added = addBoundArguments(**program, arguments, options);
    if (!added)
      return added.takeError();
    all = std::move(*added);
    arguments = all;
  }
  if (Error error = lowerWithReference(**program))
    return error;
  auto executable = makeExecutable(**program, kReferenceOptLevel, Host::Tool);
  if (!executable)
    return executable.takeError();
  auto results = runOnce(**executable, arguments);
  if (!results)
    return results.takeError();
  return compareRuns(report, *results);
}

static Error compare(const llvm::MemoryBuffer &source, Report &report,
                     llvm::ArrayRef<HostTensor> arguments,
                     const Options &options) {
  if (options.verify || !options.expected.empty())
    report.nonFinite = {findNonFinite(arguments, options),
                        options.nanMode == NaNMode::Fast};
  if (options.verify) {
    auto comparison = compareWithReference(source, report, arguments, options);
    if (!comparison)
      return comparison.takeError();
    report.verified = std::move(*comparison);
  }
  if (!options.expected.empty()) {
    auto comparison = compareWithFiles(report, options);
    if (!comparison)
      return comparison.takeError();
    report.expected = std::move(*comparison);
  }
  return Error::success();
}

/// The exit code. With --json, whose report has no sentences, prints the
/// reason.
static int judge(const Report &report, const Options &options) {
  Comparison total;
  for (const auto &comparison : {report.verified, report.expected})
    if (comparison)
      total = worse(total, *comparison);
  if (total.verdict == Comparison::Agrees)
    return 0;
  if (options.json)
    llvm::errs() << "fusion-run: " << total.reason << "\n";
  return total.verdict == Comparison::Differs ? 1 : kProvesNothing;
}

//===----------------------------------------------------------------------===//
// Ways to run
//===----------------------------------------------------------------------===//

/// Names the module after the object file. Functions of the module carry its
/// name, which must differ between two object files in one program.
static void nameModule(Program &program, llvm::StringRef objectFile) {
  if (program.module->getSymName())
    return;
  // The name follows a letter, so that it may begin with a digit.
  std::string name =
      toIdentifier(("_" + llvm::sys::path::stem(objectFile)).str());
  program.module->setSymName(llvm::StringRef(name).drop_front());
}

static Error compileAheadOfTime(Program &program, const Options &options) {
  auto constants = takeConstants(program);
  if (!constants)
    return constants.takeError();
  std::vector<Signature> signatures = program.getSignatures();
  auto info = writeObjectFile(*program.module, signatures, *constants,
                              options.cpu, options.optLevel, options.objectFile,
                              options.symbolPrefix);
  if (!info)
    return info.takeError();
  if (options.headerFile.empty())
    return Error::success();
  return writeHeaderFile(signatures, *info, options.headerFile);
}

/// Calls `function` and adds the time it takes to `totalMs`.
template <typename Function>
static auto timed(double &totalMs, Function function) {
  auto begin = std::chrono::steady_clock::now();
  auto result = function();
  totalMs += std::chrono::duration<double, std::milli>(
                 std::chrono::steady_clock::now() - begin)
                 .count();
  return result;
}

static Expected<int> compileAndRun(const llvm::MemoryBuffer &source,
                                   Program &program, Report &report,
                                   llvm::ArrayRef<HostTensor> arguments,
                                   const Options &options) {
  auto executable = timed(report.compileMs, [&] {
    return makeExecutable(program, options.optLevel, Host::Tool);
  });
  if (!executable)
    return executable.takeError();
  report.weightBytes = (*executable)->getNumConstantBytes();
  auto measurement = measure(**executable, arguments,
                             program.signature.constantArguments, options);
  if (!measurement)
    return measurement.takeError();
  report.measurement = std::move(*measurement);
  if (Error error = writeResults(*report.measurement, options))
    return error;
  if (Error error = compare(source, report, arguments, options))
    return error;
  if (options.profile) {
    auto made = profile(**executable, arguments, options);
    if (!made)
      return made.takeError();
    report.profile = std::move(*made);
  }
  printReport(report, options, llvm::outs());
  if (Error error = checkWritten(llvm::outs(), "to standard output"))
    return error;
  if (options.requests)
    if (Error error = answerRequests(**executable, arguments, llvm::outs()))
      return error;
  return judge(report, options);
}

static Expected<int> runTool(const Options &options) {
  if (Error error = setUpRuntime(options))
    return error;
  auto source = readSource(options.inputFile);
  if (!source)
    return source.takeError();
  Report report;
  auto program =
      timed(report.compileMs, [&] { return loadProgram(**source, options); });
  if (!program)
    return program.takeError();
  if (Error error = checkTensorSizes(**program))
    return error;
  // Functions that an object file lacks may be linked to it.
  if (options.objectFile.empty())
    if (Error error = checkDeclarations(**program, Host::Tool))
      return error;
  if (options.randomizeConstants)
    randomizeConstants(**program, options);
  if (Error error = prepareArguments(**program, options))
    return error;
  report.signature = (*program)->signature;
  report.tolerance = getTolerance(**program, options);

  // Before the lowering, since only the file shows the roles of values.
  std::vector<HostTensor> arguments;
  if (options.objectFile.empty()) {
    auto made = makeArguments(**program, options);
    if (!made)
      return made.takeError();
    arguments = std::move(*made);
  }
  if (!options.objectFile.empty())
    nameModule(**program, options.objectFile);
  Error error = timed(report.compileMs, [&] {
    return lowerWithFusion(**program, options, report.compile);
  });
  if (error)
    return error;
  if (options.objectFile.empty())
    return compileAndRun(**source, **program, report, arguments, options);
  if (Error error = compileAheadOfTime(**program, options))
    return error;
  return 0;
}

/// Reports that memory is exhausted in the form of other errors, and ends the
/// program at once: other threads may be running, and nothing has to be
/// written.
static void failOutOfMemory(void *, const char *reason, bool) {
  llvm::WithColor::error(llvm::errs(), "fusion-run")
      << "out of memory: " << reason << "\n";
  _exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::install_bad_alloc_error_handler(failOutOfMemory);
  // For --mlir-print-ir-after and its like.
  mlir::registerAllPasses();
  fusion::registerAllPasses();
  Expected<Options> options = parseOptions(argc, argv);
  Expected<int> exitCode =
      options ? runTool(*options) : Expected<int>(options.takeError());
  if (exitCode)
    return *exitCode;
  llvm::WithColor::error(llvm::errs(), "fusion-run")
      << llvm::toString(exitCode.takeError()) << "\n";
  return 1;
}
