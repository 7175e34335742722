//===- GeneratedCodeTest.cpp - How long generated kernels are kept --------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN keeps primitives in a cache of its own. Their cost is the generated
// code, which is executable memory of the process without a file.
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <dnnl.h>

#include <fstream>
#include <sstream>

using namespace fusion::test;

/// Bytes of generated code in the process.
static int64_t generatedCode() {
  std::ifstream maps("/proc/self/maps");
  int64_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::string range, rights, offset, device, inode, path;
    fields >> range >> rights >> offset >> device >> inode >> path;
    bool isGenerated = path.empty() || path.rfind("/memfd:", 0) == 0;
    if (rights.find('x') == std::string::npos || !isGenerated)
      continue;
    size_t dash = range.find('-');
    bytes += std::stoll(range.substr(dash + 1), nullptr, 16) -
             std::stoll(range.substr(0, dash), nullptr, 16);
  }
  return bytes;
}

namespace {
class GeneratedCodeTest : public testing::Test {
protected:
  GeneratedCodeTest() {
    // oneDNN never frees the code of the first call.
    Conv conv(makeWideSpec());
    runWidths(conv, 10, 11);
    fusion_rt_release(&conv.slot);
    fusion_rt_clear_caches();
    before = generatedCode();
  }

  /// Each width has a kernel of its own.
  static void runWidths(Conv &conv, int64_t first, int64_t end) {
    for (int64_t width = first; width < end; ++width) {
      conv.resize(1, {4, width});
      ASSERT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS)
          << fusion_rt_last_error();
    }
  }

  int64_t added() const { return generatedCode() - before; }

  int64_t before;
};
} // namespace

TEST_F(GeneratedCodeTest, OfManySizesIsBounded) {
  Conv conv(makeWideSpec());
  runWidths(conv, 10, 60);
  int64_t some = added();
  ASSERT_GT(some, 0);
  runWidths(conv, 60, 210);
  // Kernels of larger images may be larger, not three times as many.
  EXPECT_LT(added(), 2 * some);
}

TEST_F(GeneratedCodeTest, GoesWithTheLastSlot) {
  Conv conv(makeWideSpec()), other(makeWideSpec());
  runWidths(conv, 10, 20);
  runWidths(other, 20, 30);
  ASSERT_GT(added(), 0);
  fusion_rt_release(&conv.slot);
  EXPECT_GT(added(), 0);
  fusion_rt_release(&other.slot);
  EXPECT_EQ(added(), 0);
}

TEST_F(GeneratedCodeTest, GoesWithTheCaches) {
  Conv conv(makeWideSpec());
  runWidths(conv, 10, 20);
  ASSERT_GT(added(), 0);
  fusion_rt_clear_caches();
  EXPECT_EQ(added(), 0);
}

TEST_F(GeneratedCodeTest, IsSharedByEqualCallSites) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  runWidths(first, 10, 20);
  int64_t ofOne = added();
  runWidths(second, 10, 20);
  EXPECT_EQ(added(), ofOne);
}

TEST_F(GeneratedCodeTest, TheCapacityOfTheHostIsPutBack) {
  int before = 0, after = 0;
  dnnl_get_primitive_cache_capacity(&before);
  dnnl_set_primitive_cache_capacity(100);
  fusion_rt_set_cache_capacity(2);
  {
    Conv conv(makeWideSpec());
    runWidths(conv, 10, 20);
    fusion_rt_clear_caches();
  }
  dnnl_get_primitive_cache_capacity(&after);
  EXPECT_EQ(after, 100);
  dnnl_set_primitive_cache_capacity(before);
  fusion_rt_set_cache_capacity(16);
}
