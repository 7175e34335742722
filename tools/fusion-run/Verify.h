//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_VERIFY_H
#define FUSION_TOOLS_FUSION_RUN_VERIFY_H

#include "FusionDialect/Support/HostTensor.h"
#include "Options.h"
#include <optional>
#include <string>

namespace fusion::run {

/// Floats: |got - expected| <= absolute + relative * max|expected|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  /// Integers: |got - expected| <= integer; without it 1 for 8 bits, which are
  /// mostly rounded floats, and 0 for all others.
  std::optional<unsigned> integer;
};

/// Where numbers that are not finite may come from.
struct NonFinite {
  /// The first of them in an input: "argument 0 ('x.npy') has a NaN at [2]"; ""
  /// if there is none.
  std::string input;
  /// Whether activations may make a number of a NaN.
  bool isNaNFast = false;
};

/// The comparison of the results of a run with expected ones.
struct Comparison {
  enum Verdict {
    Agrees,
    Differs,
    /// The expected values are not finite, constant or nearly all zero: wrong
    /// results may agree with them.
    ProvesNothing
  };
  Verdict verdict = Agrees;
  /// A sentence, unless the results agree.
  std::string reason;
  /// Whether elements of any result were compared, which need an equal shape.
  bool hasErrors = false;
  /// Over all these elements; relative to max|expected| of the result.
  double maxAbsoluteError = 0;
  double maxRelativeError = 0;
  /// Over all integers of all results; of several runs those of the one with
  /// most others.
  int64_t numIntegers = 0;
  int64_t numOtherIntegers = 0;
  double maxIntegerError = 0;
};

/// Compares result by result; NaN equals NaN. The worst verdict counts.
Comparison compareResults(llvm::ArrayRef<HostTensor> results,
                          llvm::ArrayRef<HostTensor> expected,
                          Tolerance tolerance, const NonFinite &nonFinite);

/// Keeps the worse verdict and the larger numbers of both.
Comparison worse(const Comparison &a, const Comparison &b);

/// "0.25 % of the integers differ, by at most 1"; "" without integers.
std::string describeIntegers(const Comparison &comparison);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_VERIFY_H
