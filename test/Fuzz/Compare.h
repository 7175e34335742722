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

/// How `results` differ from `expected` by more than `tolerance`, absolute and
/// relative to the largest expected value; "" if they do not.
std::string compareResults(llvm::ArrayRef<HostTensor> results,
                           llvm::ArrayRef<HostTensor> expected,
                           double tolerance);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_COMPARE_H
