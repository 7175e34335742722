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
#include "Requantize.h"
#include "Sigmoids.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

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

//===----------------------------------------------------------------------===//
// With a quantization
//===----------------------------------------------------------------------===//

/// Calls fn(element, i) for `count` elements.
template <typename Element, typename Fn>
static void forEach(Element *data, int64_t stride, int64_t count, Fn fn) {
  if (stride == 1) { // a loop of its own, which becomes vectors
    for (int64_t i = 0; i < count; ++i)
      fn(data[i], i);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    fn(data[i * stride], i);
}

namespace {
/// Some channels of dst at one position. Each step is a loop over all of them.
class Row {
public:
  static constexpr int64_t capacity = 128;

  Row(const Descriptor &descriptor, const Problem &problem,
      const fusion_rt_conv_args &args, const Place &place, int64_t count)
      : descriptor(descriptor), problem(problem), args(args), place(place),
        count(count) {}

  /// `addends` are those of all channels, or null.
  void finish(const uint32_t *sums, const int32_t *addends);

private:
  template <typename Element> Element *biasAs() const {
    return static_cast<Element *>(args.bias.data) +
           place.channel * problem.bias.strides[0];
  }
  template <typename Element> void forEachInDst(auto fn) const {
    forEach(static_cast<Element *>(args.dst.data) + place.dst,
            problem.dst.strides[1], count, fn);
  }
  template <typename Element> void loadResidualOf();
  void storeSums(const uint32_t *sums) const;
  void dequantize(const uint32_t *sums);
  void loadResidual();
  void addResidual();
  void roundAll();
  template <typename Element> void storeIntegers() const;
  void store() const;

  const Descriptor &descriptor;
  const Problem &problem;
  const fusion_rt_conv_args &args;
  const Place place;
  const int64_t count;
  float values[capacity], residuals[capacity];
};
} // namespace

void Row::storeSums(const uint32_t *sums) const {
  forEachInDst<uint32_t>([&](uint32_t &dst, int64_t i) { dst = sums[i]; });
}

void Row::dequantize(const uint32_t *sums) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(static_cast<int32_t>(sums[i]));
  if (descriptor.hasScales()) {
    const View &scales = problem.scales;
    bool isOne = scales.sizes[0] == 1;
    const auto *data = static_cast<const float *>(scalesOf(args).data) +
                       (isOne ? 0 : place.channel * scales.strides[0]);
    forEach(data, isOne ? 0 : scales.strides[0], count,
            [&](float scale, int64_t i) { values[i] *= scale; });
  }
  if (problem.bias.type == FUSION_RT_TYPE_F32)
    forEach(biasAs<float>(), problem.bias.strides[0], count,
            [&](float bias, int64_t i) { values[i] += bias; });
}

template <typename Element> void Row::loadResidualOf() {
  const float scale = descriptor.quantization.residual_scale;
  const auto zero =
      static_cast<uint32_t>(descriptor.quantization.residual_zero_point);
  forEach(static_cast<const Element *>(args.residual.data) + place.residual,
          problem.residual.strides[1], count, [&](Element value, int64_t i) {
            if constexpr (std::is_same_v<Element, float>)
              residuals[i] = value;
            else
              residuals[i] =
                  scale * float(static_cast<int32_t>(
                              static_cast<uint32_t>(int32_t(value)) - zero));
          });
}

void Row::loadResidual() {
  if (descriptor.residualType() == FUSION_RT_TYPE_S8)
    loadResidualOf<int8_t>();
  else if (descriptor.residualType() == FUSION_RT_TYPE_U8)
    loadResidualOf<uint8_t>();
  else if (descriptor.hasResidual())
    loadResidualOf<float>();
  else
    std::fill_n(residuals, count, 0.0f);
}

void Row::addResidual() {
  for (int64_t i = 0; i < count; ++i)
    values[i] += residuals[i];
}

/// A loop for one activation, which becomes vectors where its formula calls no
/// function.
template <fusion_rt_activation activation>
static void activateAllBy(const fusion_rt_conv_desc &desc, float *values,
                          int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if constexpr (activation == FUSION_RT_ACT_GELU_TANH)
      values[i] = geluTanh(values[i]);
    else
      values[i] = activate(activation, values[i], desc.alpha, desc.beta).value;
}

/// Whether vectors of exp have computed the activation.
static bool activateBySigmoids(const fusion_rt_conv_desc &desc, float *values,
                               int64_t count) {
  if (!hasSigmoidLoops())
    return false;
  switch (desc.activation) {
  case FUSION_RT_ACT_SWISH:
    runSwish(desc.alpha, values, nullptr, count);
    return true;
  case FUSION_RT_ACT_SIGMOID:
    runSigmoid(values, count);
    return true;
  case FUSION_RT_ACT_TANH:
    runTanh(values, count);
    return true;
  case FUSION_RT_ACT_GELU_ERF:
    runGelu(values, count);
    return true;
  case FUSION_RT_ACT_GELU_TANH:
    runGeluTanh(values, count);
    return true;
  default:
    return false;
  }
}

void fusion::runtime::activateAll(const fusion_rt_conv_desc &desc,
                                  float *values, int64_t count) {
  if (activateBySigmoids(desc, values, count))
    return;
  switch (desc.activation) {
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, keepsNaN,      \
                          formula)                                             \
  case FUSION_RT_ACT_##NAME:                                                   \
    return activateAllBy<FUSION_RT_ACT_##NAME>(desc, values, count);
#include "FusionRuntime/activations.def"
  }
}

void Row::roundAll() {
  for (int64_t i = 0; i < count; ++i)
    values[i] = roundToEven(values[i]);
}

