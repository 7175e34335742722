//===- Tensor.cpp - Operands of tests -------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace fusion::test;

static constexpr uint8_t slackPattern = 0xa5;

static int64_t product(const Dims &dims) {
  return std::accumulate(dims.begin(), dims.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

static size_t sizeOf(fusion_rt_type type) {
  switch (type) {
  case FUSION_RT_TYPE_F32:
  case FUSION_RT_TYPE_S32:
    return 4;
  case FUSION_RT_TYPE_S8:
  case FUSION_RT_TYPE_U8:
    return 1;
  default:
    return 2;
  }
}

template <typename Stored> static double loadAs(const uint8_t *at) {
  Stored value;
  memcpy(&value, at, sizeof(value));
  return double(value);
}

template <typename Stored> static void store(uint8_t *at, double given) {
  auto value = static_cast<Stored>(given);
  memcpy(at, &value, sizeof(value));
}

/// The dimensions of a layout, innermost first.
static std::vector<int> innermostFirst(int rank, Layout layout) {
  std::vector<int> dims;
  if (layout == Layout::Scrambled && rank > 2) {
    for (int dim = 2; dim < rank - 1; ++dim)
      dims.push_back(dim);
    dims.insert(dims.end(), {0, 1, rank - 1});
    return dims;
  }
  if (layout == Layout::ChannelsLast && rank > 1)
    dims.push_back(1);
  for (int dim = rank - 1; dim >= 0; --dim)
    if (dim != 1 || layout != Layout::ChannelsLast)
      dims.push_back(dim);
  return dims;
}

Tensor::Tensor(fusion_rt_type type, Dims sizes, Layout layout, int64_t slack)
    : Tensor(type, sizes,
             innermostFirst(static_cast<int>(sizes.size()), layout), slack) {}

Tensor::Tensor(fusion_rt_type type, Dims tensorSizes,
               const std::vector<int> &dims, int64_t slack)
    : type(type), sizes(std::move(tensorSizes)), strides(sizes.size()) {
  int64_t stride = 1;
  for (int dim : dims) {
    strides[dim] = stride;
    stride = stride * sizes[dim] + slack;
    slack = 0; // once: behind the innermost row
  }
  storage.assign((stride + 1) * sizeOf(type), slackPattern);
}

int64_t Tensor::elements() const { return product(sizes); }

int64_t Tensor::offset(int64_t index) const {
  int64_t at = first;
  for (int dim = static_cast<int>(sizes.size()) - 1; dim >= 0; --dim) {
    at += index % sizes[dim] * strides[dim];
    index /= sizes[dim];
  }
  return at;
}

double Tensor::get(int64_t index) const { return load(offset(index)); }

double Tensor::get(const Dims &at) const {
  return load(std::inner_product(at.begin(), at.end(), strides.begin(), first));
}

double Tensor::load(int64_t offset) const {
  const uint8_t *at = storage.data() + offset * sizeOf(type);
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return loadAs<float>(at);
  case FUSION_RT_TYPE_S8:
    return loadAs<int8_t>(at);
  case FUSION_RT_TYPE_U8:
    return loadAs<uint8_t>(at);
  case FUSION_RT_TYPE_S32:
    return loadAs<int32_t>(at);
  default:
    break;
  }
  uint16_t bits;
  memcpy(&bits, at, 2);
  if (type == FUSION_RT_TYPE_BF16) {
    uint32_t wide = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
  }
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0 ? std::ldexp(mantissa, -24)
                               : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31)
    value = mantissa ? NAN : INFINITY;
  return bits & 0x8000 ? -value : value;
}

/// The nearest bf16 or f16, ties to even. For values that are neither tiny nor
/// huge.
static uint16_t narrow(fusion_rt_type type, double value) {
  int mantissaBits = type == FUSION_RT_TYPE_BF16 ? 7 : 10;
  int bias = type == FUSION_RT_TYPE_BF16 ? 127 : 15;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent); // 0.5 .. 1
  if (fraction == 0 || exponent + bias - 1 <= 0)
    return sign;
  double scaled = std::nearbyint(std::ldexp(fraction, mantissaBits + 1));
  // If a fraction is rounded up to 1, it carries into the exponent.
  int64_t bits = (int64_t(exponent + bias - 2) << mantissaBits) +
                 static_cast<int64_t>(scaled);
  return static_cast<uint16_t>(sign | bits);
}

void Tensor::set(int64_t index, double value) {
  uint8_t *at = storage.data() + offset(index) * sizeOf(type);
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return store<float>(at, value);
  case FUSION_RT_TYPE_S8:
    return store<int8_t>(at, value);
  case FUSION_RT_TYPE_U8:
    return store<uint8_t>(at, value);
  case FUSION_RT_TYPE_S32:
    return store<int32_t>(at, value);
  default:
    break;
  }
  uint16_t bits = narrow(type, value);
  memcpy(at, &bits, 2);
}

void Tensor::fill(unsigned seed) {
  uint32_t state = seed * 2654435761u + 12345;
  for (int64_t i = 0; i < elements(); ++i) {
    state = state * 1664525 + 1013904223;
    set(i, (state >> 8) / double(1 << 23) - 1);
  }
}

void Tensor::fillForAnyType(unsigned seed) {
  fill(seed);
  for (int64_t i = 0; i < elements(); ++i)
    set(i, std::round(get(i) * 64) / 64);
}

bool Tensor::isSlackUntouched() const {
  std::vector<bool> isElement(storage.size() / sizeOf(type));
  for (int64_t i = 0; i < elements(); ++i)
    isElement[offset(i)] = true;
  for (size_t i = 0; i < isElement.size(); ++i)
    for (size_t byte = 0; byte < sizeOf(type); ++byte)
      if (!isElement[i] && storage[i * sizeOf(type) + byte] != slackPattern)
        return false;
  return true;
}

Tensor Tensor::spread(int64_t step, int64_t gap) const {
  std::vector<int> dims(sizes.size());
  std::iota(dims.begin(), dims.end(), 0);
  // Dimensions of size 1 come first, since their strides have no meaning.
  std::sort(dims.begin(), dims.end(), [&](int a, int b) {
    return std::make_pair(sizes[a] > 1, strides[a]) <
           std::make_pair(sizes[b] > 1, strides[b]);
  });
  Dims spread(sizes.size());
  int64_t stride = step;
  for (int dim : dims) {
    spread[dim] = stride;
    if (sizes[dim] <= 1)
      continue;
    stride = stride * sizes[dim] + gap;
    gap = 0; // once: behind the innermost row
  }
  return restride(spread);
}

Tensor Tensor::restride(Dims newStrides) const {
  Tensor result = *this;
  result.strides = std::move(newStrides);
  int64_t extent = 2;
  result.first = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    int64_t reach = (sizes[dim] - 1) * result.strides[dim];
    extent += std::max<int64_t>(0, std::abs(reach));
    result.first += std::max<int64_t>(0, -reach);
  }
  result.storage.assign(extent * sizeOf(type), slackPattern);
  for (int64_t i = 0; i < elements(); ++i)
    result.set(i, get(i));
  return result;
}

void *Tensor::data() { return storage.data() + first * sizeOf(type); }

fusion_rt_tensor Tensor::view() {
  fusion_rt_tensor view{};
  view.data = data();
  std::copy(sizes.begin(), sizes.end(), view.sizes);
  std::copy(strides.begin(), strides.end(), view.strides);
  return view;
}
