//===- TensorMemoryTest.cpp - Memory of compiled code ---------------------===//
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
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

using namespace fusion::test;

namespace {
/// An allocator that knows its blocks, whose contents are no zeros at first.
class Heap {
public:
  /// Makes it that of `context`, or of the process.
  void use(fusion_rt_context *context = nullptr) {
    EXPECT_EQ(context ? fusion_rt_context_set_allocator(context, allocate,
                                                        release, this)
                      : fusion_rt_set_allocator(allocate, release, this),
              FUSION_RT_SUCCESS);
  }
  static void useNone() { fusion_rt_set_allocator(nullptr, nullptr, nullptr); }

  size_t live() {
    std::lock_guard<std::mutex> lock(mutex);
    return blocks.size();
  }
  bool has(void *block) {
    std::lock_guard<std::mutex> lock(mutex);
    return blocks.count(block);
  }
  /// Whether there is no memory, and what to do before each allocation.
  bool isEmpty = false;
  std::function<void()> before;

private:
  static void *allocate(size_t bytes, size_t alignment, void *data) {
    auto &self = *static_cast<Heap *>(data);
    if (self.before)
      self.before();
    void *block = nullptr;
    if (self.isEmpty || posix_memalign(&block, alignment, bytes))
      return nullptr;
    memset(block, 0x5a, bytes);
    std::lock_guard<std::mutex> lock(self.mutex);
    self.blocks.insert(block);
    return block;
  }
  static void release(void *block, void *data) {
    auto &self = *static_cast<Heap *>(data);
    {
      std::lock_guard<std::mutex> lock(self.mutex);
      EXPECT_EQ(self.blocks.erase(block), 1u) << "of another allocator";
    }
    free(block);
  }

  std::mutex mutex;
  std::set<void *> blocks;
};

/// Runs the body as compiled code.
fusion_rt_status call(const std::function<void()> &body) {
  static const fusion_rt_signature signature = {
      FUSION_RT_ABI_VERSION, sizeof(signature), "f", 0, 0, nullptr, nullptr, 0};
  return fusion_rt_call(
      &signature,
      [](void *body, void *const *) {
        (*static_cast<const std::function<void()> *>(body))();
      },
      const_cast<std::function<void()> *>(&body), nullptr);
}

class TensorMemoryTest : public testing::Test {
protected:
  TensorMemoryTest() {
    fusion_rt_clear_caches();
    EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
  }
  ~TensorMemoryTest() override {
    fusion_rt_context_destroy(context);
    Heap::useNone();
    fusion_rt_clear_caches();
  }

  fusion_rt_context *context = nullptr;
};
} // namespace

TEST_F(TensorMemoryTest, OneAllocatorServesAllKinds) {
  for (bool isOfContext : {false, true}) {
    Heap heap;
    heap.use(isOfContext ? context : nullptr);
    fusion_rt_context_enter(context);
    ConvSpec spec = makeWideSpec();
    Conv conv(spec);
    void *result = nullptr, *buffer = nullptr, *arena = nullptr;
    ASSERT_EQ(call([&] {
                arena = fusion_rt_arena_begin_checked(1000);
                EXPECT_TRUE(heap.has(arena));
                buffer = fusion_rt_malloc_checked(100);
                EXPECT_TRUE(heap.has(buffer));
                result = fusion_rt_aligned_alloc_checked(64, 200);
                EXPECT_TRUE(heap.has(result));
                size_t live = heap.live();
                fusion_rt_conv_checked(&conv.slot, &conv.args);
                EXPECT_GT(heap.live(), live) << "packed weights";
                fusion_rt_free(buffer);
                fusion_rt_arena_end_checked(arena);
              }),
              FUSION_RT_SUCCESS)
        << fusion_rt_last_error();
    EXPECT_FALSE(heap.has(buffer));
    EXPECT_TRUE(heap.has(result));
    fusion_rt_release(&conv.slot);
    fusion_rt_context_enter(nullptr);
    fusion_rt_clear_caches();
    EXPECT_EQ(heap.live(), 1u) << "the result";
    fusion_rt_free(result);
    EXPECT_EQ(heap.live(), 0u);
    fusion_rt_context_set_allocator(context, nullptr, nullptr, nullptr);
    Heap::useNone();
  }
}

