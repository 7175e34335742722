//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verify.h"
#include "Numbers.h"

#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace fusion;
using namespace fusion::run;

namespace {
/// Statistics of the expected values.
struct Statistics {
  double maxAbs = 0;
  bool isFinite = true;
  bool isConstant = true;
  int64_t numNonZero = 0;
};
} // namespace

static Statistics getStatistics(const HostTensor &tensor) {
  Statistics result;
  double first = tensor.getNumElements() ? tensor.get(0) : 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    double value = tensor.get(i);
    result.isFinite &= std::isfinite(value);
    result.isConstant &= value == first;
    result.numNonZero += value != 0;
    if (std::isfinite(value))
      result.maxAbs = std::max(result.maxAbs, std::fabs(value));
  }
  return result;
}

/// The reason why agreement with `expected` would prove nothing; "" if it would
/// prove something.
static std::string findWeakness(const HostTensor &expected,
                                const Statistics &statistics,
                                const NonFinite &nonFinite) {
  int64_t numElements = expected.getNumElements();
  if (numElements == 0)
    return "has no elements";
  if (!statistics.isFinite && !nonFinite.input.empty())
    return "is not finite (" + nonFinite.input + ")";
  if (!statistics.isFinite)
    return "is not finite (an overflow, or the program reads what it never "
           "wrote, such as a tensor.empty)";
  // A single value is constant by nature.
  if (numElements > 1 && statistics.isConstant)
    return "is constant";
  if (statistics.numNonZero * 100 < numElements)
    return "is nearly all zero";
  return "";
}

static bool isSame(double got, double expected) {
  return got == expected || (std::isnan(got) && std::isnan(expected));
}

/// The error of one element; infinite if only one of both is a NaN.
static double getError(double got, double expected) {
  if (isSame(got, expected))
    return 0;
  double error = std::fabs(got - expected);
  return std::isnan(error) ? HUGE_VAL : error;
}

/// Why one of both may not be finite, with a semicolon in front; "" if both
/// are.
static std::string explainNonFinite(double got, double expected,
                                    const NonFinite &nonFinite) {
  std::string text;
  if (std::isfinite(got) && std::isfinite(expected))
    return text;
  if (!nonFinite.input.empty())
    text += "; " + nonFinite.input;
  if (std::isnan(expected) && !std::isnan(got) && nonFinite.isNaNFast)
    text += "; activations keep a NaN under --nan-mode=propagate";
  return text;
}

static std::string describeWorst(size_t index, const HostTensor &got,
                                 const HostTensor &expected, int64_t worst,
                                 double bound, int64_t numWrong) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "result " << index << " differs at "
     << formatPosition(expected.getShape(), worst)
     << llvm::format(": got %.9g, expected %.9g", got.get(worst),
                     expected.get(worst))
     << llvm::format(" (error %.3g, allowed %.3g; ",
                     getError(got.get(worst), expected.get(worst)), bound)
     << numWrong << " of " << expected.getNumElements()
     << " elements are wrong)";
  return text;
}

/// The largest error that agrees.
static double getBound(const HostTensor &expected, const Statistics &statistics,
                       const Tolerance &tolerance) {
  ElementKind kind = expected.getKind();
  if (isFloat(kind))
    return tolerance.absolute + tolerance.relative * statistics.maxAbs;
  return tolerance.integer.value_or(kind == ElementKind::I8 ? 1 : 0);
}

/// Compares each element; `worst` becomes the position of the largest error.
/// Returns how many errors are above `bound`.
static int64_t compareElements(const HostTensor &got,
                               const HostTensor &expected, double bound,
                               Comparison &result, int64_t &worst) {
  int64_t numWrong = 0;
  int64_t numOther = 0;
  double largest = 0;
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    double error = getError(got.get(i), expected.get(i));
    numOther += error > 0;
    numWrong += error > bound;
    if (error > largest) {
      largest = error;
      worst = i;
    }
  }
  if (isFloat(expected.getKind())) {
    result.maxAbsoluteError = largest;
    return numWrong;
  }
  result.numIntegers = expected.getNumElements();
  result.numOtherIntegers = numOther;
  result.maxIntegerError = largest;
  return numWrong;
}

static Comparison compareResult(size_t index, const HostTensor &got,
                                const HostTensor &expected, Tolerance tolerance,
                                const NonFinite &nonFinite) {
  Comparison result;
  std::string name = "result " + std::to_string(index);
  if (got.getShape() != expected.getShape()) {
    result.verdict = Comparison::Differs;
    result.reason = name + " has another shape: got " + got.getType().str() +
                    ", expected " + expected.getType().str();
    return result;
  }
  Statistics statistics = getStatistics(expected);
  double bound = getBound(expected, statistics, tolerance);
  result.hasErrors = true;
  int64_t worst = 0;
  int64_t numWrong = compareElements(got, expected, bound, result, worst);
  if (result.maxAbsoluteError > 0)
    result.maxRelativeError = result.maxAbsoluteError / statistics.maxAbs;
  if (numWrong) {
    result.verdict = Comparison::Differs;
    result.reason =
        describeWorst(index, got, expected, worst, bound, numWrong) +
        explainNonFinite(got.get(worst), expected.get(worst), nonFinite);
    return result;
  }
  std::string weakness = findWeakness(expected, statistics, nonFinite);
  if (!weakness.empty()) {
    result.verdict = Comparison::ProvesNothing;
    result.reason = "proves nothing: the reference's " + name + " " + weakness;
  }
  return result;
}

/// A difference is worse than a comparison that proves nothing.
static int getWeight(Comparison::Verdict verdict) {
  switch (verdict) {
  case Comparison::Agrees:
    return 0;
  case Comparison::ProvesNothing:
    return 1;
  case Comparison::Differs:
    return 2;
  }
  return 2;
}

Comparison fusion::run::worse(const Comparison &a, const Comparison &b) {
  Comparison result = getWeight(b.verdict) > getWeight(a.verdict) ? b : a;
  result.hasErrors = a.hasErrors || b.hasErrors;
  result.maxAbsoluteError = std::max(a.maxAbsoluteError, b.maxAbsoluteError);
  result.maxRelativeError = std::max(a.maxRelativeError, b.maxRelativeError);
  result.numIntegers = std::max(a.numIntegers, b.numIntegers);
  result.numOtherIntegers = std::max(a.numOtherIntegers, b.numOtherIntegers);
  result.maxIntegerError = std::max(a.maxIntegerError, b.maxIntegerError);
  return result;
}

std::string fusion::run::describeIntegers(const Comparison &comparison) {
  if (comparison.numIntegers == 0)
    return "";
  double percent = 100.0 * comparison.numOtherIntegers / comparison.numIntegers;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.3g %% of the integers differ, by at most %.0f",
                      percent, comparison.maxIntegerError);
  return text;
}

Comparison fusion::run::compareResults(llvm::ArrayRef<HostTensor> results,
                                       llvm::ArrayRef<HostTensor> expected,
                                       Tolerance tolerance,
                                       const NonFinite &nonFinite) {
  Comparison result;
  if (results.size() != expected.size()) {
    result.verdict = Comparison::Differs;
    result.reason = "expected " + count(expected.size(), "result") + ", got " +
                    std::to_string(results.size());
    return result;
  }
  if (results.empty()) {
    result.verdict = Comparison::ProvesNothing;
    result.reason = "proves nothing: the function has no results";
    return result;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    Comparison next =
        compareResult(i, results[i], expected[i], tolerance, nonFinite);
    next.numIntegers += result.numIntegers;
    next.numOtherIntegers += result.numOtherIntegers;
    result = worse(result, next);
  }
  return result;
}
