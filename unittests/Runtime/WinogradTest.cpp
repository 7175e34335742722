//===- WinogradTest.cpp - Convolutions by minimal filtering ---------------===//
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
class WinogradDeathTest : public PlanDeathTest {};
} // namespace

/// oneDNN 3.7 has no such kernel for x86-64, and oneDNN 2 has none without
/// AVX-512.
static bool hasKernel() {
  return std::string(fusion_rt_backend()).rfind("oneDNN 2.", 0) == 0 &&
         CPU_SUPPORTS("avx512dq") && CPU_SUPPORTS("avx512bw");
}

/// The verbose output for a plan that does not use Winograd.
static const char *const kOtherPlan =
    "create conv ([^w\n]|w[^i\n]|wi[^n\n])*us";

/// The verbose output for one that does, with tiles of `size` times `size`
/// outputs.
static std::string planFor(int size) {
  if (!hasKernel())
    return kOtherPlan;
  return std::string("create conv jit_[^\n]*wino_") +
         (size == 2 ? "2x3" : "4x3") +
         "[^\n]* src copied[^\n]* blocks of channels";
}

/// Large enough for Winograd to be worth it, in either kernel of oneDNN 2.
static ConvSpec makeLargeSpec() {
  ConvSpec spec = makeSpec({26, 23}, {3, 3});
  spec.batch = 1;
  spec.inputs = 64;
  spec.outputs = 64;
  spec.padLow = {1, 0};
  spec.padHigh = {0, 1};
  spec.activation = FUSION_RT_ACT_RELU;
  spec.allowsWinograd = true;
  return spec;
}

/// For tiles of 2x2 outputs, whose kernel needs equal pads on both sides.
static ConvSpec makeSmallSpec() {
  ConvSpec spec = makeSpec({9, 7}, {3, 3});
  spec.batch = 1;
  spec.inputs = 32;
  spec.outputs = 48;
  spec.padLow = spec.padHigh = {1, 0};
  spec.activation = FUSION_RT_ACT_RELU;
  spec.allowsWinograd = true;
  return spec;
}

/// For tiles of 4x4 outputs.
static ConvSpec makeTiledSpec() {
  ConvSpec spec = makeSmallSpec();
  spec.image = {31, 26};
  spec.inputs = 16;
  spec.padLow = {1, 0};
  spec.padHigh = {0, 1};
  return spec;
}

static void checkAll(const std::vector<ConvSpec> &specs) {
  for (const ConvSpec &spec : specs) {
    Conv conv(spec);
    conv.check();
    std::string kernel = fusion_rt_slot_kernel(&conv.slot);
    EXPECT_EQ(kernel.find("wino") != std::string::npos, hasKernel()) << kernel;
  }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(WinogradDeathTest, ComputesTheSame) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  std::vector<ConvSpec> specs;
  for (ConvSpec spec : {makeSmallSpec(), makeTiledSpec()})
    for (Residual residual :
         {Residual::None, Residual::InPlace, Residual::Apart})
      for (Layout layout :
           {Layout::ChannelsLast, Layout::ChannelsFirst, Layout::Scrambled}) {
        spec.residual = residual;
        spec.srcLayout = spec.weightsLayout = layout;
        spec.dstLayout =
            residual == Residual::None ? Layout::ChannelsFirst : layout;
        spec.slack = layout == Layout::Scrambled ? 0 : 3;
        spec.bias = residual != Residual::InPlace;
        specs.push_back(spec);
        spec.residualAfter = residual != Residual::None;
        specs.push_back(spec);
        spec.residualAfter = false;
      }
  EXPECT_EXIT(checkAll(specs), testing::ExitedWithCode(0), "");
}

TEST_F(WinogradDeathTest, ComputesTheSameForEachSizeAndPad) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  std::vector<ConvSpec> specs;
  for (Dims image : {Dims{3, 5}, Dims{6, 4}, Dims{14, 11}})
    for (Dims pad : {Dims{0, 0}, Dims{0, 1}, Dims{1, 0}, Dims{1, 1}}) {
      ConvSpec spec = makeSmallSpec();
      spec.image = image;
      spec.padLow = spec.padHigh = pad;
      specs.push_back(spec);
    }
  for (auto [batch, image] :
       {std::pair{1, Dims{31, 26}}, {3, Dims{14, 15}}, {40, Dims{3, 5}}})
    for (Dims padLow : {Dims{0, 1}, Dims{1, 0}})
      for (Dims padHigh : {Dims{0, 0}, Dims{1, 1}}) {
        ConvSpec spec = makeTiledSpec();
        spec.image = image;
        spec.batch = batch;
        spec.padLow = padLow;
        spec.padHigh = padHigh;
        specs.push_back(spec);
      }
  EXPECT_EXIT(checkAll(specs), testing::ExitedWithCode(0), "");
}

