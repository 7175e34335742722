//===- IntegerBounds.cpp - Where floats hold sums exactly -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerBounds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace fusion::runtime;

/// f32 holds each integer up to this one.
static constexpr int64_t largestExact = 1 << 24;
/// The number of values of 8 bits.
static constexpr int64_t byteRange = 256;

std::vector<SumBound> fusion::runtime::boundSums(const View &weights,
                                                 bool isMatmul,
                                                 const int8_t *dense,
                                                 fusion_rt_type srcType,
                                                 int32_t srcZeroPoint) {
  const int64_t zero = std::abs(int64_t(srcZeroPoint));
  // Kernels add 128 to each signed element.
  const int64_t added = zero + (srcType == FUSION_RT_TYPE_S8 ? 128 : 0);
  const int64_t batch = isMatmul ? weights.sizes[2] : 1;
  const int64_t rows = weights.sizes[0] * batch;
  const int64_t size = weights.elements() / rows;
  std::vector<SumBound> bounds(size_t(weights.sizes[0]));
  for (int64_t row = 0; row < rows; ++row, dense += size) {
    int64_t positive = 0, negative = 0;
    for (int64_t i = 0; i < size; ++i)
      (dense[i] > 0 ? positive : negative) += std::abs(int64_t(dense[i]));
    SumBound &bound = bounds[size_t(row / batch)];
    bound.sum =
        std::max(bound.sum, (255 + zero) * std::max(positive, negative));
    bound.correction =
        std::max(bound.correction, added * std::abs(positive - negative));
    bound.weights = positive - negative;
  }
  return bounds;
}

bool fusion::runtime::areExactInFloats(const std::vector<SumBound> &bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](const SumBound &bound) {
    return bound.sum + bound.correction <= largestExact;
  });
}

bool fusion::runtime::roundsAsFormula(const fusion_rt_quantization &numbers,
                                      const SumBound &bound,
                                      const ChannelNumbers &channel) {
  const int64_t added = bound.correction + std::abs(channel.bias);
  const int64_t largest = bound.sum + added;
  if (added == 0 || largest <= largestExact || channel.scale == 0)
    return true;
  if (added >= largestExact || largest > INT32_MAX) // where sums wrap
    return false;
  // Where the residual and both zero points do not bring dst back.
  const double saturating =
      (byteRange + std::fabs(double(numbers.dst_zero_point))) /
          double(numbers.dst_scale) +
      std::fabs(double(numbers.residual_scale)) *
          (byteRange + std::fabs(double(numbers.residual_zero_point)));
  return std::fabs(double(channel.scale)) * double(largestExact - added) >=
         saturating;
}

bool fusion::runtime::hasExactResidual(const fusion_rt_quantization &numbers) {
  constexpr int differenceBits = 9;
  int exponent;
  float fraction = std::frexp(numbers.residual_scale, &exponent);
  float significand = std::ldexp(fraction, 24 - differenceBits);
  return std::isfinite(fraction) && significand == std::trunc(significand) &&
         std::abs(exponent) < 100 &&
         std::abs(int64_t(numbers.residual_zero_point)) < byteRange;
}