/// Whatever is set by then, blocks go back to where they are from.
TEST_F(TensorMemoryTest, EachBlockGoesBackToItsAllocator) {
  Heap first, second, ofContext;
  ofContext.use(context);
  std::vector<void *> blocks;
  auto allocate = [&] {
    void *block = nullptr;
    EXPECT_EQ(fusion_rt_malloc(10, &block), FUSION_RT_SUCCESS);
    blocks.push_back(block);
    blocks.push_back(fusion_rt_calloc_checked(3, 5));
    blocks.push_back(fusion_rt_aligned_alloc_checked(64, 64));
  };
  for (int round = 0; round < 2; ++round) {
    allocate(); // from the C library
    first.use();
    allocate();
    second.use();
    allocate();
    fusion_rt_context_enter(context);
    allocate();
    fusion_rt_context_enter(nullptr);
    Heap::useNone();
  }
  EXPECT_EQ(first.live(), 6u);
  EXPECT_EQ(second.live(), 6u);
  EXPECT_EQ(ofContext.live(), 6u);
  blocks.push_back(malloc(10)); // by other code
  // Forwards with one allocator on this thread, and the others on another one.
  second.use();
  for (size_t i = 0; i < blocks.size(); i += 2)
    fusion_rt_free(blocks[i]);
  std::thread([&] {
    for (size_t i = 1; i < blocks.size(); i += 2)
      fusion_rt_free(blocks[i]);
  }).join();
  EXPECT_EQ(first.live(), 0u);
  EXPECT_EQ(second.live(), 0u);
  EXPECT_EQ(ofContext.live(), 0u);
}

/// Blocks are for free(), as they were before there were allocators for them.
TEST_F(TensorMemoryTest, WithoutAnAllocatorFreeServes) {
  Heap heap;
  heap.use(context); // of a context that this thread is not in
  void *block = nullptr;
  ASSERT_EQ(fusion_rt_malloc(10, &block), FUSION_RT_SUCCESS);
  free(block);
  heap.use();
  Heap::useNone();
  ASSERT_EQ(call([&] { block = fusion_rt_malloc_checked(0); }),
            FUSION_RT_SUCCESS);
  free(block);
  EXPECT_EQ(heap.live(), 0u);
}

TEST_F(TensorMemoryTest, NoMemoryForAResult) {
  Heap heap;
  heap.use(context);
  fusion_rt_context_enter(context);
  void *(*allocations[])() = {
      [] { return fusion_rt_malloc_checked(24); },
      [] { return fusion_rt_calloc_checked(4, 6); },
      [] { return fusion_rt_aligned_alloc_checked(128, 24); }};
  for (auto allocation : allocations) {
    heap.isEmpty = false;
    EXPECT_EQ(call([&] {
                allocation();
                heap.isEmpty = true;
                allocation();
              }),
              FUSION_RT_OUT_OF_MEMORY);
    EXPECT_STREQ(fusion_rt_last_error(),
                 "cannot allocate 24 bytes for a tensor");
    EXPECT_EQ(heap.live(), 0u) << "the first one is freed";
  }
  heap.isEmpty = false;
  void *block = &heap;
  EXPECT_EQ(fusion_rt_malloc(PTRDIFF_MAX, &block), FUSION_RT_OUT_OF_MEMORY);
  EXPECT_EQ(block, nullptr);
  expectFailure(fusion_rt_malloc(SIZE_MAX, &block), FUSION_RT_INVALID_ARGUMENT,
                "the size of a tensor must not be negative or beyond the "
                "address space, got -1 bytes");
  EXPECT_EQ(call([] { fusion_rt_calloc_checked(SIZE_MAX / 2, 4); }),
            FUSION_RT_INVALID_ARGUMENT);
  fusion_rt_context_enter(nullptr);
}

