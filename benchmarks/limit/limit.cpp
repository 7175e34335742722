//===- limit.cpp - What a network takes at best with oneDNN ---------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the primitives of a network once each, in order, with a buffer for each
// result, packed weights, and reorders between different formats. It uses
// oneDNN and nothing of Fusion. The best layouts for the whole network are the
// yardstick for compiled code. Prints one JSON object.
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"
#include "Program.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>

using namespace limit;

extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads(void);

namespace {
struct Options {
  std::string file, configuration;
  std::string type = "f32";
  bool allowWinograd = false;
  int repeat = 50;
  int warmup = 5;
  int threads = 0;
};

const std::map<std::string, dnnl::memory::data_type> types{
    {"f32", dnnl::memory::data_type::f32},
    {"bf16", dnnl::memory::data_type::bf16},
    {"u8", dnnl::memory::data_type::u8},
    {"s8", dnnl::memory::data_type::s8}};

/// The times of all runs, in microseconds; sorted.
struct Times {
  std::vector<double> total;
  std::vector<std::vector<double>> steps;
};

struct Trial {
  std::string name;
  int referenceKernels;
  double min; // of a few runs; 0 where it was not run
};
} // namespace

static double medianOf(const std::vector<double> &sorted) {
  size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half]
                           : (sorted[half - 1] + sorted[half]) / 2;
}

static Times run(Program &program, const dnnl::engine &engine, int warmup,
                 int repeat) {
  using Clock = std::chrono::steady_clock;
  using Microseconds = std::chrono::duration<double, std::micro>;
  dnnl::stream stream(engine);
  Times times;
  times.steps.resize(program.steps.size());
  for (int i = 0; i < warmup + repeat; ++i) {
    const auto begin = Clock::now();
    auto last = begin;
    for (size_t s = 0; s < program.steps.size(); ++s) {
      program.steps[s].primitive.execute(stream, program.steps[s].arguments);
      stream.wait();
      const auto now = Clock::now();
      if (i >= warmup)
        times.steps[s].push_back(Microseconds(now - last).count());
      last = now;
    }
    if (i >= warmup)
      times.total.push_back(Microseconds(last - begin).count());
  }
  std::sort(times.total.begin(), times.total.end());
  for (std::vector<double> &step : times.steps)
    std::sort(step.begin(), step.end());
  return times;
}

/// The best of at least five runs, and of those of a tenth of a second: other
/// processes disturb it least.
static double bestRun(Program &program, const dnnl::engine &engine) {
  double best = run(program, engine, 2, 5).total.front();
  int more = int(std::min(1e5 / best, 500.0));
  if (more > 5)
    best = std::min(best, run(program, engine, 0, more).total.front());
  return best;
}

