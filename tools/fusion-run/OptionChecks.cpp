//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Support/Refusal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

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

static llvm::Error checkNames(const CommandLine &line) {
  for (const cl::opt<std::string> *option :
       {&line.emitObject, &line.emitHeader, &line.expect})
    if (option->empty() && option->getNumOccurrences())
      return createStringError("--" + option->ArgStr +
                               " needs the name of a file");
  if (line.output.empty() && line.output.getNumOccurrences())
    return createStringError("--output needs the name of a folder");
  return llvm::Error::success();
}

/// The path without links and dots, also if there is no such file yet.
static std::string resolve(StringRef path) {
  llvm::SmallString<128> absolute(path), folder;
  if (fs::make_absolute(absolute) ||
      fs::real_path(path::parent_path(absolute), folder))
    return path.str();
  path::append(folder, path::filename(absolute));
  return std::string(folder);
}

static bool isSameFile(StringRef a, StringRef b) {
  return fs::equivalent(a, b) || resolve(a) == resolve(b);
}

/// Fails if an output would take the place of an input, or of another output.
static llvm::Error checkOverwriting(const CommandLine &line,
                                    const Options &options) {
  std::vector<std::string> others = {options.inputFile};
  llvm::append_range(others, options.inputs);
  llvm::append_range(others, options.expected);
  for (const ParamBinding &binding : options.bindings)
    others.push_back(binding.file);
  for (const cl::opt<std::string> *output :
       {&line.profile, &line.emitHeader, &line.emitObject}) {
    if (output->empty() || *output == "-")
      continue;
    for (const std::string &other : others)
      if (!other.empty() && isSameFile(other, *output))
        return createStringError("--" + output->ArgStr + " would overwrite '" +
                                 other + "'");
    others.push_back(*output);
  }
  return llvm::Error::success();
}

/// Fails if an option would have no effect, with or without --emit-object.
static llvm::Error checkObjectFile(const CommandLine &line) {
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
  return llvm::Error::success();
}

llvm::Error fusion::run::checkCommandLine(const CommandLine &line,
                                          const Options &options) {
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
  Refusal refusal;
  if (failed(checkLawNames(options.disabledLaws, refusal)))
    return createStringError("--disable: " + refusal.str());
  if (llvm::Error error = checkEntries(options))
    return error;
  if (llvm::Error error = checkNames(line))
    return error;
  if (llvm::Error error = checkObjectFile(line))
    return error;
  if (llvm::Error error = checkOverwriting(line, options))
    return error;
  if (line.symbolPrefix.getNumOccurrences())
    return checkSymbolPrefix(options.symbolPrefix);
  return llvm::Error::success();
}
