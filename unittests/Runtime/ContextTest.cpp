//===- ContextTest.cpp - Contexts of calls, cancellation, deadlines -------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <functional>
#include <memory>
#include <thread>

using namespace fusion::test;

namespace {
struct Destroy {
  void operator()(fusion_rt_context *context) const {
    fusion_rt_context_destroy(context);
  }
};
using ContextPtr = std::unique_ptr<fusion_rt_context, Destroy>;

ContextPtr makeContext() {
  fusion_rt_context *context = nullptr;
  EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
  return ContextPtr(context);
}

/// Puts the thread into a context.
class Entered {
public:
  explicit Entered(const ContextPtr &context)
      : before(fusion_rt_context_enter(context.get())) {}
  ~Entered() { fusion_rt_context_enter(before); }
  Entered(const Entered &) = delete;

private:
  fusion_rt_context *before;
};

/// Memory that compiled code leaves behind.
struct Results {
  void *allocated;
};

const char *const cancelled = "the context was cancelled";
const char *const late = "the deadline of the context has passed";
} // namespace

/// Calls `body` as compiled code.
static fusion_rt_status call(const std::function<void(Results &)> &body,
                             Results &results) {
  static const fusion_rt_signature signature = {FUSION_RT_ABI_VERSION,
                                                sizeof(fusion_rt_signature),
                                                "f",
                                                0,
                                                1,
                                                nullptr,
                                                nullptr,
                                                sizeof(Results)};
  static thread_local const std::function<void(Results &)> *running;
  running = &body;
  return fusion_rt_call(
      &signature,
      [](void *results, void *const *) {
        (*running)(*static_cast<Results *>(results));
      },
      &results, nullptr);
}

static int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

static void cancelOnAnotherThread(const ContextPtr &context) {
  std::thread([&] {
    EXPECT_EQ(fusion_rt_context_cancel(context.get()), FUSION_RT_SUCCESS);
  }).join();
}

/// Runs a call of two kernels, with `stop` between them. It must end there with
/// `status`, and leave nothing behind.
static void expectStopBetweenKernels(const ContextPtr &context,
                                     const std::function<void()> &stop,
                                     fusion_rt_status status,
                                     const std::string &sentence) {
  Conv first(makeWideSpec()), second(makeWideSpec());
  first.check();
  second.check();
  fusion_rt_reset_counters();
  Entered entered(context);
  Results results;
  void *arena = nullptr;
  bool isBehind = false;
  EXPECT_EQ(call(
                [&](Results &results) {
                  arena = fusion_rt_arena_begin_checked(1000);
                  results.allocated = fusion_rt_malloc_checked(1000);
                  fusion_rt_conv_checked(&first.slot, &first.args);
                  stop();
                  fusion_rt_conv_checked(&second.slot, &second.args);
                  isBehind = true;
                },
                results),
            status);
  EXPECT_EQ(fusion_rt_last_error(), sentence + " (conv.mlir:7:3)");
  EXPECT_FALSE(isBehind);
  EXPECT_EQ(results.allocated, nullptr);
  EXPECT_EQ(fusion_rt_arena_end(arena), FUSION_RT_INVALID_ARGUMENT)
      << "the call has ended it";
  EXPECT_EQ(counters().executes, 1u);
  // Every call in the context, and no other one.
  auto nothing = [](Results &) {};
  expectFailure(call(nothing, results), status, sentence);
  std::thread([&] {
    EXPECT_EQ(call(nothing, results), FUSION_RT_SUCCESS);
    Entered entered(context);
    expectFailure(call(nothing, results), status, sentence);
  }).join();
  EXPECT_EQ(fusion_rt_context_reset(context.get()), FUSION_RT_SUCCESS);
  first.check();
  second.check();
}

TEST(ContextTest, CancelledBetweenKernels) {
  ContextPtr context = makeContext();
  expectStopBetweenKernels(
      context, [&] { cancelOnAnotherThread(context); }, FUSION_RT_CANCELLED,
      cancelled);
}

