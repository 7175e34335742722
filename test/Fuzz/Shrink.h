//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_SHRINK_H
#define FUSION_TEST_FUZZ_SHRINK_H

#include "CaseDescription.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fusion::fuzz {

/// Drops parts of the description as long as `isStillBad` holds for the rest.
CaseDescription
shrink(CaseDescription description,
       llvm::function_ref<bool(const CaseDescription &)> isStillBad);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_SHRINK_H
