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
  case FUSION_RT_TYPE_S8:
    return static_cast<const int8_t *>(data)[index];
  case FUSION_RT_TYPE_U8:
    return static_cast<const uint8_t *>(data)[index];
  case FUSION_RT_TYPE_S32:
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
  else if (type == FUSION_RT_TYPE_S8) // of a maximum, which is exact
    static_cast<int8_t *>(data)[index] = static_cast<int8_t>(value);
  else if (type == FUSION_RT_TYPE_U8)
    static_cast<uint8_t *>(data)[index] = static_cast<uint8_t>(value);
  else
    static_cast<Float16 *>(data)[index] = Float16(value);
}

namespace {
/// An operand of the formulas of activations.
struct Number {
  float value;
  Number(double value) : value(static_cast<float>(value)) {}

  friend Number operator+(Number a, Number b) { return a.value + b.value; }
  friend Number operator*(Number a, Number b) { return a.value * b.value; }
  friend Number operator/(Number a, Number b) { return a.value / b.value; }
  friend Number operator-(Number a) { return -a.value; }
  friend Number max(Number a, Number b) { return std::max(a.value, b.value); }
  friend Number min(Number a, Number b) { return std::min(a.value, b.value); }
  friend Number abs(Number a) { return std::fabs(a.value); }
  friend Number exp(Number a) { return std::exp(a.value); }
  friend Number expm1(Number a) { return std::expm1(a.value); }
  friend Number tanh(Number a) { return std::tanh(a.value); }
  friend Number erf(Number a) { return std::erf(a.value); }
  friend Number sqrt(Number a) { return std::sqrt(a.value); }
  friend Number ifPositive(Number x, Number y) { return x.value > 0 ? x : y; }
  friend Number sigmoid(Number x) { return 1 / (1 + exp(-x)); }
  /// Does not overflow.
  friend Number softplus(Number x) {
    return max(x, 0) + Number(std::log1p(exp(-abs(x)).value));
  }
};
} // namespace

static Number activate(fusion_rt_activation activation, Number x, Number alpha,
                       Number beta) {
  switch (activation) {
  case FUSION_RT_ACT_NONE:
    return x;
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, keepsNaN,      \
                          formula)                                             \
  case FUSION_RT_ACT_##NAME:                                                   \
    return formula;
#include "FusionRuntime/activations.def"
  }
  return x;
}

/// One product less than in the formula, which rounds otherwise.
static float geluTanh(float x) {
  const float scale = 0.79788456f; // sqrt(2 / pi)
  return x / 2 * (1 + std::tanh(scale * x * (1 + 0.044715f * x * x)));
}

static float activate(const fusion_rt_conv_desc &desc, float x) {
  if (desc.activation == FUSION_RT_ACT_GELU_TANH)
    return geluTanh(x);
  return activate(fusion_rt_activation(desc.activation), x, desc.alpha,
                  desc.beta)
      .value;
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

/// Halves go to even. A NaN becomes `low`.
static int32_t roundAndClamp(float value, int32_t low, int32_t high) {
  float rounded = std::nearbyint(value);
  if (!(rounded > float(low)))
    return low;
  return rounded < float(high) ? static_cast<int32_t>(rounded) : high;
}

static float loadResidual(const Descriptor &descriptor,
                          const fusion_rt_conv_args &args, int64_t index) {
  if (!descriptor.hasResidual())
    return 0;
  float value = load(descriptor.residualType(), args.residual.data, index);
  if (descriptor.residualType() == FUSION_RT_TYPE_F32)
    return value;
  const fusion_rt_quantization &quantization = descriptor.quantization;
  auto distance = static_cast<uint32_t>(static_cast<int32_t>(value)) -
                  static_cast<uint32_t>(quantization.residual_zero_point);
  return quantization.residual_scale * float(static_cast<int32_t>(distance));
}

static void storeQuantized(const Descriptor &descriptor, void *data,
                           int64_t index, float value) {
  const fusion_rt_quantization &quantization = descriptor.quantization;
  float shifted =
      value * quantization.dst_scale + float(quantization.dst_zero_point);
  switch (descriptor.dstType()) {
  case FUSION_RT_TYPE_S8:
    static_cast<int8_t *>(data)[index] = roundAndClamp(shifted, -128, 127);
    return;
  case FUSION_RT_TYPE_U8:
    static_cast<uint8_t *>(data)[index] = roundAndClamp(shifted, 0, 255);
    return;
  default:
    store(descriptor.dstType(), data, index, value);
  }
}

void fusion::runtime::finishElement(const Descriptor &descriptor,
                                    const Problem &problem,
                                    const fusion_rt_conv_args &args,
                                    const Place &place, uint32_t sum) {
  const int64_t biasAt = place.channel * problem.bias.strides[0];
  if (problem.bias.type == FUSION_RT_TYPE_S32)
    sum += static_cast<const uint32_t *>(args.bias.data)[biasAt];
  if (descriptor.dstType() == FUSION_RT_TYPE_S32) {
    static_cast<uint32_t *>(args.dst.data)[place.dst] = sum;
    return;
  }
  float value = static_cast<float>(static_cast<int32_t>(sum));
  if (descriptor.hasScales()) {
    int64_t channel = problem.scales.sizes[0] == 1 ? 0 : place.channel;
    value *= load(FUSION_RT_TYPE_F32, scalesOf(args).data,
                  channel * problem.scales.strides[0]);
  }
  if (problem.bias.type == FUSION_RT_TYPE_F32)
    value += load(FUSION_RT_TYPE_F32, args.bias.data, biasAt);
  float residual = loadResidual(descriptor, args, place.residual);
  float result = descriptor.addsResidualAfterActivation()
                     ? activate(descriptor.raw, value) + residual
                     : activate(descriptor.raw, value + residual);
  storeQuantized(descriptor, args.dst.data, place.dst, result);
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
      if (descriptor.isQuantized())
        finishElement(descriptor, problem, args, place, uint32_t(0));
      else
        finishElement(descriptor, problem, args, place, 0.0f);
    }
  });
}