TEST_F(WinogradDeathTest, ComputesEachActivation) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  std::vector<ConvSpec> specs;
  for (int kind = FUSION_RT_ACT_NONE; kind <= lastActivation; ++kind) {
    ConvSpec spec = kind % 4 < 2 ? makeSmallSpec() : makeTiledSpec();
    spec.activation = fusion_rt_activation(kind);
    spec.alpha = 0.25f;
    spec.beta = 0.5f;
    if (kind == FUSION_RT_ACT_SQRT || kind == FUSION_RT_ACT_EXP)
      continue; // NaN and infinity for sums of this size
    spec.residual = kind % 3 == 0   ? Residual::None
                    : kind % 3 == 1 ? Residual::Apart
                                    : Residual::InPlace;
    specs.push_back(spec);
  }
  EXPECT_EXIT(checkAll(specs), testing::ExitedWithCode(0), "");
}

/// f16 is computed in f32, so that a copy is needed anyway.
TEST_F(WinogradDeathTest, ComputesWhatIsWidened) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  ConvSpec spec = makeSmallSpec();
  spec.srcType = spec.dstType = FUSION_RT_TYPE_F16;
  ConvSpec wide = spec;
  wide.residual = Residual::Apart;
  wide.residualType = FUSION_RT_TYPE_F32;
  EXPECT_EXIT(checkAll({spec, wide}), testing::ExitedWithCode(0), "");
}

TEST_F(WinogradDeathTest, IsChosenWhereItIsWorthIt) {
  FUSION_NEEDS_ONEDNN();
  ConvSpec large = makeLargeSpec(); // 20.3 million multiplications
  EXPECT_EXIT(checkAndExit(large), testing::ExitedWithCode(0), planFor(4));
  ConvSpec pixels = makeLargeSpec(); // 7x7 outputs
  pixels.image = {7, 7};
  pixels.inputs = 224;
  pixels.outputs = 208;
  pixels.padLow = pixels.padHigh = {1, 1};
  EXPECT_EXIT(checkAndExit(pixels), testing::ExitedWithCode(0), planFor(2));
  ConvSpec copies = makeLargeSpec(); // 216 for each element copied
  copies.image = {40, 30};
  copies.inputs = copies.outputs = 48;
  EXPECT_EXIT(runAndExit(copies), testing::ExitedWithCode(0), planFor(4));
  setenv("FUSION_PLAN", "epilogue", 1);
  EXPECT_EXIT(checkAndExit(large), testing::ExitedWithCode(0), planFor(4));
}

TEST_F(WinogradDeathTest, IsNotChosenWhereItIsNotAllowed) {
  FUSION_NEEDS_ONEDNN();
  ConvSpec spec = makeLargeSpec();
  spec.allowsWinograd = false;
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
  setenv("FUSION_PLAN", "winograd", 1);
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
  setenv("FUSION_PLAN", "direct", 1);
  EXPECT_EXIT(runAndExit(makeLargeSpec()), testing::ExitedWithCode(0),
              kOtherPlan);
}

TEST_F(WinogradDeathTest, IsNotChosenWhereItIsNotWorthIt) {
  FUSION_NEEDS_ONEDNN();
  ConvSpec pixels = makeLargeSpec(); // 6x8 outputs
  pixels.image = {6, 10};
  pixels.padLow = pixels.padHigh = {1, 0}; // for tiles of 2x2
  pixels.inputs = pixels.outputs = 240;
  ConvSpec little = makeLargeSpec(); // 19.9 million multiplications
  little.image = {8, 78};
  ConvSpec copies = makeLargeSpec(); // 192 for each element copied
  copies.image = {64, 70};
  copies.inputs = 32;
  ConvSpec narrow = makeLargeSpec(); // has a kernel, or is widened
  narrow.srcType = narrow.dstType = FUSION_RT_TYPE_BF16;
  for (const ConvSpec &spec : {pixels, little, copies})
    EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
  bool isWidened = hasKernel() && !CPU_SUPPORTS("avx512bf16");
  EXPECT_EXIT(runAndExit(narrow), testing::ExitedWithCode(0),
              isWidened ? planFor(4) : kOtherPlan);
}

/// The kernel for tiles of 4x4 outputs needs 32 tiles.
TEST_F(WinogradDeathTest, IsNotChosenForAFewLargeTiles) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  ConvSpec spec = makeTiledSpec();
  spec.image = {5, 125}; // 4x124 outputs
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
  spec.image = {5, 126};
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), planFor(4));
  spec.image = {11, 9}; // 6 tiles an image
  spec.batch = 5;
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
  spec.batch = 6;
  EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), planFor(4));
}

