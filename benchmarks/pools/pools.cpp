//===- pools.cpp - Pools of threads, idle and beside busy neighbours ------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: pools [--threads=N] [--tiles=N] [--rounds=N] [--neighbours=N]
//              [--callers=N]
//
// Times the sharing of kernels of 5, 50 and 500 us, which are cut into tiles of
// equal work, by several pools: the runtime's, oneTBB, pthreadpool, and libgomp
// as it waits by default and passively. Between two kernels the caller works
// alone for a tenth of their time. Neighbours are processes that compute.
// Callers are threads that run kernels at the same time. Rounds of the pools
// alternate, each in a process of its own, so that waiting threads of one pool
// do not disturb another. Prints the time of a kernel in us, median and mean,
// and that of one thread.
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"
#include "Pool.h"
#include "Support.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
#ifdef HAS_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif
#ifdef HAS_PTHREADPOOL
#include <pthreadpool.h>
#endif

using Clock = std::chrono::steady_clock;
using fusion::runtime::Pool;
using fusion::runtime::Work;

// Declared in Support.h. Pool.cpp takes the time from it.
int64_t fusion::runtime::nowNs() {
  return std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
}

extern "C" {
void omp_set_num_threads(int);
void GOMP_parallel(void (*fn)(void *), void *, unsigned threads, unsigned);
int omp_get_thread_num(void);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Multiplications that depend on each other, so that their number gives the
/// time.
static void compute(int64_t steps) {
  volatile float result = 2;
  float value = result;
  for (int64_t i = 0; i < steps; ++i)
    value = value * 0.999f + 0.001f;
  result = value;
  (void)result;
}

static double stepsPerUs() {
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    auto begin = Clock::now();
    compute(1000000);
    std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    best = std::max(best, 1e6 / time.count());
  }
  return best;
}

namespace {
struct Kernel {
  int tiles;
  int64_t steps; // of a tile
  double us;     // of all

  void runTile() const { compute(steps); }
};

using Runner = std::function<void(const Kernel &)>;

struct Contender {
  const char *name;
  std::function<Runner()> begin;
  bool waitsPassively = false; // OMP_WAIT_POLICY
};
} // namespace

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

static void runOnFusion(Pool &pool, int threads, const Kernel &kernel) {
  auto task = [](void *context, int, int) {
    static_cast<const Kernel *>(context)->runTile();
  };
  pool.run({task, const_cast<Kernel *>(&kernel), kernel.tiles, threads,
            int64_t(kernel.us * 1e3)});
}

#ifdef HAS_TBB
static void runOnTbb(tbb::task_arena &arena, const Kernel &kernel) {
  arena.execute([&] {
    tbb::parallel_for(
        0, kernel.tiles, [&](int) { kernel.runTile(); },
        tbb::simple_partitioner());
  });
}
#endif

#ifdef HAS_PTHREADPOOL
static void runOnPthreadpool(pthreadpool_t pool, const Kernel &kernel) {
  auto task = [](void *context, size_t) {
    static_cast<const Kernel *>(context)->runTile();
  };
  pthreadpool_parallelize_1d(pool, task, const_cast<Kernel *>(&kernel),
                             size_t(kernel.tiles), /*flags=*/0);
}
#endif

static void runOnOpenMP(int threads, const Kernel &kernel) {
  struct Shared {
    const Kernel &kernel;
    int threads;
  } shared{kernel, threads};
  auto body = [](void *data) {
    auto &shared = *static_cast<Shared *>(data);
    for (int i = omp_get_thread_num(); i < shared.kernel.tiles;
         i += shared.threads)
      shared.kernel.runTile();
  };
  GOMP_parallel(body, &shared, unsigned(threads), 0);
}

/// Each contender creates its pool when it is used.
static std::vector<Contender> listContenders(int threads) {
  std::vector<Contender> all;
  all.push_back({"one thread", [] {
                   return [](const Kernel &kernel) {
                     for (int i = 0; i < kernel.tiles; ++i)
                       kernel.runTile();
                   };
                 }});
  all.push_back({"fusion", [=] {
                   auto *pool = new Pool(/*beginWorker=*/nullptr);
                   return [=](const Kernel &kernel) {
                     runOnFusion(*pool, threads, kernel);
                   };
                 }});
#ifdef HAS_TBB
  all.push_back({"oneTBB", [=] {
                   auto *arena = new tbb::task_arena(threads);
                   return
                       [=](const Kernel &kernel) { runOnTbb(*arena, kernel); };
                 }});
#endif
#ifdef HAS_PTHREADPOOL
  all.push_back({"pthreadpool", [=] {
                   pthreadpool_t pool = pthreadpool_create(size_t(threads));
                   return [=](const Kernel &kernel) {
                     runOnPthreadpool(pool, kernel);
                   };
                 }});
#endif
  for (bool isPassive : {false, true})
    all.push_back({isPassive ? "gomp, passive" : "gomp, default",
                   [=] {
                     return [=](const Kernel &kernel) {
                       runOnOpenMP(threads, kernel);
                     };
                   },
                   isPassive});
  return all;
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

static void computeForEver() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (;;)
    compute(1000000);
}

