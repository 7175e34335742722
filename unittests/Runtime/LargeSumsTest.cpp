//===- LargeSumsTest.cpp - Sums of integers beyond 2^24 -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// f32 does not hold these sums. Results are compared as in QuantizedTest.cpp.

#include "QuantizedTest.h"

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using namespace fusion::test;

/// Sums beyond 2^24, which f32 does not hold exactly: wherever they are kept on
/// the way, it is in integers.
TEST(LargeSumsTest, SumsThatFloatsRound) {
  for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (int32_t zero : {0, 3})
      for (Dims kernel : {Dims{3, 3}, Dims{1, 1}})
        for (int64_t groups : {1, 2})
          for (auto [isMatmul, isScaled] : {std::pair(false, false),
                                            {false, true},
                                            {true, false},
                                            {true, true}}) {
            QuantizedSpec spec = makeQuantizedSpec();
            spec.isMatmul = isMatmul;
            spec.scales = isScaled ? 1 : 0;
            spec.conv.bias = !isScaled;
            spec.srcZero = zero;
            spec.conv.srcType = srcType;
            spec.conv.dstType =
                isScaled ? FUSION_RT_TYPE_S8 : FUSION_RT_TYPE_S32;
            spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
            spec.conv.kernel = kernel;
            spec.conv.strides = {1, 1};
            if (kernel[0] == 1)
              spec.conv.padLow = spec.conv.padHigh = {0, 0};
            spec.conv.batch = 1;
            spec.conv.groups = groups;
            spec.conv.inputs = kernel[0] == 3 ? 256 * groups : 1600 * groups;
            spec.conv.outputs = 32;
            spec.conv.image = {5, 3};
            SCOPED_TRACE(testing::Message()
                         << "type " << srcType << ", zero point " << zero
                         << ", kernel " << kernel[0] << ", groups " << groups
                         << (isMatmul ? ", matmul" : ""));
            Quantized conv(spec);
            if (isScaled)
              conv.scales.set(0, 1.0 / (1 << 20));
            for (int64_t i = 0; i < conv.src.elements(); ++i)
              conv.src.set(i, srcType == FUSION_RT_TYPE_U8
                                  ? 255 - i * i / 5 % 3
                                  : i * i / 5 % 3 - 128);
            for (int64_t i = 0; i < conv.weights.elements(); ++i)
              conv.weights.set(i, 127 - i / 2 % 3);
            conv.check();
          }
}

/// Other kernels compute such calls, with weights of their own, which are kept.
TEST(LargeSumsTest, WeightsOfLongSums) {
  for (bool isMatmul : {false, true})
    for (bool isConstant : {false, true}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.isMatmul = isMatmul;
      spec.constantScales = false;
      spec.conv.constantWeights = isConstant;
      spec.conv.batch = 1;
      spec.conv.inputs = isMatmul ? 1600 : 256;
      spec.conv.image = {5, 3};
      Quantized conv(spec);
      for (int64_t i = 0; i < conv.weights.elements(); ++i)
        conv.weights.set(i, 127 - i / 2 % 3);
      conv.check();
      const uint64_t packs = counters().weight_packs;
      conv.check();
      conv.check();
      if (isConstant) {
        EXPECT_EQ(counters().weight_packs, packs);
      }
    }
}

