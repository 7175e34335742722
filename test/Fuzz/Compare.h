//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_COMPARE_H
#define FUSION_TEST_FUZZ_COMPARE_H

#include "FusionDialect/Support/HostTensor.h"
#include <string>

namespace fusion::fuzz {

struct Tolerance {
  /// Absolute, and relative to the largest expected value.
  double error;
  /// What is relative holds for the argument of exp: |d exp(x)| is
  /// exp(x) |x| |dx / x|, so the error of the result is that of the argument
  /// times |x|.
  bool isOfExponent;
};

/// How `results` differ from `expected` by more than `tolerance`; "" if they do
/// not.
std::string compareResults(llvm::ArrayRef<HostTensor> results,
                           llvm::ArrayRef<HostTensor> expected,
                           Tolerance tolerance);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_COMPARE_H
