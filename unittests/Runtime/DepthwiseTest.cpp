//===- DepthwiseTest.cpp - Convolutions of each channel by itself ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"
#include "QuantizedTest.h"

using namespace fusion::test;

static const auto bf16 = FUSION_RT_TYPE_BF16;
static const auto f32 = FUSION_RT_TYPE_F32;

namespace {
/// Numbers of channels that kernels of both kinds take, in f32 and in bf16, and
/// that do not fill vectors.
class DepthwiseTest
    : public testing::TestWithParam<std::tuple<int, fusion_rt_type>> {
protected:
  DepthwiseTest() {
    spec.groups = spec.inputs = spec.outputs = std::get<0>(GetParam());
    spec.srcType = spec.dstType = std::get<1>(GetParam());
    spec.strides = {2, 1};
    spec.padLow = {1, 0};
    spec.padHigh = {0, 1};
  }
  ConvSpec spec;
};
} // namespace

TEST_P(DepthwiseTest, Windows) {
  for (Dims kernel : {Dims{3, 2}, Dims{5, 7}, Dims{1, 1}})
    for (Dims dilations : {Dims{1, 1}, Dims{1, 3}}) {
      spec.image = {9, 23};
      spec.kernel = kernel;
      spec.dilations = dilations;
      Conv(spec).check();
    }
}

