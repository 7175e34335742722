//===- OnceTest.cpp - Values computed once from constant operands ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionRuntime/fusion_runtime.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> computed{0}, freed{0};

/// Computes two results: the sum of both operands, and a part of the same block
/// behind it.
static void computeSum(void **results, void *const *keys) {
  ++computed;
  auto *block = static_cast<float *>(malloc(2 * sizeof(float)));
  block[0] = *static_cast<float *>(keys[0]) + *static_cast<float *>(keys[1]);
  block[1] = -block[0];
  results[0] = results[2] = block;
  results[1] = block;
  results[3] = block + 1;
}

static void freeBlock(void *block) {
  ++freed;
  free(block);
}

namespace {
class OnceTest : public testing::Test {
protected:
  OnceTest() { computed = freed = 0; }
  ~OnceTest() override { fusion_rt_once_release(&slot); }

  /// Both results for operands at `a` and `b`.
  std::pair<float, float> get(float *a, float *b) {
    void *keys[] = {a, b};
    void *const *results = nullptr;
    EXPECT_EQ(fusion_rt_once(&slot, keys, &results), FUSION_RT_SUCCESS)
        << fusion_rt_last_error();
    return {*static_cast<float *>(results[1]),
            *static_cast<float *>(results[3])};
  }

  std::string error(fusion_rt_status expected) {
    float a = 0, b = 0;
    void *keys[] = {&a, &b};
    void *const *results = nullptr;
    EXPECT_EQ(fusion_rt_once(&slot, keys, &results), expected);
    return fusion_rt_last_error();
  }

  fusion_rt_once_desc desc = {FUSION_RT_ABI_VERSION,
                              sizeof(fusion_rt_once_desc),
                              2,
                              2,
                              computeSum,
                              freeBlock};
  fusion_rt_slot slot = {&desc, "here.mlir:3:4", nullptr};
};
} // namespace

TEST_F(OnceTest, ComputesOnceForEachSetOfAddresses) {
  float values[] = {1, 2, 4};
  for (int repeat = 0; repeat < 3; ++repeat) {
    EXPECT_EQ(get(&values[0], &values[1]), std::pair(3.0f, -3.0f));
    EXPECT_EQ(get(&values[1], &values[0]), std::pair(3.0f, -3.0f));
    EXPECT_EQ(get(&values[0], &values[2]), std::pair(5.0f, -5.0f));
  }
  EXPECT_EQ(computed, 3);
  EXPECT_EQ(freed, 0);
  fusion_rt_once_release(&slot);
  // Both results are one block.
  EXPECT_EQ(freed, 3);
  EXPECT_EQ(slot.state, nullptr);
  values[0] = 10;
  EXPECT_EQ(get(&values[0], &values[1]), std::pair(12.0f, -12.0f));
}

TEST_F(OnceTest, ReleasingAFreshSlotDoesNothing) {
  fusion_rt_once_release(&slot);
  fusion_rt_once_release(nullptr);
  EXPECT_EQ(freed, 0);
}

TEST_F(OnceTest, ThreadsShareOneResult) {
  float a = 1, b = 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j)
        EXPECT_EQ(get(&a, &b), std::pair(3.0f, -3.0f));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(computed, 1);
}

// More sets than any cache holds. Each address is another constant, and results
// stay where they are.
TEST_F(OnceTest, ThousandSetsOfAddresses) {
  std::vector<float> values(1001);
  for (int i = 0; i <= 1000; ++i)
    values[i] = static_cast<float>(3 * i % 1001);
  for (int repeat = 0; repeat < 2; ++repeat)
    for (int i = 1; i <= 1000; ++i)
      EXPECT_EQ(get(&values[0], &values[i]), std::pair(values[i], -values[i]));
  EXPECT_EQ(computed, 1000);
  EXPECT_EQ(freed, 0);
  fusion_rt_once_release(&slot);
  EXPECT_EQ(freed, 1000);
}

static fusion_rt_slot *ownSlot;
static fusion_rt_status inner;
static void askForItself(void **results, void *const *keys) {
  void *const *more = nullptr;
  inner = fusion_rt_once(ownSlot, keys, &more);
  computeSum(results, keys);
}

TEST_F(OnceTest, ComputingDoesNotWaitForItself) {
  desc.compute = askForItself;
  ownSlot = &slot;
  float a = 1, b = 2;
  EXPECT_EQ(get(&a, &b), std::pair(3.0f, -3.0f));
  EXPECT_EQ(inner, FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(fusion_rt_last_error()),
            "'compute' must not ask for results of its own slot");
}

static std::string handled;
static void keepMessage(fusion_rt_status, const char *message, void *) {
  handled = message;
}

TEST_F(OnceTest, CompiledCodeGetsSomeResultWhateverFails) {
  fusion_rt_set_error_handler(keepMessage, nullptr);
  float values[] = {0, 2};
  get(&values[0], &values[1]);
  desc.num_keys = -1;
  void *keys[] = {&values[1], &values[1]};
  void *const *results = fusion_rt_once_checked(&slot, keys);
  ASSERT_NE(results, nullptr);
  EXPECT_EQ(*static_cast<float *>(results[1]), 2.0f);
  EXPECT_NE(handled.find("(here.mlir:3:4)"), std::string::npos) << handled;
  fusion_rt_set_error_handler(nullptr, nullptr);
}

TEST_F(OnceTest, BadArguments) {
  void *const *results = nullptr;
  EXPECT_EQ(fusion_rt_once(&slot, nullptr, &results),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(fusion_rt_last_error()), "'keys' must not be null");
  desc.compute = nullptr;
  EXPECT_EQ(error(FUSION_RT_INVALID_ARGUMENT),
            "'compute' and 'free_block' must not be null");
  desc.num_results = -1;
  EXPECT_EQ(error(FUSION_RT_INVALID_ARGUMENT),
            "'num_keys' and 'num_results' must not be negative, got 2 and -1");
  desc.struct_size = 8;
  EXPECT_NE(error(FUSION_RT_UNSUPPORTED_VERSION).find("'struct_size' must be"),
            std::string::npos);
  desc.abi_version = 0x20000;
  EXPECT_NE(error(FUSION_RT_UNSUPPORTED_VERSION).find("'abi_version' must be"),
            std::string::npos);
  slot.desc = nullptr;
  EXPECT_EQ(error(FUSION_RT_INVALID_ARGUMENT), "'desc' must not be null");
}
