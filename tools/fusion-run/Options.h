//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_OPTIONS_H
#define FUSION_TOOLS_FUSION_RUN_OPTIONS_H

#include "FusionDialect/Fuse/QuantRounding.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/BindParams.h"
#include "Random.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace fusion::run {

enum class Mode { Fused, Unfused };
enum class Precision { F32, BF16, F16 };

/// The name on the command line: "bf16".
llvm::StringRef getName(Precision precision);

/// The command line, checked as far as possible without the module.
struct Options {
  // The program to run.
  std::string inputFile;
  std::vector<std::string> entries;
  // Data. An empty name in `inputs` stands for random values.
  uint64_t seed = 0;
  std::vector<ParamBinding> bindings;
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::string outputDir;
  llvm::MapVector<unsigned, Interval> ranges;
  llvm::MapVector<unsigned, llvm::SmallVector<int64_t>> shapes;
  bool randomizeConstants = false;
  // How to compile.
  Mode mode = Mode::Fused;
  Precision precision = Precision::F32;
  unsigned optLevel = 2;
  bool allowReshape = true;
  bool allowContractRounding = true;
  bool allowWinograd = false;
  std::optional<int64_t> cacheBytes;
  NaNMode nanMode = NaNMode::Fast;
  QuantRounding quantRounding = QuantRounding::Nearest;
  std::vector<std::string> disabledLaws;
  std::string constantArgs;
  // How to run.
  int threads = 0;
  bool prepare = false;
  unsigned repeat = 1;
  unsigned warmup = 0;
  unsigned callers = 1;
  bool requests = false;
  // Checks and reports.
  bool verify = false;
  std::optional<double> relativeTolerance;
  double absoluteTolerance = 1e-6;
  std::optional<unsigned> integerTolerance;
  bool json = false;
  bool profile = false;
  std::string traceFile;
  // Ahead-of-time compilation.
  std::string objectFile;
  std::string headerFile;
  std::string symbolPrefix;
  std::string cpu = "native";
};

/// Parses the command line; prints and exits for --help and for options that do
/// not exist, as all LLVM tools do.
llvm::Expected<Options> parseOptions(int argc, char **argv);

/// The indices below `numArguments` that a list such as "1-" or "0,2-4" names.
llvm::Expected<llvm::SmallVector<unsigned>>
parseIndexList(llvm::StringRef text, unsigned numArguments);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_OPTIONS_H
