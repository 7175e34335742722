//===- call-overhead.cpp - What a call costs beside its kernel ------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: call-overhead [--calls=N]
//
// Times single calls of the smallest layer of benchmarks/layers.py: as a bare
// oneDNN primitive, channels last; through the C runtime; and through the
// function that Fusion compiled, which also allocates its result. Blocks of
// calls of the three take turns. Prints the medians, the quartiles and the
// difference of each median from the bare one. All use the threads of
// OMP_NUM_THREADS.
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

using namespace layers;

extern "C" int omp_get_max_threads(void);

namespace {
struct Way {
  const char *name;
  std::string kernel;
  std::function<void()> call;
  std::vector<double> times; // of each call, in us
};
} // namespace

static void timeCalls(Way &way, int count) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < count; ++i) {
    auto begin = Clock::now();
    way.call();
    std::chrono::duration<double, std::micro> time = Clock::now() - begin;
    way.times.push_back(time.count());
  }
}

static double quantile(const std::vector<double> &sorted, double part) {
  return sorted[size_t(part * double(sorted.size() - 1))];
}

static void report(std::vector<Way> &ways) {
  double bare = 0;
  for (Way &way : ways) {
    std::sort(way.times.begin(), way.times.end());
    double median = quantile(way.times, 0.5);
    if (&way == &ways.front())
      bare = median;
    printf("  %-9s median %.3f us (%.3f to %.3f), %+.3f; %s\n", way.name,
           median, quantile(way.times, 0.25), quantile(way.times, 0.75),
           median - bare, way.kernel.c_str());
  }
}

/// The layer with the fewest multiplications.
static const Case &smallest(const std::vector<Case> &cases, bool bf16) {
  auto work = [&](const Case &c) {
    const rawconv::Layer &layer = c.layer;
    return c.bf16 != bf16
               ? INT64_MAX
               : layer.height * layer.width * layer.kernel * layer.kernel *
                     layer.inputs * layer.outputs / layer.groups;
  };
  return *std::min_element(
      cases.begin(), cases.end(),
      [&](const Case &a, const Case &b) { return work(a) < work(b); });
}

static int measure(const Case &c, int calls) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  std::unique_ptr<rawconv::Program> program;
  for (const auto &candidate :
       rawconv::candidates(c.layer, c.bf16 ? "bf16" : "f32"))
    if (candidate.name == (c.bf16 ? "bf16 nhwc" : "f32 nhwc"))
      program = std::make_unique<rawconv::Program>(c.layer, candidate, engine);
  RuntimeCall runtime(c);
  CompiledCall compiled(c);
  if (runtime.run() != FUSION_RT_SUCCESS) {
    fprintf(stderr, "call-overhead: %s\n", fusion_rt_last_error());
    return 1;
  }
  std::vector<Way> ways{
      {"bare", program->kernel, [&] { program->run(stream); }, {}},
      {"runtime", runtime.kernel(), [&] { runtime.run(); }, {}},
      {"compiled", runtime.kernel(), [&] { compiled.run(); }, {}}};
  constexpr int block = 1000;
  for (Way &way : ways)
    timeCalls(way, block);
  for (Way &way : ways)
    way.times.clear();
  for (int done = 0; done < calls; done += block)
    for (Way &way : ways)
      timeCalls(way, std::min(block, calls - done));
  printf("%s, %s:\n", c.title, c.bf16 ? "bf16" : "f32");
  report(ways);
  return 0;
}

/// The number in "--calls=N"; 0 if there is none.
static int parseCalls(const char *text) {
  constexpr char option[] = "--calls=";
  constexpr size_t size = sizeof(option) - 1;
  if (strncmp(text, option, size) != 0)
    return 0;
  char *end;
  long calls = strtol(text + size, &end, 10);
  return *end || calls > INT_MAX ? 0 : static_cast<int>(calls);
}

int main(int argc, char **argv) {
  int calls = argc == 2 ? parseCalls(argv[1]) : 100000;
  if (argc > 2 || calls < 1) {
    fprintf(stderr, "usage: call-overhead [--calls=N]\n");
    return 1;
  }
  const dnnl_version_t *version = dnnl_version();
  fusion_rt_set_num_threads(omp_get_max_threads());
  printf("%d calls, %d threads, oneDNN %d.%d.%d\n", calls,
         omp_get_max_threads(), version->major, version->minor, version->patch);
  try {
    const std::vector<Case> cases = allCases();
    for (bool bf16 : {false, true})
      if (int status = measure(smallest(cases, bf16), calls))
        return status;
  } catch (const dnnl::error &error) {
    // bf16, on a CPU without a kernel for it.
    fprintf(stderr, "call-overhead: %s\n", error.what());
    return 1;
  }
  return 0;
}
