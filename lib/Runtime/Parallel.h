//===- Parallel.h - One pool of threads, shared with oneDNN -----*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PARALLEL_H
#define FUSION_LIB_RUNTIME_PARALLEL_H

#include "FusionRuntime/fusion_runtime.h"

#include <cstdint>

namespace fusion {
namespace runtime {

/// Elements for which waking up another thread pays.
constexpr int64_t grainElements = 8192;

/// Threads that a parallel region started here would get: 1 inside of another
/// region.
int effectiveThreads();

/// Sets the thread count of `fusion_rt_set_num_threads` for the calling thread
/// while it lives. The count belongs to the thread in OpenMP, and the caller's
/// own parallel regions should not notice ours.
class ThreadCountScope {
public:
  ThreadCountScope();
  ~ThreadCountScope();
  ThreadCountScope(const ThreadCountScope &) = delete;
  ThreadCountScope &operator=(const ThreadCountScope &) = delete;

private:
  int before = 0; // 0: nothing was changed
};

/// Calls fn(begin, end, context) over disjoint ranges of at least `grain`
/// indices (but the last) that cover 0..n. Throws what `fn` has thrown first;
/// then ranges that had not begun are left out. Call it in a ThreadCountScope.
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
