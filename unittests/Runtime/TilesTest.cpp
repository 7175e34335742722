//===- TilesTest.cpp - Calls cut into tiles for several threads -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"
#include "PoolTest.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace fusion::test;

namespace {
/// Cuts of images, rows and channels: even and uneven ones, and some that ask
/// for more parts than there can be.
const char *const cuts[] = {"1x2x1", "1x3x1", "1x1x2",  "1x2x3",
                            "2x1x1", "2x3x2", "1x64x1", "5x1x7"};

class TilesTest : public testing::Test {
protected:
  void SetUp() override { FUSION_NEEDS_ONEDNN(); }
  void TearDown() override {
    unsetenv("FUSION_TILES");
    fusion_rt_set_num_threads(0);
  }
};

struct Named {
  const char *name;
  ConvSpec spec;
};
} // namespace

static ConvSpec with(ConvSpec spec, void (*change)(ConvSpec &)) {
  change(spec);
  return spec;
}

/// Convolutions in which rows, columns, channels and pads differ.
static std::vector<Named> listConvs() {
  ConvSpec wide = makeWideSpec();
  wide.padLow = {2, 1};
  wide.padHigh = {1, 0};
  return {
      {"wide", wide},
      {"strided", with(wide, [](auto &s) { s.strides = {2, 3}; })},
      {"dilated", with(wide, [](auto &s) { s.dilations = {2, 1}; })},
      {"one row", with(wide,
                       [](auto &s) {
                         s.image = {1, 17};
                         s.kernel = {1, 3};
                         s.padLow = s.padHigh = {0, 0};
                       })},
      {"one channel", with(wide, [](auto &s) { s.inputs = s.outputs = 1; })},
      {"pads larger than parts", with(wide,
                                      [](auto &s) {
                                        s.image = {3, 9};
                                        s.kernel = {5, 2};
                                        s.padLow = {4, 1};
                                        s.padHigh = {3, 0};
                                      })},
      {"groups", with(wide,
                      [](auto &s) {
                        s.inputs = s.outputs = 64;
                        s.groups = 4;
                      })},
      {"depthwise",
       with(wide, [](auto &s) { s.inputs = s.outputs = s.groups = 40; })},
      {"residual", with(wide,
                        [](auto &s) {
                          s.residual = Residual::Apart;
                          s.activation = FUSION_RT_ACT_SIGMOID;
                        })},
      {"in place", with(wide, [](auto &s) { s.residual = Residual::InPlace; })},
      {"residual last", with(wide,
                             [](auto &s) {
                               s.residual = Residual::Apart;
                               s.residualAfter = true;
                               s.activation = FUSION_RT_ACT_SIGMOID;
                             })},
      {"in place, last", with(wide,
                              [](auto &s) {
                                s.residual = Residual::InPlace;
                                s.residualAfter = true;
                                s.activation = FUSION_RT_ACT_RELU;
                                s.srcLayout = s.dstLayout =
                                    Layout::ChannelsFirst;
                              })},
      {"channels first", with(wide,
                              [](auto &s) {
                                s.srcLayout = s.dstLayout =
                                    Layout::ChannelsFirst;
                                s.residual = Residual::Apart;
                              })},
      {"scrambled",
       with(wide,
            [](auto &s) { s.srcLayout = s.dstLayout = Layout::Scrambled; })},
      {"weights that change",
       with(wide, [](auto &s) { s.constantWeights = false; })},
      {"f16",
       with(wide, [](auto &s) { s.srcType = s.dstType = FUSION_RT_TYPE_F16; })},
      {"bf16", with(wide,
                    [](auto &s) {
                      s.srcType = s.dstType = FUSION_RT_TYPE_BF16;
                      s.residual = Residual::Apart;
                    })},
      {"no images", with(wide, [](auto &s) { s.batch = 0; })},
      {"no channels", with(wide, [](auto &s) { s.inputs = 0; })},
      {"one dimension", makeSpec({41}, {3})},
      {"three dimensions", makeSpec({5, 4, 7}, {3, 2, 1})},
  };
}

static std::vector<double> valuesOf(const Tensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.elements(); ++i)
    values.push_back(tensor.get(i));
  return values;
}

/// Kernels for AVX-512, and oneDNN 3's from blocks of matrices, choose blocks
/// by the sizes of their operands. That changes the layout of weights and the
/// order of sums: long sums differ in the last bits where channels are cut.
static bool choosesBlocks(Conv &conv) {
  const char *kernel = fusion_rt_slot_kernel(&conv.slot);
  return kernel && (strstr(kernel, "avx512") || strstr(kernel, "brg"));
}

static void expectSame(Conv &conv, const std::vector<double> &expected) {
  if (choosesBlocks(conv))
    conv.compare();
  else
    EXPECT_EQ(valuesOf(conv.dst), expected);
}

TEST_F(TilesTest, EachCutGivesTheSameBits) {
  for (const auto &[name, spec] : listConvs()) {
    SCOPED_TRACE(name);
    setenv("FUSION_TILES", "1x1x1", 1);
    Conv whole(spec);
    whole.check();
    for (const char *cut : cuts) {
      SCOPED_TRACE(cut);
      setenv("FUSION_TILES", cut, 1);
      fusion_rt_set_num_threads(3);
      Conv conv(spec);
      ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS);
      expectSame(conv, valuesOf(whole.dst));
    }
  }
}

