//===- SigmoidsTest.cpp - Swish, sigmoid, tanh and gelu in loops ----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"
#include "MatmulTest.h"
#include "QuantizedTest.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

using namespace fusion::test;

namespace {
class SwishDeathTest : public PlanDeathTest {};
} // namespace

/// Whether this CPU has the loops, which need vectors of 256 bits.
static bool hasLoop() { return CPU_SUPPORTS("avx2"); }

/// A layer whose sums are the elements of src.
static ConvSpec makeCopy(int64_t width) {
  ConvSpec spec = makeSpec({width}, {1});
  spec.batch = spec.inputs = spec.outputs = 1;
  spec.bias = false;
  spec.activation = FUSION_RT_ACT_SWISH;
  spec.alpha = 1;
  return spec;
}

static std::vector<double> numbersOfAllSizes() {
  std::vector<double> numbers = {0, -0.0};
  for (int exponent = -120; exponent < 128; ++exponent)
    for (double fraction : {1.0, 1.3, 1.9})
      for (double sign : {-1, 1})
        numbers.push_back(float(sign * std::ldexp(fraction, exponent)));
  for (double x = -104; x < 104; x += 0.37)
    numbers.push_back(float(x));
  return numbers;
}

/// Expects swish(alpha) of `numbers`, to 1e-6 of it and the rounding of the
/// exponent, or to 1e-35 where a float has few digits.
static void expectSwish(const std::vector<double> &numbers, float alpha) {
  ConvSpec spec = makeCopy(int64_t(numbers.size()));
  spec.alpha = alpha;
  Conv conv(spec);
  conv.weights.set(0, 1);
  for (size_t i = 0; i < numbers.size(); ++i)
    conv.src.set(int64_t(i), numbers[i]);
  ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  for (size_t i = 0; i < numbers.size(); ++i) {
    double x = numbers[i], expected = x / (1 + std::exp(-alpha * x));
    EXPECT_NEAR(conv.dst.get(int64_t(i)), expected,
                (1e-6 + 6e-8 * std::fabs(alpha * x)) * std::fabs(expected) +
                    1e-35)
        << x;
  }
}

TEST(SwishTest, NumbersOfAllSizes) {
  for (float alpha : {1.0f, 1.702f, -0.5f, 0.0f}) {
    SCOPED_TRACE(alpha);
    expectSwish(numbersOfAllSizes(), alpha);
  }
}

TEST(SwishTest, EachLengthOfARow) {
  for (size_t count = 1; count < 70; ++count) {
    std::vector<double> numbers(count);
    for (size_t i = 0; i < count; ++i)
      numbers[i] = 0.25 * double(i) - 5;
    expectSwish(numbers, 1);
  }
}

TEST(SwishTest, NotANumber) {
  Conv conv(makeCopy(40));
  conv.weights.set(0, 1);
  conv.src.set(7, NAN);
  conv.src.set(9, std::numeric_limits<double>::infinity());
  ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS);
  EXPECT_TRUE(std::isnan(conv.dst.get(7)));
  EXPECT_EQ(conv.dst.get(9), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(conv.dst.get(8)));
}

TEST(SwishTest, EachWayToAddAResidual) {
  for (auto [residual, isAfter] : waysToAdd())
    for (int64_t groups : {1, 16})
      for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
        ConvSpec spec = makeWideSpec();
        spec.activation = FUSION_RT_ACT_SWISH;
        spec.alpha = 1;
        spec.inputs = spec.outputs = 16;
        spec.groups = groups;
        spec.srcLayout = spec.dstLayout = spec.residualLayout = layout;
        spec.residual = residual;
        spec.residualAfter = isAfter;
        SCOPED_TRACE(testing::Message()
                     << static_cast<int>(residual) << " " << isAfter << " "
                     << groups << " " << static_cast<int>(layout));
        Conv(spec).check();
      }
}

/// One row of 256 products -128 to 127 of `scale`, behind `activation`.
static std::unique_ptr<Quantized> makeRow(fusion_rt_activation activation,
                                          double scale) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.isMatmul = true;
  spec.srcZero = 0;
  spec.scales = 1;
  spec.conv.dstType = FUSION_RT_TYPE_F32;
  spec.conv.activation = activation;
  spec.conv.batch = spec.conv.inputs = 1;
  spec.conv.image = {1};
  spec.conv.outputs = 256;
  spec.conv.bias = false;
  auto row = std::make_unique<Quantized>(spec);
  row->src.set(0, 1);
  for (int64_t i = 0; i < 256; ++i)
    row->weights.set(i, double(i - 128));
  row->scales.set(0, scale);
  return row;
}

using Function = double (*)(double);

