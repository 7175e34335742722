//===- ConvTest.cpp - Convolutions with expected results ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

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

template <typename Stored> static double load(const uint8_t *at) {
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

double Tensor::get(int64_t index) const {
  const uint8_t *at = storage.data() + offset(index) * sizeOf(type);
  switch (type) {
  case FUSION_RT_TYPE_F32:
    return load<float>(at);
  case FUSION_RT_TYPE_S8:
    return load<int8_t>(at);
  case FUSION_RT_TYPE_U8:
    return load<uint8_t>(at);
  case FUSION_RT_TYPE_S32:
    return load<int32_t>(at);
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

//===----------------------------------------------------------------------===//
// Reference
//===----------------------------------------------------------------------===//

double fusion::test::activate(fusion_rt_activation activation, double alpha,
                              double beta, double x) {
  switch (activation) {
  case FUSION_RT_ACT_NONE:
    return x;
  case FUSION_RT_ACT_RELU:
    return std::max(x, 0.0);
  case FUSION_RT_ACT_CLIP:
    return std::min(std::max(x, alpha), beta);
  case FUSION_RT_ACT_LEAKY_RELU:
    return x > 0 ? x : alpha * x;
  case FUSION_RT_ACT_ELU:
    return x > 0 ? x : alpha * (std::exp(x) - 1);
  case FUSION_RT_ACT_SIGMOID:
    return 1 / (1 + std::exp(-x));
  case FUSION_RT_ACT_TANH:
    return std::tanh(x);
  case FUSION_RT_ACT_SWISH:
    return x / (1 + std::exp(-alpha * x));
  case FUSION_RT_ACT_HARDSWISH:
    return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
  case FUSION_RT_ACT_HARDSIGMOID:
    return std::min(std::max(alpha * x + beta, 0.0), 1.0);
  case FUSION_RT_ACT_GELU_ERF:
    return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
  case FUSION_RT_ACT_GELU_TANH:
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  case FUSION_RT_ACT_SOFTPLUS:
    return std::log(1 + std::exp(x));
  case FUSION_RT_ACT_MISH:
    return x * std::tanh(std::log(1 + std::exp(x)));
  case FUSION_RT_ACT_ABS:
    return std::fabs(x);
  case FUSION_RT_ACT_SQUARE:
    return x * x;
  case FUSION_RT_ACT_SQRT:
    return std::sqrt(x);
  case FUSION_RT_ACT_EXP:
    return std::exp(x);
  }
  return NAN;
}

double fusion::test::finish(const ConvSpec &spec, double sum, double residual) {
  if (spec.residualAfter)
    return activate(spec.activation, spec.alpha, spec.beta, sum) + residual;
  return activate(spec.activation, spec.alpha, spec.beta, sum + residual);
}

std::vector<std::pair<Residual, bool>> fusion::test::waysToAdd() {
  return {{Residual::Apart, false},
          {Residual::Apart, true},
          {Residual::InPlace, false},
          {Residual::InPlace, true}};
}

/// Splits a logical index into one per dimension.
static Dims unravel(int64_t index, const Dims &sizes) {
  Dims at(sizes.size());
  for (int dim = static_cast<int>(sizes.size()) - 1; dim >= 0; --dim) {
    at[dim] = index % sizes[dim];
    index /= sizes[dim];
  }
  return at;
}

static int64_t ravel(const Dims &at, const Dims &sizes) {
  int64_t index = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    index = index * sizes[dim] + at[dim];
  return index;
}

/// The formula of the header, one element at a time.
double Conv::reference(int64_t index) const {
  Dims at = unravel(index, dst.sizes);
  int64_t group = at[1] / (spec.outputs / spec.groups);
  int64_t perGroup = weights.sizes[1];
  double sum = 0;
  Dims window(weights.sizes.begin() + 1, weights.sizes.end()); // ic, k...
  for (int64_t k = 0; k < product(window); ++k) {
    Dims inWindow = unravel(k, window);
    Dims from{at[0], group * perGroup + inWindow[0]};
    bool isInside = true;
    for (size_t dim = 0; dim < spec.image.size(); ++dim) {
      from.push_back(at[dim + 2] * spec.strides[dim] +
                     inWindow[dim + 1] * spec.dilations[dim] -
                     spec.padLow[dim]);
      isInside &= from.back() >= 0 && from.back() < spec.image[dim];
    }
    if (isInside)
      sum += src.get(ravel(from, src.sizes)) *
             weights.get(at[1] * product(window) + k);
  }
  if (spec.bias)
    sum += bias.get(at[1]);
  return finish(spec, sum,
                spec.residual == Residual::None ? 0 : residual.get(index));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

ConvSpec fusion::test::makeWideSpec() {
  ConvSpec spec;
  spec.inputs = 32;
  spec.outputs = 48;
  return spec;
}

ConvSpec fusion::test::makeSpec(Dims image, Dims kernel) {
  ConvSpec spec;
  size_t rank = image.size();
  spec.image = std::move(image);
  spec.kernel = std::move(kernel);
  spec.strides = spec.dilations = Dims(rank, 1);
  spec.padLow = spec.padHigh = Dims(rank, 0);
  return spec;
}

Conv::Conv(const ConvSpec &given) : spec(given) {
  if (spec.residual != Residual::None &&
      spec.residualType == FUSION_RT_TYPE_NONE)
    spec.residualType = spec.dstType;
  if (spec.weightsType == FUSION_RT_TYPE_NONE)
    spec.weightsType = spec.srcType;
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.flags = (spec.bias ? FUSION_RT_HAS_BIAS : 0) |
               (spec.residual != Residual::None ? FUSION_RT_HAS_RESIDUAL : 0) |
               (spec.constantWeights ? FUSION_RT_CONSTANT_WEIGHTS : 0) |
               (spec.allowsWinograd ? FUSION_RT_ALLOW_WINOGRAD : 0) |
               (spec.residualAfter ? FUSION_RT_RESIDUAL_AFTER_ACTIVATION : 0);
  desc.spatial_rank = static_cast<int32_t>(spec.image.size());
  desc.src_type = spec.srcType;
  desc.weights_type = spec.weightsType;
  desc.dst_type = spec.dstType;
  desc.residual_type = spec.residualType;
  desc.activation = spec.activation;
  desc.alpha = spec.alpha;
  desc.beta = spec.beta;
  desc.groups = spec.groups;
  std::copy(spec.strides.begin(), spec.strides.end(), desc.strides);
  std::copy(spec.dilations.begin(), spec.dilations.end(), desc.dilations);
  std::copy(spec.padLow.begin(), spec.padLow.end(), desc.pad_low);
  std::copy(spec.padHigh.begin(), spec.padHigh.end(), desc.pad_high);
  slot.desc = &desc;
  slot.location = "conv.mlir:7:3";

  Dims sizes{spec.outputs, spec.inputs / spec.groups};
  sizes.insert(sizes.end(), spec.kernel.begin(), spec.kernel.end());
  weights = Tensor(spec.weightsType, sizes, spec.weightsLayout);
  if (spec.weightsType == spec.srcType)
    weights.fill(2);
  else
    weights.fillForAnyType(2);
  bias = Tensor(FUSION_RT_TYPE_F32, {spec.outputs}, Layout::ChannelsFirst);
  bias.fill(3);
  makeOperands();
}

void Conv::makeOperands() {
  Dims in{spec.batch, spec.inputs}, out{spec.batch, spec.outputs};
  for (size_t dim = 0; dim < spec.image.size(); ++dim) {
    int64_t reach = (spec.kernel[dim] - 1) * spec.dilations[dim] + 1;
    int64_t room =
        spec.image[dim] + spec.padLow[dim] + spec.padHigh[dim] - reach;
    in.push_back(spec.image[dim]);
    out.push_back(room < 0 ? 0 : room / spec.strides[dim] + 1);
  }
  src = Tensor(spec.srcType, in, spec.srcLayout, spec.slack);
  if (spec.weightsType == spec.srcType)
    src.fill(1);
  else
    src.fillForAnyType(1);
  dst = Tensor(spec.dstType, out, spec.dstLayout, spec.slack);
  args = {};
  args.src = src.view();
  args.weights = weights.view();
  args.dst = dst.view();
  if (spec.bias)
    args.bias = bias.view();
  if (spec.residual == Residual::None)
    return;
  Layout layout =
      spec.residual == Residual::InPlace ? spec.dstLayout : spec.residualLayout;
  residual = Tensor(spec.residualType, out, layout, spec.slack);
  residual.fill(4);
  args.residual =
      spec.residual == Residual::InPlace ? args.dst : residual.view();
}

void Conv::resize(int64_t batch, Dims image) {
  spec.batch = batch;
  spec.image = std::move(image);
  makeOperands();
}

fusion_rt_status Conv::run() {
  for (int64_t i = 0; i < dst.elements(); ++i)
    dst.set(i, spec.residual == Residual::InPlace ? residual.get(i) : 99);
  return fusion_rt_conv(&slot, &args);
}

void Conv::compare() {
  // One rounding to the type of dst, on top of sums in f32.
  double relative = spec.dstType == FUSION_RT_TYPE_F32    ? 2e-5
                    : spec.dstType == FUSION_RT_TYPE_BF16 ? 1.0 / 256
                                                          : 1.0 / 2048;
  // With minimal filtering errors are relative to the largest value of a tile.
  double absolute = spec.allowsWinograd ? 1e-4 : 2e-5;
  for (int64_t i = 0; i < dst.elements(); ++i) {
    double expected = reference(i), got = dst.get(i);
    ASSERT_NEAR(got, expected, absolute + relative * std::fabs(expected))
        << "element " << i << " of " << dst.elements() << ", kernel "
        << (fusion_rt_slot_kernel(&slot) ? fusion_rt_slot_kernel(&slot)
                                         : "none");
  }
  ASSERT_TRUE(dst.isSlackUntouched());
}

void Conv::check() {
  ASSERT_EQ(run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  compare();
}

void fusion::test::checkAndExit(const ConvSpec &spec) {
  Conv(spec).check();
  exit(testing::Test::HasFailure() ? 1 : 0);
}

void fusion::test::runAndExit(const ConvSpec &spec) {
  exit(Conv(spec).run() == FUSION_RT_SUCCESS ? 0 : 1);
}

bool fusion::test::givesTheSame(Conv &conv, const Tensor &expected) {
  if (conv.run() != FUSION_RT_SUCCESS)
    return false;
  for (int64_t i = 0; i < conv.dst.elements(); ++i)
    if (conv.dst.get(i) != expected.get(i))
      return false;
  return true;
}

fusion_rt_counters fusion::test::counters() {
  fusion_rt_counters counters;
  fusion_rt_get_counters(&counters);
  return counters;
}

bool fusion::test::isOneDnn() {
  return std::string(fusion_rt_backend()).rfind("oneDNN ", 0) == 0;
}

void fusion::test::expectFailure(fusion_rt_status status,
                                 fusion_rt_status expected,
                                 const std::string &sentence) {
  EXPECT_EQ(status, expected);
  EXPECT_EQ(fusion_rt_last_error(), sentence);
}