TEST_F(TilesTest, EachThreadCountGivesTheSameBits) {
  std::vector<Named> convs = listConvs();
  ConvSpec large = makeWideSpec();
  large.image = {37, 29};
  convs.push_back({"large", large});
  large.image = {7, 7};
  large.batch = 1;
  large.inputs = 64;
  large.outputs = 256;
  convs.push_back({"many weights", large});
  for (const auto &[name, spec] : convs) {
    SCOPED_TRACE(name);
    std::vector<double> expected;
    for (int32_t threads = 1; threads <= 8; ++threads) {
      SCOPED_TRACE(threads);
      fusion_rt_set_num_threads(threads);
      Conv conv(spec);
      ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS);
      if (threads == 1)
        conv.compare();
      if (expected.empty())
        expected = valuesOf(conv.dst);
      expectSame(conv, expected);
    }
  }
}

TEST_F(TilesTest, MatricesAndPools) {
  MatmulSpec product;
  product.rows = 33;
  product.columns = 50;
  MatmulSpec oneRow = product;
  oneRow.rows = 1;
  oneRow.constantWeights = false;
  MatmulSpec batch = product;
  batch.batch = batch.weightsBatch = 3;
  PoolSpec sums;
  sums.pooling = FUSION_RT_POOL_SUM;
  for (const char *cut : cuts) {
    SCOPED_TRACE(cut);
    setenv("FUSION_TILES", cut, 1);
    fusion_rt_set_num_threads(3);
    for (const MatmulSpec &spec : {product, oneRow, batch})
      Matmul(spec).check();
    for (const PoolSpec &spec : {PoolSpec(), sums})
      Pool(spec).check();
  }
}

TEST_F(TilesTest, MorePartsThanElements) {
  setenv("FUSION_TILES", "1000000x1000000x1000000", 1);
  fusion_rt_set_num_threads(3);
  Conv(makeSpec({8, 3}, {3, 1})).check();
  Matmul(MatmulSpec()).check();
  Pool(PoolSpec()).check();
  setenv("FUSION_TILES",
         "9223372036854775807x9223372036854775807x9223372036854775807", 1);
  Conv(makeSpec({8, 3}, {3, 1})).check();
}

TEST_F(TilesTest, WeightsArePackedOnce) {
  fusion_rt_set_num_threads(3);
  Conv conv(makeWideSpec());
  fusion_rt_reset_counters();
  for (const char *cut : {"1x1x1", "1x2x1", "1x1x2", "1x3x2"}) {
    setenv("FUSION_TILES", cut, 1);
    fusion_rt_clear_caches();
    conv.check();
  }
  EXPECT_EQ(counters().creates, 4u);
  // The weights of all channels, and of two kinds of parts.
  EXPECT_LE(counters().weight_packs, choosesBlocks(conv) ? 3u : 1u);
}

//===----------------------------------------------------------------------===//
// Many callers, and other pools
//===----------------------------------------------------------------------===//

/// 10^5 calls.
TEST_F(TilesTest, ManyCallsFromManyThreads) {
  setenv("FUSION_TILES", "1x4x1", 1);
  fusion_rt_set_num_threads(4);
  ConvSpec spec = makeSpec({8, 3}, {3, 1});
  spec.batch = 1;
  Conv shared(spec);
  shared.check();
  const std::vector<double> expected = valuesOf(shared.dst);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int caller = 0; caller < 8; ++caller)
    threads.emplace_back([&] {
      Tensor dst = shared.dst;
      fusion_rt_conv_args args = shared.args;
      args.dst.data = dst.data();
      for (int i = 0; i < 12500; ++i)
        wrong += fusion_rt_conv(&shared.slot, &args) != FUSION_RT_SUCCESS;
      wrong += valuesOf(dst) != expected;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(TilesTest, HostsMayBringTheirThreads) {
  struct Host {
    std::atomic<int> calls{0}, tasks{0};
    static void run(int32_t count, fusion_rt_task_fn task, void *data,
                    void *context) {
      auto &host = *static_cast<Host *>(context);
      ++host.calls;
      std::vector<std::thread> threads;
      for (int32_t i = 0; i < count; ++i)
        threads.emplace_back([&host, task, data, i] {
          ++host.tasks;
          task(i, data);
        });
      for (std::thread &thread : threads)
        thread.join();
    }
  } host;
  setenv("FUSION_TILES", "1x4x1", 1);
  fusion_rt_set_num_threads(3);
  ASSERT_EQ(fusion_rt_set_parallel(Host::run, &host), FUSION_RT_SUCCESS);
  Conv conv(makeWideSpec());
  conv.check();
  EXPECT_GE(host.calls, 1);
  EXPECT_GE(host.tasks, 3);
  ASSERT_EQ(fusion_rt_set_parallel(nullptr, nullptr), FUSION_RT_SUCCESS);
  int before = host.calls;
  conv.check();
  EXPECT_EQ(host.calls, before);
}

namespace {
class TilesDeathTest : public testing::Test {
protected:
  void SetUp() override {
    FUSION_NEEDS_ONEDNN();
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("FUSION_VERBOSE", "1", 1);
  }
  void TearDown() override {
    unsetenv("FUSION_VERBOSE");
    unsetenv("FUSION_TILES");
  }
};
} // namespace

TEST_F(TilesDeathTest, CutsAreAsAsked) {
  ConvSpec spec = makeWideSpec(); // dst is 2x32x7x6
  auto expectTiles = [&](const char *cut, const char *tiles) {
    setenv("FUSION_TILES", cut, 1);
    EXPECT_EXIT(checkAndExit(spec), testing::ExitedWithCode(0), tiles);
  };
  expectTiles("2x1x1", "2 tiles of f32 1x");
  expectTiles("2x2x1", "4 tiles of f32 1x");
  expectTiles("1x1x2", "2 tiles of f32 2x");
}

TEST_F(TilesDeathTest, SmallCallsAreNotShared) {
  EXPECT_EXIT(checkAndExit(makeSpec({4, 3}, {1, 1})),
              testing::ExitedWithCode(0),
              "create conv [^\n]* threads, [0-9.]+ us");
}
