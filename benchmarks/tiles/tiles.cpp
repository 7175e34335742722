//===- tiles.cpp - Layers cut into tiles, against oneDNN's own threads ----===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: tiles [--threads=N] [--rounds=N] [--all] [--simulate=N] [LAYER]
//
// Times layers of convolutional networks, f32, channels last, with bias and
// relu, and a fully connected one: on one thread, on oneDNN's own threads, and
// as the tiles that the runtime cuts. --all adds each other cut into at most
// twice as many tiles as threads. --simulate=N cuts for N workers, times each
// tile alone on one thread and schedules the tiles on paper: the efficiency is
// the time of the whole on one thread by that of all workers. LAYER is a part
// of a layer's name. Rounds of all ways take turns; prints medians and means in
// us, and medians by that of oneDNN's threads. OMP_WAIT_POLICY=active
// GOMP_SPINCOUNT=100000 has those at their best on an idle machine; they stop
// waiting before the next way is timed.
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"
#include "Context.h"
#include "OneDnn/Execution.h"
#include "OneDnn/OneThread.h"
#include "OneDnn/TiledPlan.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

using namespace fusion::runtime;
using Clock = std::chrono::steady_clock;

extern "C" {
int omp_get_thread_num(void);
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads,
                   unsigned flags);
}

namespace {
struct Layer {
  const char *name;
  int64_t in, out, height, width, kernel, stride, groups;
};

const Layer layers[] = {
    {"3->64 7x7/2 224", 3, 64, 224, 224, 7, 2, 1},
    {"3->32 3x3/2 224", 3, 32, 224, 224, 3, 2, 1},
    {"64->64 1x1 56", 64, 64, 56, 56, 1, 1, 1},
    {"64->64 3x3 56", 64, 64, 56, 56, 3, 1, 1},
    {"64->256 1x1 56", 64, 256, 56, 56, 1, 1, 1},
    {"256->64 1x1 56", 256, 64, 56, 56, 1, 1, 1},
    {"128->128 3x3/2 56", 128, 128, 56, 56, 3, 2, 1},
    {"128->128 3x3 28", 128, 128, 28, 28, 3, 1, 1},
    {"128->512 1x1 28", 128, 512, 28, 28, 1, 1, 1},
    {"512->128 1x1 28", 512, 128, 28, 28, 1, 1, 1},
    {"256->512 1x1/2 56", 256, 512, 56, 56, 1, 2, 1},
    {"256->256 3x3 14", 256, 256, 14, 14, 3, 1, 1},
    {"256->1024 1x1 14", 256, 1024, 14, 14, 1, 1, 1},
    {"1024->256 1x1 14", 1024, 256, 14, 14, 1, 1, 1},
    {"512->512 3x3 7", 512, 512, 7, 7, 3, 1, 1},
    {"512->2048 1x1 7", 512, 2048, 7, 7, 1, 1, 1},
    {"2048->512 1x1 7", 2048, 512, 7, 7, 1, 1, 1},
    {"64->64 3x3 128", 64, 64, 128, 128, 3, 1, 1},
    {"dw 96 3x3 112", 96, 96, 112, 112, 3, 1, 96},
    {"dw 240 3x3 14", 240, 240, 14, 14, 3, 1, 240},
    {"dw 576 5x5 7", 576, 576, 7, 7, 5, 1, 576},
    {"96->24 1x1 14", 96, 24, 14, 14, 1, 1, 1},
    {"16->16 1x1 4", 16, 16, 4, 4, 1, 1, 1},
    {"fc 2048->1000", 2048, 1000, 1, 1, 1, 1, 1},
};

/// The operands of a layer and its problem.
struct Call {
  explicit Call(const Layer &layer);
  std::vector<float> src, weights, bias, dst;
  Descriptor descriptor;
  fusion_rt_conv_args args{};
  Problem problem;
};

/// A way to run a call.
struct Way {
  std::string name;
  std::unique_ptr<TiledPlan> plan;
  std::shared_ptr<KeptWeights> weights;
  std::unique_ptr<Execution> execution;
  std::unique_ptr<PrimitiveExecution> onOpenMP; // in place of it
  dnnl::memory packed;                          // for that
  std::vector<double> times;

  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
  double mean() const {
    double sum = 0;
    for (double time : times)
      sum += time;
    return sum / double(times.size());
  }
};
} // namespace

static void fill(std::vector<float> &values, int64_t size) {
  uint32_t state = 1;
  for (int64_t i = 0; i < size; ++i) {
    state = state * 1664525 + 1013904223;
    values.push_back(float(state >> 8) / float(1 << 24) - 0.5f);
  }
}

static void check(fusion_rt_status status) {
  if (status == FUSION_RT_SUCCESS)
    return;
  fprintf(stderr, "tiles: %s\n", fusion_rt_last_error());
  exit(1);
}