TEST_P(DepthwiseTest, Lines) {
  for (auto layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (Dims kernel : {Dims{3}, Dims{9}, Dims{1}})
      for (Dims dilations : {Dims{1}, Dims{3}})
        for (auto [residual, isAfter] : waysToAddOrNot()) {
          ConvSpec line = makeSpec({29}, kernel);
          line.groups = line.inputs = line.outputs = spec.groups;
          line.srcType = line.dstType = spec.srcType;
          line.srcLayout = line.dstLayout = line.residualLayout = layout;
          line.strides = {int64_t(kernel[0] == 3 ? 2 : 1)};
          line.dilations = dilations;
          line.padLow = {dilations[0] * (kernel[0] / 2)};
          line.padHigh = {1};
          line.residual = residual;
          line.residualAfter = isAfter;
          line.activation = FUSION_RT_ACT_TANH;
          Conv(line).check();
        }
}

/// Windows that reach further into padding than kernels with AVX-512 take, on
/// the left and the right, behind rows of other images.
TEST_P(DepthwiseTest, LongPads) {
  spec.image = {4, 27};
  spec.kernel = {3, 3};
  spec.dilations = {3, 24};
  spec.padLow = {3, 25};
  spec.padHigh = {2, 23};
  for (auto srcLayout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (auto dstLayout : {Layout::ChannelsLast, Layout::ChannelsFirst})
      for (auto [residual, isAfter] : waysToAddOrNot()) {
        spec.srcLayout = srcLayout;
        spec.dstLayout = spec.residualLayout = dstLayout;
        spec.residual = residual;
        spec.residualAfter = isAfter;
        spec.activation = FUSION_RT_ACT_SWISH;
        Conv(spec).check();
      }
}

TEST_P(DepthwiseTest, Epilogues) {
  for (auto activation : {FUSION_RT_ACT_RELU, FUSION_RT_ACT_TANH})
    for (auto [residual, isAfter] : waysToAdd()) {
      spec.activation = activation;
      spec.residual = residual;
      spec.residualAfter = isAfter;
      Conv(spec).check();
    }
}

/// Channels between pixels, rows and images that are not the convolution's, as
/// where a tensor is a part of a concatenation.
TEST_P(DepthwiseTest, Parts) {
  for (size_t dim : {0, 2, 3})
    for (int which : {1, 2, 3}) {
      Conv conv(spec);
      auto moveApart = [&](Tensor &tensor, fusion_rt_tensor &arg) {
        Dims strides = tensor.strides;
        for (int64_t &stride : strides)
          if (stride >= tensor.strides[dim])
            stride += stride / tensor.strides[dim] * 5;
        tensor = tensor.restride(strides);
        arg = tensor.view();
      };
      if (which & 1)
        moveApart(conv.src, conv.args.src);
      if (which & 2)
        moveApart(conv.dst, conv.args.dst);
      conv.check();
    }
}

TEST_P(DepthwiseTest, FilterOfTheCall) {
  spec.constantWeights = false;
  Conv conv(spec);
  conv.check();
  conv.resize(1, {12, 5});
  conv.check();
}

INSTANTIATE_TEST_SUITE_P(Channels, DepthwiseTest,
                         testing::Combine(testing::Values(7, 16, 96, 256, 260,
                                                          520),
                                          testing::Values(f32, bf16)));

/// With oneDNN 3, and on CPUs with AMX, only f32 gains by it.
static bool takesAFewChannels(fusion_rt_type type) {
  return type == f32 ||
         (std::string(fusion_rt_backend()).rfind("oneDNN 2", 0) == 0 &&
          !hasKernelsForAmx());
}

/// Where oneDNN has a kernel with AVX-512 for a few channels at a time, and one
/// for all channels of a row.
TEST(DepthwiseKernelTest, TakesAFewChannelsAtATime) {
  FUSION_NEEDS_ONEDNN();
  for (auto [type, channels] : {std::tuple{f32, 16}, std::tuple{f32, 520},
                                std::tuple{bf16, 16}, std::tuple{bf16, 520}}) {
    ConvSpec spec;
    spec.groups = spec.inputs = spec.outputs = channels;
    spec.srcType = spec.dstType = type;
    Conv conv(spec);
    conv.check();
    std::string kernel = fusion_rt_slot_kernel(&conv.slot);
    // Without instructions for bf16 it computes in f32.
    const char *wanted = type == bf16 ? "dw:avx512_core_bf16" : "dw:avx512";
    if (kernel.find(wanted) == std::string::npos)
      continue;
    EXPECT_EQ(kernel.find("jit_dw") == 0, takesAFewChannels(type))
        << kernel << ", " << channels << " channels";
  }
}

/// Dilated windows get kernels for each channel by itself, and with the same
/// instructions, as others do.
TEST(DepthwiseKernelTest, CopiesHaveLongPads) {
  FUSION_NEEDS_ONEDNN();
  for (fusion_rt_type type : {f32, bf16})
    for (int64_t channels : {32, 100, 520}) {
      std::string instructions;
      for (int64_t dilation : {1, 7, 60}) {
        ConvSpec spec = makeSpec({90}, {3});
        spec.groups = spec.inputs = spec.outputs = channels;
        spec.srcType = spec.dstType = type;
        spec.dilations = spec.padLow = spec.padHigh = {dilation};
        Conv conv(spec);
        conv.check();
        std::string kernel = fusion_rt_slot_kernel(&conv.slot);
        const size_t at = kernel.find("dw:");
        ASSERT_NE(at, std::string::npos)
            << kernel << ", " << channels << " channels, " << dilation;
        if (dilation == 1)
          instructions = kernel.substr(at);
        EXPECT_EQ(kernel.substr(at), instructions)
            << channels << " channels, " << dilation;
      }
    }
}

TEST(DepthwiseKernelTest, TakesAFewChannelsOfBytesThatFillVectors) {
  FUSION_NEEDS_ONEDNN();
  for (int64_t channels : {16, 24, 144}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.srcZero = spec.dstZero = 0;
    spec.conv.srcType = spec.conv.dstType = FUSION_RT_TYPE_U8;
    spec.conv.groups = spec.conv.inputs = spec.conv.outputs = channels;
    Quantized conv(spec);
    conv.check();
    std::string kernel = fusion_rt_slot_kernel(&conv.slot);
    if (kernel.find(":avx512_core_vnni") == std::string::npos)
      continue;
    EXPECT_EQ(kernel.find("jit_int8") == 0,
              takesAFewChannels(FUSION_RT_TYPE_U8) && channels % 16 == 0)
        << kernel << ", " << channels << " channels";
  }
}
