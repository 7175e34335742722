//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionRuntime/fusion_runtime.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace fusion;
using namespace fusion::run;
namespace cl = llvm::cl;
using llvm::createStringError;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

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

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

namespace {
/// The options as they are written on the command line.
struct CommandLine {
  cl::OptionCategory category{"fusion-run options"};
  cl::opt<std::string> inputFile{cl::Positional, cl::Required,
                                 cl::desc("FILE.mlir"), cl::cat(category)};
  cl::list<std::string> entry{
      "entry", cl::CommaSeparated, cl::value_desc("name,..."),
      cl::cat(category),
      cl::desc("Function to run (default: main, forward, or the only public "
               "function); several with --emit-object and --symbol-prefix")};
  cl::opt<uint64_t> seed{"seed", cl::init(0), cl::value_desc("n"),
                         cl::cat(category),
                         cl::desc("Seed of random values (default: 0)")};
  cl::opt<std::string> input{
      "input", cl::value_desc("a.npy,b.npy"), cl::cat(category),
      cl::desc("Arguments in order; where a name is empty or missing, random "
               "values")};
  cl::list<std::string> bind{
      "bind", cl::CommaSeparated, cl::value_desc("arg=a.npy,arg=b.npy"),
      cl::cat(category),
      cl::desc(
          "Arguments, by fusion.name or index, to make constants of; other "
          "options count those that are left")};
  cl::opt<std::string> output{"output", cl::value_desc("dir"),
                              cl::cat(category),
                              cl::desc("Write result N to dir/resultN.npy")};
  cl::opt<std::string> expect{
      "expect", cl::value_desc("a.npy,b.npy"), cl::cat(category),
      cl::desc("Compare the results, in order, with those of another system")};
  cl::list<std::string> random{
      "random", cl::value_desc("arg:low:high"), cl::cat(category),
      cl::desc("Draw random values of an argument from [low, high)")};
  cl::list<std::string> shape{
      "shape", cl::value_desc("arg:1x3x224x224"), cl::cat(category),
      cl::desc("Shape of an argument that has dynamic sizes")};
  cl::opt<bool> randomizeConstants{
      "randomize-constants", cl::cat(category),
      cl::desc("Give splat and elided weights random values by their role")};
  cl::opt<Mode> mode{
      "mode", cl::init(Mode::Fused), cl::cat(category),
      cl::desc("How convolutions run (default: fused)"),
      cl::values(clEnumValN(Mode::Fused, "fused",
                            "a kernel with all that could be folded into it"),
                 clEnumValN(Mode::Unfused, "unfused",
                            "a kernel that only convolves"))};
  cl::opt<Precision> precision{
      "precision", cl::init(Precision::F32), cl::cat(category),
      cl::desc("Element type of convolutions (default: f32)"),
      cl::values(clEnumValN(Precision::F32, "f32", "as in the file"),
                 clEnumValN(Precision::BF16, "bf16",
                            "converted to bf16, accumulated in f32"),
                 clEnumValN(Precision::F16, "f16",
                            "converted to f16, accumulated in f32"))};
  cl::opt<unsigned> optLevel{
      "O",
      cl::Prefix,
      cl::init(2),
      cl::value_desc("n"),
      cl::cat(category),
      cl::desc("Optimization of what is no kernel: 0 none, 1 quick, 2 and 3 as "
               "LLVM does (default: 2)")};
  cl::opt<bool> allowReshape{
      "allow-reshape", cl::init(true), cl::cat(category),
      cl::desc("Fold a bias that comes through a reshape (default: true)")};
  cl::opt<bool> allowContractRounding{
      "allow-contract-rounding", cl::init(true), cl::cat(category),
      cl::desc("Round once what the file rounds between steps (default: "
               "true)")};
  cl::opt<bool> allowWinograd{
      "allow-winograd", cl::init(false), cl::cat(category),
      cl::desc("Let kernels compute 3x3 convolutions of f32 by Winograd's "
               "minimal filtering, which rounds differently (default: false)")};
  cl::opt<int64_t> cacheBytes{
      "cache-bytes", cl::value_desc("n"), cl::cat(category),
      cl::desc("Bytes of tensors of a batch that fit the cache; larger batches "
               "are computed a few images at a time (0: never; default: that "
               "of fusion-compile)")};
  cl::opt<NaNMode> nanMode{
      "nan-mode", cl::init(NaNMode::Fast), cl::cat(category),
      cl::desc("Result of an activation for a NaN (default: fast)"),
      cl::values(clEnumValN(NaNMode::Fast, "fast", "as the kernel does it"),
                 clEnumValN(NaNMode::Propagate, "propagate", "NaN"))};
  cl::opt<QuantRounding> quantRounding{
      "quant-rounding", cl::init(QuantRounding::Nearest), cl::cat(category),
      cl::desc("Quantisation that may become part of an op (default: nearest)"),
      cl::values(clEnumValN(QuantRounding::Nearest, "nearest",
                            "any that rounds to the nearest integer: at most 1 "
                            "off"),
                 clEnumValN(QuantRounding::Exact, "exact",
                            "one that the op computes in the same way"))};
  cl::list<std::string> disable{"disable", cl::CommaSeparated,
                                cl::value_desc("law,law"), cl::cat(category),
                                cl::desc("Laws of fusion to switch off")};
  cl::opt<std::string> constantArgs{
      "constant-args", cl::value_desc("1-"), cl::cat(category),
      cl::desc("Arguments that are weights: indices and ranges, 1,3-5,7-")};
  cl::opt<int> threads{
      "threads", cl::init(0), cl::value_desc("n"), cl::cat(category),
      cl::desc("Most threads of a kernel or loop (default: one for each "
               "core)")};
  cl::opt<bool> prepare{
      "prepare", cl::init(false), cl::cat(category),
      cl::desc("Create kernels and pack weights before the first run, where "
               "shapes are static, and print the time (default: false)")};
  cl::opt<unsigned> repeat{
      "repeat", cl::init(1), cl::value_desc("n"), cl::cat(category),
      cl::desc("Timed runs after the first run and the warm-up (default: 1)")};
  cl::opt<unsigned> warmup{"warmup", cl::init(0), cl::value_desc("n"),
                           cl::cat(category),
                           cl::desc("Untimed runs after the first (default: "
                                    "0)")};
  cl::opt<unsigned> callers{
      "callers", cl::init(1), cl::value_desc("n"), cl::cat(category),
      cl::desc("Threads that run at once after the first run, each with "
               "arguments and results of its own, --warmup and --repeat times "
               "(default: 1)")};
  cl::opt<bool> requests{
      "requests", cl::cat(category),
      cl::desc("After the report, run as often as each line of standard input "
               "says, and print the times as a line of JSON")};
  cl::opt<std::string> verify{
      "verify", cl::ValueOptional, cl::value_desc("rtol"), cl::cat(category),
      cl::desc(
          "Compare with the file lowered by upstream passes alone: |a-b| "
          "<= ATOL + RTOL*max|b| (default: 1e-4; 3e-2 if the entry or what "
          "it calls computes in bf16 or f16)")};
  cl::opt<double> atol{"atol", cl::init(1e-6), cl::value_desc("x"),
                       cl::cat(category),
                       cl::desc("Absolute tolerance of --verify and --expect "
                                "(default: 1e-6)")};
  cl::opt<double> rtol{"rtol", cl::value_desc("x"), cl::cat(category),
                       cl::desc("Relative tolerance of --verify and --expect")};
  cl::opt<unsigned> lsb{
      "lsb", cl::value_desc("n"), cl::cat(category),
      cl::desc("Largest difference of integers under --verify and --expect "
               "(default: 1 for 8 bits, which are mostly rounded; else 0)")};
  cl::opt<bool> json{"json", cl::cat(category),
                     cl::desc("Print one JSON object on standard output")};
  cl::opt<std::string> profile{
      "profile", cl::ValueOptional, cl::value_desc("trace.json"),
      cl::cat(category),
      cl::desc("Print the time of each kernel and loop nest; the file opens in "
               "Perfetto")};
  cl::opt<std::string> emitObject{
      "emit-object", cl::value_desc("file.o"), cl::cat(category),
      cl::desc("Compile ahead of time instead of running")};
  cl::opt<std::string> emitHeader{"emit-header", cl::value_desc("file.h"),
                                  cl::cat(category),
                                  cl::desc("C header of the object file")};
  cl::opt<std::string> symbolPrefix{
      "symbol-prefix", cl::value_desc("name"), cl::cat(category),
      cl::desc("Prefix of the functions of the object file: name_ENTRY "
               "and name_release, and no other symbol")};
  cl::opt<std::string> cpu{
      "mcpu", cl::init("native"), cl::value_desc("name"), cl::cat(category),
      cl::desc("CPU of the object file (default: native, this machine's)")};
};
} // namespace