/// The same for large windows on few channels, for which oneDNN has kernels
/// that convert all sums: to f32, and back if nothing follows them.
TEST(LargeSumsTest, SumsOfLargeWindows) {
  for (Dims kernel : {Dims{625}, Dims{23, 23}, Dims{9, 9, 9}})
    for (int64_t groups : {1, 2, 16})
      for (fusion_rt_type dstType : {FUSION_RT_TYPE_S32, FUSION_RT_TYPE_F32})
        for (bool isConstant : {false, true}) {
          QuantizedSpec spec = makeQuantizedSpec();
          const size_t rank = kernel.size();
          spec.srcZero = 0;
          spec.scales = dstType == FUSION_RT_TYPE_F32 ? 1 : 0;
          spec.conv.constantWeights = isConstant;
          spec.conv.dstType = dstType;
          spec.conv.batch = 1;
          spec.conv.groups = spec.conv.outputs = groups;
          spec.conv.inputs = groups == 16 ? 16 : 2 * groups;
          spec.conv.image = spec.conv.kernel = kernel;
          spec.conv.image.back() += 1;
          spec.conv.strides = spec.conv.dilations = Dims(rank, 1);
          spec.conv.padLow = spec.conv.padHigh = Dims(rank, 0);
          SCOPED_TRACE(testing::Message() << "rank " << rank << ", groups "
                                          << groups << ", type " << dstType);
          Quantized conv(spec);
          for (int64_t i = 0; i < conv.src.elements(); ++i)
            conv.src.set(i, i * i / 5 % 7 ? 255 : 254);
          for (int64_t i = 0; i < conv.weights.elements(); ++i)
            conv.weights.set(i, 127 - i / 2 % 3 % 2);
          for (int64_t i = 0; i < conv.bias.elements(); ++i)
            conv.bias.set(i, double(1000000 + i));
          if (spec.scales)
            conv.scales.set(0, 1.0 / (1 << 20));
          conv.check();
        }
}

/// Weights with which long sums pass 2^24.
static void setLargeWeights(Quantized &conv) {
  for (int64_t i = 0; i < conv.src.elements(); ++i)
    conv.src.set(i, 255 - i * i / 5 % 3);
  for (int64_t i = 0; i < conv.weights.elements(); ++i)
    conv.weights.set(i, 127 - i / 2 % 3);
}

/// A zero point adds to sums what depends on the padding that they read. The
/// bias and the steps behind are of each kind.
TEST(LargeSumsTest, ZeroPointsAndPads) {
  for (size_t rank : {1, 2, 3})
    for (int64_t dilation : {1, 2})
      for (fusion_rt_type biasType : {FUSION_RT_TYPE_S32, FUSION_RT_TYPE_F32})
        for (fusion_rt_type dstType :
             {FUSION_RT_TYPE_U8, FUSION_RT_TYPE_F32, FUSION_RT_TYPE_S32})
          for (fusion_rt_activation activation :
               {FUSION_RT_ACT_RELU, FUSION_RT_ACT_ABS}) {
            const bool isInteger = dstType == FUSION_RT_TYPE_S32;
            if (isInteger && (biasType == FUSION_RT_TYPE_F32 ||
                              activation == FUSION_RT_ACT_ABS))
              continue;
            QuantizedSpec spec = makeQuantizedSpec();
            spec.biasType = biasType;
            spec.scales = isInteger ? 0 : -1;
            spec.conv.dstType = dstType;
            spec.conv.activation = isInteger ? FUSION_RT_ACT_NONE : activation;
            spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
            spec.conv.batch = 1;
            spec.conv.inputs = 1200 >> rank;
            spec.conv.outputs = 35;
            spec.conv.image = rank == 1   ? Dims{19}
                              : rank == 2 ? Dims{7, 5}
                                          : Dims{4, 5, 6};
            spec.conv.kernel = Dims(rank, 3);
            spec.conv.kernel[0] = 2;
            spec.conv.dilations = Dims(rank, dilation);
            spec.conv.strides = Dims(rank, 1);
            spec.conv.strides.back() = 2;
            spec.conv.padLow = Dims(rank, 2);
            spec.conv.padLow.back() = 0;
            spec.conv.padHigh = Dims(rank, 1);
            SCOPED_TRACE(testing::Message()
                         << "rank " << rank << ", dilation " << dilation
                         << ", bias " << biasType << ", dst " << dstType
                         << ", activation " << activation);
            Quantized conv(spec);
            setLargeWeights(conv);
            for (int64_t i = 0; !isInteger && i < conv.scales.elements(); ++i)
              conv.scales.set(i, 1.0 / (1 << (18 + i % 3)));
            conv.check();
          }
}

