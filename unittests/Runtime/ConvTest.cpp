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
#include <cstdlib>

using namespace fusion::test;

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

bool fusion::test::hasKernelsForAmx() {
  ConvSpec spec;
  spec.inputs = spec.outputs = 64;
  spec.srcType = spec.dstType = FUSION_RT_TYPE_BF16;
  Conv conv(spec);
  EXPECT_EQ(conv.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  std::string kernel = fusion_rt_slot_kernel(&conv.slot);
  return kernel.find("amx") != std::string::npos;
}

Dims fusion::test::unravel(int64_t index, const Dims &sizes) {
  Dims at(sizes.size());
  for (size_t dim = sizes.size(); dim-- > 0; index /= sizes[dim])
    at[dim] = index % sizes[dim];
  return at;
}

void fusion::test::forEachProduct(
    const ConvSpec &spec, const Tensor &src, const Tensor &weights,
    const Dims &at, const std::function<void(double, double)> &add) {
  int64_t perGroup = weights.sizes[1];
  int64_t group = at[1] / (spec.outputs / spec.groups);
  Dims with(weights.sizes.size()), from(src.sizes.size());
  with[0] = at[1];
  from[0] = at[0];
  int64_t count = weights.elements() / weights.sizes[0];
  for (int64_t k = 0; k < count; ++k) {
    from[1] = group * perGroup + with[1];
    bool isInside = true;
    for (size_t dim = 2; dim < from.size(); ++dim) {
      from[dim] = at[dim] * spec.strides[dim - 2] +
                  with[dim] * spec.dilations[dim - 2] - spec.padLow[dim - 2];
      isInside &= from[dim] >= 0 && from[dim] < spec.image[dim - 2];
    }
    if (isInside)
      add(src.get(from), weights.get(with));
    for (size_t dim = with.size() - 1;
         dim > 0 && ++with[dim] == weights.sizes[dim]; --dim)
      with[dim] = 0;
  }
}

/// The formula of the header, one element at a time.
double Conv::reference(int64_t index) const {
  Dims at = unravel(index, dst.sizes);
  double sum = 0;
  forEachProduct(spec, src, weights, at, [&](double element, double weight) {
    sum += element * weight;
  });
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

void PlanDeathTest::SetUp() {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("FUSION_VERBOSE", "1", 1);
  setenv("ONEDNN_MAX_CPU_ISA", "ALL", 1);
}

void PlanDeathTest::TearDown() {
  for (const char *name :
       {"FUSION_VERBOSE", "FUSION_PLAN", "ONEDNN_MAX_CPU_ISA"})
    unsetenv(name);
}
