//===- EnvironmentTest.cpp - Environment variables, one per process -------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"

#include <cstdlib>

using namespace fusion::test;

namespace {
/// The library reads the environment once. So each test is a process of its own
/// that starts with the variable set.
class EnvironmentDeathTest : public testing::Test {
protected:
  void SetUp() override {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
  void TearDown() override {
    for (const char *name :
         {"FUSION_VERBOSE", "FUSION_CHECK_CONSTANTS", "FUSION_PLAN"})
      unsetenv(name);
    // Each test has its own process, so that the old value is not needed.
    unsetenv("ONEDNN_MAX_CPU_ISA");
  }
};
} // namespace

static void changeAWeight() {
  Conv conv(makeWideSpec());
  bool worked =
      conv.run() == FUSION_RT_SUCCESS && conv.run() == FUSION_RT_SUCCESS;
  conv.weights.set(100, 7);
  bool isTold = conv.run() == FUSION_RT_BROKEN_PROMISE;
  fprintf(stderr, "%s\n", fusion_rt_last_error());
  // The promise holds until the release, and no longer.
  fusion_rt_release(&conv.slot);
  bool isForgotten = conv.run() == FUSION_RT_SUCCESS;
  exit(worked && isTold && isForgotten ? 0 : 1);
}

TEST_F(EnvironmentDeathTest, ChangedConstantsAreABrokenPromise) {
  setenv("FUSION_CHECK_CONSTANTS", "1", 1);
  EXPECT_EXIT(changeAWeight(), testing::ExitedWithCode(0),
              "'weights' at 0x[0-9a-f]+ must not change while the slot lives, "
              "but have changed since they were packed");
}

static void changeAWeightThatMayChange() {
  ConvSpec spec = makeWideSpec();
  spec.constantWeights = false;
  Conv conv(spec);
  bool worked = conv.run() == FUSION_RT_SUCCESS;
  conv.weights.set(100, 7);
  exit(worked && conv.run() == FUSION_RT_SUCCESS ? 0 : 1);
}

TEST_F(EnvironmentDeathTest, OtherWeightsMayChange) {
  setenv("FUSION_CHECK_CONSTANTS", "1", 1);
  EXPECT_EXIT(changeAWeightThatMayChange(), testing::ExitedWithCode(0), "");
}

static void runAndFail() {
  Conv conv(makeWideSpec());
  conv.run();
  conv.args.src.data = nullptr;
  conv.run();
  exit(0);
}

TEST_F(EnvironmentDeathTest, VerboseTellsOfEachStep) {
  setenv("FUSION_VERBOSE", "1", 1);
  const char *shapes =
      "f32 2x32x9x7 \\* f32 48x32x3x2 -> f32 2x48x7x6, .*conv.mlir:7:3\n";
  for (const std::string &line :
       {std::string("fusion: create conv .*, ") + shapes,
        std::string("fusion: pack weights f32 48x32x3x2, [0-9]+ bytes, .* us, "
                    "conv.mlir:7:3\n"),
        std::string("fusion: execute conv .*, ") + shapes,
        std::string("fusion: refuse conv: invalid argument: 'src' must not be "
                    "null, conv.mlir:7:3\n")})
    EXPECT_EXIT(runAndFail(), testing::ExitedWithCode(0), line);
}

/// Other plans than the best one on this machine must give the same result.
static void checkPlans() {
  for (fusion_rt_type type :
       {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16})
    for (auto [residual, isAfter] : waysToAddOrNot())
      for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
        for (int64_t inputs : {1, 3, 6, 20}) {
          ConvSpec spec;
          spec.residualAfter = isAfter;
          if (isAfter)
            spec.activation = FUSION_RT_ACT_TANH;
          spec.inputs = inputs;
          spec.srcType = spec.dstType = type;
          spec.srcLayout = spec.dstLayout = layout;
          spec.residual = residual;
          spec.padLow = {1, 0};
          Conv(spec).check();
          // In an image of one pixel a bias is as large as a row of dst.
          ConvSpec pixel = spec;
          pixel.image = pixel.kernel = {1, 1};
          pixel.padLow = {0, 0};
          Conv(pixel).check();
          spec.constantWeights = false;
          Conv(spec).check();
          spec.residualType = FUSION_RT_TYPE_F32;
          if (residual == Residual::Apart)
            Conv(spec).check();
        }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(EnvironmentDeathTest, EachPlanComputesTheSame) {
  FUSION_NEEDS_ONEDNN();
  for (const char *plan : {"direct", "copy", "pad", "widen", "epilogue"}) {
    SCOPED_TRACE(plan);
    setenv("FUSION_PLAN", plan, 1);
    EXPECT_EXIT(checkPlans(), testing::ExitedWithCode(0), "");
  }
}

/// Packs 70 columns for a few rows, in blocks of 64.
static void checkWideBlocks() {
  fusion_rt_set_num_threads(1);
  MatmulSpec spec;
  spec.depth = 4096;
  spec.columns = 70;
  Matmul matmul(spec);
  matmul.check();
  exit(counters().packed_bytes == 4096 * 128 * sizeof(float) ? 0 : 1);
}

TEST_F(EnvironmentDeathTest, OneDnnChoosesBlocksOfColumns) {
  FUSION_NEEDS_ONEDNN();
  if (!CPU_SUPPORTS("avx512bw"))
    GTEST_SKIP() << "needs a CPU with AVX-512";
  setenv("FUSION_PLAN", "direct", 1);
  EXPECT_EXIT(checkWideBlocks(), testing::ExitedWithCode(0), "");
}

static void runFewChannels() {
  ConvSpec spec;
  spec.inputs = 3;
  spec.srcType = spec.dstType = FUSION_RT_TYPE_BF16;
  Conv(spec).run();
  exit(0);
}

TEST_F(EnvironmentDeathTest, ChannelsCanBePadded) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "pad", 1);
  setenv("FUSION_VERBOSE", "1", 1);
  EXPECT_EXIT(runFewChannels(), testing::ExitedWithCode(0),
              "src copied to (bf16 2x(4|8|16)|f32 2x3)x9x7 channels-last");
}

