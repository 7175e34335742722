//===- CallTest.cpp - Calls of compiled code that may fail ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tests of `fusion_rt_call` with functions that behave as compiled code.

#include "FusionRuntime/fusion_runtime.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {
struct MemRef {
  float *allocated, *data;
  int64_t offset, sizes[2], strides[2];
};

/// One argument of 3x?xf32, one result.
class CallTest : public testing::Test {
protected:
  CallTest() {
    fusion_rt_set_error_handler([](fusion_rt_status, const char *,
                                   void *told) { ++*static_cast<int *>(told); },
                                &told);
  }
  ~CallTest() override { fusion_rt_set_error_handler(nullptr, nullptr); }

  fusion_rt_status call(std::function<void(MemRef &)> body) {
    results.allocated = data;
    compiled = std::move(body);
    void *arguments[] = {&argument, &compiled};
    return fusion_rt_call(
        &signature,
        [](void *results, void *const *arguments) {
          (*static_cast<std::function<void(MemRef &)> *>(arguments[1]))(
              *static_cast<MemRef *>(results));
        },
        &results, arguments);
  }

  void expectRefused(const std::string &sentence) {
    bool isRun = false;
    EXPECT_EQ(call([&](MemRef &) { isRun = true; }),
              FUSION_RT_INVALID_ARGUMENT);
    EXPECT_EQ(fusion_rt_last_error(), sentence);
    EXPECT_FALSE(isRun);
    EXPECT_EQ(results.allocated, nullptr);
  }

  int told = 0;
  float data[3 * 4] = {};
  MemRef argument = {data, data, 0, {3, 4}, {4, 1}};
  MemRef results = {};
  std::function<void(MemRef &)> compiled;
  int64_t sizes[2] = {3, -1};
  fusion_rt_value_desc values[2] = {{"f32", 0, 2, sizes},
                                    {"f32", 1, 0, nullptr}};
  fusion_rt_signature signature = {FUSION_RT_ABI_VERSION,
                                   sizeof(fusion_rt_signature),
                                   "f",
                                   2,
                                   1,
                                   values,
                                   values,
                                   sizeof(MemRef)};
};
} // namespace

/// A kernel call that is refused: its operands are null.
static void failKernel() {
  static const fusion_rt_conv_desc desc = {};
  fusion_rt_slot slot = {&desc, "net.mlir:7:8", nullptr};
  fusion_rt_conv_args args = {};
  fusion_rt_conv_checked(&slot, &args);
}

TEST_F(CallTest, Arguments) {
  argument.sizes[0] = 2;
  expectRefused("'argument0' must be 3x?xf32, got 2x4xf32");
  argument.sizes[0] = 3;
  argument.sizes[1] = -4;
  expectRefused(
      "'argument0' must not have a negative size, got -4 in dimension 1");
  argument.sizes[1] = 4;
  argument.strides[0] = 5;
  expectRefused(
      "'argument0' must be row-major, with stride 4 in dimension 0, got 5");
  argument.strides[0] = 4;
  argument.strides[1] = 3;
  expectRefused(
      "'argument0' must be row-major, with stride 1 in dimension 1, got 3");
  argument.strides[1] = 1;
  argument.offset = -1;
  expectRefused("'argument0' must begin at its data, got an offset of -1");
  argument.offset = 0;
  argument.sizes[1] = INT64_MAX / 2;
  argument.strides[0] = INT64_MAX / 2;
  expectRefused("'argument0' must have fewer than 2^63 elements");
  argument.sizes[1] = 4;
  argument.strides[0] = 4;
  argument.data = nullptr;
  expectRefused("the data of 'argument0' must not be null");
  // A tensor without elements needs no address, and a dimension of one element
  // no stride.
  argument.sizes[1] = 0;
  EXPECT_EQ(call([](MemRef &) {}), FUSION_RT_SUCCESS);
  argument.data = data;
  argument.sizes[1] = 1;
  argument.strides[0] = 1;
  argument.strides[1] = 77;
  EXPECT_EQ(call([](MemRef &) {}), FUSION_RT_SUCCESS);
  EXPECT_EQ(told, 0);
}

TEST_F(CallTest, ResultsAreTheCallersBlocks) {
  ASSERT_EQ(call([](MemRef &results) {
              void *gone = fusion_rt_malloc_checked(100);
              results.allocated =
                  static_cast<float *>(fusion_rt_malloc_checked(12));
              results.data = static_cast<float *>(
                  fusion_rt_aligned_alloc_checked(64, 128));
              fusion_rt_free(gone);
            }),
            FUSION_RT_SUCCESS);
  free(results.allocated);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(results.data) % 64, 0u);
  free(results.data);
}

TEST_F(CallTest, AFailureEndsTheCallAndFreesItsMemory) {
  fusion_rt_reset_counters();
  bool isBehind = false;
  for (int depth : {0, 1}) {
    void *arenas[2] = {};
    EXPECT_EQ(call([&](MemRef &results) {
                for (int i = 0; i <= depth; ++i)
                  arenas[i] = fusion_rt_arena_begin_checked(1000);
                results.allocated =
                    static_cast<float *>(fusion_rt_calloc_checked(3, 4));
                fusion_rt_free(fusion_rt_malloc_checked(8));
                failKernel();
                isBehind = true;
                fusion_rt_arena_end_checked(arenas[0]);
              }),
              FUSION_RT_UNSUPPORTED_VERSION);
    EXPECT_NE(std::string(fusion_rt_last_error()).find("(net.mlir:7:8)"),
              std::string::npos);
    EXPECT_EQ(results.allocated, nullptr);
    for (int i = 0; i <= depth; ++i)
      EXPECT_EQ(fusion_rt_arena_end(arenas[i]), FUSION_RT_INVALID_ARGUMENT)
          << "the call has ended it";
  }
  EXPECT_FALSE(isBehind);
  EXPECT_EQ(told, 0);
  fusion_rt_counters counters;
  fusion_rt_get_counters(&counters);
  EXPECT_EQ(counters.errors, 5u);
}

