//===- DeconvTest.cpp - Transposed convolutions ---------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cmath>
#include <cstdlib>

using namespace fusion::test;

namespace {
/// A transposed convolution with two spatial dimensions: the operands of a
/// convolution, with src and dst of other sizes.
class Deconv {
public:
  explicit Deconv(const ConvSpec &spec, Dims outputPadding = {0, 0});
  void check();
  std::vector<double> reference() const;

  Conv conv;
  Tensor dst, residual;
};

struct DeconvCase {
  const char *name;
  void (*change)(ConvSpec &);
  Dims outputPadding;
};
class DeconvTest : public testing::TestWithParam<DeconvCase> {};
} // namespace

Deconv::Deconv(const ConvSpec &spec, Dims outputPadding) : conv(spec) {
  Dims sizes{spec.batch, spec.outputs};
  for (size_t i = 0; i < 2; ++i)
    sizes.push_back((spec.image[i] - 1) * spec.strides[i] +
                    (spec.kernel[i] - 1) * spec.dilations[i] + 1 -
                    spec.padLow[i] - spec.padHigh[i] + outputPadding[i]);
  dst = Tensor(spec.dstType, sizes, spec.dstLayout, spec.slack);
  conv.args.dst = dst.view();
  residual = Tensor(conv.spec.residualType == FUSION_RT_TYPE_NONE
                        ? spec.dstType
                        : conv.spec.residualType,
                    sizes, spec.dstLayout, spec.slack);
  residual.fill(4);
  if (spec.residual != Residual::None)
    conv.args.residual =
        spec.residual == Residual::InPlace ? conv.args.dst : residual.view();
}

/// Adds each product to its element, then applies the rest of the formula.
std::vector<double> Deconv::reference() const {
  const ConvSpec &spec = conv.spec;
  int64_t height = dst.sizes[2], width = dst.sizes[3];
  std::vector<double> result(dst.elements());
  int64_t perGroup = spec.inputs / spec.groups;
  int64_t outPerGroup = spec.outputs / spec.groups;
  auto forEach = [&](auto body) {
    for (int64_t n = 0; n < spec.batch; ++n)
      for (int64_t oc = 0; oc < spec.outputs; ++oc)
        for (int64_t ic = 0; ic < perGroup; ++ic)
          for (int64_t y = 0; y < spec.image[0]; ++y)
            for (int64_t x = 0; x < spec.image[1]; ++x)
              for (int64_t k = 0; k < spec.kernel[0] * spec.kernel[1]; ++k)
                body(n, oc, ic, y, x, k);
  };
  forEach([&](int64_t n, int64_t oc, int64_t ic, int64_t y, int64_t x,
              int64_t k) {
    int64_t toY = y * spec.strides[0] + k / spec.kernel[1] * spec.dilations[0] -
                  spec.padLow[0];
    int64_t toX = x * spec.strides[1] + k % spec.kernel[1] * spec.dilations[1] -
                  spec.padLow[1];
    if (toY < 0 || toY >= height || toX < 0 || toX >= width)
      return;
    int64_t channel = oc / outPerGroup * perGroup + ic;
    int64_t from =
        ((n * spec.inputs + channel) * spec.image[0] + y) * spec.image[1] + x;
    int64_t weight = (oc * perGroup + ic) * spec.kernel[0] * spec.kernel[1] + k;
    result[((n * spec.outputs + oc) * height + toY) * width + toX] +=
        conv.src.get(from) * conv.weights.get(weight);
  });
  for (int64_t i = 0; i < dst.elements(); ++i) {
    if (spec.bias)
      result[i] += conv.bias.get(i / (height * width) % spec.outputs);
    result[i] = finish(spec, result[i],
                       spec.residual == Residual::None ? 0 : residual.get(i));
  }
  return result;
}