template <typename Element> void Row::storeIntegers() const {
  using Limits = std::numeric_limits<Element>;
  const float scale = descriptor.quantization.dst_scale;
  const auto zero = static_cast<float>(descriptor.quantization.dst_zero_point);
  forEachInDst<Element>([&](Element &dst, int64_t i) {
    dst = static_cast<Element>(
        roundAndClamp(values[i] * scale + zero, Limits::min(), Limits::max()));
  });
}

void Row::store() const {
  switch (descriptor.dstType()) {
  case FUSION_RT_TYPE_S8:
    return storeIntegers<int8_t>();
  case FUSION_RT_TYPE_U8:
    return storeIntegers<uint8_t>();
  case FUSION_RT_TYPE_F32:
    return forEachInDst<float>([&](float &dst, int64_t i) { dst = values[i]; });
  default:
    for (int64_t i = 0; i < count; ++i)
      ::store(descriptor.dstType(), args.dst.data,
              place.dst + i * problem.dst.strides[1], values[i]);
  }
}

void Row::finish(const uint32_t *sums, const int32_t *addends) {
  uint32_t biased[capacity];
  auto add = [&](uint32_t addend, int64_t i) { biased[i] = sums[i] + addend; };
  if (problem.bias.type == FUSION_RT_TYPE_S32) {
    forEach(biasAs<uint32_t>(), problem.bias.strides[0], count, add);
    sums = biased;
  }
  if (addends) {
    forEach(addends + place.channel, 1, count, add);
    sums = biased;
  }
  if (descriptor.dstType() == FUSION_RT_TYPE_S32)
    return storeSums(sums);
  dequantize(sums);
  loadResidual();
  if (!descriptor.addsResidualAfterActivation())
    addResidual();
  activateAll(descriptor.raw, values, count);
  if (descriptor.roundsActivation())
    roundAll();
  if (descriptor.addsResidualAfterActivation())
    addResidual();
  store();
}

/// Sums as integers: where they are, or in `integers`.
static const uint32_t *toIntegers(const uint32_t *sums, int64_t, uint32_t *) {
  return sums;
}
static const uint32_t *toIntegers(const float *sums, int64_t count,
                                  uint32_t *integers) {
  for (int64_t i = 0; i < count; ++i)
    integers[i] = static_cast<uint32_t>(static_cast<int32_t>(sums[i]));
  return integers;
}

template <typename Sum>
static void
finishChannelsOf(const Descriptor &descriptor, const Problem &problem,
                 const fusion_rt_conv_args &args, Place place, const Sum *sums,
                 const int32_t *addends, int64_t count) {
  uint32_t integers[Row::capacity];
  for (int64_t begin = 0; begin < count; begin += Row::capacity) {
    int64_t size = std::min(count - begin, Row::capacity);
    Row(descriptor, problem, args, place, size)
        .finish(toIntegers(sums + begin, size, integers), addends);
    place.channel += size;
    place.dst += size * problem.dst.strides[1];
    place.residual += size * problem.residual.strides[1];
  }
}

void fusion::runtime::finishChannels(const Descriptor &descriptor,
                                     const Problem &problem,
                                     const fusion_rt_conv_args &args,
                                     Place place, const uint32_t *sums,
                                     int64_t count) {
  finishChannelsOf(descriptor, problem, args, place, sums, /*addends=*/nullptr,
                   count);
}

Place fusion::runtime::placeOfRow(const Problem &problem, int64_t row) {
  Place place;
  for (int dim = problem.dst.rank - 1; dim >= 0; --dim) {
    if (dim == 1)
      continue;
    int64_t at = row % problem.dst.sizes[dim];
    row /= problem.dst.sizes[dim];
    place.dst += at * problem.dst.strides[dim];
    place.residual += at * problem.residual.strides[dim];
  }
  return place;
}

template <typename Sum>
static void finishSumsOf(const Descriptor &descriptor, const Problem &problem,
                         const fusion_rt_conv_args &args, const Sum *sums,
                         const int32_t *addends) {
  const int64_t channels = problem.dst.sizes[1];
  const int64_t rows = problem.dst.elements() / channels;
  const bool isSimple = mayRequantize(descriptor, problem);
  parallelFor(
      rows, 1 + grainElements / channels, [&](int64_t begin, int64_t end) {
        if (isSimple)
          return requantize(descriptor, problem, args, sums, addends, begin,
                            end);
        for (int64_t row = begin; row < end; ++row)
          finishChannelsOf(descriptor, problem, args, placeOfRow(problem, row),
                           sums + row * channels, addends, channels);
      });
}

void fusion::runtime::finishSums(const Descriptor &descriptor,
                                 const Problem &problem,
                                 const fusion_rt_conv_args &args,
                                 const uint32_t *sums, const int32_t *addends) {
  finishSumsOf(descriptor, problem, args, sums, addends);
}

void fusion::runtime::finishSums(const Descriptor &descriptor,
                                 const Problem &problem,
                                 const fusion_rt_conv_args &args,
                                 const float *sums) {
  finishSumsOf(descriptor, problem, args, sums, /*addends=*/nullptr);
}

void fusion::runtime::runWithoutReduction(const Descriptor &descriptor,
                                          const Problem &problem,
                                          const fusion_rt_conv_args &args) {
  const View &dst = problem.dst, &residual = problem.residual;
  const uint32_t zero = 0;
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
        finishChannels(descriptor, problem, args, place, &zero, 1);
      else
        finishElement(descriptor, problem, args, place, 0.0f);
    }
  });
}
