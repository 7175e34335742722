//===- AllocatorCallbackTest.cpp - Allocators that call the library -------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace fusion::test;

namespace {
/// Calls `before` in each function of the allocator.
class AllocatorCallbackTest : public testing::Test {
protected:
  AllocatorCallbackTest() {
    fusion_rt_clear_caches();
    fusion_rt_set_allocator(allocate, release, this);
  }
  ~AllocatorCallbackTest() override {
    before = nullptr;
    fusion_rt_clear_caches();
    fusion_rt_set_allocator(nullptr, nullptr, nullptr);
    EXPECT_EQ(held, 0);
  }

  static void *allocate(size_t bytes, size_t alignment, void *context) {
    auto *test = static_cast<AllocatorCallbackTest *>(context);
    if (test->before)
      test->before();
    void *block = nullptr;
    if (posix_memalign(&block, alignment, bytes))
      return nullptr;
    ++test->held;
    return block;
  }

  static void release(void *block, void *context) {
    auto *test = static_cast<AllocatorCallbackTest *>(context);
    --test->held;
    free(block);
    if (test->before)
      test->before();
  }

  /// Weights that are packed, and a src that is copied to scratch memory.
  static ConvSpec packedAndCopied() {
    ConvSpec spec = makeWideSpec();
    spec.srcLayout = Layout::Scrambled;
    return spec;
  }

  std::function<void()> before;
  int held = 0;
};
} // namespace

TEST_F(AllocatorCallbackTest, MayClearCaches) {
  before = [] { fusion_rt_clear_caches(); };
  Conv conv(packedAndCopied());
  for (int64_t batch : {1, 5, 2}) {
    conv.resize(batch, conv.spec.image);
    conv.check();
    conv.check();
  }
  // More weights than the cache keeps, so that some are freed.
  std::vector<Tensor> all(6, conv.weights);
  for (Tensor &weights : all) {
    conv.args.weights = weights.view();
    conv.check();
  }
}

TEST_F(AllocatorCallbackTest, MayClearCachesWhileArenasGrow) {
  before = [] { fusion_rt_clear_caches(); };
  void *outer = nullptr, *inner = nullptr;
  for (int64_t bytes : {100, 10000, 1000000}) {
    ASSERT_EQ(fusion_rt_arena_begin(bytes, &outer), FUSION_RT_SUCCESS);
    ASSERT_EQ(fusion_rt_arena_begin(2 * bytes, &inner), FUSION_RT_SUCCESS);
    memset(outer, 1, bytes);
    memset(inner, 2, 2 * bytes);
    EXPECT_EQ(static_cast<char *>(outer)[bytes - 1], 1);
    ASSERT_EQ(fusion_rt_arena_end(inner), FUSION_RT_SUCCESS);
    ASSERT_EQ(fusion_rt_arena_end(outer), FUSION_RT_SUCCESS);
  }
}

TEST_F(AllocatorCallbackTest, MayClearCachesWhileAThreadEnds) {
  std::thread([&] {
    before = [] { fusion_rt_clear_caches(); };
    Conv conv(packedAndCopied());
    conv.check();
    void *arena = nullptr;
    fusion_rt_arena_begin(100, &arena);
    fusion_rt_arena_end(arena);
  }).join();
}

/// The memory of a thread is freed even if its last call came from the
/// destructor of a thread_local object.
TEST_F(AllocatorCallbackTest, ThreadsMayCallTheLibraryUntilTheyEnd) {
  struct Late {
    Conv *conv = nullptr;
    ~Late() { conv->check(); }
  };
  Conv conv(packedAndCopied());
  conv.check();
  int heldBefore = held;
  std::thread([&] {
    static thread_local Late late; // destroyed after the call's objects
    late.conv = &conv;
    conv.check();
  }).join();
  EXPECT_EQ(held, heldBefore);
}

TEST_F(AllocatorCallbackTest, MayReleaseOtherSlots) {
  Conv idle(packedAndCopied());
  idle.check();
  before = [&] { fusion_rt_release(&idle.slot); };
  Conv conv(packedAndCopied());
  conv.check();
  EXPECT_EQ(idle.slot.state, nullptr);
}

TEST_F(AllocatorCallbackTest, MayNotRunWhatNeedsMemory) {
  Conv other(packedAndCopied());
  int refused = 0;
  before = [&] {
    expectFailure(fusion_rt_conv(&other.slot, &other.args),
                  FUSION_RT_INVALID_ARGUMENT,
                  "an allocator must not call fusion_rt_conv");
    void *arena = nullptr;
    expectFailure(fusion_rt_arena_begin(8, &arena), FUSION_RT_INVALID_ARGUMENT,
                  "an allocator must not call fusion_rt_arena_begin");
    expectFailure(fusion_rt_arena_end(arena), FUSION_RT_INVALID_ARGUMENT,
                  "an allocator must not call fusion_rt_arena_end");
    fusion_rt_once_desc desc = {
        FUSION_RT_ABI_VERSION,         sizeof(desc), 0, 0,
        [](void **, void *const *) {}, free};
    fusion_rt_slot slot = {&desc, nullptr, nullptr};
    void *const *results = nullptr;
    expectFailure(fusion_rt_once(&slot, nullptr, &results),
                  FUSION_RT_INVALID_ARGUMENT,
                  "an allocator must not call fusion_rt_once");
    ++refused;
  };
  Conv conv(packedAndCopied());
  conv.check();
  EXPECT_GE(refused, 1);
  before = nullptr;
  other.check();
}

TEST_F(AllocatorCallbackTest, MayThrow) {
  before = [] { throw std::runtime_error("no more of that"); };
  Conv conv(packedAndCopied());
  expectFailure(conv.run(), FUSION_RT_BACKEND_ERROR,
                "unexpected failure: no more of that");
  before = nullptr;
  conv.check();
}
