//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace fusion;
using namespace fusion::fuzz;

/// The error of one element; infinite if only one of both is finite. A sum that
/// overflows is an infinity of either sign or a NaN, by the order of its terms.
static double getError(double got, double expected) {
  if (std::isfinite(got) != std::isfinite(expected))
    return HUGE_VAL;
  return std::isfinite(got) ? std::fabs(got - expected) : 0;
}

/// The same for integers of 8 bits, with or without a sign: from 127 it is one
/// step to 128, which are the bits of -128.
static double getByteError(double got, double expected) {
  double error = std::fabs(got - expected);
  return std::min(error, 256 - error);
}

static double getLargest(const HostTensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i)
    if (std::isfinite(tensor.get(i)))
      largest = std::max(largest, std::fabs(tensor.get(i)));
  return largest;
}

static std::string compareResult(size_t index, const HostTensor &got,
                                 const HostTensor &expected,
                                 Tolerance tolerance) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (got.getShape() != expected.getShape()) {
    os << "result " << index << " has another shape: got "
       << got.getType().str() << ", expected " << expected.getType().str();
    return text;
  }
  double largest = getLargest(expected);
  double growth = tolerance.isOfExponent ? std::max(1.0, std::log(largest)) : 1;
  double bound = tolerance.error * (1 + growth * largest);
  bool isByte = expected.getKind() == ElementKind::I8;
  if (!isFloat(expected.getKind()))
    bound = isByte ? tolerance.integer : tolerance.sum * largest;
  double worst = bound;
  int64_t place = -1, numWrong = 0;
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    double error = isByte ? getByteError(got.get(i), expected.get(i))
                          : getError(got.get(i), expected.get(i));
    numWrong += error > bound;
    if (error > worst)
      worst = error, place = i;
  }
  if (place >= 0)
    os << "result " << index << " differs at "
       << formatPosition(expected.getShape(), place)
       << llvm::format(": got %.9g, expected %.9g (", got.get(place),
                       expected.get(place))
       << numWrong << " of " << expected.getNumElements()
       << " elements are wrong)";
  return text;
}

std::string fusion::fuzz::compareResults(llvm::ArrayRef<HostTensor> results,
                                         llvm::ArrayRef<HostTensor> expected,
                                         Tolerance tolerance) {
  if (results.size() != expected.size())
    return "another number of results";
  for (size_t i = 0; i < results.size(); ++i) {
    std::string text = compareResult(i, results[i], expected[i], tolerance);
    if (!text.empty())
      return text;
  }
  return "";
}