/// oneDNN itself would refuse most of these.
TEST_F(WinogradDeathTest, IsForDenseSmallWindowsAlone) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  std::vector<ConvSpec> specs(10, makeSmallSpec());
  specs[0].kernel = {5, 3};
  specs[1].strides = {1, 2};
  specs[2].dilations = {2, 1};
  specs[3].groups = 2;
  specs[4].inputs = 24; // blocks are not whole
  specs[5].outputs = 40;
  specs[6].constantWeights = false; // would be packed in each call
  specs[7].kernel = {1, 3};
  specs[8] = makeSpec({9, 7, 6}, {3, 3, 3});
  specs[8].inputs = specs[8].outputs = 32;
  specs[8].allowsWinograd = true;
  specs[9].padLow = {2, 0};
  for (const ConvSpec &spec : specs)
    EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), kOtherPlan);
}

static void expectKernel(const Conv &conv, const char *part) {
  std::string kernel = fusion_rt_slot_kernel(&conv.slot);
  if (hasKernel())
    EXPECT_NE(kernel.find(part), std::string::npos) << kernel;
}

static void runSizes() {
  Conv conv(makeLargeSpec());
  EXPECT_EQ(conv.run(), FUSION_RT_SUCCESS);
  conv.check();
  expectKernel(conv, "wino_4x3");
  EXPECT_EQ(counters().weight_packs, 1u);
  conv.resize(2, {13, 24});
  conv.check();
  expectKernel(conv, "wino_4x3");
  conv.resize(1, {9, 8});
  conv.check();
  expectKernel(conv, "brg");
  fusion_rt_release(&conv.slot);
  EXPECT_EQ(counters().packed_bytes, 0u);
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(WinogradDeathTest, OneSlotTakesSizesOfEitherKind) {
  FUSION_NEEDS_ONEDNN();
  EXPECT_EXIT(runSizes(), testing::ExitedWithCode(0), planFor(4));
}

/// Sizes that need other layouts of the weights alternate without packing. The
/// parts of a cut may need another layout than the whole: one thread cuts
/// nothing.
static void runTurns() {
  fusion_rt_set_num_threads(1);
  ConvSpec spec = makeLargeSpec();
  spec.padLow = spec.padHigh = {1, 1};
  Conv conv(spec);
  uint64_t packs[2];
  for (uint64_t &count : packs) {
    for (auto [batch, image] :
         {std::pair{1, Dims{13, 14}}, {1, Dims{20, 21}}, {4, Dims{13, 14}}}) {
      conv.resize(batch, image);
      EXPECT_EQ(conv.run(), FUSION_RT_SUCCESS);
    }
    count = counters().weight_packs;
    fusion_rt_clear_caches(); // which keeps packed weights
  }
  EXPECT_EQ(packs[0], hasKernel() ? 3u : 1u);
  EXPECT_EQ(packs[1], packs[0]);
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(WinogradDeathTest, LayoutsOfWeightsAreKept) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  EXPECT_EXIT(runTurns(), testing::ExitedWithCode(0), planFor(2));
}

static void runThreadCounts() {
  Conv conv(makeLargeSpec());
  for (int threads : {2, 1, 2}) {
    EXPECT_EQ(fusion_rt_set_num_threads(threads), FUSION_RT_SUCCESS);
    conv.check();
  }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(WinogradDeathTest, ThreadCountsMayChange) {
  FUSION_NEEDS_ONEDNN();
  EXPECT_EXIT(runThreadCounts(), testing::ExitedWithCode(0), planFor(4));
}

/// As the header warns, an infinity makes other outputs infinite or NaN, but
/// only in its own image.
static void runInfinity() {
  ConvSpec spec = makeTiledSpec();
  spec.batch = 2;
  spec.activation = FUSION_RT_ACT_NONE;
  Conv conv(spec);
  conv.src.set(0, INFINITY);
  if (conv.run() != FUSION_RT_SUCCESS)
    exit(1);
  int64_t half = conv.dst.elements() / 2, inFirst = 0, inSecond = 0;
  for (int64_t i = 0; i < half; ++i) {
    inFirst += !std::isfinite(conv.dst.get(i));
    inSecond += !std::isfinite(conv.dst.get(i + half));
  }
  exit(inFirst > 0 && inSecond == 0 ? 0 : 1);
}

TEST_F(WinogradDeathTest, InfinitiesStayInTheirImage) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "winograd", 1);
  EXPECT_EXIT(runInfinity(), testing::ExitedWithCode(0), planFor(4));
}