//===----------------------------------------------------------------------===//
// Values with structure
//===----------------------------------------------------------------------===//

/// The name of a precision on the command line.
llvm::StringRef fusion::run::getName(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return "f32";
  case Precision::BF16:
    return "bf16";
  case Precision::F16:
    return "f16";
  }
  llvm_unreachable("a precision that is none");
}

static std::vector<std::string> splitFiles(StringRef text) {
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  return {parts.begin(), parts.end()};
}

/// "ARG:LO:HI"
static llvm::Error parseRange(StringRef text, Options &options) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  unsigned index;
  Interval range;
  if (parts.size() != 3 || parts[0].getAsInteger(10, index) ||
      parts[1].getAsDouble(range.low) || parts[2].getAsDouble(range.high))
    return createStringError(
        "--random expects ARG:LOW:HIGH, for instance 0:-1:1, got '" + text +
        "'");
  if (!(range.low <= range.high))
    return createStringError("--random expects LOW <= HIGH, got '" + text +
                             "'");
  options.ranges[index] = range;
  return llvm::Error::success();
}

/// "ARG:1x3x224x224"
static llvm::Error parseShape(StringRef text, Options &options) {
  auto [indexText, shapeText] = text.split(':');
  unsigned index;
  SmallVector<int64_t> shape;
  bool isBad = indexText.getAsInteger(10, index);
  for (StringRef part : llvm::split(shapeText, 'x'))
    isBad |= part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0;
  if (isBad)
    return createStringError(
        "--shape expects ARG:SIZExSIZE, for instance 0:1x3x224x224, got '" +
        text + "'");
  options.shapes[index] = shape;
  return llvm::Error::success();
}

