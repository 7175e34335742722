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
  /// The absolute error, and the error relative to the largest expected value.
  double error;
  /// The relative error is that of the argument of exp: |d exp(x)| is exp(x)
  /// |x| |dx / x|, so that the error of the result is that of the argument
  /// times |x|.
  bool isOfExponent = false;
  /// The absolute error of integers of 8 bits, and the error of others relative
  /// to the largest expected value.
  double integer = 0, sum = 0;
};

/// The difference of `results` and `expected` beyond `tolerance`; "" if there
/// is none.
std::string compareResults(llvm::ArrayRef<HostTensor> results,
                           llvm::ArrayRef<HostTensor> expected,
                           Tolerance tolerance);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_COMPARE_H