TEST(ContextTest, CancelledBySignal) {
  static fusion_rt_context *interrupted;
  ContextPtr context = makeContext();
  interrupted = context.get();
  auto before =
      signal(SIGUSR1, [](int) { (void)fusion_rt_context_cancel(interrupted); });
  expectStopBetweenKernels(
      context, [] { raise(SIGUSR1); }, FUSION_RT_CANCELLED, cancelled);
  signal(SIGUSR1, before);
}

TEST(ContextTest, DeadlineBetweenKernels) {
  ContextPtr context = makeContext();
  constexpr int64_t day = int64_t(86400) * 1000000000;
  EXPECT_EQ(fusion_rt_context_set_deadline(context.get(), now() + day),
            FUSION_RT_SUCCESS);
  auto pass = [&] { fusion_rt_context_set_deadline(context.get(), now()); };
  expectStopBetweenKernels(context, pass, FUSION_RT_DEADLINE_EXCEEDED, late);
}

TEST(ContextTest, EachFunctionReturnsTheStatus) {
  Conv conv(makeWideSpec());
  conv.check();
  ContextPtr context = makeContext();
  Entered entered(context);
  fusion_rt_context_set_deadline(context.get(), 1);
  for (auto [status, sentence] : {std::pair(FUSION_RT_DEADLINE_EXCEEDED, late),
                                  std::pair(FUSION_RT_CANCELLED, cancelled)}) {
    expectFailure(conv.run(), status, sentence);
    EXPECT_EQ(conv.dst.get(0), 99) << "nothing is written";
    expectFailure(
        fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &conv.args),
        status, sentence);
    bool hasRun = false;
    expectFailure(fusion_rt_parallel_for(
                      1, 1,
                      [](int64_t, int64_t, void *hasRun) {
                        *static_cast<bool *>(hasRun) = true;
                      },
                      &hasRun),
                  status, sentence);
    Results results;
    expectFailure(call([&](Results &) { hasRun = true; }, results), status,
                  sentence);
    EXPECT_FALSE(hasRun);
    fusion_rt_context_cancel(context.get()); // it comes before a deadline
  }
  fusion_rt_context_reset(context.get());
  conv.check();
}

/// Without a call that returns a status, compiled code has the error handler.
TEST(ContextTest, TheErrorHandlerIsTold) {
  Conv conv(makeWideSpec());
  ContextPtr context = makeContext();
  Entered entered(context);
  fusion_rt_context_cancel(context.get());
  fusion_rt_status told = FUSION_RT_SUCCESS;
  fusion_rt_set_error_handler(
      [](fusion_rt_status status, const char *, void *told) {
        *static_cast<fusion_rt_status *>(told) = status;
      },
      &told);
  fusion_rt_conv_checked(&conv.slot, &conv.args);
  fusion_rt_set_error_handler(nullptr, nullptr);
  EXPECT_EQ(told, FUSION_RT_CANCELLED);
}

namespace {
/// A loop whose first range cancels, on any thread.
struct CancellingLoop {
  fusion_rt_context *context;
  std::atomic<int> ranges{0}, strangers{0};

  static void run(int64_t, int64_t, void *data) {
    auto &self = *static_cast<CancellingLoop *>(data);
    ++self.ranges;
    fusion_rt_context *mine = fusion_rt_context_enter(self.context);
    self.strangers += mine != self.context;
    fusion_rt_context_enter(mine);
    fusion_rt_context_cancel(self.context);
  }
};
} // namespace

/// Each thread has begun one range at most when it learns of the cancellation.
TEST(ContextTest, RangesThatHaveNotBegunAreLeftOut) {
  constexpr int threads = 3;
  fusion_rt_set_num_threads(threads);
  for (bool isInCall : {false, true})
    for (int round = 0; round < 100; ++round) {
      ContextPtr context = makeContext();
      Entered entered(context);
      CancellingLoop loop{context.get()};
      bool isBehind = false;
      auto run = [&] {
        return fusion_rt_parallel_for(1000, 1, CancellingLoop::run, &loop);
      };
      Results results;
      auto body = [&](Results &) {
        fusion_rt_parallel_for_checked(1000, 1, CancellingLoop::run, &loop);
        isBehind = true;
      };
      expectFailure(isInCall ? call(body, results) : run(), FUSION_RT_CANCELLED,
                    cancelled);
      EXPECT_FALSE(isBehind);
      EXPECT_GE(loop.ranges, 1);
      EXPECT_LE(loop.ranges, threads);
      // Nor do the others fail one by one.
      fusion_rt_counters counters;
      fusion_rt_context_get_counters(context.get(), &counters);
      EXPECT_LE(counters.errors, uint64_t(threads));
      EXPECT_EQ(loop.strangers, 0);
    }
  // Workers are in no context after that.
  Conv conv(makeWideSpec());
  conv.check();
  fusion_rt_set_num_threads(0);
}

