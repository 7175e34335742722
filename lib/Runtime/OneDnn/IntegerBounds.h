//===- IntegerBounds.h - Where floats hold sums exactly ---------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_INTEGERBOUNDS_H
#define FUSION_LIB_RUNTIME_ONEDNN_INTEGERBOUNDS_H

#include "Layout.h"
#include "Problem.h"

#include <vector>

namespace fusion {
namespace runtime {

/// Bounds of the absolute values that one output channel sums up.
struct SumBound {
  int64_t sum = 0;
  /// Of the number that a kernel adds to a sum, in f32, for the sign and the
  /// zero point of src. 0 if it adds none.
  int64_t correction = 0;
  /// The sum of the weights.
  int64_t weights = 0;
};

/// The bounds with the weights at `dense`, which lie as `weights`: those of one
/// sum are contiguous.
std::vector<SumBound> boundSums(const View &weights, bool isMatmul,
                                const int8_t *dense, fusion_rt_type srcType,
                                int32_t srcZeroPoint);

/// Whether sums stay exact if they are in f32, and are corrected there.
bool areExactInFloats(const std::vector<SumBound> &bounds);

/// The numbers of one output channel behind the sum.
struct ChannelNumbers {
  float scale; // finite
  int64_t bias;
};

/// Whether a kernel that adds correction and bias in f32 gives the bits of the
/// formula, for each sum that may occur. It does if f32 holds them all. It also
/// does if the least sums it does not hold saturate dst, since both functions
/// are monotonic in the sum. dst has 8 bits, and the activation is relu, clip
/// or none.
bool roundsAsFormula(const fusion_rt_quantization &numbers,
                     const SumBound &bound, const ChannelNumbers &channel);

/// Whether f32 holds each product of the residual's scale. It is then the same
/// whether a kernel fuses it with an addition or not.
bool hasExactResidual(const fusion_rt_quantization &numbers);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_INTEGERBOUNDS_H
