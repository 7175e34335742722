//===- Parallel.h - Loops and tasks on several threads ----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PARALLEL_H
#define FUSION_LIB_RUNTIME_PARALLEL_H

#include "FusionRuntime/fusion_runtime.h"
#include "Pool.h"
#include "Trace.h"

#include <atomic>
#include <cstdint>
#include <exception>

namespace fusion {
namespace runtime {

/// Number of elements for which waking up another thread pays.
constexpr int64_t grainElements = 8192;

/// Keeps the exception that the first failing task has thrown, so that it
/// reaches the caller and ends no other thread.
class FirstFailure {
public:
  /// Runs `body`, unless there is a failure already.
  template <typename Body> void guard(const Body &body) noexcept {
    if (isThere.load(std::memory_order_relaxed))
      return;
    try {
      body();
    } catch (...) {
      if (!isThere.exchange(true))
        failure = std::current_exception();
    }
  }
  /// Call it when all tasks have ended.
  void rethrow() const {
    if (failure)
      std::rethrow_exception(failure);
  }

private:
  std::atomic<bool> isThere{false};
  std::exception_ptr failure;
};

/// Number of threads that a call started here may use: 1 inside of a task.
int effectiveThreads();

/// Runs work.task for each index on the host's threads or those of the process.
void runWork(const Work &work);

/// Calls fn(index, thread) for 0..count on at most `threads` threads. `thread`
/// is below that, and no two calls run at once under one number. `ns` is the
/// time of all calls on one thread, roughly. Throws the first exception of
/// `fn`; calls that have not begun by then are left out.
template <typename Fn>
void parallelTasks(int count, int threads, double ns, const Fn &fn) {
  struct Shared {
    const Fn &fn;
    FirstFailure failure;
    TracedWork work;
  } shared{fn, {}, currentWork};
  auto task = [](void *context, int index, int thread) {
    auto &shared = *static_cast<Shared *>(context);
    HelpersWork work(shared.work);
    shared.failure.guard([&] { shared.fn(index, thread); });
  };
  runWork({task, &shared, count, threads, static_cast<int64_t>(ns)});
  shared.failure.rethrow();
}

/// Calls fn(begin, end, context) over disjoint ranges of at least `grain`
/// indices (but the last) that cover 0..n. Throws the first exception of `fn`;
/// ranges that have not begun by then are left out.
void parallelRanges(int64_t n, int64_t grain, fusion_rt_loop_fn fn,
                    void *context);

/// The same for a callable.
template <typename Fn>
void parallelFor(int64_t n, int64_t grain, const Fn &fn) {
  parallelRanges(
      n, grain,
      [](int64_t begin, int64_t end, void *context) {
        (*static_cast<const Fn *>(context))(begin, end);
      },
      const_cast<Fn *>(&fn));
}

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_PARALLEL_H
