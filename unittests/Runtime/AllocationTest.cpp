//===- AllocationTest.cpp - Heap use of calls in the steady state ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "BareAllocations.h"
#include "PoolTest.h"

using namespace fusion::test;

namespace {
class AllocationTest : public testing::Test {
protected:
  void SetUp() override {
    if (!isMallocWatched)
      GTEST_SKIP() << "a sanitizer has a malloc of its own";
  }
};
} // namespace

static int64_t allocationsOf(Conv &conv, int calls) {
  int64_t before = allocations;
  for (int i = 0; i < calls; ++i)
    EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS);
  return allocations - before;
}

/// The portable backend allocates nothing.
TEST_F(AllocationTest, SteadyStateIsTheBackendsOwn) {
  ConvSpec spec;
  spec.batch = 1;
  spec.inputs = 32;
  spec.outputs = 48;
  spec.kernel = {3, 3};
  spec.activation = FUSION_RT_ACT_RELU;
  Conv conv(spec);
  conv.check();
  allocationsOf(conv, 2);
#ifdef FUSION_TEST_ONEDNN
  int64_t bare = bareAllocations(spec, 100, allocations);
#else
  int64_t bare = 0;
#endif
  fusion_rt_set_num_threads(1);
  allocationsOf(conv, 2);
  EXPECT_LE(allocationsOf(conv, 100), bare);
  // With tiles, up to four primitives run in a call.
  fusion_rt_set_num_threads(2);
  allocationsOf(conv, 2);
  EXPECT_LE(allocationsOf(conv, 100), 4 * bare);
  fusion_rt_set_num_threads(0);
}

TEST_F(AllocationTest, PoolsToo) {
  PoolSpec spec;
  spec.dstLayout = Layout::ChannelsFirst; // with a copy
  Pool pool(spec);
  pool.check();
  pool.check();
  int64_t before = allocations;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(fusion_rt_pool(&pool.slot, &pool.args), FUSION_RT_SUCCESS);
  int64_t ours = allocations - before;
  // Two primitives, the second of which makes the copy.
#ifdef FUSION_TEST_ONEDNN
  int64_t bare = 2 * bareReorderAllocations(100, allocations);
#else
  int64_t bare = 0;
#endif
  EXPECT_LE(ours, bare);
}

TEST_F(AllocationTest, CallsWithoutAKernelAllocateNothing) {
  ConvSpec spec;
  spec.inputs = 0;
  Conv conv(spec);
  conv.check();
  EXPECT_EQ(allocationsOf(conv, 100), 0);
}

TEST_F(AllocationTest, RefusalsAllocateNothing) {
  Conv conv{ConvSpec()};
  conv.check();
  conv.args.src.data = nullptr;
  int64_t before = allocations;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args),
              FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(allocations, before);
}
