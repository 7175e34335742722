//===- CacheTest.cpp - What is kept between calls -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <vector>

using namespace fusion::test;

namespace {
/// Each test begins with counters of zero.
class CacheTest : public testing::Test {
protected:
  void SetUp() override { fusion_rt_reset_counters(); }
  void TearDown() override {
    fusion_rt_set_cache_capacity(16);
    fusion_rt_set_num_threads(0);
  }

  /// Channels that every kernel packs weights for.
  static ConvSpec wide() {
    ConvSpec spec;
    spec.inputs = 32;
    spec.outputs = 64;
    spec.kernel = {3, 3};
    return spec;
  }
};
} // namespace

TEST_F(CacheTest, SecondCallOnlyExecutes) {
  Conv conv(wide());
  conv.check();
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 1u);
  EXPECT_EQ(counters().executes, 2u);
  EXPECT_EQ(counters().errors, 0u);
  EXPECT_GE(counters().packed_bytes, 32u * 64 * 9 * 4);
}

/// Number of further layouts of packed weights that oneDNN's kernels need for
/// some images: 3.7 has one with AVX2.
static uint64_t layoutsOfImages() {
  return std::string(fusion_rt_backend()).rfind("oneDNN 3", 0) == 0 ? 1 : 0;
}

/// Checks ten sizes.
static void checkSizes(Conv &conv) {
  conv.check();
  for (int64_t batch : {1, 3, 8})
    for (const Dims &image : {Dims{9, 7}, Dims{14, 7}, Dims{30, 5}}) {
      conv.resize(batch, image);
      conv.check();
    }
  EXPECT_EQ(counters().creates, 10u);
  EXPECT_GE(counters().weight_packs, 1u);
}

TEST_F(CacheTest, OtherBatchAndImageDoNotRepack) {
  fusion_rt_set_num_threads(1);
  Conv conv(wide());
  checkSizes(conv);
  EXPECT_LE(counters().weight_packs, 1u + layoutsOfImages());
}

TEST_F(CacheTest, PartsOfTheChannelsArePackedOnce) {
  // The kernel for half of the channels may want smaller blocks than that for
  // all of them.
  fusion_rt_set_num_threads(2);
  Conv conv(wide());
  checkSizes(conv);
  EXPECT_LE(counters().weight_packs, 2u + layoutsOfImages());
}

TEST_F(CacheTest, EachPackedLayoutIsMadeOnce) {
  // For some widths oneDNN's kernels insist on another block size.
  fusion_rt_set_num_threads(1);
  Conv conv(wide());
  for (int64_t batch : {1, 3, 8})
    for (int64_t width : {7, 15, 9, 31}) {
      conv.resize(batch, {9, width});
      conv.check();
    }
  EXPECT_EQ(counters().creates, 12u);
  EXPECT_LE(counters().weight_packs, 2u + layoutsOfImages());
}

TEST_F(CacheTest, OtherAddressesOfDataDoNotCreate) {
  Conv conv(wide());
  conv.check();
  conv.resize(conv.spec.batch, conv.spec.image); // new tensors
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 1u);
}

TEST_F(CacheTest, OtherAddressOfWeightsRepacks) {
  Conv conv(wide());
  conv.check();
  Tensor first = conv.weights; // the data of conv.weights stays where it is
  Tensor second = conv.weights;
  second.fill(23);
  conv.args.weights = second.view();
  std::swap(conv.weights, second); // `compare` uses conv.weights
  conv.args.weights = conv.weights.view();
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 2u);
}

TEST_F(CacheTest, WeightsInTurnArePackedOnceEach) {
  Conv conv(wide());
  Tensor other = conv.weights;
  other.fill(29);
  for (int i = 0; i < 4; ++i) {
    conv.check();
    std::swap(conv.weights, other);
    conv.args.weights = conv.weights.view();
  }
  EXPECT_EQ(counters().weight_packs, 2u);
}

TEST_F(CacheTest, PackedWeightsAreBounded) {
  Conv conv(wide());
  std::vector<Tensor> all(9, conv.weights);
  uint64_t most = 0;
  for (Tensor &weights : all) {
    conv.args.weights = weights.view();
    conv.check();
    most = std::max(most, counters().packed_bytes);
  }
  EXPECT_EQ(counters().weight_packs, 9u);
  EXPECT_LT(most, 6u * 32 * 64 * 9 * 4);
}

TEST_F(CacheTest, WeightsThatMayChangeAreReadEachTime) {
  ConvSpec spec = wide();
  spec.constantWeights = false;
  Conv conv(spec);
  conv.check();
  conv.weights.fill(31);
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 2u);
  EXPECT_EQ(counters().packed_bytes, 0u);
}

TEST_F(CacheTest, LeastRecentlyUsedIsEvicted) {
  fusion_rt_set_num_threads(1);
  ASSERT_EQ(fusion_rt_set_cache_capacity(2), FUSION_RT_SUCCESS);
  Conv conv(wide());
  auto call = [&](int64_t batch) {
    conv.resize(batch, conv.spec.image);
    conv.check();
  };
  call(1);
  call(2);
  call(1);
  call(3); // evicts 2
  EXPECT_EQ(counters().evictions, 1u);
  EXPECT_EQ(counters().creates, 3u);
  call(1);
  EXPECT_EQ(counters().creates, 3u);
  call(2); // evicts 3
  EXPECT_EQ(counters().creates, 4u);
  EXPECT_EQ(counters().evictions, 2u);
  EXPECT_EQ(counters().weight_packs, 1u);
}

