//===- Parallel.cpp - Loops and tasks on several threads ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"

#include "Call.h"
#include "CallerContext.h"
#include "Fork.h"
#include "Processors.h"
#include "Support.h"

#include <algorithm>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// The pool of the process
//===----------------------------------------------------------------------===//

/// Null until the first use, and in a child of fork(), which has none of the
/// parent's workers. Never destroyed: other threads may still call when the
/// process exits.
static std::atomic<Pool *> processPool{nullptr};

[[maybe_unused]] static const int childrenBegin = pthread_atfork(
    /*prepare=*/nullptr, /*parent=*/nullptr, [] { processPool = nullptr; });

static Pool &poolOfProcess() {
  Pool *pool = processPool.load(std::memory_order_acquire);
  if (pool)
    return *pool;
  auto made = std::make_unique<Pool>(useAllProcessors);
  if (processPool.compare_exchange_strong(pool, made.get()))
    pool = made.release();
  return *pool;
}

namespace {
/// Ends the workers before their code is unloaded. Later calls run alone.
struct PoolEnd {
  ~PoolEnd() {
    if (Pool *pool = processPool)
      pool->stop();
  }
};
} // namespace

static PoolEnd poolEnd;

//===----------------------------------------------------------------------===//
// The host's pool
//===----------------------------------------------------------------------===//

namespace {
struct HostPool {
  fusion_rt_parallel_fn fn = nullptr;
  void *context = nullptr;
};

/// Work in the form of the host's pool: each task of the host takes tasks of
/// the work until none is left, under its own number.
struct HostWork {
  const Work &work;
  std::atomic<int> next{0};

  static void run(int32_t number, void *data) {
    auto &self = *static_cast<HostWork *>(data);
    Pool::TaskScope scope;
    for (int i; (i = self.next.fetch_add(1)) < self.work.count;)
      self.work.task(self.work.context, i, number);
  }
};
} // namespace

static HostPool hostPool;
static std::atomic<bool> hasHostPool{false};

fusion_rt_status fusion_rt_set_parallel(fusion_rt_parallel_fn fn,
                                        void *context) {
  std::lock_guard<std::mutex> lock(settingsMutex);
  hostPool = {fn, context};
  hasHostPool = fn != nullptr;
  return FUSION_RT_SUCCESS;
}

static void runOnHost(const Work &work) {
  HostPool host;
  {
    std::lock_guard<std::mutex> lock(settingsMutex);
    host = hostPool;
  }
  HostWork shared{work};
  if (host.fn)
    host.fn(std::min(work.count, work.threads), HostWork::run, &shared,
            host.context);
  HostWork::run(0, &shared); // tasks that the host has left
}

void fusion::runtime::runWork(const Work &work) {
  bool isAlone = work.count == 1 || work.threads == 1 || Pool::isInTask();
  if (hasHostPool && !isAlone)
    return runOnHost(work);
  poolOfProcess().run(work);
}

//===----------------------------------------------------------------------===//
// Thread counts
//===----------------------------------------------------------------------===//

/// Largest count that `fusion_rt_set_num_threads` takes.
static constexpr int maxThreads = 1024;

/// 0 means a thread for each core.
static std::atomic<int> wantedThreads{0};
/// The same for calls of this thread. 0 means that of the process.
static thread_local int callerThreads = 0;

int fusion::runtime::effectiveThreads() {
  return Pool::isInTask() ? 1 : fusion_rt_get_num_threads();
}

static fusion_rt_status checkThreads(int32_t threads) {
  if (threads >= 0 && threads <= maxThreads)
    return FUSION_RT_SUCCESS;
  return fail(FUSION_RT_INVALID_ARGUMENT,
              "'threads' must be between 0 and %d, got %d", maxThreads,
              static_cast<int>(threads));
}

fusion_rt_status fusion_rt_set_num_threads(int32_t threads) {
  if (auto status = checkThreads(threads))
    return status;
  wantedThreads.store(threads, std::memory_order_relaxed);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_set_caller_threads(int32_t threads,
                                              int32_t *previous) {
  if (auto status = checkThreads(threads))
    return status;
  if (previous)
    *previous = callerThreads;
  callerThreads = threads;
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_context_set_num_threads(fusion_rt_context *context,
                                                   int32_t threads) {
  if (auto status = checkThreads(threads))
    return status;
  return withContext(context,
                     [=](auto &context) { context.threads = threads; });
}

int32_t fusion_rt_get_num_threads(void) {
  if (callerThreads)
    return callerThreads;
  if (int ofContext = callerContext ? callerContext->threads.load() : 0)
    return ofContext;
  int wanted = wantedThreads.load(std::memory_order_relaxed);
  return wanted ? wanted : std::min(maxThreads, coreCount());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void fusion::runtime::parallelRanges(int64_t n, int64_t grain,
                                     fusion_rt_loop_fn fn, void *context) {
  if (n <= 0)
    return;
  // More ranges than threads, so that late threads find something to do.
  constexpr int64_t rangesPerThread = 4;
  // The time of a grain, for which waking up a thread pays.
  constexpr double nsOfGrain = 4000;
  int threads = effectiveThreads();
  int64_t grains = n / grain;
  int64_t ranges = std::min<int64_t>(rangesPerThread * threads, grains);
  if (threads == 1 || ranges <= 1) {
    fn(0, n, context);
    return;
  }
  // Sums of two indices do not overflow, because they are unsigned.
  auto size = static_cast<uint64_t>(n / ranges + (n % ranges != 0));
  auto end = static_cast<uint64_t>(n);
  auto runRange = [&](int index, int) {
    uint64_t begin = size * static_cast<uint64_t>(index);
    if (begin < end)
      fn(static_cast<int64_t>(begin),
         static_cast<int64_t>(std::min(begin + size, end)), context);
  };
  parallelTasks(static_cast<int>(ranges), threads,
                static_cast<double>(grains) * nsOfGrain, runRange);
}

fusion_rt_status fusion_rt_parallel_for(int64_t n, int64_t grain,
                                        fusion_rt_loop_fn fn, void *context) {
  if (n < 0)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'n' must not be negative, got %lld", number(n));
  if (grain < 1)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'grain' must be at least 1, got %lld", number(grain));
  if (!fn)
    return fail(FUSION_RT_INVALID_ARGUMENT, "'fn' must not be null");
  return guarded([&] {
    if (!CallScope::current() && !callerContext && !callerWeightsFile) {
      parallelRanges(n, grain, fn, context);
      return FUSION_RT_SUCCESS;
    }
    GuardedLoop loop(fn, context);
    parallelRanges(n, grain, GuardedLoop::run, &loop);
    return loop.finish();
  });
}

void fusion_rt_parallel_for_checked(int64_t n, int64_t grain,
                                    fusion_rt_loop_fn fn, void *context) {
  checkStatus(fusion_rt_parallel_for(n, grain, fn, context), /*slot=*/nullptr);
}
