//===- ThreadsTest.cpp - Several threads, and the thread count ------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <new>
#include <sched.h>
#include <stdexcept>
#include <thread>

using namespace fusion::test;

namespace {
/// Lets all threads start at once.
class Gate {
public:
  explicit Gate(int threads) : missing(threads) {}
  void pass() {
    std::unique_lock<std::mutex> lock(mutex);
    if (--missing == 0)
      all.notify_all();
    all.wait(lock, [&] { return missing <= 0; });
  }

private:
  std::mutex mutex;
  std::condition_variable all;
  int missing;
};

constexpr int threadCount = 6;

/// Runs `body(number)` on several threads, and waits for their end.
template <typename Body> void onThreads(Body body) {
  Gate gate(threadCount);
  std::vector<std::thread> threads;
  for (int i = 0; i < threadCount; ++i)
    threads.emplace_back([&, i] {
      gate.pass();
      body(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

/// Operands of one thread for a slot that several use.
struct Operands {
  explicit Operands(Conv &conv) : dst(conv.dst), args(conv.args) {
    args.dst.data = dst.data();
  }
  bool isSameAs(Conv &conv) {
    for (int64_t i = 0; i < dst.elements(); ++i)
      if (dst.get(i) != conv.dst.get(i))
        return false;
    return true;
  }
  Tensor dst;
  fusion_rt_conv_args args;
};
} // namespace

TEST(ThreadsTest, FreshSlotIsCreatedOnce) {
  for (int round = 0; round < 10; ++round) {
    Conv expected(makeWideSpec()), conv(makeWideSpec());
    expected.check();
    fusion_rt_reset_counters();
    std::atomic<int> wrong{0};
    onThreads([&](int) {
      Operands own(conv);
      for (int i = 0; i < 5; ++i)
        wrong += fusion_rt_conv(&conv.slot, &own.args) != FUSION_RT_SUCCESS;
      wrong += !own.isSameAs(expected);
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(counters().creates, 1u);
    EXPECT_EQ(counters().weight_packs, 1u);
    EXPECT_EQ(counters().executes, 5u * threadCount);
  }
}

TEST(ThreadsTest, ASlotEach) {
  std::atomic<int> wrong{0};
  onThreads([&](int number) {
    ConvSpec spec = makeWideSpec();
    spec.outputs += number;
    Conv expected(spec);
    wrong += expected.run() != FUSION_RT_SUCCESS;
    for (int i = 0; i < 10; ++i) {
      Conv conv(spec);
      wrong += conv.run() != FUSION_RT_SUCCESS;
      wrong += memcmp(conv.dst.data(), expected.dst.data(),
                      conv.dst.elements() * 4) != 0;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadsTest, EvictionWhileOthersExecute) {
  fusion_rt_set_cache_capacity(1);
  // Each thread has a size of its own, so that they evict each other's entries.
  std::vector<std::unique_ptr<Conv>> expected;
  for (int i = 0; i < threadCount; ++i) {
    ConvSpec spec = makeWideSpec();
    spec.batch = i + 1;
    expected.push_back(std::make_unique<Conv>(spec));
    expected.back()->check();
  }
  Conv shared(makeWideSpec());
  std::atomic<int> wrong{0};
  onThreads([&](int number) {
    Operands own(*expected[number]);
    own.args.weights = shared.args.weights;
    for (int i = 0; i < 20; ++i) {
      wrong += fusion_rt_conv(&shared.slot, &own.args) != FUSION_RT_SUCCESS;
      wrong += !own.isSameAs(*expected[number]);
      if (i % 5 == number % 5)
        fusion_rt_clear_caches();
    }
  });
  EXPECT_EQ(wrong, 0);
  fusion_rt_set_cache_capacity(16);
}

TEST(ThreadsTest, ThreadsThatEndLeaveTheSlotUsable) {
  Conv conv(makeWideSpec());
  for (int i = 0; i < 20; ++i)
    std::thread([&] { conv.check(); }).join();
  conv.check();
}

TEST(ThreadsTest, SlotsMayBeReleasedByAnotherThread) {
  auto conv = std::make_unique<Conv>(makeWideSpec());
  Gate used(2), released(2);
  std::thread user([&] {
    conv->check();
    used.pass();
    released.pass();
    // This thread still has a site for the slot that is gone.
    Conv(makeWideSpec()).check();
  });
  used.pass();
  conv.reset();
  released.pass();
  user.join();
}

namespace {
/// Slots with many entries each. They are cheap: the sums are empty, so that
/// there is no kernel.
struct ManyEntries {
  static constexpr int64_t widths = 16;

  ManyEntries() {
    ConvSpec spec = makeSpec({1, widths}, {1, 1});
    spec.inputs = 0;
    for (int i = 0; i < 100; ++i)
      convs.push_back(std::make_unique<Conv>(spec));
  }

  /// Creates the calling thread's contexts. Returns the number of failed calls.
  int runAll() {
    int failures = 0;
    Operands own(*convs.front());
    for (auto &conv : convs)
      for (int64_t width = 1; width <= widths; ++width) {
        own.args.src.sizes[3] = own.args.dst.sizes[3] = width;
        failures += fusion_rt_conv(&conv->slot, &own.args) != FUSION_RT_SUCCESS;
      }
    return failures;
  }

  std::vector<std::unique_ptr<Conv>> convs;
};
} // namespace

TEST(ThreadsTest, ClearingMeetsTheReleaseOfSlots) {
  ManyEntries entries;
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> failures{0}, missing{2};
    // The thread sanitizer of GCC 12 now and then loses the order that
    // `missing` gives. The mutex gives it, too.
    std::mutex order;
    auto waitForOther = [&] {
      std::unique_lock<std::mutex>(order).unlock();
      --missing;
      while (missing) // not a Gate: both go on at once
        std::this_thread::yield();
      std::unique_lock<std::mutex>(order).unlock();
    };
    std::thread clearing([&] {
      failures += entries.runAll();
      waitForOther();
      fusion_rt_clear_caches();
    });
    failures += entries.runAll();
    waitForOther();
    for (auto &conv : entries.convs)
      fusion_rt_release(&conv->slot);
    clearing.join();
    ASSERT_EQ(failures, 0);
  }
}

TEST(ThreadsTest, ErrorsBelongToTheirThread) {
  Conv conv(makeWideSpec());
  conv.args.bias.sizes[0] = 1;
  EXPECT_EQ(conv.run(), FUSION_RT_INVALID_ARGUMENT);
  std::string mine = fusion_rt_last_error();
  std::thread([] { EXPECT_STREQ(fusion_rt_last_error(), ""); }).join();
  std::thread([] { fusion_rt_set_cache_capacity(-1); }).join();
  EXPECT_EQ(fusion_rt_last_error(), mine);
}

//===----------------------------------------------------------------------===//
// Thread count and parallel loops
//===----------------------------------------------------------------------===//

TEST(ThreadCountTest, EachCountHasItsEntry) {
  int32_t before = fusion_rt_get_num_threads();
  Conv conv(makeWideSpec());
  fusion_rt_reset_counters();
  for (int32_t threads : {1, 2, 3, 1, 2, 3}) {
    ASSERT_EQ(fusion_rt_set_num_threads(threads), FUSION_RT_SUCCESS);
    EXPECT_EQ(fusion_rt_get_num_threads(), threads);
    conv.check();
  }
  EXPECT_EQ(counters().creates, 3u);
  EXPECT_EQ(fusion_rt_set_num_threads(0), FUSION_RT_SUCCESS);
  EXPECT_EQ(fusion_rt_get_num_threads(), before);
}

/// A number of one caller's own, beside that of the process.
TEST(ThreadCountTest, OfOneCaller) {
  ASSERT_EQ(fusion_rt_set_num_threads(3), FUSION_RT_SUCCESS);
  onThreads([](int number) {
    int32_t own = number % 3, previous = -1;
    EXPECT_EQ(fusion_rt_set_caller_threads(own, &previous), FUSION_RT_SUCCESS);
    EXPECT_EQ(previous, 0);
    EXPECT_EQ(fusion_rt_get_num_threads(), own ? own : 3);
    EXPECT_EQ(fusion_rt_set_caller_threads(0, &previous), FUSION_RT_SUCCESS);
    EXPECT_EQ(previous, own);
    EXPECT_EQ(fusion_rt_set_caller_threads(0, nullptr), FUSION_RT_SUCCESS);
  });
  Conv conv(makeWideSpec());
  fusion_rt_reset_counters();
  for (int32_t threads : {1, 2, 1}) {
    ASSERT_EQ(fusion_rt_set_caller_threads(threads, nullptr),
              FUSION_RT_SUCCESS);
    conv.check();
  }
  EXPECT_EQ(counters().creates, 2u);
  EXPECT_EQ(fusion_rt_set_caller_threads(0, nullptr), FUSION_RT_SUCCESS);
  EXPECT_EQ(fusion_rt_get_num_threads(), 3);
  EXPECT_EQ(fusion_rt_set_num_threads(0), FUSION_RT_SUCCESS);
}

namespace {
struct Ranges {
  std::mutex mutex;
  std::vector<std::pair<int64_t, int64_t>> seen;

  static void add(int64_t begin, int64_t end, void *context) {
    auto *ranges = static_cast<Ranges *>(context);
    std::lock_guard<std::mutex> lock(ranges->mutex);
    ranges->seen.emplace_back(begin, end);
  }
};
} // namespace

TEST(ParallelForTest, RangesCoverAllIndicesOnce) {
  for (int32_t threads : {1, 2, 4}) {
    fusion_rt_set_num_threads(threads);
    for (int64_t n : {0, 1, 7, 64, 1000})
      for (int64_t grain : {1, 3, 64, 5000}) {
        Ranges ranges;
        ASSERT_EQ(fusion_rt_parallel_for(n, grain, Ranges::add, &ranges),
                  FUSION_RT_SUCCESS);
        std::sort(ranges.seen.begin(), ranges.seen.end());
        int64_t next = 0;
        for (auto [begin, end] : ranges.seen) {
          EXPECT_EQ(begin, next);
          EXPECT_LT(begin, end);
          EXPECT_TRUE(end - begin >= grain || end == n);
          next = end;
        }
        EXPECT_EQ(next, n);
        EXPECT_LE(ranges.seen.size(), size_t(4 * threads));
      }
  }
  fusion_rt_set_num_threads(0);
}

TEST(ParallelForTest, NoRangeIsLessThanAGrain) {
  fusion_rt_set_num_threads(2);
  for (auto [n, expected] : {std::pair<int64_t, size_t>(19, 1),
                             {20, 2},
                             {29, 2},
                             {30, 3},
                             {100, 8},
                             {1000, 8}}) {
    Ranges ranges;
    fusion_rt_parallel_for(n, 10, Ranges::add, &ranges);
    EXPECT_EQ(ranges.seen.size(), expected) << n;
  }
  fusion_rt_set_num_threads(0);
}

TEST(ParallelForTest, CountsNearTheLargest) {
  for (int32_t threads : {1, 2, 3, 7}) {
    fusion_rt_set_num_threads(threads);
    for (int64_t n : {INT64_MAX, INT64_MAX - 1})
      for (int64_t grain : {INT64_MAX, INT64_MAX / 2, INT64_MAX / 7}) {
        Ranges ranges;
        ASSERT_EQ(fusion_rt_parallel_for(n, grain, Ranges::add, &ranges),
                  FUSION_RT_SUCCESS);
        std::sort(ranges.seen.begin(), ranges.seen.end());
        int64_t next = 0;
        for (auto [begin, end] : ranges.seen) {
          EXPECT_EQ(begin, next);
          next = end;
        }
        EXPECT_EQ(next, n);
        EXPECT_LE(ranges.seen.size(), size_t(4 * threads));
      }
  }
  fusion_rt_set_num_threads(0);
}

TEST(ParallelForTest, ExceptionsBecomeAStatus) {
  for (int32_t threads : {1, 2, 4}) {
    fusion_rt_set_num_threads(threads);
    auto throwText = [](int64_t, int64_t, void *) {
      throw std::runtime_error("not today");
    };
    expectFailure(fusion_rt_parallel_for(1000, 10, throwText, nullptr),
                  FUSION_RT_BACKEND_ERROR, "unexpected failure: not today");
    auto throwAtTheEnd = [](int64_t, int64_t end, void *) {
      if (end == 1000)
        throw std::bad_alloc();
    };
    expectFailure(fusion_rt_parallel_for(1000, 10, throwAtTheEnd, nullptr),
                  FUSION_RT_OUT_OF_MEMORY, "out of memory");
    Ranges ranges;
    EXPECT_EQ(fusion_rt_parallel_for(1000, 10, Ranges::add, &ranges),
              FUSION_RT_SUCCESS);
    EXPECT_EQ(ranges.seen.size(), threads == 1 ? 1u : size_t(4 * threads));
  }
  fusion_rt_set_num_threads(0);
}

TEST(ParallelForTest, CheckedCallsTheErrorHandler) {
  Ranges ranges;
  fusion_rt_parallel_for_checked(7, 1, Ranges::add, &ranges);
  EXPECT_FALSE(ranges.seen.empty());

  std::string message;
  fusion_rt_set_error_handler(
      [](fusion_rt_status, const char *text, void *context) {
        *static_cast<std::string *>(context) = text;
      },
      &message);
  fusion_rt_parallel_for_checked(7, 0, Ranges::add, &ranges);
  fusion_rt_set_error_handler(nullptr, nullptr);
  EXPECT_EQ(message, "'grain' must be at least 1, got 0 (unknown location)");
}

TEST(ParallelForTest, MayBeNestedAndMayConvolve) {
  fusion_rt_set_num_threads(2);
  auto body = [](int64_t begin, int64_t end, void *) {
    for (int64_t i = begin; i < end; ++i) {
      Conv(makeWideSpec()).check();
      Ranges ranges;
      fusion_rt_parallel_for(10, 1, Ranges::add, &ranges);
      EXPECT_EQ(ranges.seen.size(), 1u);
    }
  };
  EXPECT_EQ(fusion_rt_parallel_for(4, 1, body, nullptr), FUSION_RT_SUCCESS);
  fusion_rt_set_num_threads(0);
}

/// The states of the library's workers in /proc: R runs, S sleeps.
static std::string statesOfWorkers() {
  std::string states;
  for (const auto &task :
       std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name, field;
    std::ifstream(task.path() / "comm") >> name;
    std::ifstream status(task.path() / "status");
    while (status >> field && field != "State:")
      ;
    if (name == "fusion-worker" && status >> field)
      states += field;
  }
  return states;
}

/// A thread that waited for work by looking for it would never sleep.
TEST(ParallelForTest, IdleWorkersSleep) {
  fusion_rt_set_num_threads(3);
  Ranges ranges;
  ASSERT_EQ(fusion_rt_parallel_for(1000, 1, Ranges::add, &ranges),
            FUSION_RT_SUCCESS);
  std::string states;
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  do
    states = statesOfWorkers();
  while ((states.empty() || states.find_first_not_of('S') != states.npos) &&
         std::chrono::steady_clock::now() < end);
  EXPECT_FALSE(states.empty());
  EXPECT_EQ(states, std::string(states.size(), 'S'));
  fusion_rt_set_num_threads(0);
}

//===----------------------------------------------------------------------===//
// Processors
//===----------------------------------------------------------------------===//

static cpu_set_t processorsOfThread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(/*pid=*/0, sizeof(set), &set);
  return set;
}

static void bindThread(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(/*pid=*/0, sizeof(set), &set);
}

namespace {
/// A loop of several tasks. Those of workers go to the caller's processor,
/// which they leave if another one is idle. The caller waits for such a task,
/// for 10 ms.
struct Crowd {
  std::thread::id caller = std::this_thread::get_id();
  int processor = 0; // of the caller
  cpu_set_t all;
  std::atomic<int> helped{0}, changed{0};

  static void run(int64_t, int64_t, void *context) {
    auto &self = *static_cast<Crowd *>(context);
    if (std::this_thread::get_id() != self.caller) {
      cpu_set_t mine = processorsOfThread();
      self.changed += !CPU_EQUAL(&mine, &self.all);
      bindThread(self.processor);
      sched_setaffinity(/*pid=*/0, sizeof(self.all), &self.all);
      ++self.helped;
      return;
    }
    int before = self.helped;
    auto begin = std::chrono::steady_clock::now();
    while (self.helped == before && std::chrono::steady_clock::now() - begin <
                                        std::chrono::milliseconds(10))
      ;
  }
};
} // namespace

TEST(ProcessorsTest, WorkersMayRunEverywhere) {
  // Not the first thread, whose processors are those of workers.
  std::thread([] {
    Crowd crowd;
    crowd.all = processorsOfThread();
    crowd.processor = sched_getcpu();
    bindThread(crowd.processor);
    fusion_rt_set_num_threads(2);
    for (int i = 0; i < 1000 && crowd.helped < 20; ++i)
      EXPECT_EQ(fusion_rt_parallel_for(4, 1, Crowd::run, &crowd),
                FUSION_RT_SUCCESS);
    EXPECT_GT(crowd.helped, 0);
    EXPECT_EQ(crowd.changed, 0);
  }).join();
  fusion_rt_set_num_threads(0);
}