/// Pixels of few channels are copied in groups, then the rest.
static void checkSmallPixels() {
  for (int64_t inputs : {1, 2, 3, 4, 5})
    for (Layout layout :
         {Layout::ChannelsFirst, Layout::ChannelsLast, Layout::Scrambled})
      for (int64_t slack : {0, 3})
        for (fusion_rt_type type :
             {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16, FUSION_RT_TYPE_F16}) {
          ConvSpec spec = makeSpec({19, 31}, {3, 2});
          spec.inputs = inputs;
          spec.outputs = 6 - inputs;
          spec.srcLayout = spec.dstLayout = layout;
          spec.slack = slack;
          spec.weightsType = spec.dstType = type;
          Conv(spec).check(); // of an f32 src
          spec.srcType = type;
          Conv(spec).check();
        }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(EnvironmentDeathTest, SmallPixelsAreCopied) {
  FUSION_NEEDS_ONEDNN();
  for (const char *plan : {"copy", "pad", "widen"}) {
    SCOPED_TRACE(plan);
    setenv("FUSION_PLAN", plan, 1);
    EXPECT_EXIT(checkSmallPixels(), testing::ExitedWithCode(0), "");
  }
}

/// A convolution whose channels fill whole blocks, of `rank` spatial
/// dimensions.
static ConvSpec makeSpecOfBlocks(size_t rank) {
  ConvSpec spec = makeSpec(Dims({9, 7, 6}), Dims({3, 2, 3}));
  for (Dims *dims : {&spec.image, &spec.kernel, &spec.strides, &spec.dilations,
                     &spec.padLow, &spec.padHigh})
    dims->resize(rank);
  spec.inputs = 24;
  spec.outputs = 16;
  spec.padLow[0] = 1;
  spec.strides[rank - 1] = 2;
  spec.activation = FUSION_RT_ACT_RELU;
  return spec;
}

TEST_F(EnvironmentDeathTest, ChannelsCanBeInBlocks) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_PLAN", "blocks", 1);
  setenv("FUSION_VERBOSE", "1", 1);
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  std::vector<ConvSpec> specs;
  for (size_t rank : {1, 2, 3})
    for (auto [residual, isAfter] : waysToAddOrNot()) {
      ConvSpec spec = makeSpecOfBlocks(rank);
      spec.residual = residual;
      spec.residualAfter = isAfter;
      spec.slack = 3;
      spec.constantWeights = residual != Residual::InPlace;
      specs.push_back(spec);
      spec.srcLayout = Layout::ChannelsFirst;
      spec.dstLayout = rank == 1 ? Layout::ChannelsFirst : Layout::Scrambled;
      spec.slack = 0;
      specs.push_back(spec);
    }
  for (ConvSpec spec : std::vector<ConvSpec>(specs)) {
    spec.srcType = spec.dstType = FUSION_RT_TYPE_F16; // widened
    if (spec.residual == Residual::Apart)
      spec.residualType = FUSION_RT_TYPE_F32;
    specs.push_back(spec);
  }
  for (const ConvSpec &spec : specs) {
    bool adds = spec.residual != Residual::None;
    EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0),
                std::string("create conv jit:[^\n]*, src copied to f32 [12]x24x"
                            "[0-9x]+ blocks of channels, ") +
                    (!adds ? ""
                     : spec.residualAfter
                         ? "(residual copied to dst|what follows the sum in an "
                           "element-wise primitive), "
                         : "residual copied to dst, ") +
                    "dst copied from f32 [12]x16x[0-9x]+ blocks of channels, ");
  }
}

