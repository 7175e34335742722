//===- Parallel.cpp - One pool of threads, shared with oneDNN -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel.h"

#include "Call.h"
#include "Support.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <vector>

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

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

// libgomp keeps its threads for the next region of the thread that began the
// last one. A child does not have them, and would wait for them for ever.

static thread_local bool forksWithOthers = false;
static thread_local bool hasLostThreads = false;

static bool hasOtherThreads() {
  struct stat threads; // a link each, and two as every folder has
  if (stat("/proc/self/task", &threads) == 0 && threads.st_nlink > 2)
    return threads.st_nlink > 3;
  return !__libc_single_threaded;
}

static void prepareFork() { forksWithOthers = hasOtherThreads(); }
static void becomeChild() { hasLostThreads |= forksWithOthers; }

/// When the library is loaded: the host may have OpenMP threads before its
/// first call.
[[maybe_unused]] static const int forksAreWatched =
    pthread_atfork(prepareFork, /*parent=*/nullptr, becomeChild);

//===----------------------------------------------------------------------===//
// Thread counts
//===----------------------------------------------------------------------===//

/// Largest count that `fusion_rt_set_num_threads` takes.
static constexpr int maxThreads = 1024;

/// 0: what OpenMP says.
static std::atomic<int> wantedThreads{0};

static void *waitForGate(void *gate) {
  std::lock_guard<std::mutex> lock(*static_cast<std::mutex *>(gate));
  return nullptr;
}

/// How many threads, with the calling one, the system grants at once, of
/// `count`. If they are fewer, half of them: something has to be left for what
/// the call allocates.
static int grantedThreads(int count) {
  std::mutex gate;
  std::vector<pthread_t> threads;
  threads.reserve(static_cast<size_t>(count));
  {
    std::lock_guard<std::mutex> lock(gate);
    pthread_t thread;
    while (static_cast<int>(threads.size()) < count - 1 &&
           pthread_create(&thread, /*attr=*/nullptr, waitForGate, &gate) == 0)
      threads.push_back(thread);
  }
  for (pthread_t thread : threads)
    pthread_join(thread, /*result=*/nullptr);
  int granted = static_cast<int>(threads.size()) + 1;
  return granted == count ? granted : std::max(1, granted / 2);
}

/// `count`, or fewer where the system would not grant as many: libgomp ends the
/// process when it cannot make its threads. Each thread that calls gets threads
/// of its own, and asks once.
static int limitThreads(int count) {
  static thread_local int granted = 1, refused = 0;
  if (count <= granted)
    return count;
  if (count != refused) {
    int now = grantedThreads(count);
    refused = now < count ? count : 0;
    granted = std::max(granted, now);
  }
  return std::min(count, granted);
}

int fusion::runtime::effectiveThreads() {
  return omp_in_parallel() ? 1 : omp_get_max_threads();
}

ThreadCountScope::ThreadCountScope() {
  int now = omp_get_max_threads();
  int wanted = hasLostThreads ? 1 : wantedThreads.load();
  if (!wanted)
    wanted = now;
  if (wanted > 1 && !omp_in_parallel())
    wanted = limitThreads(wanted);
  if (now == wanted)
    return;
  before = now;
  omp_set_num_threads(wanted);
}

ThreadCountScope::~ThreadCountScope() {
  if (before)
    omp_set_num_threads(before);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

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
    if (!CallScope::current()) {
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

fusion_rt_status fusion_rt_set_num_threads(int32_t threads) {
  if (threads < 0 || threads > maxThreads)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'threads' must be between 0 and %d, got %d", maxThreads,
                static_cast<int>(threads));
  wantedThreads.store(threads, std::memory_order_relaxed);
  return FUSION_RT_SUCCESS;
}

int32_t fusion_rt_get_num_threads(void) {
  if (hasLostThreads)
    return 1;
  int wanted = wantedThreads.load(std::memory_order_relaxed);
  return wanted ? wanted : omp_get_max_threads();
}
