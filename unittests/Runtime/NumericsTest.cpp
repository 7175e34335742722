//===- NumericsTest.cpp - Results of convolutions -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cmath>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

namespace {
struct ActivationCase {
  const char *name;
  fusion_rt_activation activation;
  float alpha, beta;
};

class ActivationTest : public testing::TestWithParam<ActivationCase> {
protected:
  ConvSpec spec(fusion_rt_type type) {
    ConvSpec spec;
    spec.srcType = spec.dstType = type;
    spec.activation = GetParam().activation;
    spec.alpha = GetParam().alpha;
    spec.beta = GetParam().beta;
    return spec;
  }

  /// sqrt needs numbers that are not negative.
  void makePositive(Conv &conv) {
    if (GetParam().activation != FUSION_RT_ACT_SQRT)
      return;
    for (Tensor *tensor : {&conv.src, &conv.weights, &conv.bias})
      for (int64_t i = 0; i < tensor->elements(); ++i)
        tensor->set(i, std::fabs(tensor->get(i)) + 0.125);
  }
};
} // namespace

TEST_P(ActivationTest, F32) {
  Conv conv(spec(FUSION_RT_TYPE_F32));
  makePositive(conv);
  conv.check();
}

TEST_P(ActivationTest, F32ChannelsFirst) {
  ConvSpec channelsFirst = spec(FUSION_RT_TYPE_F32);
  channelsFirst.srcLayout = channelsFirst.dstLayout = Layout::ChannelsFirst;
  Conv conv(channelsFirst);
  makePositive(conv);
  conv.check();
}

TEST_P(ActivationTest, BF16) {
  Conv conv(spec(FUSION_RT_TYPE_BF16));
  makePositive(conv);
  conv.check();
}

TEST_P(ActivationTest, AfterResidual) {
  ConvSpec residual = spec(FUSION_RT_TYPE_F32);
  residual.residual = Residual::Apart;
  Conv conv(residual);
  makePositive(conv);
  if (GetParam().activation == FUSION_RT_ACT_SQRT)
    for (int64_t i = 0; i < conv.residual.elements(); ++i)
      conv.residual.set(i, std::fabs(conv.residual.get(i)));
  conv.check();
}

TEST_P(ActivationTest, BeforeResidual) {
  if (GetParam().activation == FUSION_RT_ACT_NONE)
    return; // there is nothing that it could come after
  for (fusion_rt_type type :
       {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16})
    for (Residual residual : {Residual::Apart, Residual::InPlace})
      for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
        ConvSpec after = spec(type);
        after.residual = residual;
        after.residualAfter = true;
        after.srcLayout = after.dstLayout = layout;
        SCOPED_TRACE(testing::Message() << "type " << type << ", residual "
                                        << static_cast<int>(residual));
        Conv conv(after);
        makePositive(conv);
        conv.check();
      }
}

TEST_P(ActivationTest, WithoutReduction) {
  ConvSpec empty = spec(FUSION_RT_TYPE_F32);
  empty.inputs = 0;
  empty.residual = Residual::Apart;
  empty.residualAfter = empty.activation != FUSION_RT_ACT_NONE;
  Conv conv(empty);
  makePositive(conv);
  conv.check();
  EXPECT_STREQ(fusion_rt_slot_kernel(&conv.slot), "plain loop");
}

static const ActivationCase activationCases[] = {
    {"None", FUSION_RT_ACT_NONE, 0, 0},
#define FUSION_ACTIVATION(Name, NAME, ...)                                     \
  {#Name, FUSION_RT_ACT_##NAME, 0.2f, 0.5f},
#include "FusionRuntime/activations.def"
    {"ClipBelow0", FUSION_RT_ACT_CLIP, -0.25f, 0.75f},
    {"ClipFrom0", FUSION_RT_ACT_CLIP, 0, INFINITY},
    {"ClipCrossed", FUSION_RT_ACT_CLIP, 1, 0.5f},
    {"LeakyReluEighth", FUSION_RT_ACT_LEAKY_RELU, 0.125f, 0},
    {"EluMore", FUSION_RT_ACT_ELU, 0.75f, 0},
    {"Silu", FUSION_RT_ACT_SWISH, 1, 0},
    {"SwishMore", FUSION_RT_ACT_SWISH, 1.5f, 0},
};
INSTANTIATE_TEST_SUITE_P(All, ActivationTest,
                         testing::ValuesIn(activationCases),
                         [](const auto &info) { return info.param.name; });

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
struct WindowCase {
  const char *name;
  ConvSpec spec;
};

class WindowTest : public testing::TestWithParam<WindowCase> {};
} // namespace

static ConvSpec with(ConvSpec spec, void (*change)(ConvSpec &)) {
  change(spec);
  return spec;
}

