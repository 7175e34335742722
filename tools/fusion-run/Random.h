//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_RANDOM_H
#define FUSION_TOOLS_FUSION_RUN_RANDOM_H

#include "FusionDialect/Support/HostTensor.h"

namespace fusion::run {

/// Values in [low, high).
struct Interval {
  double low;
  double high;
};

/// Fills `tensor` with values that depend only on `seed`, `stream` and the
/// position, so that they are the same on every platform. Integers are the
/// floor of the float value. `stream` distinguishes the tensors of one run.
void fillRandom(HostTensor &tensor, uint64_t seed, uint64_t stream,
                Interval range);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_RANDOM_H
