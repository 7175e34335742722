//===- Variants.h - Changes that a plan makes beforehand --------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_VARIANTS_H
#define FUSION_LIB_RUNTIME_ONEDNN_VARIANTS_H

#include "Plan.h"

#include <vector>

namespace fusion {
namespace runtime {

/// The elements of a window in one channel; 1 for a matrix multiplication.
int64_t windowElements(const Descriptor &descriptor, const View &weights);

/// The size of the last dimension of `src` with its pads.
int64_t paddedWidth(const Descriptor &descriptor, const View &src);

/// All variants in the order of preference.
std::vector<Variant> listVariants(const Descriptor &descriptor,
                                  const Problem &problem);

/// Whether `variant` may be faster than `best`, the best plan so far.
bool mayBeat(const Descriptor &descriptor, const Problem &problem,
             const Plan &best, const Variant &variant);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_VARIANTS_H
