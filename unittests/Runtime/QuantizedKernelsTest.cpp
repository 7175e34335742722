//===- QuantizedKernelsTest.cpp - Whole formulas in kernels ---------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where backends may choose among kernels that round differently, on windows of
// all kinds. Results are compared as in QuantizedTest.cpp.

#include "QuantizedTest.h"

#include <cmath>
#include <cstdlib>

using namespace fusion::test;

/// A window of each kind for which backends have kernels of their own.
static std::vector<QuantizedSpec> makeKindsOfWindows() {
  std::vector<QuantizedSpec> specs(7, makeQuantizedSpec());
  specs[1].conv.kernel = specs[1].conv.strides = {1, 1};
  specs[1].conv.padLow = specs[1].conv.padHigh = {0, 0};
  specs[1].conv.inputs = 70;
  specs[1].conv.outputs = 37;
  specs[2].isMatmul = true;
  specs[3].conv.inputs = specs[3].conv.outputs = specs[3].conv.groups = 33;
  specs[6].conv.inputs = specs[6].conv.outputs = specs[6].conv.groups = 48;
  specs[4].conv.image = {13};
  specs[5].conv.image = {5, 7, 6};
  for (QuantizedSpec *spec : {&specs[4], &specs[5]}) {
    size_t rank = spec->conv.image.size();
    spec->conv.kernel = Dims(rank, 3);
    spec->conv.strides = Dims(rank, 2);
    spec->conv.dilations = spec->conv.padLow = Dims(rank, 1);
    spec->conv.padHigh = Dims(rank, 2);
  }
  return specs;
}

/// With operands that never change, the kernel may compute all of it.
TEST(QuantizedKernelsTest, ConstantScales) {
  for (QuantizedSpec spec : makeKindsOfWindows())
    for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
      for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
        for (fusion_rt_activation activation :
             {FUSION_RT_ACT_NONE, FUSION_RT_ACT_RELU, FUSION_RT_ACT_CLIP})
          for (int32_t zero : {0, 9})
            for (int64_t scales : {-1, 0, 1})
              for (bool bias : {false, true}) {
                spec.srcZero = spec.dstZero = zero;
                spec.scales = scales;
                spec.conv.srcType = srcType;
                spec.conv.dstType = dstType;
                spec.conv.activation = activation;
                spec.conv.alpha = -20.25f;
                spec.conv.beta = 33.5f;
                spec.conv.bias = bias;
                Quantized(spec).check();
              }
}