/// The epilogue must add a bias by channels, which have another place in
/// blocks.
static void checkEpilogues() {
  for (auto [residual, isAfter] : waysToAddOrNot())
    for (bool bias : {false, true})
      for (auto activation : {FUSION_RT_ACT_NONE, FUSION_RT_ACT_TANH,
                              FUSION_RT_ACT_HARDSIGMOID}) {
        if (isAfter && activation == FUSION_RT_ACT_NONE)
          continue;
        ConvSpec spec = makeWideSpec();
        spec.residualAfter = isAfter;
        spec.alpha = 0.2f;
        spec.beta = 0.5f;
        spec.kernel = {3, 3};
        spec.inputs = 48;
        spec.residual = residual;
        spec.bias = bias;
        spec.activation = activation;
        Conv(spec).check();
      }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(EnvironmentDeathTest, EpiloguesOfBlocksAddToTheRightChannels) {
  FUSION_NEEDS_ONEDNN();
  for (const char *isa : {"SSE41", "AVX2"})
    for (const char *plan : {"", "epilogue", "blocks"}) {
      SCOPED_TRACE(std::string(isa) + " " + plan);
      setenv("ONEDNN_MAX_CPU_ISA", isa, 1);
      setenv("FUSION_PLAN", plan, 1);
      EXPECT_EXIT(checkEpilogues(), testing::ExitedWithCode(0), "");
    }
}

TEST_F(EnvironmentDeathTest, RowsThatLieFarApartAreCopiedToBlocks) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_VERBOSE", "1", 1);
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  // oneDNN 3 has other kernels for channels last.
  const char *blocks = "create conv (jit:[^\n]* blocks of channels|brg)";
  ConvSpec many = makeWideSpec();
  EXPECT_EXIT(checkAndExit(many), testing::ExitedWithCode(0), blocks);
  many.residual = Residual::InPlace;
  EXPECT_EXIT(checkAndExit(many), testing::ExitedWithCode(0), blocks);
  many.srcLayout = many.dstLayout = Layout::ChannelsFirst;
  EXPECT_EXIT(checkAndExit(many), testing::ExitedWithCode(0), blocks);
}

static const char *const withoutCopies =
    "create conv [^\n]* threads, ([0-9]+ tiles of [^\n,]*, )?[0-9.]+ us";

/// With channels last oneDNN 2.6 takes its kernel for SSE4.1 for long rows.
TEST_F(EnvironmentDeathTest, LongRowsAreCopiedToBlocks) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_VERBOSE", "1", 1);
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  ConvSpec line = makeSpec({12000}, {3});
  line.inputs = line.outputs = 32;
  EXPECT_EXIT(runAndExit(line), testing::ExitedWithCode(0),
              "create conv (jit:avx2[^\n]* blocks of channels|brg)");
  line.inputs = line.outputs = 8; // few multiplications
  EXPECT_EXIT(runAndExit(line), testing::ExitedWithCode(0), withoutCopies);
}

TEST_F(EnvironmentDeathTest, BlocksAreNotWorthIt) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_VERBOSE", "1", 1);
  setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  ConvSpec few = makeWideSpec(); // 72 channels
  few.inputs = 24;
  ConvSpec pointwise = makeWideSpec(); // a kernel of another kind
  pointwise.inputs = pointwise.outputs = 160;
  pointwise.kernel = {1, 1};
  ConvSpec oneRow = makeWideSpec();
  oneRow.image = {9, 20};
  oneRow.kernel = {1, 7};
  ConvSpec broken = makeWideSpec(); // blocks are not whole
  broken.inputs = 36;
  ConvSpec sparse = makeWideSpec(); // as many copies, a quarter of the sums
  sparse.strides = {2, 2};
  ConvSpec grouped = makeWideSpec();
  grouped.inputs = grouped.outputs = 64;
  grouped.groups = 2;
  for (const ConvSpec &spec : {few, pointwise, oneRow, broken, sparse, grouped})
    EXPECT_EXIT(runAndExit(spec), testing::ExitedWithCode(0), withoutCopies);
}

/// Kernels that compute post-ops one element at a time get no post-ops.
static void runPointwise() {
  ConvSpec spec = makeWideSpec();
  spec.inputs = 4; // so few that this image is no small one
  spec.image = {70, 60};
  spec.kernel = {1, 1};
  spec.padLow = spec.padHigh = {0, 0};
  spec.srcLayout = spec.dstLayout = Layout::ChannelsFirst;
  spec.activation = FUSION_RT_ACT_GELU_ERF;
  Conv(spec).run();
  exit(0);
}

TEST_F(EnvironmentDeathTest, SlowPostOpsAreAPrimitiveOfTheirOwn) {
  FUSION_NEEDS_ONEDNN();
  setenv("FUSION_VERBOSE", "1", 1);
  EXPECT_EXIT(runPointwise(), testing::ExitedWithCode(0),
              "create conv ([^,]*gemm.*, what follows the sum|jit|brg)");
}
