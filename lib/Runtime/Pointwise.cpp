//===- Pointwise.cpp - Bias, residual and activation by element -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pointwise.h"

#include "Convert.h"
#include "Parallel.h"

#include <algorithm>
#include <cmath>

using namespace fusion::runtime;

static float load(fusion_rt_type type, const void *data, int64_t index) {
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return static_cast<const float *>(data)[index];
  case FUSION_RT_TYPE_BF16:
    return float(static_cast<const BFloat16 *>(data)[index]);
  case FUSION_RT_TYPE_F16:
    return float(static_cast<const Float16 *>(data)[index]);
  case FUSION_RT_TYPE_NONE:
    break;
  }
  return 0;
}

static void store(fusion_rt_type type, void *data, int64_t index, float value) {
  if (type == FUSION_RT_TYPE_F32)
    static_cast<float *>(data)[index] = value;
  else if (type == FUSION_RT_TYPE_BF16)
    static_cast<BFloat16 *>(data)[index] = BFloat16(value);
  else
    static_cast<Float16 *>(data)[index] = Float16(value);
}

static float clip(float x, float low, float high) {
  return std::min(std::max(x, low), high);
}

static float softplus(float x) {
  return std::max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x)));
}

static float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

static float geluTanh(float x) {
  const float scale = 0.79788456f; // sqrt(2 / pi)
  return x / 2 * (1 + std::tanh(scale * x * (1 + 0.044715f * x * x)));
}

static float activate(const fusion_rt_conv_desc &desc, float x) {
  switch (fusion_rt_activation(desc.activation)) {
  case FUSION_RT_ACT_NONE:
    return x;
  case FUSION_RT_ACT_RELU:
    return std::max(x, 0.0f);
  case FUSION_RT_ACT_CLIP:
    return clip(x, desc.alpha, desc.beta);
  case FUSION_RT_ACT_LEAKY_RELU:
    return x > 0 ? x : desc.alpha * x;
  case FUSION_RT_ACT_ELU:
    return x > 0 ? x : desc.alpha * std::expm1(x);
  case FUSION_RT_ACT_SIGMOID:
    return sigmoid(x);
  case FUSION_RT_ACT_TANH:
    return std::tanh(x);
  case FUSION_RT_ACT_SWISH:
    return x * sigmoid(desc.alpha * x);
  case FUSION_RT_ACT_HARDSWISH:
    return x * clip(x / 6 + 0.5f, 0, 1);
  case FUSION_RT_ACT_HARDSIGMOID:
    return clip(desc.alpha * x + desc.beta, 0, 1);
  case FUSION_RT_ACT_GELU_ERF:
    return x / 2 * (1 + std::erf(x * 0.70710678f));
  case FUSION_RT_ACT_GELU_TANH:
    return geluTanh(x);
  case FUSION_RT_ACT_SOFTPLUS:
    return softplus(x);
  case FUSION_RT_ACT_MISH:
    return x * std::tanh(softplus(x));
  case FUSION_RT_ACT_ABS:
    return std::fabs(x);
  case FUSION_RT_ACT_SQUARE:
    return x * x;
  case FUSION_RT_ACT_SQRT:
    return std::sqrt(x);
  case FUSION_RT_ACT_EXP:
    return std::exp(x);
  }
  return x;
}

void fusion::runtime::finishElement(const Descriptor &descriptor,
                                    const Problem &problem,
                                    const fusion_rt_conv_args &args,
                                    const Place &place, float sum) {
  if (descriptor.hasBias())
    sum += load(FUSION_RT_TYPE_F32, args.bias.data,
                place.channel * problem.bias.strides[0]);
  float residual = 0;
  if (descriptor.hasResidual())
    residual = load(problem.residual.type, args.residual.data, place.residual);
  float result = descriptor.addsResidualAfterActivation()
                     ? activate(descriptor.raw, sum) + residual
                     : activate(descriptor.raw, sum + residual);
  store(problem.dst.type, args.dst.data, place.dst, result);
}

void fusion::runtime::runWithoutReduction(const Descriptor &descriptor,
                                          const Problem &problem,
                                          const fusion_rt_conv_args &args) {
  const View &dst = problem.dst, &residual = problem.residual;
  parallelFor(dst.elements(), grainElements, [&](int64_t begin, int64_t end) {
    for (int64_t index = begin; index < end; ++index) {
      Place place;
      int64_t rest = index;
      for (int dim = dst.rank - 1; dim >= 0; --dim) {
        int64_t at = rest % dst.sizes[dim];
        rest /= dst.sizes[dim];
        place.channel = dim == 1 ? at : place.channel;
        place.dst += at * dst.strides[dim];
        place.residual += at * residual.strides[dim];
      }
      finishElement(descriptor, problem, args, place, /*sum=*/0);
    }
  });
}
