//===- Parallel.cpp - One pool of threads, shared with oneDNN -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"

#include "Support.h"

#include <algorithm>
#include <atomic>
#include <exception>

using namespace fusion::runtime;

// The interface of libgomp, the OpenMP runtime that oneDNN uses. A second
// OpenMP runtime in the process would mean a second pool of threads, and the
// pragmas would bring in the compiler's own (clang's is libomp), so the few
// functions needed are called by name. GOMP_parallel is what GCC makes of
// `#pragma omp parallel`; LLVM's runtime has it as well.
extern "C" {
int omp_get_max_threads(void);
void omp_set_num_threads(int);
int omp_in_parallel(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads,
                   unsigned flags);
}

/// Largest count that `fusion_rt_set_num_threads` takes: beyond it libgomp ends
/// the process when it cannot make the threads.
static constexpr int maxThreads = 1024;

/// 0: what OpenMP says.
static std::atomic<int> wantedThreads{0};

int fusion::runtime::effectiveThreads() {
  return omp_in_parallel() ? 1 : omp_get_max_threads();
}

ThreadCountScope::ThreadCountScope() {
  int wanted = wantedThreads.load(std::memory_order_relaxed);
  if (!wanted)
    return;
  int now = omp_get_max_threads();
  if (now == wanted)
    return;
  before = now;
  omp_set_num_threads(wanted);
}

ThreadCountScope::~ThreadCountScope() {
  if (before)
    omp_set_num_threads(before);
}

namespace {
struct Region {
  uint64_t n;
  uint64_t chunk;
  fusion_rt_loop_fn fn;
  void *context;
  std::atomic<bool> hasFailed{false};
  std::exception_ptr failure; // of the range that failed first

  void run(uint64_t begin) noexcept;
};
} // namespace

/// Runs the range that begins at `begin`. An exception must neither cross the
/// frames of OpenMP nor end another thread than the caller's.
void Region::run(uint64_t begin) noexcept {
  try {
    fn(static_cast<int64_t>(begin),
       static_cast<int64_t>(std::min(begin + chunk, n)), context);
  } catch (...) {
    if (!hasFailed.exchange(true))
      failure = std::current_exception();
  }
}

/// Each thread takes the chunks of its number: OpenMP may have given fewer
/// threads than were asked for. Sums of two indices fit, as they are unsigned.
static void runRegion(void *data) {
  Region &region = *static_cast<Region *>(data);
  uint64_t step = region.chunk * static_cast<uint64_t>(omp_get_num_threads());
  uint64_t begin = region.chunk * static_cast<uint64_t>(omp_get_thread_num());
  for (; begin < region.n && !region.hasFailed; begin += step)
    region.run(begin);
}

void fusion::runtime::parallelRanges(int64_t n, int64_t grain,
                                     fusion_rt_loop_fn fn, void *context) {
  if (n <= 0)
    return;
  // No thread is woken for less than a grain.
  int64_t chunks = std::min<int64_t>(effectiveThreads(), n / grain);
  if (chunks <= 1) {
    fn(0, n, context);
    return;
  }
  Region region;
  region.n = static_cast<uint64_t>(n);
  region.chunk = static_cast<uint64_t>(n / chunks + (n % chunks != 0));
  region.fn = fn;
  region.context = context;
  GOMP_parallel(runRegion, &region, static_cast<unsigned>(chunks), 0);
  if (region.failure)
    std::rethrow_exception(region.failure);
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
    ThreadCountScope threads;
    parallelRanges(n, grain, fn, context);
    return FUSION_RT_SUCCESS;
  });
}

void fusion_rt_parallel_for_checked(int64_t n, int64_t grain,
                                    fusion_rt_loop_fn fn, void *context) {
  checkStatus(fusion_rt_parallel_for(n, grain, fn, context), /*slot=*/nullptr);
}

fusion_rt_status fusion_rt_set_num_threads(int32_t threads) {
  if (threads < 0 || threads > maxThreads)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'threads' must be between 0 and %d, got %d", maxThreads,
                static_cast<int>(threads));
  wantedThreads.store(threads, std::memory_order_relaxed);
  return FUSION_RT_SUCCESS;
}

int32_t fusion_rt_get_num_threads(void) {
  int wanted = wantedThreads.load(std::memory_order_relaxed);
  return wanted ? wanted : omp_get_max_threads();
}
