//===- AllocationTest.cpp - Heap use of calls in the steady state ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BareAllocations.h"
#include "PoolTest.h"

#include <atomic>
#include <cstdlib>

using namespace fusion::test;

// Sanitizers bring a malloc of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_MALLOC 1
#endif
#endif

#ifndef HAS_OWN_MALLOC

static std::atomic<uint64_t> allocations{0};

// The whole process calls these instead of glibc's, by their real names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void *malloc(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, bytes);
}
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  *block = __libc_memalign(alignment, bytes);
  return *block ? 0 : 12;
}
}

static uint64_t allocationsOf(Conv &conv, int calls) {
  uint64_t before = allocations;
  for (int i = 0; i < calls; ++i)
    EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS);
  return allocations - before;
}

/// The portable backend allocates nothing.
TEST(AllocationTest, SteadyStateIsTheBackendsOwn) {
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
  uint64_t bare = bareAllocations(spec, 100, allocations);
#else
  uint64_t bare = 0;
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

TEST(AllocationTest, PoolsToo) {
  PoolSpec spec;
  spec.dstLayout = Layout::ChannelsFirst; // with a copy
  Pool pool(spec);
  pool.check();
  pool.check();
  uint64_t before = allocations;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(fusion_rt_pool(&pool.slot, &pool.args), FUSION_RT_SUCCESS);
  uint64_t ours = allocations - before;
  // Two primitives, the second of which makes the copy.
#ifdef FUSION_TEST_ONEDNN
  uint64_t bare = 2 * bareReorderAllocations(100, allocations);
#else
  uint64_t bare = 0;
#endif
  EXPECT_LE(ours, bare);
}

TEST(AllocationTest, CallsWithoutAKernelAllocateNothing) {
  ConvSpec spec;
  spec.inputs = 0;
  Conv conv(spec);
  conv.check();
  EXPECT_EQ(allocationsOf(conv, 100), 0u);
}

TEST(AllocationTest, RefusalsAllocateNothing) {
  Conv conv{ConvSpec()};
  conv.check();
  conv.args.src.data = nullptr;
  uint64_t before = allocations;
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args),
              FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(allocations, before);
}

#endif // HAS_OWN_MALLOC
