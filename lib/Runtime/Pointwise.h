//===- Pointwise.h - Bias, residual and activation by element ---*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_POINTWISE_H
#define FUSION_LIB_RUNTIME_POINTWISE_H

#include "Problem.h"

namespace fusion {
namespace runtime {

/// The position of an element in its tensors, in elements.
struct Place {
  int64_t channel = 0, dst = 0, residual = 0;
};

/// The position of the first channel of a row of channels, counted in the order
/// of the dimensions.
Place placeOfRow(const Problem &problem, int64_t row);

/// Writes act(sum + bias + residual), or act(sum + bias) + residual, computed
/// in f32 and rounded once.
void finishElement(const Descriptor &descriptor, const Problem &problem,
                   const fusion_rt_conv_args &args, const Place &place,
                   float sum);

/// The same for `count` sums of a convolution or matrix multiplication with a
/// quantization, of the channels from `place` on: the formula of
/// fusion_rt_quantization.
void finishChannels(const Descriptor &descriptor, const Problem &problem,
                    const fusion_rt_conv_args &args, Place place,
                    const uint32_t *sums, int64_t count);

/// The same for the sums of all of dst, which are dense with channels last, on
/// several threads. Sums in f32 are integers of 32 bits. `addends`, if any, are
/// added to the sums, one for each channel.
void finishSums(const Descriptor &descriptor, const Problem &problem,
                const fusion_rt_conv_args &args, const uint32_t *sums,
                const int32_t *addends = nullptr);
void finishSums(const Descriptor &descriptor, const Problem &problem,
                const fusion_rt_conv_args &args, const float *sums);

/// values[i] = act(values[i]), in f32.
void activateAll(const fusion_rt_conv_desc &desc, float *values, int64_t count);

/// Computes a convolution whose sum is empty, from bias and residual.
void runWithoutReduction(const Descriptor &descriptor, const Problem &problem,
                         const fusion_rt_conv_args &args);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_POINTWISE_H