/// A tensor n, c, h, w with channels last.
static fusion_rt_tensor describe(std::vector<float> &data, int64_t channels,
                                 int64_t height, int64_t width) {
  return {data.data(),
          {1, channels, height, width, 0},
          {channels * height * width, 1, channels * width, channels, 0}};
}

Call::Call(const Layer &layer) {
  int64_t pad = layer.kernel / 2;
  int64_t high = (layer.height + 2 * pad - layer.kernel) / layer.stride + 1;
  int64_t wide = (layer.width + 2 * pad - layer.kernel) / layer.stride + 1;
  int64_t perGroup = layer.in / layer.groups;
  fill(src, layer.in * layer.height * layer.width);
  fill(weights, layer.out * perGroup * layer.kernel * layer.kernel);
  fill(bias, layer.out);
  dst.resize(size_t(layer.out * high * wide));
  fusion_rt_conv_desc desc{};
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.flags = FUSION_RT_HAS_BIAS | FUSION_RT_CONSTANT_WEIGHTS;
  desc.spatial_rank = 2;
  desc.src_type = desc.weights_type = desc.dst_type = FUSION_RT_TYPE_F32;
  desc.activation = FUSION_RT_ACT_RELU;
  desc.groups = layer.groups;
  for (int i = 0; i < 2; ++i) {
    desc.strides[i] = layer.stride;
    desc.dilations[i] = 1;
    desc.pad_low[i] = desc.pad_high[i] = pad;
  }
  check(validateDescriptor(FUSION_RT_FUNCTION_CONV, &desc, descriptor));
  args.src = describe(src, layer.in, layer.height, layer.width);
  args.dst = describe(dst, layer.out, high, wide);
  args.bias = {bias.data(), {layer.out}, {1}};
  args.weights = {weights.data(),
                  {layer.out, perGroup, layer.kernel, layer.kernel, 0},
                  {1, layer.out, layer.out * perGroup * layer.kernel,
                   layer.out * perGroup, 0}};
  check(validateShapes(descriptor, args, problem));
}

/// The packed weights of a tile, or an empty memory if it takes them as given.
static dnnl::memory packedFor(const Way &way, size_t tile) {
  auto *packed = static_cast<PackedWeights *>(way.weights.get());
  return packed->find(way.plan->planOf(tile), channelsOf(way.plan->tiles[tile]))
      .value_or(dnnl::memory());
}

/// A plan for so many threads, with the runtime's own cut, or with `cut`
/// ("2x1x1").
static Way makeWay(Call &call, std::string name, int threads, const char *cut,
                   bool isOpenMP = false) {
  Way way;
  way.name = std::move(name);
  if (cut)
    setenv("FUSION_TILES", cut, 1);
  else
    unsetenv("FUSION_TILES");
  omp_set_num_threads(isOpenMP ? threads : 1);
  way.plan =
      TilePlanner(call.descriptor, call.problem, isOpenMP ? 1 : threads, {})
          .run();
  omp_set_num_threads(1);
  way.weights =
      way.plan->keepWeights(call.problem.weights, call.weights.data());
  if (isOpenMP) {
    way.onOpenMP = std::make_unique<PrimitiveExecution>(
        call.descriptor, call.problem, way.plan->planOf(0));
    way.packed = packedFor(way, 0);
  } else {
    way.execution = way.plan->makeExecution(call.descriptor, call.problem);
  }
  return way;
}

/// Runs the copies around the kernel on OpenMP's threads, too.
static void runOnOpenMP(int32_t count, fusion_rt_task_fn task, void *data,
                        void *) {
  struct Shared {
    fusion_rt_task_fn task;
    void *data;
  } shared{task, data};
  auto body = [](void *context) {
    auto &shared = *static_cast<Shared *>(context);
    shared.task(omp_get_thread_num(), shared.data);
  };
  GOMP_parallel(body, &shared, unsigned(count), /*flags=*/0);
}

static void runOnce(Way &way, Call &call, const dnnl::stream &stream) {
  Thread &thread = Thread::current();
  if (way.onOpenMP)
    return way.onOpenMP->run(thread.reserve(way.onOpenMP->scratchBytes()),
                             stream, call.args, way.packed.get(true));
  way.execution->run(thread, call.args,
                     way.plan->packsWeights() ? way.weights.get() : nullptr);
}

/// Times a way for 20 ms, or 5 runs.
static void timeWay(Way &way, Call &call, int threads) {
  dnnl::stream stream(cpuEngine());
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  omp_set_num_threads(way.onOpenMP ? threads : 1);
  fusion_rt_set_parallel(way.onOpenMP ? runOnOpenMP : nullptr, nullptr);
  for (int i = 0; i < 3; ++i)
    runOnce(way, call, stream);
  auto begin = Clock::now();
  for (int i = 0; i < 5 || Clock::now() - begin < std::chrono::milliseconds(20);
       ++i) {
    auto start = Clock::now();
    runOnce(way, call, stream);
    std::chrono::duration<double, std::micro> time = Clock::now() - start;
    way.times.push_back(time.count());
  }
  omp_set_num_threads(1);
  fusion_rt_set_parallel(nullptr, nullptr);
}

