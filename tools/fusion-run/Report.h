//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_REPORT_H
#define FUSION_TOOLS_FUSION_RUN_REPORT_H

#include "Compile.h"
#include "Measure.h"
#include "Options.h"
#include "Profile.h"
#include "Verify.h"

namespace fusion::run {

/// All results of fusion-run for one program.
struct Report {
  Signature signature;
  CompileInfo compile;
  double compileMs = 0;
  /// The memory of weights that are resources. Weights packed by the runtime
  /// are not counted.
  size_t weightBytes = 0;
  std::optional<Measurement> measurement;
  Tolerance tolerance = {};
  NonFinite nonFinite = {};
  std::optional<Comparison> verified;
  std::optional<Comparison> expected;
  std::optional<Profile> profile;
};

/// Prints the report as text, or with --json as one JSON object on `os` and the
/// profile as a table on standard error.
void printReport(const Report &report, const Options &options,
                 llvm::raw_ostream &os);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_REPORT_H