static std::vector<WindowCase> windowCases() {
  ConvSpec plain;
  ConvSpec line = makeSpec({17}, {3});
  ConvSpec box = makeSpec({5, 7, 6}, {2, 3, 1});
  return {
      {"Plain", plain},
      {"OneByOne", makeSpec({9, 7}, {1, 1})},
      {"Strides", with(plain, [](auto &s) { s.strides = {2, 3}; })},
      {"Dilations", with(plain, [](auto &s) { s.dilations = {2, 3}; })},
      {"AsymmetricPads", with(plain,
                              [](auto &s) {
                                s.padLow = {2, 0};
                                s.padHigh = {1, 3};
                              })},
      {"PadsBeyondKernel", with(plain, [](auto &s) { s.padLow = {5, 4}; })},
      {"LeftOver", with(plain,
                        [](auto &s) {
                          s.strides = {4, 4};
                          s.padHigh = {1, 1};
                        })},
      {"All", with(plain,
                   [](auto &s) {
                     s.strides = {2, 1};
                     s.dilations = {1, 2};
                     s.padLow = {1, 2};
                     s.padHigh = {0, 1};
                   })},
      {"ColumnOfOneChannel", with(makeSpec({7, 4}, {2, 3}),
                                  [](auto &s) {
                                    s.inputs = 1;
                                    s.strides = {1, 3};
                                    s.padLow = {1, 0};
                                  })},
      {"WindowInPadding", with(makeSpec({9, 1}, {2, 1}),
                               [](auto &s) {
                                 s.strides = {1, 2};
                                 s.dilations = {1, 2};
                                 s.padLow = {2, 1};
                                 s.padHigh = {0, 1};
                               })},
      {"Groups", with(plain, [](auto &s) { s.groups = 2; })},
      {"ManyPerGroup", with(plain,
                            [](auto &s) {
                              s.groups = 2;
                              s.inputs = 32;
                              s.outputs = 64;
                            })},
      {"Depthwise", with(plain, [](auto &s) { s.groups = s.outputs = 6; })},
      {"DepthwiseWide",
       with(plain, [](auto &s) { s.groups = s.inputs = s.outputs = 48; })},
      {"DepthwiseMultiplier", with(plain,
                                   [](auto &s) {
                                     s.groups = 6;
                                     s.outputs = 12;
                                   })},
      {"OneInput", with(plain, [](auto &s) { s.inputs = 1; })},
      {"ThreeInputs", with(plain, [](auto &s) { s.inputs = 3; })},
      {"OneOutput", with(plain, [](auto &s) { s.outputs = 1; })},
      {"Wide", with(plain,
                    [](auto &s) {
                      s.inputs = 64;
                      s.outputs = 32;
                    })},
      {"OnePixel", makeSpec({1, 1}, {1, 1})},
      {"OneRow", with(makeSpec({1, 9}, {1, 3}), [](auto &s) { s.batch = 1; })},
      {"Line", line},
      {"LineAll", with(line,
                       [](auto &s) {
                         s.strides = {2};
                         s.dilations = {3};
                         s.padLow = {2};
                         s.padHigh = {1};
                       })},
      {"LineDepthwise", with(line, [](auto &s) { s.groups = s.outputs = 6; })},
      {"Box", box},
      {"BoxAll", with(box,
                      [](auto &s) {
                        s.strides = {2, 1, 3};
                        s.dilations = {1, 2, 1};
                        s.padLow = {1, 0, 2};
                        s.padHigh = {0, 2, 1};
                        s.groups = 2;
                      })},
  };
}

static void checkLayouts(ConvSpec spec) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (Layout weights : {Layout::ChannelsFirst, Layout::ChannelsLast}) {
      spec.srcLayout = spec.dstLayout = layout;
      spec.weightsLayout = weights;
      Conv(spec).check();
    }
}

/// oneDNN 3 may compute these as a matrix multiplication.
TEST(NumericsTest, OneOutputInMixedLayouts) {
  for (ConvSpec spec : {makeSpec({9, 7}, {9, 7}), makeSpec({5, 7}, {1, 1})})
    for (Layout src : {Layout::ChannelsLast, Layout::ChannelsFirst})
      for (Layout dst : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
        spec.outputs = 1;
        spec.srcLayout = src;
        spec.dstLayout = dst;
        Conv(spec).check();
      }
}

TEST_P(WindowTest, F32) { checkLayouts(GetParam().spec); }

TEST_P(WindowTest, BF16) {
  ConvSpec spec = GetParam().spec;
  spec.srcType = spec.dstType = FUSION_RT_TYPE_BF16;
  checkLayouts(spec);
}

TEST_P(WindowTest, F16) {
  ConvSpec spec = GetParam().spec;
  spec.srcType = spec.dstType = FUSION_RT_TYPE_F16;
  checkLayouts(spec);
}

