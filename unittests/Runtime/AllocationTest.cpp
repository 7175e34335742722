//===- AllocationTest.cpp - Heap use of calls in the steady state ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolTest.h"
#include "RawConv.h"

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
extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

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

/// What as many bare calls of oneDNN's kernel allocate: mostly the map of its
/// arguments, 7 to 10 blocks a call in oneDNN 2.6.
static uint64_t bareAllocations(const rawconv::Layer &layer, int calls) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  rawconv::Program program(layer,
                           {"f32 nhwc", dnnl::memory::data_type::f32,
                            dnnl::memory::format_tag::nhwc, layer.inputs},
                           engine);
  program.run(stream);
  uint64_t before = allocations;
  for (int i = 0; i < calls; ++i)
    program.run(stream);
  return allocations - before;
}

TEST(AllocationTest, SteadyStateIsOneDnnsOwn) {
  const rawconv::Layer layer{
      /*batch=*/1,  /*inputs=*/32, /*outputs=*/48,
      /*height=*/9, /*width=*/7,   /*kernel=*/3,
      /*stride=*/1, /*pad=*/0,     /*groups=*/1};
  ConvSpec spec;
  spec.batch = layer.batch;
  spec.inputs = layer.inputs;
  spec.outputs = layer.outputs;
  spec.kernel = {layer.kernel, layer.kernel};
  spec.activation = FUSION_RT_ACT_RELU;
  Conv conv(spec);
  conv.check();
  allocationsOf(conv, 2);
  EXPECT_LE(allocationsOf(conv, 100), bareAllocations(layer, 100));
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
  EXPECT_LE(allocations - before, 100u * 8);
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
