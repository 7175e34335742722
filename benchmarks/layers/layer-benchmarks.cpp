//===- layer-benchmarks.cpp - Layers: oneDNN, C runtime, compiled ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times each layer of benchmarks/layers.py three ways: as a bare oneDNN
// primitive, the best of the layouts it can have; through the C runtime,
// channels last; and through the function that Fusion compiled, which also
// allocates its result. All three have the threads of OMP_NUM_THREADS.
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

using namespace layers;

extern "C" int omp_get_max_threads(void);

/// The fastest candidate that is not NCHW and has a kernel other than the
/// reference; null if there is none.
static std::unique_ptr<rawconv::Program> bestProgram(const Case &c,
                                                     dnnl::stream &stream) {
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<rawconv::Program> best;
  Clock::duration bestTime{};
  std::string bestName;
  const auto type =
      c.bf16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
  for (const auto &candidate :
       rawconv::candidates(c.layer, c.bf16 ? "bf16" : "f32")) {
    if (candidate.tag == dnnl::memory::format_tag::nchw ||
        candidate.type != type || (!c.best.empty() && candidate.name != c.best))
      continue;
    std::unique_ptr<rawconv::Program> program;
    try {
      program = std::make_unique<rawconv::Program>(c.layer, candidate,
                                                   stream.get_engine());
    } catch (const dnnl::error &) {
      continue;
    }
    if (program->isReference())
      continue;
    Clock::duration time = Clock::duration::max();
    for (int i = 0; i < 12; ++i) {
      auto begin = Clock::now();
      program->run(stream);
      time = std::min(time, Clock::now() - begin);
    }
    if (!best || time < bestTime) {
      best = std::move(program);
      bestTime = time;
      bestName = candidate.name;
    }
  }
  if (best)
    c.best = bestName;
  return best;
}

static void runRaw(benchmark::State &state, const Case &c) {
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  auto program = bestProgram(c, stream);
  if (!program) {
    state.SkipWithError("no kernel but the reference");
    return;
  }
  for (auto _ : state)
    program->run(stream);
  state.SetLabel(c.best + ", " + program->kernel);
}

static void runRuntime(benchmark::State &state, const Case &c) {
  RuntimeCall call(c);
  if (call.run() != FUSION_RT_SUCCESS) {
    state.SkipWithError(fusion_rt_last_error());
    return;
  }
  for (auto _ : state)
    call.run();
  state.SetLabel(call.kernel());
}

static void runCompiled(benchmark::State &state, const Case &c) {
  CompiledCall call(c);
  for (auto _ : state)
    call.run();
}

int main(int argc, char **argv) {
  const dnnl_version_t *version = dnnl_version();
  const char *waitPolicy = getenv("OMP_WAIT_POLICY");
  fusion_rt_set_num_threads(omp_get_max_threads());
  benchmark::AddCustomContext("onednn", std::to_string(version->major) + "." +
                                            std::to_string(version->minor) +
                                            "." +
                                            std::to_string(version->patch));
  benchmark::AddCustomContext("threads", std::to_string(omp_get_max_threads()));
  benchmark::AddCustomContext("omp_wait_policy", waitPolicy ? waitPolicy : "");

  struct Way {
    const char *name;
    void (*run)(benchmark::State &, const Case &);
  };
  const Way ways[] = {
      {"raw", runRaw}, {"runtime", runRuntime}, {"compiled", runCompiled}};
  const std::vector<Case> cases = allCases();
  for (const Case &c : cases) {
    std::string name = std::string("/") + (c.bf16 ? "bf16/" : "f32/") + c.title;
    for (const Way &way : ways)
      benchmark::RegisterBenchmark(
          (way.name + name).c_str(),
          [&c, run = way.run](benchmark::State &state) { run(state, c); })
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