static std::string describeCut(const TiledPlan &plan) {
  const View &first = plan.tiles.front().problem.dst;
  return std::to_string(plan.tiles.size()) + " tiles of " +
         std::to_string(first.sizes[2]) + " rows, " +
         std::to_string(first.sizes[1]) + " channels, " +
         std::to_string(plan.plans.size()) + " kinds";
}

static void compareWays(const Layer &layer, int threads, int rounds, bool all) {
  Call call(layer);
  std::vector<Way> ways;
  ways.push_back(makeWay(call, "oneDNN's threads", threads, "1x1x1", true));
  ways.push_back(makeWay(call, "one thread", 1, "1x1x1"));
  ways.push_back(makeWay(call, "as cut", threads, nullptr));
  for (int rows = 1; all && rows <= 2 * threads; ++rows)
    for (int channels = 1; rows * channels <= 2 * threads; ++channels) {
      std::string cut = "1x" + std::to_string(rows) + "x";
      cut += std::to_string(channels);
      Way way = makeWay(call, cut, threads, cut.c_str());
      if (way.plan->tiles.size() == size_t(rows * channels))
        ways.push_back(std::move(way));
    }
  for (int round = 0; round < rounds; ++round)
    for (Way &way : ways)
      timeWay(way, call, threads);
  double reference = ways.front().median();
  printf("%-18s %s\n", layer.name, ways.front().plan->kernelName());
  for (Way &way : ways)
    printf("  %-18s %9.1f (%9.1f) %6.3f  %s\n", way.name.c_str(), way.median(),
           way.mean(), way.median() / reference,
           describeCut(*way.plan).c_str());
  fflush(stdout);
}

/// The time at which the last of `workers` ends, if each takes the next tile
/// when it is done.
static double schedule(const std::vector<double> &times, int workers) {
  std::vector<double> busyUntil(size_t(workers), 0.0);
  for (double time : times)
    *std::min_element(busyUntil.begin(), busyUntil.end()) += time;
  return *std::max_element(busyUntil.begin(), busyUntil.end());
}

static void simulate(const Layer &layer, int workers, int rounds) {
  Call call(layer);
  Way whole = makeWay(call, "", 1, "1x1x1");
  Way cut = makeWay(call, "", workers, nullptr);
  const TiledPlan &plan = *cut.plan;
  std::vector<std::vector<double>> times(plan.tiles.size());
  dnnl::stream stream(cpuEngine());
  for (int round = 0; round < rounds; ++round) {
    timeWay(whole, call, 1);
    for (size_t i = 0; i < plan.tiles.size(); ++i) {
      const Tile &tile = plan.tiles[i];
      PrimitiveExecution execution(tile.descriptor, tile.problem,
                                   plan.planOf(i));
      char *scratch = Thread::current().reserve(execution.scratchBytes());
      dnnl::memory packed = packedFor(cut, i);
      for (int run = 0; run < 10; ++run) {
        auto start = Clock::now();
        execution.run(scratch, stream, tile.args(call.args), packed.get(true));
        std::chrono::duration<double, std::micro> time = Clock::now() - start;
        if (run > 1)
          times[i].push_back(time.count());
      }
    }
  }
  std::vector<double> medians;
  for (auto &some : times) {
    std::sort(some.begin(), some.end());
    medians.push_back(some[some.size() / 2]);
  }
  double makespan = schedule(medians, workers);
  printf("%-18s one thread %9.1f, %2d workers %8.1f, efficiency %.2f; %s\n",
         layer.name, whole.median(), workers, makespan,
         whole.median() / makespan / workers, describeCut(plan).c_str());
  fflush(stdout);
}

int main(int argc, char **argv) {
  int threads = 2, rounds = 7, workers = 0;
  bool all = false;
  const char *wanted = "";
  for (int i = 1; i < argc; ++i) {
    bool isKnown = false;
    for (auto [name, number] : {std::pair("--threads=", &threads),
                                {"--rounds=", &rounds},
                                {"--simulate=", &workers}})
      if (const char *value = valueOf(argv[i], name))
        isKnown = parseNumber(value, 1, *number);
    if (!strcmp(argv[i], "--all"))
      isKnown = all = true;
    else if (argv[i][0] != '-')
      isKnown = (wanted = argv[i]);
    if (!isKnown) {
      fprintf(stderr, "usage: tiles [--threads=N] [--rounds=N] [--all] "
                      "[--simulate=N] [LAYER]\n");
      return 2;
    }
  }
  if (!workers)
    printf("threads %d; us, median (mean), by oneDNN's threads\n", threads);
  for (const Layer &layer : layers) {
    if (!strstr(layer.name, wanted))
      continue;
    if (workers)
      simulate(layer, workers, rounds);
    else
      compareWays(layer, threads, rounds, all);
  }
  return 0;
}
