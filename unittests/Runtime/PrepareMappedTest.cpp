//===- PrepareMappedTest.cpp - Packed weights in a file -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The files themselves, and processes that share them, are tested by
// test/Tools/fusion-run/mapped-weights.test.

#include "QuantizedTest.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>

using namespace fusion::test;

namespace {
/// Prepares a call.
using Site = std::function<fusion_rt_status()>;

class PrepareMappedTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "fusion-weights-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    directory = name;
    fusion_rt_reset_counters();
  }
  void TearDown() override {
    sites.clear();
    std::filesystem::remove_all(directory);
  }

  fusion_rt_status prepare(std::vector<Site> given) {
    sites = std::move(given);
    return fusion_rt_prepare_mapped((directory / "weights").c_str(),
                                    prepareSites);
  }

private:
  static int prepareSites() {
    int status = FUSION_RT_SUCCESS;
    for (const Site &site : sites)
      if (!status)
        status = site();
    return status;
  }

  static inline std::vector<Site> sites;
  std::filesystem::path directory;
};
} // namespace

static Site siteOf(Conv &conv) {
  return [&] {
    return fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &conv.args);
  };
}

static Site siteOf(Quantized &conv) {
  return [&] {
    return fusion_rt_prepare_quantized(FUSION_RT_FUNCTION_QUANTIZED_CONV,
                                       &conv.slot, &conv.args);
  };
}

/// A hash that does not carry high bits to low ones takes both for the same.
TEST_F(PrepareMappedTest, WeightsThatDifferInHighBits) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  auto *bytes = static_cast<uint8_t *>(second.weights.data());
  bytes[7 * 4 + 3] ^= 0x80; // the sign of an element, bit 63 of a word
  bytes[9 * 4 + 3] ^= 0x80; // bits 63 and 34 of the next word
  bytes[9 * 4] ^= 0x04;
  ASSERT_EQ(prepare({siteOf(first), siteOf(second)}), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 2u);
  first.check();
  second.check();
}

TEST_F(PrepareMappedTest, EqualWeightsArePackedOnce) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  ASSERT_EQ(prepare({siteOf(first), siteOf(second)}), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 1u);
  first.check();
  second.check();
}

/// Those of oneDNN sum up exactly with VNNI.
static bool hasKernelsForIntegers() {
#if defined(__x86_64__)
  const std::set<std::string> without{"SSE41", "AVX", "AVX2", "AVX512_CORE"};
  const char *isa = getenv("ONEDNN_MAX_CPU_ISA");
  return isOneDnn() &&
         (CPU_SUPPORTS("avx512vnni") || CPU_SUPPORTS("avxvnni")) &&
         !without.count(isa ? isa : "ALL");
#else
  return false;
#endif
}

/// Packed integers, and the bounds of their sums, depend on the zero point.
TEST_F(PrepareMappedTest, EqualIntegersWithSeveralZeroPoints) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.outputs = 13; // no whole vector
  Quantized first(spec);
  spec.srcZero = 5;
  Quantized second(spec);
  uint64_t before = counters().weight_packs;
  ASSERT_EQ(prepare({siteOf(first), siteOf(second)}), FUSION_RT_SUCCESS);
  uint64_t packs = counters().weight_packs;
  // Bounds of the sums, which are behind the weights, differ. Plain loops and
  // kernels for f32 need none.
  EXPECT_EQ(packs - before, hasKernelsForIntegers() ? 2u : 1u);
  fusion_rt_release(&first.slot);
  fusion_rt_release(&second.slot);
  ASSERT_EQ(prepare({siteOf(second), siteOf(first)}), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, packs); // all are in the file
  first.check();
  second.check();
}
