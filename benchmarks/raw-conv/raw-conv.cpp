//===- raw-conv.cpp - One convolution as a bare oneDNN primitive ----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures one layer (convolution, bias, relu) as a oneDNN primitive, without
// anything of Fusion, in several layouts and types. The best one is the
// yardstick for compiled code. Prints one JSON object.
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"
#include "RawConv.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

using namespace rawconv;

extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads(void);

namespace {
struct Options {
  Layer layer{1, 64, 64, 56, 56, 3, 1, 1, 1};
  std::string type = "f32";
  int repeat = 100;
  int threads = 0;
};

struct Measurement {
  std::string name, kernel;
  double median = 0, min = 0;
  bool isReference() const { return kernel.find("ref") != std::string::npos; }
};
} // namespace

static Measurement measure(const Options &options, const Candidate &candidate,
                           const dnnl::engine &engine) {
  dnnl::stream stream(engine);
  Program program(options.layer, candidate, engine);
  Measurement result{candidate.name, program.kernel};
  // The reference implementation takes seconds, so that one run must do.
  int runs = result.isReference() ? 1 : options.repeat;
  int warmUps = result.isReference() ? 0 : 1 + runs / 10;
  std::vector<double> times;
  for (int i = 0; i < warmUps + runs; ++i) {
    auto begin = std::chrono::steady_clock::now();
    program.run(stream);
    std::chrono::duration<double, std::micro> time =
        std::chrono::steady_clock::now() - begin;
    if (i >= warmUps)
      times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  result.median = times[times.size() / 2];
  result.min = times.front();
  return result;
}

//===----------------------------------------------------------------------===//
// Command line and output
//===----------------------------------------------------------------------===//

static void printJson(const Options &options,
                      const std::vector<Measurement> &results) {
  const Layer &l = options.layer;
  const char *waitPolicy = getenv("OMP_WAIT_POLICY");
  const dnnl_version_t *version = dnnl_version();
  printf("{\n  \"layer\": [%ld, %ld, %ld, %ld, %ld, %ld, %ld, %ld, %ld],\n",
         long(l.batch), long(l.inputs), long(l.outputs), long(l.height),
         long(l.width), long(l.kernel), long(l.stride), long(l.pad),
         long(l.groups));
  printf("  \"type\": \"%s\",\n  \"threads\": %d,\n  \"repeat\": %d,\n",
         options.type.c_str(), omp_get_max_threads(), options.repeat);
  printf("  \"wait_policy\": \"%s\",\n  \"onednn\": \"%d.%d.%d\",\n",
         waitPolicy ? waitPolicy : "", version->major, version->minor,
         version->patch);
  printf("  \"candidates\": [");
  const Measurement *best = nullptr;
  for (const Measurement &result : results) {
    printf(
        "%s\n    {\"name\": \"%s\", \"kernel\": \"%s\", \"median_us\": %.1f, "
        "\"min_us\": %.1f}",
        &result == &results.front() ? "" : ",", result.name.c_str(),
        result.kernel.c_str(), result.median, result.min);
    if (!result.isReference() && (!best || result.median < best->median))
      best = &result;
  }
  printf("\n  ],\n  \"best\": ");
  if (best)
    printf("{\"name\": \"%s\", \"kernel\": \"%s\", \"median_us\": %.1f, "
           "\"min_us\": %.1f}\n}\n",
           best->name.c_str(), best->kernel.c_str(), best->median, best->min);
  else
    printf("null\n}\n");
}

static bool parseLayer(const char *text, Layer &l) {
  int64_t v[9];
  const char *end = text + strlen(text);
  for (int i = 0; i < 9; ++i) {
    auto [rest, error] = std::from_chars(text, end, v[i]);
    if (error != std::errc() || (i < 8 ? *rest != ',' : rest != end))
      return false;
    text = rest + 1;
  }
  l = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]};
  bool isPositive =
      *std::min_element(v, v + 7) > 0 && l.pad >= 0 && l.groups > 0;
  return isPositive && l.inputs % l.groups == 0 && l.outputs % l.groups == 0 &&
         std::min(l.height, l.width) + 2 * l.pad >= l.kernel;
}

static bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    bool isGood = false;
    if (const char *value = valueOf(argv[i], "--layer=")) {
      isGood = parseLayer(value, options.layer);
    } else if (const char *value = valueOf(argv[i], "--type=")) {
      options.type = value;
      isGood = types().count(value);
    } else if (const char *value = valueOf(argv[i], "--repeat=")) {
      isGood = parseNumber(value, 1, options.repeat);
    } else if (const char *value = valueOf(argv[i], "--threads=")) {
      isGood = parseNumber(value, 1, options.threads);
    }
    if (!isGood) {
      fprintf(stderr, "raw-conv: cannot use '%s'\n", argv[i]);
      return false;
    }
  }
  return true;
}

static int run(const Options &options) {
  if (options.threads)
    omp_set_num_threads(options.threads);
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  std::vector<Measurement> results;
  for (const Candidate &candidate : candidates(options.layer, options.type)) {
    try {
      results.push_back(measure(options, candidate, engine));
    } catch (const dnnl::error &error) {
      // Not on this machine: narrow types need AVX-512.
      fprintf(stderr, "raw-conv: %s: %s\n", candidate.name.c_str(),
              error.what());
    }
  }
  printJson(options, results);
  return results.empty();
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    fprintf(
        stderr,
        "usage: raw-conv [--layer=batch,inputs,outputs,height,width,kernel,"
        "stride,pad,groups]\n"
        "                [--type=f32|bf16|u8|s8] [--repeat=N] [--threads=N]\n");
    return 1;
  }
  try {
    return run(options);
  } catch (const std::exception &error) {
    fprintf(stderr, "raw-conv: %s\n", error.what());
    return 1;
  }
}