namespace {
struct Times {
  std::vector<double> us;
  void add(const std::vector<double> &more) {
    us.insert(us.end(), more.begin(), more.end());
  }
  void print() {
    std::sort(us.begin(), us.end());
    double sum = 0;
    for (double time : us)
      sum += time;
    printf(" %9.1f (%9.1f)", us[us.size() / 2], sum / double(us.size()));
  }
};
} // namespace

/// Times kernels for 50 ms, or 20 of them.
static std::vector<double> timeKernels(const Runner &run,
                                       const Kernel &kernel) {
  std::vector<double> times;
  auto begin = Clock::now();
  while (times.size() < 20 ||
         Clock::now() - begin < std::chrono::milliseconds(50)) {
    compute(kernel.steps * kernel.tiles / 10);
    auto start = Clock::now();
    run(kernel);
    std::chrono::duration<double, std::micro> time = Clock::now() - start;
    times.push_back(time.count());
  }
  return times;
}

static void timeRound(const Contender &contender, const Kernel &kernel,
                      int callers, Times &times) {
  Runner run = contender.begin();
  for (int i = 0; i < 5; ++i)
    run(kernel);
  std::vector<std::vector<double>> each(static_cast<size_t>(callers));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < each.size(); ++i)
    threads.emplace_back([&, i] { each[i] = timeKernels(run, kernel); });
  each[0] = timeKernels(run, kernel);
  for (auto &thread : threads)
    thread.join();
  for (const auto &some : each)
    times.add(some);
}

/// Runs this program again in a process of its own, which prints its times to
/// standard output. The environment must be set before libgomp reads how to
/// wait.
static void timeInProcess(const char *program, size_t contender, bool isPassive,
                          const Kernel &kernel, int threads, int callers,
                          Times &times) {
  char command[256];
  snprintf(command, sizeof(command), "%s '%s' --round %zu %d %lld %f %d %d",
           isPassive ? "OMP_WAIT_POLICY=passive" : "", program, contender,
           kernel.tiles, static_cast<long long>(kernel.steps), kernel.us,
           threads, callers);
  FILE *pipe = popen(command, "r");
  if (!pipe) {
    perror("pools");
    exit(1);
  }
  double time;
  while (fread(&time, sizeof(time), 1, pipe) == 1)
    times.us.push_back(time);
  pclose(pipe);
}

static int runRound(char **argv) {
  int threads = atoi(argv[4]);
  Kernel kernel{atoi(argv[1]), atoll(argv[2]), atof(argv[3])};
  Times times;
  timeRound(listContenders(threads)[size_t(atoi(argv[0]))], kernel,
            atoi(argv[5]), times);
  fwrite(times.us.data(), sizeof(double), times.us.size(), stdout);
  fflush(stdout);
  _exit(0);
}

int main(int argc, char **argv) {
  if (argc == 8 && !strcmp(argv[1], "--round"))
    return runRound(argv + 2);
  int threads = 2, tiles = 4, rounds = 7, neighbours = 0, callers = 1;
  for (int i = 1; i < argc; ++i) {
    bool isKnown = false;
    for (auto [name, number, least] : {std::tuple("--threads=", &threads, 1),
                                       {"--tiles=", &tiles, 1},
                                       {"--rounds=", &rounds, 1},
                                       {"--neighbours=", &neighbours, 0},
                                       {"--callers=", &callers, 1}})
      if (const char *value = valueOf(argv[i], name))
        isKnown = parseNumber(value, least, *number);
    if (!isKnown) {
      fprintf(stderr, "usage: pools [--threads=N] [--tiles=N] [--rounds=N] "
                      "[--neighbours=N] [--callers=N]\n");
      return 2;
    }
  }
  double speed = stepsPerUs();
  std::vector<pid_t> processes;
  for (int i = 0; i < neighbours; ++i) {
    processes.push_back(fork());
    if (processes.back() == 0)
      computeForEver();
  }
  auto contenders = listContenders(threads);
  printf("threads %d, tiles %d, neighbours %d, callers %d; us of a kernel, "
         "median (mean)\n%-12s",
         threads, tiles, neighbours, callers, "");
  for (const Contender &contender : contenders)
    printf(" %21s", contender.name);
  for (double us : {5.0, 50.0, 500.0}) {
    Kernel kernel{tiles, int64_t(us * speed / tiles), us};
    std::vector<Times> times(contenders.size());
    for (int round = 0; round < rounds; ++round)
      for (size_t i = 0; i < contenders.size(); ++i)
        timeInProcess(argv[0], i, contenders[i].waitsPassively, kernel, threads,
                      callers, times[i]);
    printf("\n%9.0f us", us);
    for (Times &some : times)
      some.print();
    fflush(stdout);
  }
  printf("\n");
  for (pid_t process : processes) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  return 0;
}