static llvm::Error badIndexList(StringRef text) {
  return createStringError("--constant-args expects indices and ranges, for "
                           "instance 1,3-5,7-, got '" +
                           text + "'");
}

llvm::Expected<SmallVector<unsigned>>
fusion::run::parseIndexList(StringRef text, unsigned numArguments) {
  SmallVector<unsigned> indices;
  for (StringRef part : llvm::split(text, ',')) {
    auto [first, last] = part.split('-');
    bool isRange = part.contains('-');
    unsigned begin, end;
    if (first.getAsInteger(10, begin))
      return badIndexList(text);
    end = begin;
    if (isRange && last.empty())
      end = std::max(begin, numArguments) - 1;
    else if (isRange && last.getAsInteger(10, end))
      return badIndexList(text);
    if (begin >= numArguments || end >= numArguments || end < begin)
      return createStringError("--constant-args: '" + part +
                               "' names no arguments, the function has " +
                               Twine(numArguments));
    for (unsigned index = begin; index <= end; ++index)
      indices.push_back(index);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static llvm::Error readTolerances(const CommandLine &line, Options &options) {
  options.verify = line.verify.getNumOccurrences() > 0;
  options.absoluteTolerance = line.atol;
  if (line.rtol.getNumOccurrences())
    options.relativeTolerance = line.rtol;
  if (line.lsb.getNumOccurrences())
    options.integerTolerance = line.lsb;
  if (!line.verify.empty()) {
    double tolerance;
    if (StringRef(line.verify).getAsDouble(tolerance))
      return createStringError(
          "--verify expects a relative tolerance, for instance 1e-4, got '" +
          line.verify + "'");
    options.relativeTolerance = tolerance;
  }
  for (double number :
       {options.relativeTolerance.value_or(0), options.absoluteTolerance})
    if (!(number >= 0) || !std::isfinite(number))
      return createStringError("tolerances must be finite and not negative");
  return llvm::Error::success();
}

static llvm::Error checkCallers(const Options &options) {
  constexpr unsigned most = 1024;
  if (options.callers == 0 || options.callers > most)
    return createStringError("--callers must be between 1 and " + Twine(most) +
                             ", got " + Twine(options.callers));
  if (options.callers == 1)
    return llvm::Error::success();
  if (options.profile)
    return createStringError("--callers cannot be used with --profile, which "
                             "shows one run at a time");
  if (options.requests && options.callers > 1)
    return createStringError("--requests cannot be used with --callers");
  return llvm::Error::success();
}

static llvm::Error checkEntries(const Options &options) {
  if (options.entries.size() <= 1)
    return llvm::Error::success();
  if (options.objectFile.empty())
    return createStringError("one function can be run at a time, and --entry "
                             "names " +
                             Twine(options.entries.size()));
  if (options.symbolPrefix.empty())
    return createStringError("--entry with several functions needs "
                             "--symbol-prefix");
  if (!options.bindings.empty() || !options.constantArgs.empty())
    return createStringError("--bind and --constant-args are for one function, "
                             "and --entry names " +
                             Twine(options.entries.size()));
  return llvm::Error::success();
}

/// Fails if an option would have no effect, with or without --emit-object.
static llvm::Error checkObjectFile(const CommandLine &line) {
  if (line.emitObject.empty() && line.emitObject.getNumOccurrences())
    return createStringError("--emit-object needs the name of a file");
  if (line.expect.empty() && line.expect.getNumOccurrences())
    return createStringError("--expect needs the name of a file");
  const cl::Option *ofObject[] = {&line.emitHeader, &line.symbolPrefix,
                                  &line.cpu};
  // Lists of values give another address by `&`.
  const cl::Option &random = line.random, &shape = line.shape;
  const cl::Option *ofRuns[] = {
      &line.input,   &line.output,   &line.expect, &random,
      &shape,        &line.verify,   &line.atol,   &line.rtol,
      &line.lsb,     &line.prepare,  &line.repeat, &line.warmup,
      &line.callers, &line.requests, &line.json,   &line.profile};
  bool hasObject = !line.emitObject.empty();
  for (const cl::Option *option : ofObject)
    if (option->getNumOccurrences() && !hasObject)
      return createStringError("--" + option->ArgStr + " needs --emit-object");
  for (const cl::Option *option : ofRuns)
    if (option->getNumOccurrences() && hasObject)
      return createStringError("--" + option->ArgStr +
                               " cannot be used with --emit-object, which runs "
                               "nothing");
  const std::string &object = line.emitObject, &header = line.emitHeader;
  for (const std::string &other : {line.inputFile.getValue(), header})
    if (hasObject &&
        (other == object || llvm::sys::fs::equivalent(other, object)))
      return createStringError("--emit-object would overwrite '" + other + "'");
  if (!header.empty() && llvm::sys::fs::equivalent(header, line.inputFile))
    return createStringError("--emit-header would overwrite '" + header + "'");
  return llvm::Error::success();
}

static llvm::Error readValues(const CommandLine &line, Options &options) {
  for (const std::string &text : line.bind) {
    llvm::Expected<ParamBinding> binding = parseParamBinding(text);
    if (!binding)
      return createStringError("--bind: " +
                               llvm::toString(binding.takeError()));
    options.bindings.push_back(std::move(*binding));
  }
  for (const std::string &text : line.random)
    if (llvm::Error error = parseRange(text, options))
      return error;
  for (const std::string &text : line.shape)
    if (llvm::Error error = parseShape(text, options))
      return error;
  if (llvm::Error error = readTolerances(line, options))
    return error;
  if (options.optLevel > 3)
    return createStringError("-O must be 0, 1, 2 or 3, got " +
                             Twine(options.optLevel));
  if (options.repeat == 0)
    return createStringError("--repeat must be at least 1, got 0");
  if (llvm::Error error = checkCallers(options))
    return error;
  if (options.threads < 0)
    return createStringError("--threads must not be negative, got " +
                             Twine(options.threads));
  if (options.cacheBytes.value_or(0) < 0)
    return createStringError("--cache-bytes must not be negative, got " +
                             Twine(*options.cacheBytes));
  if (llvm::Error error = checkEntries(options))
    return error;
  if (llvm::Error error = checkObjectFile(line))
    return error;
  if (line.symbolPrefix.getNumOccurrences())
    return checkSymbolPrefix(options.symbolPrefix);
  return llvm::Error::success();
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
  return options;
}