/// Expects `function` of numbers of all sizes, to 1e-6 of it and the rounding
/// of the operand of exp, or to 1e-35.
static void expectBehindSums(
    fusion_rt_activation activation, Function function,
    Function exponent = [](double) { return 0.0; }) {
  for (double scale : {1e-30, 1e-6, 1e-3, 0.0051, 0.03, 0.17, 0.71, 1e4}) {
    auto row = makeRow(activation, scale);
    ASSERT_EQ(row->run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    for (int64_t i = 0; i < 256; ++i) {
      const double x = float(i - 128) * float(scale), expected = function(x);
      const double relative = 1e-6 + 1.2e-7 * std::fabs(exponent(x));
      EXPECT_NEAR(row->dst.get(i), expected,
                  relative * std::fabs(expected) + 1e-35)
          << x;
    }
  }
  auto row = makeRow(activation, NAN);
  ASSERT_EQ(row->run(), FUSION_RT_SUCCESS);
  EXPECT_TRUE(std::isnan(row->dst.get(7)));
}

TEST(SigmoidsTest, SigmoidBehindSums) {
  expectBehindSums(FUSION_RT_ACT_SIGMOID,
                   [](double x) { return 1 / (1 + std::exp(-x)); });
}

TEST(SigmoidsTest, TanhBehindSums) {
  expectBehindSums(FUSION_RT_ACT_TANH, [](double x) { return std::tanh(x); });
}

// Without the loops, as in the portable runtime, small results are differences
// of large numbers.
TEST(SigmoidsTest, GeluBehindSums) {
  FUSION_NEEDS_ONEDNN();
  if (!hasLoop())
    GTEST_SKIP() << "the loop needs AVX2";
  expectBehindSums(
      FUSION_RT_ACT_GELU_ERF,
      [](double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); },
      [](double x) { return x * x; });
}

TEST(SigmoidsTest, GeluTanhBehindSums) {
  FUSION_NEEDS_ONEDNN();
  if (!hasLoop())
    GTEST_SKIP() << "the loop needs AVX2";
  const Function exponent = [](double x) {
    return std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x);
  };
  // x / 2 * (1 + tanh(u)), without a difference of nearly equal numbers.
  expectBehindSums(
      FUSION_RT_ACT_GELU_TANH,
      [](double x) {
        const double u2 = std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x);
        return x / (1 + std::exp(-u2));
      },
      exponent);
}

TEST(SwishTest, GapsInDst) {
  for (Residual residual : {Residual::None, Residual::InPlace}) {
    MatmulSpec spec;
    spec.columns = 32;
    spec.slack = 16;
    spec.activation = FUSION_RT_ACT_SWISH;
    spec.residual = residual;
    spec.residualAfter = residual != Residual::None;
    Matmul(spec).check();
  }
}

static const char inLoop[] = ", swish in a loop, ";

/// A layer whose kernel has post-ops.
static ConvSpec makeSwish() {
  ConvSpec spec = makeWideSpec();
  spec.activation = FUSION_RT_ACT_SWISH;
  spec.alpha = 1;
  return spec;
}

TEST_F(SwishDeathTest, IsALoopBehindTheKernel) {
  FUSION_NEEDS_ONEDNN();
  if (!hasLoop())
    GTEST_SKIP() << "the loop needs AVX2";
  ConvSpec spec = makeSwish();
  EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), inLoop);
  spec.residual = Residual::InPlace;
  spec.residualAfter = true;
  EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), inLoop);
}

/// Expects other steps alone.
static void expectNoLoop(const ConvSpec &spec) {
  EXPECT_EXIT(
      checkAndExit(spec), testing::ExitedWithCode(0),
      "threads(, (src|dst|residual|[0-9]+ tiles) [^,]*)*, [0-9.]+ us, conv");
}

TEST_F(SwishDeathTest, IsInTheKernelIfThatIsAskedFor) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "direct", 1);
  expectNoLoop(makeSwish());
}

TEST_F(SwishDeathTest, IsInTheKernelThatRoundsItsResult) {
  FUSION_NEEDS_ONEDNN();
  if (!CPU_SUPPORTS("avx512bf16"))
    GTEST_SKIP() << "the kernel would compute in f32";
  ConvSpec spec = makeSwish();
  spec.srcType = spec.dstType = FUSION_RT_TYPE_BF16;
  expectNoLoop(spec);
}

TEST_F(SwishDeathTest, IsInTheKernelWithoutWideVectors) {
  FUSION_NEEDS_ONEDNN();
  setenv("ONEDNN_MAX_CPU_ISA", "SSE41", 1);
  expectNoLoop(makeSwish());
}