TEST_F(CallTest, Memory) {
  EXPECT_EQ(call([](MemRef &) { fusion_rt_malloc_checked(SIZE_MAX / 2 - 99); }),
            FUSION_RT_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(fusion_rt_last_error()),
            "cannot allocate 9223372036854775708 bytes for a tensor");
  EXPECT_EQ(call([](MemRef &) {
              fusion_rt_malloc_checked(static_cast<size_t>(-16));
            }),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(call([](MemRef &) { fusion_rt_arena_begin_checked(-1); }),
            FUSION_RT_INVALID_ARGUMENT);
}

TEST_F(CallTest, Assertions) {
  EXPECT_EQ(call([](MemRef &) {
              fusion_rt_assertion_message("sizes must agree");
              fusion_rt_assertion_failed();
            }),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(fusion_rt_last_error()),
            "an assertion of the program must hold: sizes must agree");
  EXPECT_EQ(call([](MemRef &) {
              fusion_rt_check_failed("%lld must be %lld", 5LL, -7LL);
            }),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(fusion_rt_last_error()), "5 must be -7");
}

TEST_F(CallTest, CallsNest) {
  auto inner = [](void *, void *const *) {
    fusion_rt_malloc_checked(32);
    failKernel();
  };
  fusion_rt_signature innerSignature = signature;
  innerSignature.num_arguments = innerSignature.num_results = 0;
  innerSignature.results_size = 0;
  bool isBehind = false;
  EXPECT_EQ(call([&](MemRef &) {
              void *mine = fusion_rt_malloc_checked(24);
              EXPECT_EQ(
                  fusion_rt_call(&innerSignature, inner, nullptr, nullptr),
                  FUSION_RT_UNSUPPORTED_VERSION);
              isBehind = true;
              fusion_rt_free(mine);
              failKernel();
              isBehind = false;
            }),
            FUSION_RT_UNSUPPORTED_VERSION);
  EXPECT_TRUE(isBehind);
}

// The loop may fail on any thread. It is finished before the call is left.
TEST_F(CallTest, ParallelLoops) {
  fusion_rt_set_num_threads(3);
  std::atomic<int> ranges{0};
  bool isBehind = false;
  for (int64_t failing : {0, 1999, -1}) {
    isBehind = false;
    struct Loop {
      std::atomic<int> &ranges;
      int64_t failing;
    } loop{ranges, failing};
    auto status = call([&](MemRef &) {
      void *mine = fusion_rt_malloc_checked(40);
      fusion_rt_parallel_for_checked(
          2000, 10,
          [](int64_t begin, int64_t end, void *context) {
            auto &loop = *static_cast<Loop *>(context);
            ++loop.ranges;
            void *block = fusion_rt_malloc_checked(16);
            if (begin <= loop.failing && loop.failing < end)
              failKernel();
            fusion_rt_free(block);
          },
          &loop);
      fusion_rt_free(mine);
      isBehind = true;
    });
    EXPECT_EQ(status,
              failing < 0 ? FUSION_RT_SUCCESS : FUSION_RT_UNSUPPORTED_VERSION);
    EXPECT_EQ(isBehind, failing < 0);
    if (failing >= 0)
      EXPECT_NE(std::string(fusion_rt_last_error()).find("(net.mlir:7:8)"),
                std::string::npos);
  }
  EXPECT_GE(ranges, 3);
  EXPECT_EQ(told, 0);
  fusion_rt_set_num_threads(0);
}

static int attempts = 0;
static void computeLater(void **results, void *const *) {
  results[0] = results[1] = fusion_rt_malloc_checked(8);
  if (++attempts == 1)
    failKernel();
  *static_cast<float *>(results[1]) = 2.5f;
}

// A result that is computed once outlives the call, even if that fails later.
TEST_F(CallTest, Once) {
  static const fusion_rt_once_desc desc = {
      FUSION_RT_ABI_VERSION, sizeof(fusion_rt_once_desc), 1, 1, computeLater,
      fusion_rt_free};
  fusion_rt_slot slot = {&desc, "net.mlir:1:1", nullptr};
  void *keys[] = {data};
  float value = 0;
  auto get = [&](MemRef &) {
    value = *static_cast<float *>(fusion_rt_once_checked(&slot, keys)[1]);
  };
  EXPECT_EQ(call(get), FUSION_RT_UNSUPPORTED_VERSION);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(call([&](MemRef &results) {
              get(results);
              failKernel();
            }),
            FUSION_RT_UNSUPPORTED_VERSION);
  EXPECT_EQ(call(get), FUSION_RT_SUCCESS);
  EXPECT_EQ(value, 2.5f);
  EXPECT_EQ(attempts, 2);
  fusion_rt_once_release(&slot);
}

// A failure belongs to the thread on which it happens.
TEST_F(CallTest, ThreadsFailAlone) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 500; ++j) {
        MemRef memref = {data, data, 0, {3, 4}, {4, 1}}, result;
        bool fails = (i + j) % 3 == 0;
        void *arguments[] = {&memref, &fails};
        auto status = fusion_rt_call(
            &signature,
            [](void *, void *const *arguments) {
              void *block = fusion_rt_malloc_checked(64);
              if (*static_cast<bool *>(arguments[1]))
                failKernel();
              fusion_rt_free(block);
            },
            &result, arguments);
        wrong += (status != FUSION_RT_SUCCESS) != fails;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(told, 0);
}
