//===- PrepareMappedTest.cpp - Packed weights in a file -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The files themselves, and processes that share them, are tested by
// test/Tools/fusion-run/mapped-weights.test.

#include "ConvTest.h"

#include <cstdlib>
#include <filesystem>

using namespace fusion::test;

namespace {
class PrepareMappedTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "fusion-weights-XXXXXX";
    ASSERT_TRUE(mkdtemp(name.data()));
    directory = name;
    fusion_rt_reset_counters();
  }
  void TearDown() override {
    convs.clear();
    std::filesystem::remove_all(directory);
  }

  /// Prepares `given` with the file `name`.
  fusion_rt_status prepare(std::vector<Conv *> given,
                           const char *name = "weights") {
    convs = std::move(given);
    return fusion_rt_prepare_mapped((directory / name).c_str(), prepareConvs);
  }

private:
  static int prepareConvs() {
    int status = FUSION_RT_SUCCESS;
    for (Conv *conv : convs)
      if (!status)
        status = fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv->slot,
                                   &conv->args);
    return status;
  }

  static inline std::vector<Conv *> convs;
  std::filesystem::path directory;
};
} // namespace

/// A hash that does not carry high bits to low ones takes both for the same.
TEST_F(PrepareMappedTest, WeightsThatDifferInHighBits) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  auto *bytes = static_cast<uint8_t *>(second.weights.data());
  bytes[7 * 4 + 3] ^= 0x80; // the sign of an element, bit 63 of a word
  bytes[9 * 4 + 3] ^= 0x80; // bits 63 and 34 of the next word
  bytes[9 * 4] ^= 0x04;
  ASSERT_EQ(prepare({&first, &second}), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 2u);
  first.check();
  second.check();
}

TEST_F(PrepareMappedTest, EqualWeightsArePackedOnce) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  ASSERT_EQ(prepare({&first, &second}), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 1u);
  first.check();
  second.check();
}
