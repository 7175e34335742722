//===- LayoutTest.cpp - Layouts, residuals and empty tensors --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <algorithm>
#include <cstring>
#include <tuple>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Every combination of layouts
//===----------------------------------------------------------------------===//

namespace {
using LayoutCase = std::tuple<Layout, Layout, fusion_rt_type, int /*slack*/>;
class LayoutTest : public testing::TestWithParam<LayoutCase> {
protected:
  ConvSpec spec() {
    ConvSpec spec;
    std::tie(spec.srcLayout, spec.dstLayout, spec.srcType, std::ignore) =
        GetParam();
    spec.slack = std::get<3>(GetParam());
    spec.dstType = spec.srcType;
    spec.residualLayout = spec.dstLayout;
    spec.activation = FUSION_RT_ACT_RELU;
    return spec;
  }
};
} // namespace

TEST_P(LayoutTest, Plain) { Conv(spec()).check(); }

TEST_P(LayoutTest, ResidualInPlace) {
  ConvSpec inPlace = spec();
  inPlace.residual = Residual::InPlace;
  for (bool isAfter : {false, true}) {
    inPlace.residualAfter = isAfter;
    Conv(inPlace).check();
  }
}

TEST_P(LayoutTest, ResidualApart) {
  ConvSpec apart = spec();
  apart.residual = Residual::Apart;
  for (Layout layout : {Layout::ChannelsFirst, Layout::ChannelsLast}) {
    apart.residualLayout = layout;
    for (bool isAfter : {false, true}) {
      apart.residualAfter = isAfter;
      Conv(apart).check();
    }
  }
}

TEST_P(LayoutTest, NeverInTheReferenceKernel) {
  uint64_t before = counters().reference_kernels;
  ConvSpec wide = spec();
  wide.inputs = wide.outputs = 64;
  for (Residual residual :
       {Residual::None, Residual::Apart, Residual::InPlace}) {
    wide.residual = residual;
    wide.residualAfter = residual != Residual::None;
    Conv conv(wide);
    conv.check();
    EXPECT_EQ(counters().reference_kernels, before)
        << fusion_rt_slot_kernel(&conv.slot);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, LayoutTest,
    testing::Combine(testing::Values(Layout::ChannelsFirst,
                                     Layout::ChannelsLast, Layout::Scrambled),
                     testing::Values(Layout::ChannelsFirst,
                                     Layout::ChannelsLast, Layout::Scrambled),
                     testing::Values(FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16),
                     testing::Values(0, 3)));

TEST(ResidualTest, AnyNumberOfChannels) {
  // Kernels work on blocks of channels, and on a rest.
  for (int64_t outputs : {1, 3, 8, 10, 16, 20, 33, 64, 70})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
      for (fusion_rt_type type : {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16})
        for (int kind = 0; kind < 3; ++kind) {
          ConvSpec spec = kind == 1 ? makeSpec({5, 8}, {1, 1}) : ConvSpec();
          spec.inputs = spec.outputs = outputs;
          spec.groups = kind == 2 ? outputs : 1;
          spec.srcType = spec.dstType = type;
          spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
          spec.activation = FUSION_RT_ACT_TANH;
          for (auto [residual, isAfter] : waysToAdd()) {
            spec.residual = residual;
            spec.residualAfter = isAfter;
            Conv(spec).check();
          }
        }
}

/// Copies to another layout and type go by squares of 16x16, and a rest.
TEST(LayoutsTest, LayoutAndTypeChangeTogether) {
  constexpr fusion_rt_type f32 = FUSION_RT_TYPE_F32, bf16 = FUSION_RT_TYPE_BF16,
                           f16 = FUSION_RT_TYPE_F16;
  for (auto [src, weights, dst] :
       {std::tuple(f32, bf16, f32), std::tuple(f32, bf16, bf16),
        std::tuple(bf16, bf16, f32), std::tuple(bf16, bf16, bf16),
        std::tuple(f16, f16, f16)})
    for (int64_t channels : {32, 39}) {
      ConvSpec spec = makeSpec({9, 7}, {1, 1});
      spec.inputs = channels;
      spec.outputs = channels + 9;
      spec.srcType = src;
      spec.weightsType = weights;
      spec.dstType = dst;
      spec.srcLayout = spec.dstLayout = Layout::ChannelsFirst;
      Conv(spec).check();
      spec.kernel = {3, 2};
      Conv(spec).check();
    }
}

TEST(LayoutsTest, StridesOfDimensionsOfSizeOneDoNotMatter) {
  ConvSpec spec;
  spec.batch = 1;
  spec.inputs = spec.outputs = 32;
  spec.image = {1, 9};
  spec.kernel = {1, 3};
  Conv conv(spec);
  conv.check();
  std::string kernel = fusion_rt_slot_kernel(&conv.slot);
  for (fusion_rt_tensor *tensor :
       {&conv.args.src, &conv.args.dst, &conv.args.weights}) {
    for (int dim = 0; dim < 4; ++dim)
      if (tensor->sizes[dim] == 1)
        tensor->strides[dim] = 12345 - 999 * dim;
  }
  uint64_t creates = counters().creates;
  conv.check();
  EXPECT_EQ(counters().creates, creates);
  EXPECT_EQ(fusion_rt_slot_kernel(&conv.slot), kernel);
}

TEST(LayoutsTest, BiasMayBeStrided) {
  ConvSpec spec;
  Conv conv(spec);
  std::vector<float> spread(spec.outputs * 3, 1e30f);
  for (int64_t i = 0; i < spec.outputs; ++i)
    spread[i * 3] = static_cast<float>(conv.bias.get(i));
  conv.args.bias.data = spread.data();
  conv.args.bias.strides[0] = 3;
  conv.check();
}

/// src and dst are channels 0..5 and 6..15 of one tensor, as after a
/// concatenation in place.
static void checkSlices(Layout layout) {
  ConvSpec spec = makeSpec({9, 7}, {1, 1});
  spec.srcLayout = spec.dstLayout = layout;
  Conv conv(spec);
  Tensor whole(FUSION_RT_TYPE_F32, {2, 16, 9, 7}, layout);
  float *data = static_cast<float *>(whole.data());
  for (fusion_rt_tensor *slice : {&conv.args.src, &conv.args.dst})
    std::copy(whole.strides.begin(), whole.strides.end(), slice->strides);
  conv.args.src.data = data;
  conv.args.dst.data = data + 6 * whole.strides[1];
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t i = 0; i < int64_t{6} * 63; ++i)
      whole.set(n * 16 * 63 + i, conv.src.get(n * 6 * 63 + i));
  ASSERT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t i = 0; i < int64_t{10} * 63; ++i)
      conv.dst.set(n * 10 * 63 + i, whole.get((n * 16 + 6) * 63 + i));
  conv.compare();
  // If dst begins one channel earlier, they share memory.
  conv.args.dst.data = data + 5 * whole.strides[1];
  expectFailure(fusion_rt_conv(&conv.slot, &conv.args),
                FUSION_RT_INVALID_ARGUMENT, "'dst' must not overlap 'src'");
}

