//===- QuantizedIsaTest.cpp - Integers with other instruction sets --------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Calls on integers with the kernels of other CPUs, with VNNI instructions and
// without. oneDNN reads the instruction sets once, so that each test is a
// process of its own. Results are compared as in QuantizedTest.cpp.

#include "QuantizedTest.h"

#include <cstdlib>
#include <iostream>

using namespace fusion::test;

namespace {
class IsaDeathTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    FUSION_NEEDS_ONEDNN();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("ONEDNN_MAX_CPU_ISA", GetParam(), 1);
    setenv("FUSION_VERBOSE", "1", 1);
  }
  void TearDown() override {
    // The process is a copy for one test.
    for (const char *name :
         {"ONEDNN_MAX_CPU_ISA", "FUSION_VERBOSE", "FUSION_TILES"})
      unsetenv(name);
  }
};

/// Without VNNI.
using WidenedDeathTest = IsaDeathTest;

class VnniDeathTest : public IsaDeathTest {
protected:
  void SetUp() override;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(NoVnni, WidenedDeathTest,
                         testing::Values("SSE41", "AVX2", "AVX512_CORE"));

static int exitCode() { return testing::Test::HasFailure() ? 1 : 0; }

static std::string kernelOf(const Quantized &conv) {
  const char *name = fusion_rt_slot_kernel(&conv.slot);
  return name ? name : "none";
}

/// Runs, compares and expects a kernel that is generated code.
static void checkGenerated(Quantized &conv) {
  conv.check();
  std::string name = kernelOf(conv);
  bool isGenerated = name.find("jit") != std::string::npos ||
                     name.rfind("brg", 0) == 0 || name.rfind("brdgmm", 0) == 0;
  EXPECT_TRUE(isGenerated) << name;
  // Kernels for f32 are faster than convolutions by products of matrices.
  EXPECT_EQ(name.find("gemm_s8"), std::string::npos) << name;
}

/// Windows and channels of ordinary layers, with channels last.
static std::vector<QuantizedSpec> makeLayers() {
  std::vector<QuantizedSpec> specs(10, makeQuantizedSpec());
  for (QuantizedSpec &spec : specs) {
    spec.conv.batch = 1;
    spec.conv.inputs = 16;
    spec.conv.outputs = 32;
  }
  specs[1].conv.kernel = specs[1].conv.strides = {1, 1};
  specs[1].conv.padLow = specs[1].conv.padHigh = {0, 0};
  specs[2].conv.outputs = specs[2].conv.groups = 16; // depthwise
  specs[3].conv.groups = 2;
  specs[4].conv.image = {13};
  specs[5].conv.image = {2, 4, 3};
  for (size_t i : {4, 5}) {
    size_t rank = specs[i].conv.image.size();
    specs[i].conv.kernel = Dims(rank, 3);
    specs[i].conv.strides = specs[i].conv.dilations = Dims(rank, 1);
    specs[i].conv.padLow = Dims(rank, 1);
    specs[i].conv.padHigh = Dims(rank, 2);
  }
  specs[6].isMatmul = true;
  specs[7].conv.inputs = 3; // the first layer of a network
  specs[7].conv.kernel = {7, 7};
  specs[8].conv.groups = 16; // two outputs for each channel
  specs[9].conv.inputs = 15;
  specs[9].conv.outputs = 10;
  specs[9].conv.groups = 5;
  return specs;
}

/// Each result is exact, and no layer runs in plain loops, whatever its
/// operands are.
static void checkLayers() {
  for (QuantizedSpec spec : makeLayers())
    for (fusion_rt_type srcType : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
      for (Layout layout : {Layout::ChannelsFirst, Layout::ChannelsLast})
        for (bool isConstant : {false, true}) {
          spec.conv.srcType = srcType;
          spec.conv.dstType =
              isConstant ? FUSION_RT_TYPE_U8 : FUSION_RT_TYPE_F32;
          spec.conv.srcLayout = spec.conv.dstLayout = layout;
          spec.conv.constantWeights = isConstant;
          spec.isExtreme = isConstant;
          Quantized conv(spec);
          checkGenerated(conv);
        }
  EXPECT_EQ(counters().reference_kernels, 0u);
  exit(exitCode());
}

TEST_P(WidenedDeathTest, LayersRunInKernels) {
  EXPECT_EXIT(checkLayers(), testing::ExitedWithCode(0),
              "create quantized_conv [^\n]*, integers in f32");
}

/// Products of -128 * 255 and odd ones, so that f32 does not hold their sum
/// once it passes 2^24.
static void checkLongSum(int64_t inputs, Dims kernel, int64_t groups,
                         bool isMatmul, bool isGenerated) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.isMatmul = isMatmul;
  spec.srcZero = 0;
  spec.scales = 0;
  spec.conv.dstType = FUSION_RT_TYPE_S32;
  spec.conv.inputs = inputs;
  spec.conv.outputs = 8 * groups;
  spec.conv.groups = groups;
  spec.conv.kernel = kernel;
  spec.conv.strides = {1, 1};
  spec.conv.padLow = spec.conv.padHigh = {0, 0};
  spec.conv.image = {kernel[0] + 1, kernel[1]};
  Quantized conv(spec);
  for (int64_t i = 0; i < conv.src.elements(); ++i)
    conv.src.set(i, 255 - 2 * (i % 2));
  for (int64_t i = 0; i < conv.weights.elements(); ++i)
    conv.weights.set(i, i % 3 ? -128 : -127);
  SCOPED_TRACE(testing::Message() << inputs << " inputs, window " << kernel[0]);
  conv.check();
  EXPECT_EQ(kernelOf(conv) != "loops", isGenerated) << kernelOf(conv);
}

static void checkLongSums() {
  for (int64_t inputs : {513, 514, 515, 1027, 1100, 2049})
    for (bool isMatmul : {false, true})
      checkLongSum(inputs, {1, 1}, 1, isMatmul, true);
  checkLongSum(256, {3, 3}, 1, false, true);
  checkLongSum(70, {9, 9}, 1, false, true);
  // One channel, or one group, that cannot be cut.
  checkLongSum(2, {23, 23}, 1, false, false);
  checkLongSum(2 * 520, {1, 1}, 2, false, false);
  exit(exitCode());
}

TEST_P(WidenedDeathTest, SumsBeyondFloatsAreCut) {
  EXPECT_EXIT(checkLongSums(), testing::ExitedWithCode(0),
              "integers in f32[^\n]*, in 2 parts of the input channels");
}

/// A src of s8 is nearer to its zero point.
static void checkSignedSum() {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.srcZero = 0;
  spec.isMatmul = true;
  spec.isExtreme = true;
  spec.conv.srcType = FUSION_RT_TYPE_S8;
  spec.conv.inputs = 1024;
  Quantized conv(spec);
  checkGenerated(conv);
  exit(exitCode());
}

TEST_P(WidenedDeathTest, SignedSumsAreCutLater) {
  EXPECT_EXIT(checkSignedSum(), testing::ExitedWithCode(0),
              "integers in f32[^\n]*channels-last, formula behind the sums");
}

/// Zero points that are no elements of src.
static void checkForeignZeroPoints() {
  for (int32_t zero : {-300, 1000, 1 << 20, -INT32_MAX}) {
    QuantizedSpec spec = makeQuantizedSpec();
    spec.srcZero = zero;
    Quantized conv(spec);
    conv.check();
    EXPECT_EQ(kernelOf(conv) == "loops", std::abs(zero) > 1000);
  }
  exit(exitCode());
}

TEST_P(WidenedDeathTest, ForeignZeroPoints) {
  EXPECT_EXIT(checkForeignZeroPoints(), testing::ExitedWithCode(0), "");
}

/// Long sums, whose weights are packed in parts.
static QuantizedSpec makeLongSpec() {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.inputs = 200;
  spec.conv.outputs = 16;
  spec.conv.image = {12, 9};
  return spec;
}

static void changeWeights() {
  for (bool isConstant : {false, true}) {
    QuantizedSpec spec = makeLongSpec();
    spec.conv.constantWeights = isConstant;
    Quantized conv(spec);
    conv.check();
    Tensor first = conv.weights;
    if (isConstant) { // at one address
      std::swap(conv.weights, first);
      conv.args.operands.weights = conv.weights.view();
    }
    for (int64_t i = 0; i < conv.weights.elements(); ++i)
      conv.weights.set(i, double(i * 7 % 255 - 127));
    uint64_t packs = counters().weight_packs;
    conv.check();
    conv.check();
    EXPECT_EQ(counters().weight_packs - packs, isConstant ? 1u : 2u);
  }
  exit(exitCode());
}

TEST_P(WidenedDeathTest, OtherWeights) {
  EXPECT_EXIT(changeWeights(), testing::ExitedWithCode(0), "");
}

/// Weights are packed once for all sizes, and tiles read them.
static void checkTiles() {
  for (const char *cut : {"1x3x1", "2x1x1", "2x5x2"})
    for (bool isMatmul : {false, true}) {
      setenv("FUSION_TILES", cut, 1);
      fusion_rt_set_num_threads(3);
      QuantizedSpec spec = makeLongSpec();
      spec.isMatmul = isMatmul;
      spec.conv.residual = Residual::Apart;
      spec.conv.residualType = FUSION_RT_TYPE_S8;
      Quantized conv(spec);
      uint64_t packs = counters().weight_packs;
      conv.check();
      unsetenv("FUSION_TILES");
      fusion_rt_set_num_threads(1);
      conv.check();
      EXPECT_EQ(counters().weight_packs - packs, 1u) << cut;
    }
  exit(exitCode());
}

TEST_P(WidenedDeathTest, Tiles) {
  EXPECT_EXIT(checkTiles(), testing::ExitedWithCode(0),
              "integers in f32[^\n]*, [0-9]+ tiles of ");
}

//===----------------------------------------------------------------------===//
// With VNNI
//===----------------------------------------------------------------------===//

INSTANTIATE_TEST_SUITE_P(Vnni, VnniDeathTest,
                         testing::Values("AVX2_VNNI", "AVX512_CORE_VNNI",
                                         "AVX512_CORE_BF16"));

static bool hasInstructions([[maybe_unused]] const std::string &isa) {
#if defined(__x86_64__)
  return isa == "AVX2_VNNI"          ? CPU_SUPPORTS("avxvnni")
         : isa == "AVX512_CORE_VNNI" ? CPU_SUPPORTS("avx512vnni")
                                     : CPU_SUPPORTS("avx512bf16");
#else
  return false;
#endif
}

void VnniDeathTest::SetUp() {
  IsaDeathTest::SetUp();
  if (!hasInstructions(GetParam()))
    GTEST_SKIP() << "the CPU has no " << GetParam();
}

TEST_P(VnniDeathTest, LayersRunInKernels) {
  EXPECT_EXIT(checkLayers(), testing::ExitedWithCode(0),
              "create quantized_conv [^\n]*vnni, u8");
}

/// The message of the runtime about a plan that it makes.
static std::string logOf(Quantized &conv) {
  std::string log;
  fusion_rt_context *context = nullptr;
  EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
  fusion_rt_context_set_log(
      context,
      [](const char *line, void *data) {
        static_cast<std::string *>(data)->append(line);
      },
      &log);
  fusion_rt_context *before = fusion_rt_context_enter(context);
  conv.check();
  fusion_rt_context_enter(before);
  fusion_rt_context_destroy(context);
  return log;
}

/// With channels last and operands that never change, kernels compute the whole
/// formula: also for one row, or one pixel, whose scales are as many as its
/// elements.
static void checkWholeFormulas(const char *isa) {
  std::vector<QuantizedSpec> specs = makeLayers();
  specs.resize(8);
  if (std::string(isa) != "AVX2_VNNI") { // whose products of few rows are slow
    specs.push_back(specs[6]);
    specs.back().conv.image = {1};
  }
  specs.push_back(specs[1]);
  specs.back().conv.image = {1, 1};
  for (QuantizedSpec spec : specs)
    for (int32_t zero : {0, 9}) {
      spec.srcZero = spec.dstZero = zero;
      spec.conv.batch = 1;
      spec.conv.srcType = spec.conv.dstType = FUSION_RT_TYPE_U8;
      spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
      spec.conv.activation = FUSION_RT_ACT_RELU;
      Quantized conv(spec);
      std::string log = logOf(conv);
      EXPECT_NE(log.find("create"), std::string::npos);
      EXPECT_EQ(log.find("formula behind"), std::string::npos);
      if (testing::Test::HasFailure())
        std::cerr << log; // shown as the message of the process
    }
  exit(exitCode());
}

TEST_P(VnniDeathTest, WholeFormulasRunInKernels) {
  EXPECT_EXIT(checkWholeFormulas(GetParam()), testing::ExitedWithCode(0), "");
}

/// Sums that f32 does not hold, and that do not saturate dst, are summed up by
/// kernels without zero points that leave them as they are.
static void checkLargeSums(const std::string &isa) {
  for (int32_t zero : {0, 3})
    for (int64_t dilation : {1, 2}) {
      QuantizedSpec spec = makeQuantizedSpec();
      spec.srcZero = zero;
      spec.conv.batch = 1;
      spec.conv.inputs = 256;
      spec.conv.outputs = 32;
      spec.conv.image = {9, 11};
      spec.conv.dilations = {dilation, dilation};
      spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
      Quantized conv(spec);
      for (int64_t i = 0; i < conv.weights.elements(); ++i)
        conv.weights.set(i, 127 - i / 2 % 3);
      for (int64_t i = 0; i < conv.scales.elements(); ++i)
        conv.scales.set(i, 1.0 / (1 << 18));
      conv.check();
      // With AVX2 oneDNN 2 has no such kernel.
      const std::string name = kernelOf(conv);
      if (isa != "AVX2_VNNI") {
        EXPECT_NE(name.find("vnni"), std::string::npos) << name;
      }
    }
  exit(exitCode());
}

TEST_P(VnniDeathTest, LargeSumsOfIntegers) {
  EXPECT_EXIT(checkLargeSums(GetParam()), testing::ExitedWithCode(0), "");
}

/// Three tiles of rows, of which the one in the middle reads no padding.
TEST(QuantizedIsaTest, TilesWithAndWithoutPads) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_TILES", "1x3x1", 1);
  fusion_rt_set_num_threads(3);
  QuantizedSpec spec = makeQuantizedSpec();
  spec.srcZero = 9;
  spec.conv.batch = 1;
  spec.conv.inputs = spec.conv.outputs = 64;
  spec.conv.image = {30, 16};
  spec.conv.kernel = {3, 1};
  spec.conv.strides = {1, 1};
  spec.conv.padLow = spec.conv.padHigh = {1, 0};
  spec.conv.srcLayout = spec.conv.dstLayout = Layout::ChannelsLast;
  Quantized conv(spec);
  const std::string log = logOf(conv);
  EXPECT_NE(log.find(", 3 tiles of "), std::string::npos) << log;
  unsetenv("FUSION_TILES");
  fusion_rt_set_num_threads(1);
}
