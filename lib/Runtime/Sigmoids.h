//===- Sigmoids.h - Swish, sigmoid, tanh and gelu in vectors ----*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_SIGMOIDS_H
#define FUSION_LIB_RUNTIME_SIGMOIDS_H

#include <cstdint>

namespace fusion {
namespace runtime {

/// Whether this CPU has the instructions that make these loops fast, and swish
/// faster than in post-ops of oneDNN's kernels.
bool hasSigmoidLoops();

/// data[i] = swish(data[i]) + residual[i], without the sum if `residual` is
/// null, with swish(x) = x / (1 + exp(-alpha * x)). Its relative error is at
/// most 1e-6, besides that of exp by the rounding of alpha * x.
void runSwish(float alpha, float *data, const float *residual, int64_t count);

/// data[i] = 1 / (1 + exp(-data[i])), with a relative error of at most 1e-6,
/// or 1e-38 where floats have fewer digits.
void runSigmoid(float *data, int64_t count);

/// data[i] = tanh(data[i]), with a relative error of at most 1e-6.
void runTanh(float *data, int64_t count);

/// data[i] = x / 2 * (1 + erf(x / sqrt(2))) of x = data[i], with a relative
/// error of at most 1e-6, besides that of exp by the rounding of x * x, or
/// 1e-38.
void runGelu(float *data, int64_t count);

/// data[i] = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) of x =
/// data[i], with a relative error of at most 1e-6, besides that of exp by the
/// rounding of its operand.
void runGeluTanh(float *data, int64_t count);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_SIGMOIDS_H
