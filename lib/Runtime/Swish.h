//===- Swish.h - Swish behind a kernel --------------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_SWISH_H
#define FUSION_LIB_RUNTIME_SWISH_H

#include <cstdint>

namespace fusion {
namespace runtime {

/// Whether this CPU computes swish in less time by `runSwish` than in post-ops
/// of oneDNN's kernels.
bool hasSwishLoop();

/// data[i] = swish(data[i]) + residual[i], without the sum if `residual` is
/// null, with swish(x) = x / (1 + exp(-alpha * x)). Its relative error is at
/// most 1e-6, besides that of exp by the rounding of alpha * x.
void runSwish(float alpha, float *data, const float *residual, int64_t count);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_SWISH_H
