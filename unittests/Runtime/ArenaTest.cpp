//===- ArenaTest.cpp - Memory between the ops of a call -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionRuntime/fusion_runtime.h"
#include "gtest/gtest.h"

#include <cinttypes>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

static int64_t held = 0, allocations = 0;
static bool isExhausted = false;

static void *allocate(size_t bytes, size_t alignment, void *) {
  void *block = nullptr;
  if (isExhausted || posix_memalign(&block, alignment, bytes))
    return nullptr;
  ++held;
  ++allocations;
  return block;
}

static void release(void *block, void *) {
  --held;
  free(block);
}

static void *begin(int64_t bytes) {
  void *arena = nullptr;
  EXPECT_EQ(fusion_rt_arena_begin(bytes, &arena), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
  return arena;
}

static void end(void *arena) {
  EXPECT_EQ(fusion_rt_arena_end(arena), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
}

namespace {
class ArenaTest : public testing::Test {
protected:
  ArenaTest() {
    fusion_rt_clear_caches();
    held = allocations = 0;
    isExhausted = false;
    fusion_rt_set_allocator(allocate, release, nullptr);
  }
  ~ArenaTest() override {
    isExhausted = false;
    fusion_rt_clear_caches();
    fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  }
};
} // namespace

TEST_F(ArenaTest, IsAlignedAndKept) {
  void *first = begin(1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  memset(first, 1, 1000);
  end(first);
  for (int64_t bytes : {1000, 10, 0}) {
    void *again = begin(bytes);
    EXPECT_EQ(again, first);
    end(again);
  }
  EXPECT_EQ(allocations, 1);
}

TEST_F(ArenaTest, GrowsAndHoldsOneBlock) {
  end(begin(100));
  void *larger = begin(100000);
  memset(larger, 1, 100000);
  end(larger);
  EXPECT_EQ(allocations, 2);
  EXPECT_EQ(held, 1);
}

/// Whether the mapping that holds `address` is to have huge pages.
static bool mayHaveHugePages(const void *address) {
  std::ifstream maps("/proc/self/smaps");
  bool isInside = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t first, end, at = reinterpret_cast<uintptr_t>(address);
    if (sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
      isInside = first <= at && at < end;
    else if (isInside && line.rfind("VmFlags:", 0) == 0)
      return line.find(" hg") != std::string::npos;
  }
  return false;
}

TEST_F(ArenaTest, LargeBlocksAskForHugePages) {
  constexpr int64_t hugePage = 2 << 20;
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    GTEST_SKIP() << "this Linux has no huge pages to give on request";
  // Memory of a host is advised too, where it holds a whole page.
  char *foreign = static_cast<char *>(begin(3 * hugePage));
  EXPECT_TRUE(mayHaveHugePages(foreign + hugePage));
  end(foreign);
  fusion_rt_clear_caches();
  fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  char *own = static_cast<char *>(begin(hugePage + 100));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(own) % hugePage, 0u);
  EXPECT_TRUE(mayHaveHugePages(own));
  memset(own, 1, hugePage + 100);
  end(own);
}

TEST_F(ArenaTest, Nests) {
  void *outer = begin(64);
  void *inner = begin(64);
  EXPECT_NE(outer, inner);
  memset(outer, 1, 64);
  memset(inner, 2, 64);
  EXPECT_EQ(static_cast<char *>(outer)[63], 1);
  end(inner);
  EXPECT_EQ(begin(64), inner);
  end(inner);
  end(outer);
  EXPECT_EQ(begin(64), outer);
  end(outer);
}

TEST_F(ArenaTest, OfEachThreadIsItsOwn) {
  void *own = begin(64);
  std::thread([&] {
    void *other = begin(64);
    EXPECT_NE(own, other);
    EXPECT_EQ(fusion_rt_arena_end(own), FUSION_RT_INVALID_ARGUMENT);
    end(other);
  }).join();
  EXPECT_EQ(held, 1);
  end(own);
}

TEST_F(ArenaTest, IsClearedWhenNoCallUsesIt) {
  void *outer = begin(64);
  end(begin(64));
  fusion_rt_clear_caches();
  EXPECT_EQ(held, 1);
  memset(outer, 1, 64);
  end(outer);
  fusion_rt_clear_caches();
  EXPECT_EQ(held, 0);
}

TEST_F(ArenaTest, EndsWithWhatWasBegunAfterIt) {
  void *outer = begin(64), *inner = begin(64);
  end(outer);
  for (void *ended : {inner, outer}) {
    EXPECT_EQ(fusion_rt_arena_end(ended), FUSION_RT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(fusion_rt_last_error())
                  .find("'arena' must be one that this thread has begun and "
                        "not ended"),
              std::string::npos);
  }
  EXPECT_EQ(begin(64), outer);
  EXPECT_EQ(begin(64), inner);
  end(outer);
}

static jmp_buf callerOfCompiledCode;
static void jumpAway(fusion_rt_status, const char *, void *) {
  longjmp(callerOfCompiledCode, 1);
}

/// Behaves as compiled code: its arena is not ended if the handler jumps.
static void failInAnArena() {
  void *arena = fusion_rt_arena_begin_checked(1000);
  fusion_rt_parallel_for_checked(-1, 1, nullptr, nullptr);
  fusion_rt_arena_end_checked(arena);
}

TEST_F(ArenaTest, IsNotLostByAJump) {
  fusion_rt_set_error_handler(jumpAway, nullptr);
  for (volatile int i = 0; i < 100; i = i + 1) {
    void *volatile own = begin(0);
    if (setjmp(callerOfCompiledCode) == 0)
      failInAnArena();
    end(own);
  }
  fusion_rt_set_error_handler(nullptr, nullptr);
  EXPECT_EQ(held, 2);
  fusion_rt_clear_caches();
  EXPECT_EQ(held, 0);
}

TEST_F(ArenaTest, SaysThatMemoryIsOut) {
  isExhausted = true;
  void *arena = nullptr;
  EXPECT_EQ(fusion_rt_arena_begin(1 << 20, &arena), FUSION_RT_OUT_OF_MEMORY);
  EXPECT_EQ(arena, nullptr);
  EXPECT_NE(std::string(fusion_rt_last_error()).find("intermediate tensors"),
            std::string::npos);
  isExhausted = false;
  end(begin(64));
}

TEST_F(ArenaTest, MistakesOfCompiledCodeReachTheHandler) {
  static fusion_rt_status seen;
  seen = FUSION_RT_SUCCESS;
  fusion_rt_set_error_handler(
      [](fusion_rt_status status, const char *, void *) { seen = status; },
      nullptr);
  fusion_rt_arena_end_checked(nullptr);
  EXPECT_EQ(seen, FUSION_RT_INVALID_ARGUMENT);
  EXPECT_DEATH(fusion_rt_arena_begin_checked(-1), "");
  fusion_rt_set_error_handler(nullptr, nullptr);
}