TEST_P(WindowTest, WeightsThatChange) {
  ConvSpec spec = GetParam().spec;
  spec.constantWeights = false;
  Conv conv(spec);
  conv.check();
  conv.weights.fill(17);
  conv.check();
}

TEST_P(WindowTest, BatchOfOneWithoutBias) {
  ConvSpec spec = GetParam().spec;
  spec.batch = 1;
  spec.bias = false;
  checkLayouts(spec);
}

INSTANTIATE_TEST_SUITE_P(All, WindowTest, testing::ValuesIn(windowCases()),
                         [](const auto &info) { return info.param.name; });

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static const fusion_rt_type allTypes[] = {
    FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16};

TEST(TypesTest, EachPairWithEachResidual) {
  for (fusion_rt_type src : allTypes)
    for (fusion_rt_type dst : allTypes)
      for (fusion_rt_type residual : {dst, FUSION_RT_TYPE_F32})
        for (auto [way, isAfter] : waysToAdd()) {
          SCOPED_TRACE(testing::Message()
                       << "src " << src << ", dst " << dst << ", residual "
                       << residual << ", way " << static_cast<int>(way)
                       << (isAfter ? ", after" : ""));
          if (way == Residual::InPlace && residual != dst)
            continue;
          ConvSpec spec;
          spec.srcType = src;
          spec.dstType = dst;
          spec.residual = way;
          spec.residualAfter = isAfter;
          spec.residualType = residual;
          spec.activation = FUSION_RT_ACT_RELU;
          Conv(spec).check();
        }
}

TEST(ResidualTest, WindowsThatOnlyAMatrixMultiplicationTakes) {
  // Few channels and a wide dilation: with AVX2 oneDNN has no other kernel.
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (bool isConstant : {true, false})
      for (auto [residual, isAfter] : waysToAdd()) {
        ConvSpec spec;
        spec.residualAfter = isAfter;
        spec.inputs = 3;
        spec.outputs = 5;
        spec.image = {13, 10};
        spec.strides = {2, 1};
        spec.dilations = {1, 3};
        spec.padLow = {2, 0};
        spec.padHigh = {1, 4};
        spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
        spec.residual = residual;
        spec.activation = FUSION_RT_ACT_RELU;
        spec.constantWeights = isConstant;
        Conv(spec).check();
      }
}

/// oneDNN 2.6 uses worse kernels if they have to add a tensor that they read.
TEST(ResidualTest, KernelStaysTheSame) {
  ConvSpec spec;
  spec.inputs = 32;
  spec.outputs = 48;
  Conv without(spec);
  without.check();
  spec.residual = Residual::Apart;
  Conv with(spec);
  with.check();
  EXPECT_STREQ(fusion_rt_slot_kernel(&with.slot),
               fusion_rt_slot_kernel(&without.slot));
}

TEST(ResidualTest, WindowsInPaddingAlone) {
  // If outputs see nothing but padding, oneDNN 2.6's brgconv loses the bias, or
  // crashes.
  struct {
    Dims kernel, padLow, padHigh, strides;
  } windows[] = {{{1, 1}, {0, 0}, {1, 0}, {1, 1}},
                 {{3, 2}, {3, 0}, {0, 1}, {1, 1}},
                 {{2, 3}, {1, 1}, {4, 3}, {1, 1}},
                 {{1, 1}, {0, 1}, {0, 0}, {1, 2}}};
  for (auto &[kernel, padLow, padHigh, strides] : windows)
    for (int64_t channels : {1, 16})
      for (bool bias : {true, false})
        for (fusion_rt_activation activation :
             {FUSION_RT_ACT_NONE, FUSION_RT_ACT_RELU})
          for (Residual residual :
               {Residual::None, Residual::Apart, Residual::InPlace}) {
            ConvSpec spec;
            spec.inputs = spec.outputs = channels;
            spec.kernel = kernel;
            spec.padLow = padLow;
            spec.padHigh = padHigh;
            spec.strides = strides;
            spec.bias = bias;
            spec.residual = residual;
            spec.activation = activation;
            SCOPED_TRACE(testing::Message()
                         << "kernel " << kernel[0] << ", channels " << channels
                         << ", bias " << bias << ", activation " << activation
                         << ", residual " << static_cast<int>(residual));
            Conv(spec).check();
          }
}

/// Weights are narrowed when they are packed, src when it is copied.
static void checkWideOperand(fusion_rt_type src, fusion_rt_type weights,
                             fusion_rt_type dst) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (bool isConstant : {true, false})
      for (int64_t inputs : {3, 32}) {
        ConvSpec spec;
        spec.inputs = inputs;
        spec.outputs = 32;
        spec.srcType = src;
        spec.weightsType = weights;
        spec.dstType = dst;
        spec.srcLayout = spec.dstLayout = spec.weightsLayout = layout;
        spec.constantWeights = isConstant;
        Conv(spec).check();
      }
}

