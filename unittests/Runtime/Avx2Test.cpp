//===- Avx2Test.cpp - Plans for CPUs without AVX-512 ----------------------===//
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
/// oneDNN and the library read the environment once, so that each check is a
/// process of its own.
class Avx2DeathTest : public testing::Test {
protected:
  void SetUp() override {
    FUSION_NEEDS_ONEDNN();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("FUSION_VERBOSE", "1", 1);
    setenv("ONEDNN_MAX_CPU_ISA", "AVX2", 1);
  }
  void TearDown() override {
    for (const char *name : {"FUSION_VERBOSE", "ONEDNN_MAX_CPU_ISA"})
      unsetenv(name);
  }
};
} // namespace

/// The name of the kernel begins with `kernel`. oneDNN 3 has other ones with
/// AVX2
/// ("brg").
static void checkMatmuls(const std::vector<MatmulSpec> &specs,
                         const std::string &kernel) {
  for (const MatmulSpec &spec : specs) {
    Matmul matmul(spec);
    matmul.check();
    std::string name = fusion_rt_slot_kernel(&matmul.slot);
    EXPECT_TRUE(name.rfind(kernel, 0) == 0 || name.find("brg") != name.npos)
        << name;
  }
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST_F(Avx2DeathTest, MatrixMultiplicationsBecomeConvolutions) {
  for (auto [residual, isAfter] : waysToAddOrNot())
    for (auto activation :
         {FUSION_RT_ACT_NONE, FUSION_RT_ACT_RELU, FUSION_RT_ACT_GELU_ERF}) {
      if (isAfter && activation == FUSION_RT_ACT_NONE)
        continue;
      MatmulSpec spec; // columns that fill no whole vectors
      spec.residual = residual;
      spec.residualAfter = isAfter;
      spec.activation = activation;
      MatmulSpec batch = spec; // one image, of the rows of all matrices
      batch.batch = 3;
      MatmulSpec row = batch;
      row.rows = 1;
      row.bias = false;
      MatmulSpec transposed = spec;
      transposed.weightsOrder = {1, 2, 0};
      EXPECT_EXIT(checkMatmuls({spec, batch, row, transposed}, "jit_1x1:avx2"),
                  testing::ExitedWithCode(0), "");
    }
}

TEST_F(Avx2DeathTest, ConvolutionsAreCutIntoTiles) {
  MatmulSpec large;
  large.rows = 50;
  large.depth = 200;
  large.columns = 264;
  large.activation = FUSION_RT_ACT_RELU;
  EXPECT_EXIT(checkMatmuls({large}, "jit_1x1:avx2"), testing::ExitedWithCode(0),
              "create matmul [^\n]* tiles of ");
}

TEST_F(Avx2DeathTest, MatrixMultiplicationsStay) {
  MatmulSpec changing; // its weights would be packed in each call
  changing.constantWeights = false;
  MatmulSpec batch; // a matrix of weights for each one of src
  batch.batch = batch.weightsBatch = 3;
  MatmulSpec columns; // pixels whose channels are not contiguous
  columns.srcOrder = {1, 2, 0};
  MatmulSpec gaps; // between pixels
  gaps.slack = 3;
  EXPECT_EXIT(checkMatmuls({changing, batch, columns, gaps}, "gemm:jit"),
              testing::ExitedWithCode(0), "");
}

/// Convolutions whose windows reach far into padding.
static std::vector<ConvSpec> makeDilatedSpecs() {
  ConvSpec image = makeSpec({13, 10}, {3, 3});
  image.inputs = 24;
  image.outputs = 16;
  image.dilations = {2, 7};
  image.padLow = {2, 6};
  image.padHigh = {1, 7};
  ConvSpec grouped = image;
  grouped.groups = 2;
  grouped.inputs = 32;
  grouped.outputs = 64;
  ConvSpec line = makeSpec({200}, {2});
  line.inputs = 40;
  line.outputs = 48;
  line.dilations = {64};
  line.padLow = {64};
  ConvSpec strided = makeSpec({50}, {3});
  strided.inputs = 16;
  strided.outputs = 48;
  strided.strides = {2};
  strided.dilations = {9};
  strided.padHigh = {17};
  ConvSpec volume = makeSpec({4, 5, 11}, {2, 1, 3});
  volume.inputs = 16;
  volume.outputs = 24;
  volume.dilations = {1, 1, 5};
  volume.padLow = {0, 0, 6};
  volume.padHigh = {1, 0, 4};
  return {image, grouped, line, strided, volume};
}

/// Convolutions whose windows reach far into padding without dilations.
static std::vector<ConvSpec> makeLongSpecs() {
  ConvSpec image = makeSpec({13, 20}, {9, 9});
  image.inputs = 8; // sums of few products, for their rounding
  image.outputs = 16;
  image.padLow = {4, 4};
  image.padHigh = {3, 5};
  ConvSpec line = makeSpec({70}, {15});
  line.inputs = 16;
  line.outputs = 24;
  line.strides = {2};
  line.padLow = {7};
  ConvSpec volume = makeSpec({4, 5, 17}, {2, 1, 11});
  volume.inputs = 16;
  volume.outputs = 24;
  volume.padLow = {0, 0, 5};
  volume.padHigh = {1, 0, 5};
  return {image, line, volume};
}

/// A depthwise one of them.
static ConvSpec makeLongDepthwiseSpec() {
  ConvSpec spec = makeSpec({14, 20}, {11, 13});
  spec.inputs = spec.outputs = spec.groups = 24;
  spec.padLow = {5, 6};
  spec.padHigh = {4, 7};
  return spec;
}

/// A depthwise one with dilations, of few multiplications.
static ConvSpec makeDilatedDepthwiseSpec() {
  ConvSpec spec = makeLongDepthwiseSpec();
  spec.kernel = {3, 2};
  spec.dilations = {3, 9};
  spec.padHigh = {2, 8};
  return spec;
}

static ConvSpec makeLongDepthwiseLineSpec() {
  ConvSpec spec = makeSpec({90}, {15});
  spec.inputs = spec.outputs = spec.groups = 24;
  spec.padLow = {7};
  return spec;
}

/// Convolutions whose kernels with AVX2 are matrix multiplications only: four
/// channels in a group.
static std::vector<ConvSpec> makeGemmSpecs() {
  ConvSpec grouped = makeWideSpec();
  grouped.inputs = 32;
  grouped.outputs = 24;
  grouped.groups = 8;
  ConvSpec dilated = makeDilatedSpecs().front();
  dilated.inputs = dilated.outputs = 24;
  dilated.groups = 6;
  return {grouped, dilated};
}

// oneDNN 3 has kernels for channels last ("brg", "brd").
static const char *const channelsFirst =
    "create conv (x64:gemm:jit, [^\n]*src copied to f32 [0-9x]+ "
    "channels-first, [^\n]*dst copied from f32 [0-9x]+ channels-first|brg)";

/// Checks `specs` with what may follow the sum, and that the process says
/// `line`.
static void checkTails(const std::vector<ConvSpec> &specs, const char *line) {
  for (ConvSpec spec : specs)
    for (auto [residual, isAfter] : waysToAddOrNot())
      for (auto activation : {FUSION_RT_ACT_NONE, FUSION_RT_ACT_TANH}) {
        if (isAfter && activation == FUSION_RT_ACT_NONE)
          continue;
        spec.residual = residual;
        spec.residualAfter = isAfter;
        spec.activation = activation;
        EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), line);
      }
}

