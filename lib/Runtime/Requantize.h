//===- Requantize.h - From sums to 8 bits in one pass -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_REQUANTIZE_H
#define FUSION_LIB_RUNTIME_REQUANTIZE_H

#include "Pointwise.h"

#include <cmath>
#include <cstdint>

namespace fusion {
namespace runtime {

/// Rounds halves to even. Larger numbers have no fraction.
inline float roundToEven(float value) {
  constexpr float withoutFraction = 8388608; // 2^23
  float size = std::fabs(value);
  float rounded = (size + withoutFraction) - withoutFraction;
  return std::copysign(size < withoutFraction ? rounded : size, value);
}

/// Rounds halves to even. A NaN becomes `low`. A number that is added and
/// subtracted leaves no room for a fraction.
inline int32_t roundAndClamp(float value, float low, float high) {
  constexpr float withoutFraction = 12582912; // 1.5 * 2^23
  float clamped = value > low ? value : low;
  clamped = clamped < high ? clamped : high;
  return static_cast<int32_t>((clamped + withoutFraction) - withoutFraction);
}

/// Whether the steps behind the sums are those that `requantize` has: to 8 bits
/// or f32, with contiguous channels, and no residual, or one of the type of dst
/// with no activation but relu or clip.
bool mayRequantize(const Descriptor &descriptor, const Problem &problem);

/// The formula of fusion_rt_quantization, in one pass, for the sums of the rows
/// of channels from `begin` to `end`. `sums` are those of all of dst, dense
/// with channels last, of uint32_t or float. `addends` are added to them, one
/// for each channel, or null.
template <typename Sum>
void requantize(const Descriptor &descriptor, const Problem &problem,
                const fusion_rt_conv_args &args, const Sum *sums,
                const int32_t *addends, int64_t begin, int64_t end);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_REQUANTIZE_H