TEST(LayoutsTest, SlicesOfOneTensorChannelsLast) {
  checkSlices(Layout::ChannelsLast);
}

TEST(LayoutsTest, SlicesOfOneTensorChannelsFirst) {
  checkSlices(Layout::ChannelsFirst);
}

//===----------------------------------------------------------------------===//
// Nothing to compute, nothing to sum up
//===----------------------------------------------------------------------===//

TEST(EmptyTest, NoOutputIsANoOp) {
  for (int what = 0; what < 3; ++what) {
    ConvSpec spec;
    if (what == 0)
      spec.batch = 0;
    if (what == 1)
      spec.outputs = 0;
    if (what == 2)
      spec.image = {2, 7}; // smaller than the kernel
    Conv conv(spec);
    ASSERT_EQ(conv.dst.elements(), 0);
    uint64_t creates = counters().creates, executes = counters().executes;
    EXPECT_EQ(conv.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    EXPECT_EQ(counters().creates, creates);
    EXPECT_EQ(counters().executes, executes + 1);
    EXPECT_EQ(fusion_rt_slot_kernel(&conv.slot), nullptr);
    // Operands without elements may have no address.
    conv.args.dst.data = nullptr;
    EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS);
  }
}

TEST(EmptyTest, NoInputGivesBiasAndResidual) {
  for (fusion_rt_type type :
       {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16})
    for (Residual residual :
         {Residual::None, Residual::Apart, Residual::InPlace}) {
      ConvSpec spec;
      spec.inputs = 0;
      spec.srcType = spec.dstType = type;
      spec.residual = residual;
      spec.activation = FUSION_RT_ACT_LEAKY_RELU;
      spec.alpha = 0.25f;
      Conv(spec).check();
    }
}

TEST(EmptyTest, EmptyKernelGivesBias) {
  ConvSpec spec;
  spec.kernel = {3, 0};
  Conv conv(spec);
  EXPECT_GT(conv.dst.elements(), 0);
  conv.check();
}

TEST(EmptyTest, EmptyImageInPadsGivesBias) {
  ConvSpec spec;
  spec.image = {0, 7};
  spec.padLow = {4, 0};
  Conv conv(spec);
  EXPECT_GT(conv.dst.elements(), 0);
  conv.check();
}
