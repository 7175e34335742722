//===- StressTest.cpp - Everything at once, at random ---------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads call, clear, release and change settings in an order that a seed
// gives. They do nothing that the header forbids: a slot that all share is
// released only while nobody else calls.
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <shared_mutex>
#include <thread>

using namespace fusion::test;

// oneDNN is not instrumented. The thread sanitizer sees its allocations, frees
// and comparisons, but not the atomic counts by which its threads synchronise.
// Races of the runtime's own code are still reported.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char *__tsan_default_suppressions() {
  return "race:libdnnl.so\nrace:dnnl::memory::desc::desc\n";
}

namespace {
constexpr int threadCount = 4, sizeCount = 6, stepCount = 400;

/// A convolution of one size, with its result. All slots use it.
std::unique_ptr<Conv> makeConv(int size) {
  ConvSpec spec = makeWideSpec();
  spec.batch = 1;
  spec.inputs = 8;
  spec.outputs = 16;
  spec.image = {4 + size % 3, 5 + size};
  // Some with copies in scratch memory, and some with weights packed in each
  // call.
  spec.srcLayout = size % 2 ? Layout::ChannelsFirst : Layout::ChannelsLast;
  auto conv = std::make_unique<Conv>(spec);
  conv->check();
  fusion_rt_release(&conv->slot);
  return conv;
}

/// The slots of all threads, and the expected results of their calls.
struct Shared {
  Shared() {
    for (int size = 0; size < sizeCount; ++size)
      expected.push_back(makeConv(size));
    for (fusion_rt_slot &slot : slots)
      slot = expected[0]->slot;
  }

  std::vector<std::unique_ptr<Conv>> expected; // of the same weights each
  fusion_rt_slot slots[3];
  /// Shared by callers of the common slots; exclusive for a thread that
  /// releases one.
  std::shared_mutex mayCall;
  std::atomic<int> failures{0};
};

void computeOne(void **results, void *const *keys) {
  auto *block = static_cast<float *>(malloc(sizeof(float)));
  *block = 2 * *static_cast<float *>(keys[0]);
  results[0] = results[1] = block;
}

class Attacker {
public:
  Attacker(Shared &shared, unsigned seed)
      : shared(shared), random(seed), own(shared.expected[0]->slot) {}
  ~Attacker() {
    fusion_rt_release(&own);
    fusion_rt_once_release(&once);
  }

  void run() {
    for (int step = 0; step < stepCount; ++step)
      takeStep();
  }

private:
  int below(int count) { return static_cast<int>(random() % count); }
  void expect(bool holds) { shared.failures += !holds; }

  void takeStep() {
    switch (below(16)) {
    case 0:
      return fusion_rt_clear_caches();
    case 1:
      return fusion_rt_release(&own);
    case 2:
      return releaseShared();
    case 3:
      return expect(fusion_rt_set_cache_capacity(1 + below(4)) ==
                    FUSION_RT_SUCCESS);
    case 4:
      return useArenas();
    case 5:
      return computeOnce();
    case 6:
      return refuse();
    case 7:
      return fusion_rt_once_release(&once);
    default:
      return below(2) ? call(own) : callShared();
    }
  }

  void call(fusion_rt_slot &slot) {
    Conv &conv = *shared.expected[below(sizeCount)];
    Tensor dst = conv.dst;
    memset(dst.data(), 0, dst.elements() * sizeof(float));
    fusion_rt_conv_args args = conv.args;
    // All share one set of weights, so that they are packed once.
    args.weights = shared.expected[0]->args.weights;
    args.bias = shared.expected[0]->args.bias;
    args.dst.data = dst.data();
    expect(fusion_rt_conv(&slot, &args) == FUSION_RT_SUCCESS);
    // Another kernel may use another order of the sum.
    double worst = 0;
    for (int64_t i = 0; i < dst.elements(); ++i)
      worst = std::max(worst, std::fabs(dst.get(i) - conv.dst.get(i)));
    expect(worst < 1e-4);
  }

  void callShared() {
    std::shared_lock<std::shared_mutex> lock(shared.mayCall);
    call(shared.slots[below(3)]);
  }

  void releaseShared() {
    std::unique_lock<std::shared_mutex> lock(shared.mayCall);
    fusion_rt_release(&shared.slots[below(3)]);
  }

  void useArenas() {
    void *outer = nullptr, *inner = nullptr;
    expect(fusion_rt_arena_begin(below(5000), &outer) == FUSION_RT_SUCCESS);
    call(own);
    expect(fusion_rt_arena_begin(below(5000), &inner) == FUSION_RT_SUCCESS);
    expect(inner != outer);
    fusion_rt_clear_caches();
    expect(fusion_rt_arena_end(below(2) ? inner : outer) == FUSION_RT_SUCCESS);
    fusion_rt_arena_end(outer);
  }

  void computeOnce() {
    void *keys[] = {&values[below(8)]};
    void *const *results = nullptr;
    expect(fusion_rt_once(&once, keys, &results) == FUSION_RT_SUCCESS &&
           *static_cast<float *>(results[1]) ==
               2 * *static_cast<float *>(keys[0]));
  }

  void refuse() {
    fusion_rt_conv_args args = shared.expected[0]->args;
    args.bias.sizes[0] = 1;
    expect(fusion_rt_conv(&own, &args) == FUSION_RT_INVALID_ARGUMENT);
    expect(strstr(fusion_rt_last_error(), "'bias'") != nullptr);
  }

  Shared &shared;
  std::mt19937 random;
  fusion_rt_slot own;
  float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  fusion_rt_once_desc onceDesc = {
      FUSION_RT_ABI_VERSION, sizeof(onceDesc), 1, 1, computeOne, free};
  fusion_rt_slot once = {&onceDesc, "stress", nullptr};
};
} // namespace

class StressTest : public testing::TestWithParam<unsigned> {};

TEST_P(StressTest, ThreadsDoNotDisturbEachOther) {
  Shared shared;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < threadCount; ++i)
    threads.emplace_back(
        [&, i] { Attacker(shared, 100 * GetParam() + i).run(); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(shared.failures, 0);
  for (fusion_rt_slot &slot : shared.slots)
    fusion_rt_release(&slot);
  EXPECT_EQ(counters().packed_bytes, 0u);
  fusion_rt_set_cache_capacity(16);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StressTest, testing::Values(1, 2, 3));