TEST(ContextTest, OnceIsComputedByTheNextCall) {
  static ContextPtr context = makeContext();
  static int attempts = 0;
  static float value;
  static const fusion_rt_once_desc desc = {
      FUSION_RT_ABI_VERSION,
      sizeof(fusion_rt_once_desc),
      /*num_keys=*/0,
      /*num_results=*/1,
      [](void **results, void *const *) {
        results[0] = nullptr;
        results[1] = &value;
        if (++attempts == 1)
          fusion_rt_context_cancel(context.get());
        fusion_rt_parallel_for_checked(
            1, 1, [](int64_t, int64_t, void *) { value = 2.5f; }, nullptr);
      },
      [](void *) {}};
  fusion_rt_slot slot = {&desc, "net.mlir:1:1", nullptr};
  void *const *results = nullptr;
  {
    Entered entered(context);
    expectFailure(fusion_rt_once(&slot, nullptr, &results), FUSION_RT_CANCELLED,
                  cancelled);
  }
  EXPECT_EQ(value, 0);
  EXPECT_EQ(fusion_rt_once(&slot, nullptr, &results), FUSION_RT_SUCCESS);
  EXPECT_EQ(value, 2.5f);
  EXPECT_EQ(attempts, 2);
  fusion_rt_once_release(&slot);
  context.reset();
}

/// Some threads are cancelled again and again, others never.
TEST(ContextTest, ContextsDoNotDisturbEachOther) {
  constexpr int callers = 4;
  Conv conv(makeWideSpec());
  conv.check();
  const Tensor expected = conv.dst;
  std::vector<ContextPtr> contexts;
  for (int i = 0; i < callers; ++i)
    contexts.push_back(makeContext());
  std::atomic<int> wrong{0}, running{callers};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&, i] {
      Entered entered(contexts[i]);
      Tensor dst = expected;
      fusion_rt_conv_args args = conv.args;
      args.dst = dst.view();
      for (int round = 0; round < 2000; ++round) {
        auto status = fusion_rt_conv(&conv.slot, &args);
        if (i % 2 == 1 && status == FUSION_RT_CANCELLED)
          fusion_rt_context_reset(contexts[i].get());
        else
          wrong += status != FUSION_RT_SUCCESS;
      }
      for (int64_t at = 0; at < dst.elements(); ++at)
        wrong += dst.get(at) != expected.get(at);
      --running;
    });
  while (running) {
    for (int i = 1; i < callers; i += 2)
      fusion_rt_context_cancel(contexts[i].get());
    std::this_thread::yield();
  }
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ContextTest, ContextsNest) {
  ContextPtr outer = makeContext(), inner = makeContext();
  EXPECT_EQ(fusion_rt_context_enter(outer.get()), nullptr);
  EXPECT_EQ(fusion_rt_context_enter(inner.get()), outer.get());
  fusion_rt_context_cancel(outer.get());
  Conv(makeWideSpec()).check();
  EXPECT_EQ(fusion_rt_context_enter(outer.get()), inner.get());
  EXPECT_EQ(Conv(makeWideSpec()).run(), FUSION_RT_CANCELLED);
  EXPECT_EQ(fusion_rt_context_enter(nullptr), outer.get());
  Conv(makeWideSpec()).check();
}

/// A thread may end in a context.
TEST(ContextTest, ThreadsThatEnd) {
  ContextPtr context = makeContext();
  for (int i = 0; i < 10; ++i)
    std::thread([&] {
      fusion_rt_context_enter(context.get());
      Conv(makeWideSpec()).check();
    }).join();
  EXPECT_EQ(fusion_rt_context_enter(nullptr), nullptr);
}
