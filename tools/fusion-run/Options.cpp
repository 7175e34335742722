//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "CommandLine.h"
#include "FusionRuntime/fusion_runtime.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace fusion;
using namespace fusion::run;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr const char *kOverview =
    R"(Compiles and runs a .mlir file (linalg on tensors) without any Python.

  fusion-run net.mlir                               run on random inputs
  fusion-run net.mlir --verify                      and compare with upstream's lowering
  fusion-run net.mlir --input=x.npy --output=out    NumPy files in and out
  fusion-run net.mlir --repeat=20 --warmup=3 --json timings as JSON
  fusion-run net.mlir --repeat=20 --callers=4       four requests at a time
  fusion-run net.mlir --emit-object=net.o --emit-header=net.h
                                                    compile ahead of time

exit code: 0 success, 1 an error or a wrong result, 2 a comparison that proves nothing
)";

static std::vector<std::string> splitFiles(StringRef text) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  return {parts.begin(), parts.end()};
}

static Options copyOptions(const CommandLine &line) {
  Options options;
  options.inputFile = line.inputFile;
  options.entries.assign(line.entry.begin(), line.entry.end());
  // An empty name is that of the default.
  if (options.entries == std::vector<std::string>{""})
    options.entries.clear();
  options.seed = line.seed;
  options.inputs = splitFiles(line.input);
  options.expected = splitFiles(line.expect);
  options.outputDir = line.output;
  options.randomizeConstants = line.randomizeConstants;
  options.mode = line.mode;
  options.precision = line.precision;
  options.optLevel = line.optLevel;
  options.allowReshape = line.allowReshape;
  options.allowContractRounding = line.allowContractRounding;
  options.allowWinograd = line.allowWinograd;
  if (line.cacheBytes.getNumOccurrences())
    options.cacheBytes = line.cacheBytes;
  options.nanMode = line.nanMode;
  options.quantRounding = line.quantRounding;
  options.disabledLaws.assign(line.disable.begin(), line.disable.end());
  options.constantArgs = line.constantArgs;
  options.threads = line.threads;
  options.prepare = line.prepare;
  options.repeat = line.repeat;
  options.warmup = line.warmup;
  options.callers = line.callers;
  options.requests = line.requests;
  options.json = line.json;
  options.profile = line.profile.getNumOccurrences() > 0;
  options.traceFile = line.profile;
  options.objectFile = line.emitObject;
  options.headerFile = line.emitHeader;
  options.symbolPrefix = line.symbolPrefix;
  options.cpu = line.cpu;
  return options;
}

/// Removes LLVM's own options, but for those that every tool has. There are
/// thousands, and some have names that are ours (--threads).
static void removeLibraryOptions() {
  SmallVector<cl::Option *> unwanted;
  for (const auto &[name, option] : cl::getRegisteredOptions())
    if (!name.starts_with("help") && name != "h" && name != "version")
      unwanted.push_back(option);
  for (cl::Option *option : unwanted)
    option->removeArgument();
}

llvm::Expected<Options> fusion::run::parseOptions(int argc, char **argv) {
  removeLibraryOptions();
  // LLVM's parser keeps pointers to the options.
  static CommandLine line;
  // Not in --help, but usable: --mlir-print-ir-after-all and the like.
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
  cl::HideUnrelatedOptions(line.category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "fusion-run " << FUSION_VERSION << " (LLVM " << LLVM_VERSION_STRING
       << ", " << fusion_rt_backend() << ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv, kOverview);
  Options options = copyOptions(line);
  if (llvm::Error error = readValues(line, options))
    return error;
  if (llvm::Error error = checkCommandLine(line, options))
    return error;
  return options;
}