TEST_F(TensorMemoryTest, BlocksAreAsTheyAreAskedFor) {
  Heap heap;
  heap.use();
  for (size_t alignment : {8, 64, 256, 4096}) {
    void *block = fusion_rt_aligned_alloc_checked(alignment, 100);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % alignment, 0u);
    fusion_rt_free(block);
  }
  auto *zeros = static_cast<char *>(fusion_rt_calloc_checked(10, 10));
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(zeros[i], 0);
  fusion_rt_free(zeros);
  void *one = fusion_rt_malloc_checked(0), *other = fusion_rt_malloc_checked(0);
  EXPECT_NE(one, other);
  fusion_rt_free(one);
  fusion_rt_free(other);
  EXPECT_EQ(heap.live(), 0u);
}

/// Values that are computed once go back with their slot.
TEST_F(TensorMemoryTest, ValuesThatAreComputedOnce) {
  Heap heap;
  heap.use(context);
  fusion_rt_once_desc desc = {FUSION_RT_ABI_VERSION,
                              sizeof(desc),
                              0,
                              1,
                              [](void **results, void *const *) {
                                results[0] = results[1] =
                                    fusion_rt_malloc_checked(8);
                              },
                              fusion_rt_free};
  fusion_rt_slot slot = {&desc, nullptr, nullptr};
  void *const *results = nullptr;
  fusion_rt_context_enter(context);
  ASSERT_EQ(fusion_rt_once(&slot, nullptr, &results), FUSION_RT_SUCCESS);
  EXPECT_TRUE(heap.has(results[0]));
  fusion_rt_context_enter(nullptr);
  EXPECT_EQ(heap.live(), 1u);
  fusion_rt_once_release(&slot);
  EXPECT_EQ(heap.live(), 0u);
}

TEST_F(TensorMemoryTest, AllocatorsMayFreeAndThrowButNotAllocate) {
  Heap heap;
  heap.use();
  void *spare = fusion_rt_malloc_checked(8), *block = nullptr;
  heap.before = [&] {
    fusion_rt_free(std::exchange(spare, nullptr));
    void *inner = nullptr;
    expectFailure(fusion_rt_malloc(8, &inner), FUSION_RT_INVALID_ARGUMENT,
                  "an allocator must not call fusion_rt_malloc");
  };
  ASSERT_EQ(fusion_rt_malloc(8, &block), FUSION_RT_SUCCESS);
  EXPECT_EQ(heap.live(), 1u);
  heap.before = [] { throw std::runtime_error("no more of that"); };
  EXPECT_EQ(call([] { fusion_rt_malloc_checked(8); }), FUSION_RT_BACKEND_ERROR);
  EXPECT_STREQ(fusion_rt_last_error(), "unexpected failure: no more of that");
  fusion_rt_free(block);
  EXPECT_EQ(heap.live(), 0u);
}

/// Each thread allocates in a context of its own, and frees what others have
/// allocated.
TEST_F(TensorMemoryTest, ThreadsFreeBlocksOfEachOther) {
  constexpr int callers = 4, rounds = 300;
  std::vector<Heap> heaps(callers);
  std::vector<fusion_rt_context *> contexts(callers);
  std::mutex mutex;
  std::vector<void *> shared;
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    ASSERT_EQ(fusion_rt_context_create(&contexts[i]), FUSION_RT_SUCCESS);
    if (i > 0) // one has blocks of the C library
      heaps[i].use(contexts[i]);
    threads.emplace_back([&, i] {
      fusion_rt_context_enter(contexts[i]);
      for (int round = 0; round < rounds; ++round) {
        void *block = fusion_rt_malloc_checked(16 + round);
        std::lock_guard<std::mutex> lock(mutex);
        shared.push_back(block);
        std::swap(shared.front(), shared.back());
        if (round % 2) {
          fusion_rt_free(shared.back());
          shared.pop_back();
        }
      }
      fusion_rt_context_enter(nullptr);
    });
  }
  for (std::thread &thread : threads)
    thread.join();
  for (void *block : shared)
    fusion_rt_free(block);
  for (int i = 0; i < callers; ++i) {
    EXPECT_EQ(heaps[i].live(), 0u);
    fusion_rt_context_destroy(contexts[i]);
  }
}
