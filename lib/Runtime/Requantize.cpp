//===- Requantize.cpp - From sums to 8 bits in one pass -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requantize.h"

#include "VectorLoops.h"

#include <algorithm>
#include <limits>
#include <type_traits>

using namespace fusion::runtime;

/// The most elements of one piece, for which the numbers of channels are kept.
static constexpr int64_t capacity = 512;

namespace {
/// Where a residual is added.
enum class Adding { Nowhere, BeforeActivation, Behind, BehindRounding };

/// The numbers of the formula, without a choice among them: a bias of 0 or a
/// scale of 1 changes no integer.
struct Numbers {
  Numbers(const Descriptor &descriptor, const Problem &problem,
          const fusion_rt_conv_args &args, const int32_t *addends,
          int64_t first, int64_t channels, int64_t rows);

  fusion_rt_quantization quantization;
  const fusion_rt_conv_desc &raw;
  bool isBounded;    // by the activation, which does nothing else
  float least, most; // its bounds
  uint32_t integerBias[capacity];
  float scales[capacity], bias[capacity];
};

/// Elements that follow each other. The residual may be where the result is.
template <typename Sum, typename Element> struct Piece {
  const Sum *sums;
  const Element *residual;
  Element *dst;
  int64_t count;
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Whether the activation bounds its operand, and does nothing else.
static bool hasBounds(int32_t activation) {
  return activation == FUSION_RT_ACT_NONE || activation == FUSION_RT_ACT_RELU ||
         activation == FUSION_RT_ACT_CLIP;
}

/// Numbers of `channels` channels, `rows` times.
template <typename Number>
static void repeat(const void *data, int64_t stride, int64_t channels,
                   int64_t rows, Number *to) {
  for (int64_t i = 0; i < channels; ++i)
    to[i] = static_cast<const Number *>(data)[i * stride];
  for (int64_t row = 1; row < rows; ++row)
    std::copy_n(to, channels, to + row * channels);
}

Numbers::Numbers(const Descriptor &descriptor, const Problem &problem,
                 const fusion_rt_conv_args &args, const int32_t *addends,
                 int64_t first, int64_t channels, int64_t rows)
    : quantization(descriptor.quantization), raw(descriptor.raw),
      isBounded(hasBounds(raw.activation)),
      least(-std::numeric_limits<float>::infinity()),
      most(std::numeric_limits<float>::infinity()) {
  if (raw.activation == FUSION_RT_ACT_RELU)
    least = 0;
  if (raw.activation == FUSION_RT_ACT_CLIP) {
    least = raw.alpha;
    most = raw.beta;
  }
  std::fill_n(integerBias, channels * rows, 0);
  std::fill_n(bias, channels * rows, 0.0f);
  std::fill_n(scales, channels * rows, 1.0f);
  const int64_t stride = problem.bias.strides[0];
  const char *biasData = static_cast<const char *>(args.bias.data);
  if (problem.bias.type == FUSION_RT_TYPE_S32)
    repeat(biasData + 4 * first * stride, stride, channels, rows, integerBias);
  else if (problem.bias.type == FUSION_RT_TYPE_F32)
    repeat(biasData + 4 * first * stride, stride, channels, rows, bias);
  for (int64_t i = 0; addends && i < channels * rows; ++i)
    integerBias[i] += static_cast<uint32_t>(addends[first + i % channels]);
  if (!descriptor.hasScales())
    return;
  const View &view = problem.scales;
  const int64_t step = view.sizes[0] == 1 ? 0 : view.strides[0];
  repeat(static_cast<const float *>(scalesOf(args).data) + first * step, step,
         channels, rows, scales);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

template <typename Sum>
FUSION_INLINED static float scaleSum(Sum sum, uint32_t integerBias, float scale,
                                     float bias) {
  auto biased = static_cast<uint32_t>(static_cast<int32_t>(sum)) + integerBias;
  return static_cast<float>(static_cast<int32_t>(biased)) * scale + bias;
}

template <typename Element>
FUSION_INLINED static Element quantize(float value, float scale, float zero) {
  using Limits = std::numeric_limits<Element>;
  if constexpr (std::is_same_v<Element, float>)
    return value;
  else
    return static_cast<Element>(
        roundAndClamp(value * scale + zero, Limits::min(), Limits::max()));
}

template <typename Element>
FUSION_INLINED static float dequantize(Element value, float scale,
                                       uint32_t zero) {
  if constexpr (std::is_same_v<Element, float>)
    return value;
  else
    return scale * float(static_cast<int32_t>(
                       static_cast<uint32_t>(int32_t(value)) - zero));
}

/// All numbers are in variables of their own: bytes that are written may be a
/// part of any object, for all that the compiler knows.
template <Adding adding, typename Sum, typename Element>
FUSION_INLINED static void compute(const Numbers &numbers,
                                   const Sum *__restrict sums,
                                   const Element *__restrict residuals,
                                   Element *__restrict dst, int64_t count) {
  const uint32_t *__restrict integerBias = numbers.integerBias;
  const float *__restrict scales = numbers.scales;
  const float *__restrict bias = numbers.bias;
  const float scale = numbers.quantization.dst_scale,
              residualScale = numbers.quantization.residual_scale,
              least = numbers.least, most = numbers.most;
  const auto zero = static_cast<float>(numbers.quantization.dst_zero_point);
  const auto residualZero =
      static_cast<uint32_t>(numbers.quantization.residual_zero_point);
  for (int64_t i = 0; i < count; ++i) {
    float value = scaleSum(sums[i], integerBias[i], scales[i], bias[i]);
    float residual = 0;
    if constexpr (adding != Adding::Nowhere)
      residual = dequantize(residuals[i], residualScale, residualZero);
    if constexpr (adding == Adding::BeforeActivation)
      value += residual;
    value = std::min(std::max(value, least), most);
    if constexpr (adding == Adding::BehindRounding)
      value = roundToEven(value);
    if constexpr (adding == Adding::Behind || adding == Adding::BehindRounding)
      value += residual;
    dst[i] = quantize<Element>(value, scale, zero);
  }
}

template <typename Sum>
FUSION_INLINED static void
scaleSums(const Sum *__restrict sums, const uint32_t *__restrict integerBias,
          const float *__restrict scales, const float *__restrict bias,
          float *__restrict values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    values[i] = scaleSum(sums[i], integerBias[i], scales[i], bias[i]);
}

template <typename Element>
FUSION_INLINED static void quantizeAll(const float *__restrict values,
                                       float scale, float zero,
                                       Element *__restrict dst, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    dst[i] = quantize<Element>(values[i], scale, zero);
}

/// With any activation, and without a residual.
template <typename Sum, typename Element>
FUSION_INLINED static void computeActivation(const Numbers &numbers,
                                             const Piece<Sum, Element> &piece) {
  float values[capacity];
  scaleSums(piece.sums, numbers.integerBias, numbers.scales, numbers.bias,
            values, piece.count);
  activateAll(numbers.raw, values, piece.count);
  quantizeAll(values, numbers.quantization.dst_scale,
              static_cast<float>(numbers.quantization.dst_zero_point),
              piece.dst, piece.count);
}

/// The residual may be where the result is, and is copied first.
template <Adding adding, typename Sum, typename Element>
FUSION_INLINED static void passOver(const Numbers &numbers,
                                    const Piece<Sum, Element> &piece) {
  if constexpr (adding == Adding::Nowhere)
    if (!numbers.isBounded)
      return computeActivation(numbers, piece);
  Element residuals[capacity];
  if constexpr (adding != Adding::Nowhere)
    std::copy_n(piece.residual, piece.count, residuals);
  compute<adding>(numbers, piece.sums, residuals, piece.dst, piece.count);
}

template <Adding adding, typename Sum, typename Element>
FUSION_WITH_AVX512 static void
passWithAvx512(const Numbers &numbers, const Piece<Sum, Element> &piece) {
  passOver<adding>(numbers, piece);
}

template <Adding adding, typename Sum, typename Element>
FUSION_WITH_AVX2 static void passWithAvx2(const Numbers &numbers,
                                          const Piece<Sum, Element> &piece) {
  passOver<adding>(numbers, piece);
}

template <Adding adding, typename Sum, typename Element>
static void pass(const Numbers &numbers, const Piece<Sum, Element> &piece) {
  passOver<adding>(numbers, piece);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

bool fusion::runtime::mayRequantize(const Descriptor &descriptor,
                                    const Problem &problem) {
  const bool isRight = elementSize(problem.dst.type) == 1 ||
                       problem.dst.type == FUSION_RT_TYPE_F32;
  if (!isRight || !problem.dst.hasContiguousChannels())
    return false;
  return !descriptor.hasResidual() ||
         (hasBounds(descriptor.raw.activation) &&
          descriptor.residualType() == descriptor.dstType() &&
          problem.residual.hasContiguousChannels());
}

/// Whether rows of channels follow each other.
static bool isContiguous(const View &view) {
  return haveSameStrides(view, makeDense(view, view.type, Order::ChannelsLast));
}

template <Adding adding, typename Element, typename Sum>
static void requantizeRows(const Descriptor &descriptor, const Problem &problem,
                           const fusion_rt_conv_args &args, const Sum *sums,
                           const int32_t *addends, int64_t begin, int64_t end) {
  constexpr bool adds = adding != Adding::Nowhere;
  const int64_t channels = problem.dst.sizes[1];
  const bool isOneRow =
      isContiguous(problem.dst) && (!adds || isContiguous(problem.residual));
  const int64_t rows = isOneRow ? std::max<int64_t>(1, capacity / channels) : 1;
  auto *run = forThisCpu(passWithAvx512<adding, Sum, Element>,
                         passWithAvx2<adding, Sum, Element>,
                         pass<adding, Sum, Element>);
  for (int64_t first = 0; first < channels; first += capacity) {
    const int64_t size = std::min(capacity, channels - first);
    const Numbers numbers(descriptor, problem, args, addends, first, size,
                          rows);
    for (int64_t row = begin; row < end; row += rows) {
      const Place place = placeOfRow(problem, row);
      auto *residual = static_cast<const Element *>(args.residual.data);
      run(numbers, {sums + row * channels + first,
                    adds ? residual + place.residual + first : nullptr,
                    static_cast<Element *>(args.dst.data) + place.dst + first,
                    std::min(rows, end - row) * size});
    }
  }
}

template <typename Element, typename Sum>
static void requantizeTo(const Descriptor &descriptor, const Problem &problem,
                         const fusion_rt_conv_args &args, const Sum *sums,
                         const int32_t *addends, int64_t begin, int64_t end) {
  auto run = requantizeRows<Adding::Nowhere, Element, Sum>;
  if (descriptor.hasResidual())
    run = !descriptor.addsResidualAfterActivation()
              ? requantizeRows<Adding::BeforeActivation, Element, Sum>
          : descriptor.roundsActivation()
              ? requantizeRows<Adding::BehindRounding, Element, Sum>
              : requantizeRows<Adding::Behind, Element, Sum>;
  run(descriptor, problem, args, sums, addends, begin, end);
}

template <typename Sum>
void fusion::runtime::requantize(const Descriptor &descriptor,
                                 const Problem &problem,
                                 const fusion_rt_conv_args &args,
                                 const Sum *sums, const int32_t *addends,
                                 int64_t begin, int64_t end) {
  auto run =
      descriptor.dstType() == FUSION_RT_TYPE_F32  ? requantizeTo<float, Sum>
      : descriptor.dstType() == FUSION_RT_TYPE_S8 ? requantizeTo<int8_t, Sum>
                                                  : requantizeTo<uint8_t, Sum>;
  run(descriptor, problem, args, sums, addends, begin, end);
}

template void fusion::runtime::requantize(const Descriptor &, const Problem &,
                                          const fusion_rt_conv_args &,
                                          const uint32_t *, const int32_t *,
                                          int64_t, int64_t);
template void fusion::runtime::requantize(const Descriptor &, const Problem &,
                                          const fusion_rt_conv_args &,
                                          const float *, const int32_t *,
                                          int64_t, int64_t);