void Deconv::check() {
  for (int64_t i = 0; i < dst.elements(); ++i)
    dst.set(i, conv.spec.residual == Residual::InPlace ? residual.get(i) : 99);
  ASSERT_EQ(fusion_rt_deconv(&conv.slot, &conv.args), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
  std::vector<double> expected = reference();
  double relative = conv.spec.dstType == FUSION_RT_TYPE_F32    ? 2e-5
                    : conv.spec.dstType == FUSION_RT_TYPE_BF16 ? 1.0 / 256
                                                               : 1.0 / 2048;
  for (int64_t i = 0; i < dst.elements(); ++i)
    ASSERT_NEAR(dst.get(i), expected[i],
                5e-5 + relative * std::fabs(expected[i]))
        << "element " << i << ", kernel " << fusion_rt_slot_kernel(&conv.slot);
  ASSERT_TRUE(dst.isSlackUntouched());
}

TEST_P(DeconvTest, AddsTheResidualLast) {
  for (Residual way : {Residual::Apart, Residual::InPlace})
    for (auto activation : {FUSION_RT_ACT_RELU, FUSION_RT_ACT_HARDSIGMOID}) {
      ConvSpec spec;
      GetParam().change(spec);
      spec.residual = way;
      spec.residualAfter = true;
      spec.activation = activation;
      spec.alpha = 0.2f;
      spec.beta = 0.5f;
      SCOPED_TRACE(testing::Message() << "residual " << int(way));
      Deconv deconv(spec, GetParam().outputPadding);
      uint64_t slow = counters().reference_kernels;
      deconv.check();
      EXPECT_EQ(counters().reference_kernels, slow)
          << fusion_rt_slot_kernel(&deconv.conv.slot);
    }
}

TEST_P(DeconvTest, GivesTheFormula) {
  for (bool isConstant : {true, false})
    for (Residual way : {Residual::None, Residual::Apart, Residual::InPlace}) {
      ConvSpec spec;
      GetParam().change(spec);
      spec.constantWeights = isConstant;
      spec.residual = way;
      SCOPED_TRACE(testing::Message()
                   << "residual " << int(way) << ", constant " << isConstant);
      Deconv deconv(spec, GetParam().outputPadding);
      uint64_t slow = counters().reference_kernels;
      deconv.check();
      deconv.check();
      EXPECT_EQ(counters().reference_kernels, slow)
          << fusion_rt_slot_kernel(&deconv.conv.slot);
    }
}

static const DeconvCase cases[] = {
    {"Plain", [](auto &) {}, {0, 0}},
    {"Strides", [](auto &s) { s.strides = {2, 3}; }, {0, 0}},
    {"OutputPadding", [](auto &s) { s.strides = {2, 3}; }, {1, 2}},
    {"Padding",
     [](auto &s) {
       s.strides = {2, 2};
       s.padLow = {1, 0};
       s.padHigh = {0, 1};
     },
     {0, 1}},
    {"Dilations",
     [](auto &s) {
       s.strides = {2, 1};
       s.dilations = {2, 3};
     },
     {0, 0}},
    {"Groups",
     [](auto &s) {
       s.groups = 2;
       s.strides = {2, 2};
     },
     {1, 0}},
    {"Depthwise",
     [](auto &s) {
       s.groups = s.inputs = s.outputs = 6;
       s.strides = {2, 2};
     },
     {0, 0}},
    {"ChannelsFirst",
     [](auto &s) {
       s.srcLayout = s.dstLayout = s.residualLayout = Layout::ChannelsFirst;
       s.strides = {2, 2};
     },
     {0, 0}},
    {"WeightsChannelsLast",
     [](auto &s) { s.weightsLayout = Layout::ChannelsLast; },
     {0, 0}},
    {"Slack", [](auto &s) { s.slack = 3; }, {0, 0}},
    {"Relu",
     [](auto &s) {
       s.activation = FUSION_RT_ACT_RELU;
       s.strides = {2, 2};
     },
     {0, 0}},
    {"Wide",
     [](auto &s) {
       s.inputs = 32;
       s.outputs = 48;
       s.strides = {2, 2};
     },
     {0, 0}},
    {"BF16",
     [](auto &s) {
       s.srcType = s.dstType = FUSION_RT_TYPE_BF16;
       s.strides = {2, 2};
     },
     {0, 0}},
    {"F32OfBF16Weights",
     [](auto &s) { s.weightsType = FUSION_RT_TYPE_BF16; },
     {0, 0}},
    {"F16",
     [](auto &s) { s.srcType = s.dstType = FUSION_RT_TYPE_F16; },
     {0, 0}},
};

INSTANTIATE_TEST_SUITE_P(All, DeconvTest, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

TEST(DeconvTest, WrongSize) {
  ConvSpec spec;
  spec.strides = {2, 2};
  Deconv deconv(spec, {0, 2});
  expectFailure(fusion_rt_deconv(&deconv.conv.slot, &deconv.conv.args),
                FUSION_RT_INVALID_ARGUMENT,
                "'dst' must have a size in dimension 3 from which a "
                "convolution makes the 7 of 'src' (kernel 2, stride 2, "
                "dilation 1, pads 0 and 0), got 16");
}

/// The sum of the products of two tensors' elements.
static double product(const Tensor &a, const Tensor &b) {
  double sum = 0;
  for (int64_t i = 0; i < a.elements(); ++i)
    sum += a.get(i) * b.get(i);
  return sum;
}

/// <convolution(x), y> is <x, transposed convolution(y)>, in each rank.
static void checkAdjoint(ConvSpec spec) {
  spec.bias = false;
  Conv conv(spec);
  conv.check();
  fusion_rt_slot slot{&conv.desc, "adjoint.mlir:1:1", nullptr};
  Tensor y = conv.dst, x = conv.src;
  y.fill(11);
  fusion_rt_conv_args args{};
  args.src = y.view();
  args.dst = x.view();
  args.weights = conv.weights.view();
  std::swap(args.weights.sizes[0], args.weights.sizes[1]);
  std::swap(args.weights.strides[0], args.weights.strides[1]);
  ASSERT_EQ(fusion_rt_deconv(&slot, &args), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
  double forward = product(conv.dst, y), backward = product(conv.src, x);
  EXPECT_NEAR(forward, backward, 1e-4 * (1 + std::fabs(forward)));
  fusion_rt_release(&slot);
}

TEST(DeconvTest, IsTheAdjointOfTheConvolution) {
  ConvSpec line = makeSpec({17}, {3});
  line.strides = {2};
  line.dilations = {3};
  line.padLow = {2};
  line.padHigh = {1};
  checkAdjoint(line);
  ConvSpec image;
  image.strides = {2, 3};
  image.padLow = {2, 0};
  checkAdjoint(image);
  ConvSpec box = makeSpec({5, 7, 6}, {2, 3, 1});
  box.strides = {2, 1, 3};
  box.dilations = {1, 2, 1};
  box.padLow = {1, 0, 2};
  box.padHigh = {0, 2, 1};
  checkAdjoint(box);
}

/// Every second element of rows that do not end with a whole step.
TEST(DeconvTest, OperandsThatAreSlices) {
  for (Residual way : {Residual::None, Residual::Apart, Residual::InPlace})
    for (int which : {1, 2, 4, 8, 15}) {
      ConvSpec spec;
      spec.residual = way;
      spec.strides = {2, 3};
      SCOPED_TRACE(testing::Message()
                   << "residual " << int(way) << ", operands " << which);
      Deconv deconv(spec);
      Conv &conv = deconv.conv;
      Tensor *tensors[] = {&conv.src, &conv.weights, &deconv.residual,
                           &deconv.dst};
      fusion_rt_tensor *args[] = {&conv.args.src, &conv.args.weights,
                                  &conv.args.residual, &conv.args.dst};
      for (int i = 0; i < 4; ++i) {
        if (!(which >> i & 1) || !args[i]->data)
          continue;
        *tensors[i] = tensors[i]->spread(/*step=*/2, /*gap=*/-1);
        *args[i] = tensors[i]->view();
      }
      if (way == Residual::InPlace)
        conv.args.residual = conv.args.dst;
      deconv.check();
    }
}

/// Kernels of oneDNN 3 read and write such images as if they were contiguous.
TEST(DeconvTest, GapsBetweenImages) {
  for (Dims steps : {Dims{1, 1}, Dims{2, 2}})
    for (bool ofSrc : {true, false}) {
      ConvSpec spec;
      spec.strides = steps;
      Deconv deconv(spec);
      Tensor &tensor = ofSrc ? deconv.conv.src : deconv.dst;
      Dims strides = tensor.strides;
      strides[0] += 2;
      tensor = tensor.restride(strides);
      (ofSrc ? deconv.conv.args.src : deconv.conv.args.dst) = tensor.view();
      deconv.check();
    }
}

TEST(DeconvTest, NothingToSumUp) {
  ConvSpec spec;
  spec.inputs = 0;
  Deconv deconv(spec);
  deconv.check();
}

TEST(DeconvTest, NothingToWrite) {
  ConvSpec spec;
  spec.batch = 0;
  Deconv deconv(spec);
  deconv.check();
}

TEST(DeconvTest, ASlotBelongsToOneFunction) {
  Deconv deconv{ConvSpec()};
  deconv.check();
  expectFailure(fusion_rt_conv(&deconv.conv.slot, &deconv.conv.args),
                FUSION_RT_INVALID_ARGUMENT,
                "'slot' must be used with one function only, was used with "
                "fusion_rt_deconv and now with fusion_rt_conv");
}

static void runWithActivation() {
  ConvSpec spec;
  spec.activation = FUSION_RT_ACT_GELU_ERF;
  Deconv(spec).check();
  exit(testing::Test::HasFailure() ? 1 : 0);
}

/// oneDNN 2 computes post-ops one element at a time.
TEST(DeconvDeathTest, WhatFollowsTheSumIsAPrimitiveOfItsOwn) {
  FUSION_NEEDS_ONEDNN();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  setenv("FUSION_VERBOSE", "1", 1);
  EXPECT_EXIT(runWithActivation(), testing::ExitedWithCode(0),
              "create deconv .*(brg|, what follows the sum in an "
              "element-wise primitive)");
  unsetenv("FUSION_VERBOSE");
}