TEST_F(CacheTest, RepeatedUseKeepsAnEntry) {
  fusion_rt_set_cache_capacity(2);
  Conv often(wide());
  often.resize(1, often.spec.image);
  for (int64_t batch = 2; batch < 6; ++batch) {
    often.resize(1, often.spec.image);
    often.check();
    often.check();
    often.resize(batch, often.spec.image);
    often.check();
  }
  EXPECT_EQ(counters().creates, 5u);
  EXPECT_EQ(counters().evictions, 3u);
}

TEST_F(CacheTest, SmallerCapacityEvictsAtOnce) {
  Conv conv(wide());
  for (int64_t batch : {1, 2, 3, 4}) {
    conv.resize(batch, conv.spec.image);
    conv.check();
  }
  EXPECT_EQ(counters().evictions, 0u);
  fusion_rt_set_cache_capacity(1);
  EXPECT_EQ(counters().evictions, 3u);
  conv.check();
  EXPECT_EQ(counters().creates, 4u);
}

TEST_F(CacheTest, ClearKeepsPackedWeights) {
  Conv one(wide()), two(wide());
  one.check();
  two.check();
  EXPECT_EQ(counters().weight_packs, 2u);
  uint64_t packed = counters().packed_bytes;
  fusion_rt_clear_caches();
  EXPECT_EQ(counters().packed_bytes, packed);
  one.check();
  two.check();
  EXPECT_EQ(counters().creates, 4u);
  EXPECT_EQ(counters().weight_packs, 2u);
  EXPECT_EQ(counters().evictions, 0u);
}

TEST_F(CacheTest, ReleaseMakesASlotFresh) {
  Conv conv(wide());
  conv.check();
  EXPECT_NE(conv.slot.state, nullptr);
  EXPECT_NE(fusion_rt_slot_kernel(&conv.slot), nullptr);
  fusion_rt_release(&conv.slot);
  EXPECT_EQ(conv.slot.state, nullptr);
  EXPECT_EQ(fusion_rt_slot_kernel(&conv.slot), nullptr);
  EXPECT_EQ(counters().packed_bytes, 0u);
  fusion_rt_release(&conv.slot);
  conv.weights.fill(37); // allowed now
  conv.check();
  EXPECT_EQ(counters().weight_packs, 2u);
}

TEST_F(CacheTest, ReleasedSlotsAreNotMistakenForNewOnes) {
  // A new slot may get the memory and the index of a released one.
  for (int64_t outputs = 1; outputs < 20; ++outputs) {
    ConvSpec spec;
    spec.outputs = outputs;
    spec.activation = FUSION_RT_ACT_RELU;
    Conv(spec).check();
    ConvSpec other;
    other.outputs = outputs;
    Conv(other).check();
  }
}

TEST_F(CacheTest, InPlaceAndApartAreDifferentEntries) {
  ConvSpec spec = wide();
  spec.residual = Residual::Apart;
  Conv conv(spec);
  conv.check();
  fusion_rt_tensor apart = conv.args.residual;
  conv.args.residual = conv.args.dst;
  conv.spec.residual = Residual::InPlace;
  conv.check();
  conv.args.residual = apart;
  conv.spec.residual = Residual::Apart;
  conv.check();
  EXPECT_EQ(counters().creates, 2u);
}

TEST_F(CacheTest, LongWindowsAreLookedThroughOnce) {
  FUSION_NEEDS_ONEDNN();
  // 100,000 windows of as many elements, each with one element in range: a
  // search element by element would take minutes, as would code for each.
  constexpr int64_t length = 100000;
  ConvSpec spec = makeSpec({1}, {length});
  spec.batch = spec.inputs = spec.outputs = 1;
  spec.padLow = spec.padHigh = {length - 1};
  Conv conv(spec);
  // Without memory it is created, but not run.
  fusion_rt_set_allocator([](size_t, size_t, void *) -> void * { return {}; },
                          [](void *, void *) {}, nullptr);
  EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_OUT_OF_MEMORY);
  fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  EXPECT_EQ(counters().creates, 1u);
}

TEST_F(CacheTest, WeightsInTheWantedLayoutAreNotPacked) {
  FUSION_NEEDS_ONEDNN();
  // Large images with channels first go through a matrix multiplication, which
  // needs plain weights, if the reduction is short.
  ConvSpec spec = makeSpec({63, 47}, {1, 1});
  spec.srcLayout = spec.dstLayout = Layout::ChannelsFirst;
  Conv conv(spec);
  conv.check();
  std::string kernel = fusion_rt_slot_kernel(&conv.slot);
  if (kernel.find("gemm") == std::string::npos)
    GTEST_SKIP() << kernel << " packs its weights";
  EXPECT_EQ(counters().weight_packs, 0u);
  EXPECT_EQ(counters().packed_bytes, 0u);
}

TEST_F(CacheTest, SmallImagesAvoidTheMatrixMultiplication) {
  FUSION_NEEDS_ONEDNN();
  ConvSpec spec = makeSpec({14, 13}, {1, 1});
  spec.inputs = 48;
  spec.outputs = 32;
  spec.srcLayout = spec.dstLayout = Layout::ChannelsFirst;
  spec.activation = FUSION_RT_ACT_RELU;
  Conv conv(spec);
  conv.check();
  std::string kernel = fusion_rt_slot_kernel(&conv.slot);
  EXPECT_EQ(kernel.find("gemm"), std::string::npos) << kernel;
}

TEST_F(CacheTest, ResetKeepsPackedBytes) {
  Conv conv(wide());
  conv.check();
  uint64_t packed = counters().packed_bytes;
  EXPECT_GT(packed, 0u);
  fusion_rt_reset_counters();
  EXPECT_EQ(counters().packed_bytes, packed);
  EXPECT_EQ(counters().executes, 0u);
}