TEST_F(Avx2DeathTest, WindowsAreMultipliedInChannelsFirst) {
  checkTails(makeGemmSpecs(), channelsFirst);
}

TEST_F(Avx2DeathTest, CopiesHaveThePadsOfWideWindows) {
  for (const std::vector<ConvSpec> &specs :
       {makeDilatedSpecs(), makeLongSpecs()})
    checkTails(specs, "create conv (jit:avx2, [^\n]*src copied to f32 [0-9x]+ "
                      "[a-z -]+ with pads|brg)");
}

TEST_F(Avx2DeathTest, CopiesHaveThePadsOfWideDepthwiseWindows) {
  checkTails({makeLongDepthwiseSpec(), makeDilatedDepthwiseSpec(),
              makeLongDepthwiseLineSpec()},
             "create conv (jit_dw:avx2, [^\n]*src copied to f32 [0-9x]+ "
             "channels-last with pads|br[dg])");
}

// The channels of dst fill no blocks.
TEST_F(Avx2DeathTest, CopiesHavePadsInFrontOfChannelsFirst) {
  ConvSpec image = makeLongSpecs().front();
  image.outputs = 3;
  ConvSpec depthwise = makeLongDepthwiseSpec();
  for (ConvSpec *spec : {&image, &depthwise}) {
    spec->dstLayout = Layout::ChannelsFirst;
    spec->residualLayout = Layout::ChannelsFirst;
  }
  checkTails({image, depthwise},
             "create conv (jit[_dw]*:avx2, [^\n]*src copied to f32 [0-9x]+ "
             "channels-last with pads, [^\n]*dst copied from f32 [0-9x]+ "
             "channels-last|br[dg])");
}