/// Tries the configurations and keeps the program of the best one. A
/// configuration with more reference kernels than another is not run: they take
/// seconds.
static std::unique_ptr<Program>
choose(const Network &network, const Options &options,
       const dnnl::engine &engine, std::vector<Configuration> &all,
       std::string &name, std::vector<Trial> &trials) {
  std::unique_ptr<Program> best;
  double bestTime = 0;
  for (const Configuration &configuration : all) {
    std::string candidate = configuration.name(network);
    if (!options.configuration.empty() && candidate != options.configuration)
      continue;
    std::unique_ptr<Program> program;
    try {
      program = std::make_unique<Program>(network, configuration, engine);
    } catch (const dnnl::error &error) {
      fprintf(stderr, "limit: %s: %s\n", candidate.c_str(), error.what());
      continue;
    }
    int references = program->referenceKernels();
    trials.push_back({candidate, references, 0});
    if (best && references > best->referenceKernels())
      continue;
    bool isAlone = !options.configuration.empty();
    double time = isAlone ? 0 : bestRun(*program, engine);
    trials.back().min = time;
    if (!best || references < best->referenceKernels() || time < bestTime) {
      best = std::move(program);
      bestTime = time;
      name = candidate;
    }
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Command line and output
//===----------------------------------------------------------------------===//

static void printJson(const Options &options, const std::string &name,
                      const Program &program, const Times &times,
                      const std::vector<Trial> &trials) {
  const std::vector<double> &total = times.total;
  double mean = 0, variance = 0;
  for (double time : total)
    mean += time / double(total.size());
  for (double time : total)
    variance += (time - mean) * (time - mean) / double(total.size());
  const char *waitPolicy = getenv("OMP_WAIT_POLICY");
  const dnnl_version_t *version = dnnl_version();
  printf("{\n  \"file\": \"%s\",\n  \"precision\": \"%s\",\n",
         options.file.c_str(), options.type.c_str());
  printf("  \"threads\": %d,\n  \"omp_wait_policy\": \"%s\",\n",
         omp_get_max_threads(), waitPolicy ? waitPolicy : "");
  printf("  \"backend\": \"oneDNN %d.%d.%d\",\n", version->major,
         version->minor, version->patch);
  printf("  \"configuration\": \"%s\",\n  \"trials\": [", name.c_str());
  for (const Trial &trial : trials)
    printf("%s\n    {\"configuration\": \"%s\", \"reference_kernels\": %d, "
           "\"min_us\": %.1f}",
           &trial == &trials.front() ? "" : ",", trial.name.c_str(),
           trial.referenceKernels, trial.min);
  printf("\n  ],\n  \"mean_us\": %.1f,\n  \"median_us\": %.1f,\n", mean,
         medianOf(total));
  printf("  \"min_us\": %.1f,\n  \"max_us\": %.1f,\n  \"std_us\": %.1f,\n",
         total.front(), total.back(), std::sqrt(variance));
  printf("  \"runs\": %zu,\n  \"reference_kernels\": %d,\n", total.size(),
         program.referenceKernels());
  printf("  \"intermediate_bytes\": %zu,\n  \"kernels\": [",
         program.intermediateBytes);
  for (size_t i = 0; i < program.steps.size(); ++i)
    printf("%s\n    {\"name\": \"%s\", \"kernel\": \"%s\", "
           "\"median_us\": %.1f}",
           i ? "," : "", program.steps[i].name.c_str(),
           program.steps[i].kernel.c_str(), medianOf(times.steps[i]));
  printf("\n  ]\n}\n");
}

static bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    bool isGood = false;
    if (const char *value = valueOf(argv[i], "--type=")) {
      options.type = value;
      isGood = types.count(value);
    } else if (const char *value = valueOf(argv[i], "--repeat=")) {
      isGood = parseNumber(value, 1, options.repeat);
    } else if (const char *value = valueOf(argv[i], "--warmup=")) {
      isGood = parseNumber(value, 0, options.warmup);
    } else if (const char *value = valueOf(argv[i], "--threads=")) {
      isGood = parseNumber(value, 1, options.threads);
    } else if (const char *value = valueOf(argv[i], "--configuration=")) {
      options.configuration = value;
      isGood = true;
    } else if (!strcmp(argv[i], "--allow-winograd")) {
      isGood = options.allowWinograd = true;
    } else if (argv[i][0] != '-' && options.file.empty()) {
      options.file = argv[i];
      isGood = true;
    }
    if (!isGood) {
      fprintf(stderr, "limit: cannot use '%s'\n", argv[i]);
      return false;
    }
  }
  return !options.file.empty();
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fprintf(
        stderr,
        "usage: limit FILE [--type=f32|bf16|u8|s8] [--repeat=N] "
        "[--warmup=N]\n"
        "             [--threads=N] [--configuration=NAME] "
        "[--allow-winograd]\n"
        "FILE is what benchmarks/networks/generate.py --primitives writes; "
        "NAME is one\nthat the JSON lists, in place of the best of all. "
        "Minimal filtering is for\nconvolutions in f32. With u8 and s8 "
        "weights are s8. u8 has zero points of 0, s8\nothers for images.\n");
    return 1;
  }
  if (options.threads)
    omp_set_num_threads(options.threads);
  try {
    Network network = readNetwork(options.file);
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    std::vector<Configuration> all =
        configurations(network, types.at(options.type), options.allowWinograd);
    std::vector<Trial> trials;
    std::string name;
    auto program = choose(network, options, engine, all, name, trials);
    if (!program)
      throw std::runtime_error("no configuration runs");
    Times times = run(*program, engine, options.warmup, options.repeat);
    printJson(options, name, *program, times, trials);
  } catch (const std::exception &error) {
    fprintf(stderr, "limit: %s\n", error.what());
    return 1;
  }
  return 0;
}