TEST(TypesTest, OneWideOperand) {
  const fusion_rt_type wide = FUSION_RT_TYPE_F32;
  for (fusion_rt_type narrow : {FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16})
    for (fusion_rt_type dst : {narrow, wide}) {
      checkWideOperand(narrow, wide, dst);
      checkWideOperand(wide, narrow, dst);
    }
}

/// The kernel matters, too, not only the results.
TEST(TypesTest, WideSrcGetsTheKernelOfANarrowOne) {
  ConvSpec spec;
  spec.inputs = spec.outputs = 32;
  spec.dstType = spec.weightsType = FUSION_RT_TYPE_BF16;
  Conv wide(spec);
  spec.srcType = FUSION_RT_TYPE_BF16;
  Conv narrow(spec);
  ASSERT_EQ(wide.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  ASSERT_EQ(narrow.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  EXPECT_STREQ(fusion_rt_slot_kernel(&wide.slot),
               fusion_rt_slot_kernel(&narrow.slot));
}

/// Computes with bias and residual alone, whose sum rounds to 258 in bf16.
static void checkIsRoundedOnce(ConvSpec spec, double bias, double residual) {
  spec.inputs = 16;
  spec.kernel = {1, 1};
  spec.dstType = spec.srcType = FUSION_RT_TYPE_BF16;
  Conv conv(spec);
  for (int64_t i = 0; i < conv.weights.elements(); ++i)
    conv.weights.set(i, 0);
  for (int64_t i = 0; i < conv.bias.elements(); ++i)
    conv.bias.set(i, bias);
  for (int64_t i = 0; i < conv.residual.elements(); ++i)
    conv.residual.set(i, residual);
  ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  for (int64_t i = 0; i < conv.dst.elements(); ++i)
    ASSERT_EQ(conv.dst.get(i), 258);
}

TEST(TypesTest, NothingIsRoundedBeforeTheResidualIsAdded) {
  // In bf16 257 is 256, and so is 256 + 1.
  ConvSpec spec;
  spec.residual = Residual::Apart;
  spec.residualType = FUSION_RT_TYPE_F32;
  checkIsRoundedOnce(spec, 1, 257);
  spec.residualAfter = true;
  spec.activation = FUSION_RT_ACT_RELU;
  checkIsRoundedOnce(spec, 1, 257);
  spec.residualType = FUSION_RT_TYPE_BF16;
  checkIsRoundedOnce(spec, 257, 1);
  spec.residual = Residual::InPlace;
  checkIsRoundedOnce(spec, 257, 1);
}

TEST(TypesTest, HalfPrecisionRoundsToNearestEven) {
  // dst is the bias, which has all kinds of numbers.
  ConvSpec spec;
  spec.inputs = 0;
  spec.outputs = 8;
  spec.dstType = FUSION_RT_TYPE_F16;
  Conv conv(spec);
  const float given[] = {1 + 0x1p-11f, 1 + 0x3p-11f, 65519.0f,  65520.0f,
                         0x1p-24f,     0x1p-25f,     -0x3p-25f, -2.5f};
  const double expected[] = {1,       1 + 0x1p-9, 65504,    INFINITY,
                             0x1p-24, 0,          -0x1p-23, -2.5};
  for (int i = 0; i < 8; ++i)
    conv.bias.set(i, given[i]);
  ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  int64_t perChannel = conv.dst.sizes[2] * conv.dst.sizes[3];
  for (int64_t i = 0; i < conv.dst.elements(); ++i)
    ASSERT_EQ(conv.dst.get(i), expected[i / perChannel % 8]) << i;
}

TEST(TypesTest, NarrowInputsAreReadExactly) {
  // A 1x1 convolution with weight 1 is a copy, here of f16 values of all
  // magnitudes.
  ConvSpec spec;
  spec.batch = 1;
  spec.inputs = spec.outputs = spec.groups = 16;
  spec.kernel = {1, 1};
  spec.image = {64, 62}; // all but infinities and NaN of 62 * 1024 numbers
  spec.srcType = FUSION_RT_TYPE_F16;
  spec.bias = false;
  Conv conv(spec);
  for (int64_t i = 0; i < conv.weights.elements(); ++i)
    conv.weights.set(i, 1);
  uint16_t *bits = static_cast<uint16_t *>(conv.src.data());
  for (int64_t i = 0; i < conv.src.elements(); ++i)
    bits[i] = static_cast<uint16_t>(i / 1024 * 1024 % 63488 + i % 1024 +
                                    (i >= 31744 ? 1024 : 0));
  conv.check();
}