/// Tiles have pads of their own, and threads share the plan and its weights.
TEST(LargeSumsTest, Tiles) {
  for (const char *cut : {"1x2x1", "2x1x1", "1x3x1"}) {
    setenv("FUSION_TILES", cut, 1);
    fusion_rt_set_num_threads(3);
    QuantizedSpec spec = makeQuantizedSpec();
    spec.conv.batch = cut[0] == '1' ? 1 : 2;
    spec.conv.inputs = 256;
    spec.conv.outputs = 32;
    spec.conv.image = {17, 6};
    Quantized conv(spec);
    setLargeWeights(conv);
    conv.check();
    const uint64_t packs = counters().weight_packs;
    conv.check();
    EXPECT_EQ(counters().weight_packs, packs) << cut;
    unsetenv("FUSION_TILES");
    fusion_rt_set_num_threads(1);
  }
}

/// A row of channels is computed in pieces, whose numbers differ.
TEST(LargeSumsTest, ManyChannels) {
  for (fusion_rt_type dstType : {FUSION_RT_TYPE_U8, FUSION_RT_TYPE_F32})
    for (bool isMatmul : {false, true}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.isMatmul = isMatmul;
      spec.srcZero = 255;
      spec.conv.dstType = dstType;
      spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
      spec.conv.batch = 1;
      spec.conv.inputs = isMatmul ? 1200 : 200;
      spec.conv.outputs = 700;
      spec.conv.image = {3, 2};
      Quantized conv(spec);
      for (int64_t i = 0; i < conv.weights.elements(); ++i)
        conv.weights.set(i, double(127 - i * i / 7 % 50));
      for (int64_t i = 0; i < conv.src.elements(); ++i)
        conv.src.set(i, double(i % 5));
      for (int64_t i = 0; i < conv.scales.elements(); ++i)
        conv.scales.set(i, -1.0 / (1 << (18 + i % 3)));
      conv.check();
    }
}

TEST(LargeSumsTest, Residuals) {
  for (auto [residual, isAfter] : waysToAdd()) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.conv.residual = residual;
    spec.conv.residualType = FUSION_RT_TYPE_S8;
    spec.conv.residualAfter = isAfter;
    spec.conv.activation = FUSION_RT_ACT_RELU;
    spec.residualZero = 21;
    spec.residualScale = 0.37f;
    spec.conv.inputs = 600;
    spec.conv.outputs = 35;
    Quantized conv(spec);
    setLargeWeights(conv);
    for (int64_t i = 0; i < conv.scales.elements(); ++i)
      conv.scales.set(i, 1.0 / (1 << 18));
    conv.check();
  }
}

/// The last call names its kernel, whatever calls before it had.
TEST(LargeSumsTest, KernelsOfTheLastCall) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.inputs = 600;
  spec.conv.outputs = 35;
  Quantized conv(spec);
  for (int64_t i = 0; i < conv.weights.elements(); ++i)
    conv.weights.set(i, double(i % 3 - 1));
  for (int64_t i = 0; i < conv.scales.elements(); ++i)
    conv.scales.set(i, 1.0 / (1 << 18));
  conv.check();
  const std::string first = fusion_rt_slot_kernel(&conv.slot);
  Tensor small = conv.weights;
  std::swap(conv.weights, small); // at another address
  conv.args.operands.weights = conv.weights.view();
  setLargeWeights(conv);
  conv.check();
  const std::string large = fusion_rt_slot_kernel(&conv.slot);
  std::swap(conv.weights, small);
  conv.args.operands.weights = conv.weights.view();
  conv.check();
  EXPECT_EQ(fusion_rt_slot_kernel(&conv.slot), first) << large;
}

/// They plan, and pack weights, together.
TEST(LargeSumsTest, SeveralThreads) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.inputs = 600;
  spec.conv.outputs = 35;
  Quantized conv(spec);
  setLargeWeights(conv);
  std::vector<Tensor> results(8, conv.dst);
  std::vector<std::thread> threads;
  for (Tensor &result : results)
    threads.emplace_back([&conv, &result] {
      fusion_rt_quantized_args args = conv.args;
      args.operands.dst = result.view();
      EXPECT_EQ(fusion_rt_quantized_conv(&conv.slot, &args), FUSION_RT_SUCCESS);
    });
  for (std::thread &thread : threads)
    thread.join();
  conv.check();
  for (const Tensor &result : results)
    for (int64_t i = 0; i < conv.dst.elements(); ++i)
      ASSERT_EQ(result.get(i), conv.dst.get(i)) << i;
}