TEST_F(Avx2DeathTest, CopiesOfBlocksHavePads) {
  ConvSpec blocks = makeDilatedSpecs().front(); // many channels
  blocks.inputs = 72;
  blocks.outputs = 128;
  ConvSpec narrow = blocks; // with conversions
  narrow.srcType = narrow.dstType = FUSION_RT_TYPE_BF16;
  for (const ConvSpec &spec : {blocks, narrow})
    EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0),
                "create conv (jit:avx2, [^\n]*src copied to f32 [0-9x]+ "
                "blocks of channels with pads|brg)");
}

/// oneDNN 3 offers kernels from blocks of matrices first, which are slower.
/// They alone add a residual behind the activation.
static void checkKernel(ConvSpec spec, const char *line) {
  for (Residual residual : {Residual::None, Residual::Apart})
    for (auto activation : {FUSION_RT_ACT_NONE, FUSION_RT_ACT_TANH}) {
      spec.residual = residual;
      spec.activation = activation;
      EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), line);
    }
}

TEST_F(Avx2DeathTest, ChannelsAreConvolvedByThemselves) {
  ConvSpec depthwise = makeSpec({13, 10}, {3, 5});
  depthwise.strides = {1, 2};
  depthwise.inputs = depthwise.outputs = depthwise.groups = 24;
  checkKernel(depthwise, "create conv jit_dw:avx2");
  ConvSpec line = makeSpec({40}, {5});
  line.inputs = line.outputs = line.groups = 24;
  checkKernel(line, "create conv jit_dw:avx2");
}

TEST_F(Avx2DeathTest, PixelsAreConvolvedByThemselves) {
  ConvSpec pixels = makeSpec({13, 10}, {1, 1});
  pixels.inputs = 24;
  pixels.outputs = 40;
  checkKernel(pixels, "create conv jit_1x1:avx2");
}

static void checkEach(const std::vector<ConvSpec> &specs) {
  for (const ConvSpec &spec : specs)
    Conv(spec).check();
  exit(testing::Test::HasFailure() ? 1 : 0);
}

// The copies share memory, which holds numbers of the call before.
TEST_F(Avx2DeathTest, PadsAreZerosInUsedMemory) {
  std::vector<ConvSpec> specs = makeDilatedSpecs();
  for (const ConvSpec &spec : makeDilatedSpecs())
    specs.insert(specs.begin(), spec);
  specs.push_back(makeLongDepthwiseSpec());
  EXPECT_EXIT(checkEach(specs), testing::ExitedWithCode(0), "");
}

TEST_F(Avx2DeathTest, TilesHavePads) {
  ConvSpec large = makeDilatedSpecs()[2];
  large.image = {6000};
  EXPECT_EXIT(checkAndExit(large), testing::ExitedWithCode(0),
              "create conv (jit:avx2, [^\n]* with pads[^\n]* tiles of |brg)");
}

TEST_F(Avx2DeathTest, ShortPadsAreTheKernels) {
  ConvSpec dilated = makeDilatedSpecs().front();
  dilated.dilations = {7, 1};
  dilated.padLow = {6, 1};
  dilated.padHigh = {7, 1};
  EXPECT_EXIT(checkAndExit(dilated), testing::ExitedWithCode(0),
              "create conv (jit:avx2, [^\n]* threads, 2 tiles|brg)");
  ConvSpec depthwise = makeLongDepthwiseSpec(); // shorter
  depthwise.kernel = {7, 7};
  depthwise.padLow = {3, 3};
  EXPECT_EXIT(checkAndExit(depthwise), testing::ExitedWithCode(0),
              "create conv (jit_dw:avx2, [^\n]* threads, |br[dg])");
}

TEST_F(Avx2DeathTest, WindowsStayInChannelsLast) {
  ConvSpec few = makeDilatedSpecs().front(); // of few multiplications
  few.inputs = 3;
  few.outputs = 5;
  EXPECT_EXIT(checkAndExit(few), testing::ExitedWithCode(0),
              "create conv (x64:gemm:jit, [^\n]* threads, [0-9.]+ us|brg)");
}