/// A kernel adds the residual to what is in dst, and must not round less than
/// the formula: 0.37 times a difference is no f32.
TEST(QuantizedKernelsTest, Residuals) {
  for (QuantizedSpec spec : makeKindsOfWindows())
    for (auto [residual, isAfter] : waysToAdd())
      for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
        for (fusion_rt_type type : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
          for (float scale : {1.0f, 0.37f, 0.3125f})
            for (fusion_rt_activation activation :
                 {FUSION_RT_ACT_NONE, FUSION_RT_ACT_RELU, FUSION_RT_ACT_CLIP}) {
              if ((residual == Residual::InPlace && type != dstType) ||
                  (isAfter && activation == FUSION_RT_ACT_NONE))
                continue;
              spec.conv.residual = residual;
              spec.conv.residualAfter = isAfter;
              spec.conv.residualType = type;
              spec.conv.dstType = dstType;
              spec.conv.activation = activation;
              spec.conv.alpha = -20.25f;
              spec.conv.beta = 33.5f;
              spec.residualScale = scale;
              spec.residualZero = 21;
              Quantized(spec).check();
            }
}

/// Two roundings in one kernel. Scales that are powers of two give halves,
/// which the first one rounds to even.
TEST(QuantizedKernelsTest, RoundedActivations) {
  for (QuantizedSpec spec : makeKindsOfWindows())
    for (Residual residual : {Residual::Apart, Residual::InPlace})
      for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
        for (fusion_rt_activation activation :
             {FUSION_RT_ACT_RELU, FUSION_RT_ACT_CLIP, FUSION_RT_ACT_ABS})
          for (float dstScale : {1.0f, 0.71f, 1.9f}) {
            spec.roundsActivation = spec.conv.residualAfter = true;
            spec.conv.residual = residual;
            spec.conv.residualType = spec.conv.dstType = dstType;
            spec.conv.activation = activation;
            spec.conv.alpha = -121;
            spec.conv.beta = 134;
            spec.residualScale = 0.3125f;
            spec.residualZero = 21;
            spec.dstScale = dstScale;
            Quantized conv(spec);
            for (int64_t i = 0; i < conv.scales.elements(); ++i)
              conv.scales.set(i, std::ldexp(1.0, int(-9 - i % 4)));
            conv.check();
          }
}

/// The sums of a batch are one matrix, and a dst with gaps between its matrices
/// is none.
TEST(QuantizedKernelsTest, GapsBetweenMatrices) {
  for (float dstScale : {1.0f, 0.5f}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.isMatmul = true;
    spec.conv.image = {9};
    spec.conv.bias = false;
    spec.dstScale = dstScale;
    Quantized matmul(spec);
    matmul.args.operands.weights.sizes[0] = 1; // for the whole batch
    ASSERT_EQ(matmul.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    Tensor large(spec.conv.dstType, {2, 12, 10}, Layout::ChannelsFirst);
    matmul.args.operands.dst = large.view();
    matmul.args.operands.dst.sizes[1] = 9;
    ASSERT_EQ(matmul.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    ASSERT_EQ(matmul.dst.elements(), 2 * 9 * 10);
    for (int64_t i = 0; i < matmul.dst.elements(); ++i)
      ASSERT_EQ(large.get(i + i / 90 * 30), matmul.dst.get(i));
  }
}

/// Sums that f32 cannot hold: rounded or not, they leave the bounds.
TEST(QuantizedKernelsTest, RoundedActivationsOfLargeNumbers) {
  for (double scale : {1e-3, 0.5, 3e4, 3e38}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.roundsActivation = spec.conv.residualAfter = true;
    spec.conv.residual = Residual::Apart;
    spec.conv.residualType = spec.conv.dstType;
    spec.conv.activation = FUSION_RT_ACT_ABS;
    spec.dstScale = 1e-6f;
    Quantized conv(spec);
    for (int64_t i = 0; i < conv.scales.elements(); ++i)
      conv.scales.set(i, scale);
    conv.check();
  }
}

/// Tiles of rows and images give the bits of the whole, also with the formula
/// behind the sums, and with weights that are packed for each call.
TEST(QuantizedKernelsTest, Tiles) {
  for (const char *cut : {"1x2x1", "1x3x1", "2x1x1", "2x3x2", "1x64x1"})
    for (QuantizedSpec spec : makeKindsOfWindows())
      for (bool isConstant : {false, true})
        for (fusion_rt_activation activation :
             {FUSION_RT_ACT_CLIP, FUSION_RT_ACT_ABS}) {
          SCOPED_TRACE(cut);
          setenv("FUSION_TILES", cut, 1);
          spec.conv.constantWeights = isConstant;
          spec.conv.activation = activation;
          spec.conv.alpha = -20.25f;
          spec.conv.beta = 33.5f;
          fusion_rt_set_num_threads(3);
          Quantized(spec).check();
          fusion_rt_set_num_threads(0);
          unsetenv("FUSION_TILES");
        }
}

/// A sum of 0 times infinity is a NaN, which becomes the least integer of dst.
TEST(QuantizedKernelsTest, ScalesOfAllKinds) {
  for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (double large : {3e38, double(INFINITY)}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.conv.dstType = dstType;
      spec.conv.bias = false;
      Quantized conv(spec);
      for (int64_t i = 0; i < conv.src.elements(); ++i)
        conv.src.set(i, i % 3 ? spec.srcZero : i % 256);
      double numbers[] = {0, -0.0021, large, -large, large - large};
      for (int64_t i = 0; i < conv.scales.elements(); ++i)
        conv.scales.set(i, numbers[i % 5]);
      conv.check();
    }
}

/// They are constant at one address.
TEST(QuantizedKernelsTest, ConstantsAtOtherAddresses) {
  QuantizedSpec spec = makeQuantizedSpec();
  Quantized conv(spec);
  conv.check();
  Tensor scales = conv.scales, bias = conv.bias;
  for (int64_t i = 0; i < conv.scales.elements(); ++i) {
    scales.set(i, 0.0031 * double(1 + i % 3));
    bias.set(i, double(700 * i - 2000));
  }
  std::swap(conv.scales, scales);
  conv.args.scales = conv.scales.view();
  conv.check();
  std::swap(conv.bias, bias);
  conv.args.operands.bias = conv.bias.view();
  conv.check();
}

/// Weights that are a matrix of 8x8, of output channels and other dimensions,
/// for which oneDNN may pack no corrections.
TEST(QuantizedKernelsTest, WeightsOfEightByEight) {
  for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (int32_t zero : {0, 5})
      for (Dims kernel : {Dims{2, 2, 2}, Dims{8, 1, 1}, Dims{1, 1, 1},
                          Dims{2, 4}, Dims{1, 1}})
        for (int64_t groups : {1, 2, 4, 8}) {
          QuantizedSpec spec = makeQuantizedSpec();
          const size_t rank = kernel.size();
          spec.srcZero = zero;
          spec.conv.srcType = srcType;
          spec.conv.groups = groups;
          spec.conv.outputs = 8;
          spec.conv.inputs = kernel[0] == 1 ? 8 * groups : groups;
          spec.conv.kernel = kernel;
          spec.conv.image = Dims(rank, 9);
          spec.conv.strides = spec.conv.dilations = Dims(rank, 1);
          spec.conv.padLow = spec.conv.padHigh = Dims(rank, 0);
          SCOPED_TRACE(testing::Message()
                       << "type " << srcType << ", zero point " << zero
                       << ", groups " << groups << ", rank " << rank);
          Quantized(spec).check();
        }
}

/// Sums beyond 2^24 that saturate dst, far beyond s32 with the larger scale.
TEST(QuantizedKernelsTest, SumsThatSaturate) {
  for (double scale : {0.00007, 1000.0})
    for (int32_t zero : {0, 3})
      for (fusion_rt_activation activation :
           {FUSION_RT_ACT_NONE, FUSION_RT_ACT_RELU})
        for (Residual residual : {Residual::None, Residual::InPlace}) {
          QuantizedSpec spec = makeQuantizedSpec();
          spec.scales = 1;
          spec.srcZero = zero;
          spec.residualScale = 0.5f;
          spec.conv.activation = activation;
          spec.conv.residual = residual;
          spec.conv.residualType = FUSION_RT_TYPE_S8;
          spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
          spec.conv.kernel = {1, 1};
          spec.conv.inputs = 1500;
          spec.conv.outputs = 16;
          Quantized conv(spec);
          conv.scales.set(0, scale);
          for (int64_t i = 0; i < conv.weights.elements(); ++i) {
            int64_t channel = i / spec.conv.inputs;
            conv.weights.set(i, (channel % 2 ? 127 : -127) * channel / 15);
          }
          conv.check();
        }
}

/// The formula behind the sums is one pass over pieces: several rows of
/// channels, or a part of one, with gaps between rows.
TEST(QuantizedKernelsTest, PiecesOfRows) {
  for (int64_t outputs : {1, 37, 512, 513, 1100})
    for (int64_t slack : {0, 3})
      for (fusion_rt_type biasType : {FUSION_RT_TYPE_S32, FUSION_RT_TYPE_F32})
        for (fusion_rt_type dstType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
          for (Residual residual :
               {Residual::None, Residual::Apart, Residual::InPlace})
            for (auto [isAfter, rounds] :
                 {std::pair(false, false), {true, false}, {true, true}})
              for (auto activation : {FUSION_RT_ACT_CLIP, FUSION_RT_ACT_ABS}) {
                if (residual == Residual::None && isAfter)
                  continue;
                QuantizedSpec spec = makeQuantizedSpec();
                spec.constantScales = false;
                spec.scales = outputs % 2 ? -1 : 1;
                spec.biasType = biasType;
                spec.residualScale = 0.37f;
                spec.residualZero = 21;
                spec.roundsActivation = rounds;
                spec.conv.batch = 1;
                spec.conv.image = {5, 6};
                spec.conv.inputs = 3;
                spec.conv.outputs = outputs;
                spec.conv.kernel = {1, 1};
                spec.conv.slack = slack;
                spec.conv.dstType = spec.conv.residualType = dstType;
                spec.conv.residual = residual;
                spec.conv.residualAfter = isAfter;
                spec.conv.activation = activation;
                spec.conv.alpha = -20.25f;
                spec.conv.beta = 33.5f;
                Quantized(spec).check();
              }
}

/// Sums of 64.5 and 65.5 steps, of 2^18. Products alone sum up to more than
/// 2^25 if each element is brought to 0..255, and f32 holds each fourth integer
/// there; these are two off. The correction for sign and zero point then
/// gives the neighbours of the ties.
TEST(QuantizedKernelsTest, CorrectionsThatFloatsRound) {
  const int64_t inputs = 1101;
  for (auto [srcType, zero] :
       {std::pair(FUSION_RT_TYPE_U8, 122), {FUSION_RT_TYPE_S8, 2}})
    for (bool isMatmul : {false, true}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.isMatmul = isMatmul;
      spec.srcZero = zero;
      spec.dstZero = 0;
      spec.scales = 1;
      spec.conv.srcType = srcType;
      spec.conv.bias = false;
      spec.conv.batch = 1;
      spec.conv.inputs = inputs;
      spec.conv.image = isMatmul ? Dims{2} : Dims{1, 2};
      spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
      spec.conv.kernel = spec.conv.strides = {1, 1};
      spec.conv.padLow = spec.conv.padHigh = {0, 0};
      Quantized conv(spec);
      conv.scales.set(0, 1.0 / (1 << 18));
      auto weightOf = [](int64_t input) { return input == 0 ? 1 : 127; };
      for (int64_t i = 0; i < conv.weights.elements(); ++i)
        conv.weights.set(
            i, weightOf(isMatmul ? i / spec.conv.outputs : i % inputs));
      const int64_t offset = srcType == FUSION_RT_TYPE_S8 ? 128 : 0;
      for (int64_t position = 0; position < 2; ++position) {
        int64_t products = (129 + 2 * position) * (1 << 17) +
                           (zero + offset) * (127 * (inputs - 1) + 1);
        for (int64_t input = 0; input < inputs; ++input) {
          int64_t left = inputs - input;
          int64_t value = input == 0 ? products % 127 : products / 127 / left;
          products -= value * weightOf(input);
          conv.src.set(isMatmul ? position * inputs + input
                                : input * 2 + position,
                       double(value - offset));
        }
        ASSERT_EQ(products, 0);
      }
      conv.check();
    }
}

/// A sum of 7 and a bias that f32 does not hold. Their sum becomes 64.5 * 2^19
/// if it is rounded once, and the next number if the bias is rounded before.
TEST(QuantizedKernelsTest, BiasThatFloatsRound) {
  for (bool constantScales : {false, true}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.srcZero = spec.dstZero = 0;
    spec.constantScales = constantScales;
    spec.scales = 1;
    spec.conv.inputs = 1;
    spec.conv.kernel = {1, 1};
    Quantized conv(spec);
    for (int64_t i = 0; i < conv.src.elements(); ++i)
      conv.src.set(i, 7);
    for (int64_t i = 0; i < conv.weights.elements(); ++i) {
      conv.weights.set(i, 1);
      conv.bias.set(i, 129 * (1 << 18) + 2 - 7);
    }
    conv.scales.set(0, 1.0 / (1 << 19));
    conv.check();
  }
}

/// With AMX, the kernel from blocks of matrices of oneDNN 2 has no zero points.
/// That of src is part of the bias, unless sums read padding, and that of dst
/// is added behind the other steps.
TEST(QuantizedKernelsTest, ZeroPointsWithAmx) {
  FUSION_NEEDS_ONEDNN();
  if (!hasKernelsForAmx())
    GTEST_SKIP() << "needs kernels for AMX";
  auto usesBlocks = [](int64_t window, int64_t pad, int32_t srcZero) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.srcZero = srcZero;
    spec.dstZero = -7;
    spec.dstScale = 0.71f;
    spec.conv.inputs = spec.conv.outputs = 64;
    spec.conv.strides = spec.conv.dilations = {1, 1};
    spec.conv.kernel = {window, window};
    spec.conv.padLow = spec.conv.padHigh = {pad, pad};
    Quantized conv(spec);
    conv.check();
    std::string kernel = fusion_rt_slot_kernel(&conv.slot);
    return kernel.find("brg") == 0; // brgconv, brg_conv_fwd
  };
  EXPECT_TRUE(usesBlocks(1, 0, 9));
  EXPECT_TRUE(usesBlocks(1, 0, 0));
  EXPECT_TRUE(usesBlocks(3, 1, 0));
  // oneDNN 3 has zero points in these kernels.
  bool isOfTwo = std::string(fusion_rt_backend()).rfind("oneDNN 2", 0) == 0;
  EXPECT_EQ(usesBlocks(3, 1, 9), !isOfTwo);
}
