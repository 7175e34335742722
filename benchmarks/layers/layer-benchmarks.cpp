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
// allocates its result. Threads are those of OMP_NUM_THREADS.
//
//===----------------------------------------------------------------------===//

#include "FusionRuntime/fusion_runtime.h"
#include "RawConv.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>

using rawconv::Layer;

extern "C" int omp_get_max_threads(void);

#define LAYER(NAME, ...)                                                       \
  extern "C" void _mlir_ciface_##NAME(void *, void *, void *, void *);
#include "layers.def"
#undef LAYER

namespace {
/// A compiled function: memrefs of result, input, filter and bias.
using CompiledFn = void (*)(void *, void *, void *, void *);

struct Case {
  const char *title;
  bool bf16;
  Layer layer;
  CompiledFn compiled;
  /// The raw candidate that was best the first time; it stays.
  mutable std::string best = {};

  bool isDepthwise() const {
    return layer.groups > 1 && layer.groups == layer.inputs &&
           layer.groups == layer.outputs;
  }
};

using Dims = std::vector<int64_t>;

/// An array of small numbers; zeros and denormals may run at another speed.
struct Array {
  Array(const Dims &sizes, bool bf16) : sizes(sizes) {
    size_t bytes = bf16 ? 2 : 4;
    for (int64_t size : sizes)
      bytes *= size_t(size);
    bytes = (bytes + 63) / 64 * 64;
    data.reset(static_cast<char *>(std::aligned_alloc(64, bytes)));
    // 0x3f is the upper byte of numbers near 1 in f32 and in bf16.
    for (size_t i = 0; i < bytes; ++i)
      data.get()[i] = i % 2 ? 0x3f : static_cast<char>(i * 7);
  }

  Dims strides() const {
    Dims result(sizes.size(), 1);
    for (size_t i = sizes.size() - 1; i > 0; --i)
      result[i - 1] = result[i] * sizes[i];
    return result;
  }

  /// The memref as words: allocated, data, offset, sizes, strides.
  std::vector<int64_t> memref() const {
    auto address = reinterpret_cast<int64_t>(data.get());
    std::vector<int64_t> words{address, address, 0};
    words.insert(words.end(), sizes.begin(), sizes.end());
    for (int64_t stride : strides())
      words.push_back(stride);
    return words;
  }

  /// The tensor with its dimensions in the order of `permutation`.
  fusion_rt_tensor tensor(const std::vector<int> &permutation) const {
    fusion_rt_tensor result{data.get(), {}, {}};
    Dims all = strides();
    for (size_t i = 0; i < permutation.size(); ++i) {
      result.sizes[i] = sizes[permutation[i]];
      result.strides[i] = all[permutation[i]];
    }
    return result;
  }

  struct Free {
    void operator()(char *block) const { std::free(block); }
  };
  Dims sizes;
  std::unique_ptr<char, Free> data;
};

/// What a layer reads and writes, channels last, as layers.py declares it.
struct Operands {
  explicit Operands(const Case &c)
      : src({c.layer.batch, c.layer.height, c.layer.width, c.layer.inputs},
            c.bf16),
        weights(c.isDepthwise()
                    ? Dims{c.layer.kernel, c.layer.kernel, c.layer.outputs}
                    : Dims{c.layer.kernel, c.layer.kernel, c.layer.inputs,
                           c.layer.outputs},
                c.bf16),
        bias({c.layer.outputs}, /*bf16=*/false),
        dst({c.layer.batch, c.layer.outputSize(c.layer.height),
             c.layer.outputSize(c.layer.width), c.layer.outputs},
            c.bf16) {}

  Array src, weights, bias, dst;
};
} // namespace

static std::vector<Case> allCases() {
  std::vector<Case> cases;
#define LAYER(NAME, TITLE, BF16, ...)                                          \
  cases.push_back({TITLE, BF16, Layer{__VA_ARGS__}, _mlir_ciface_##NAME});
#include "layers.def"
#undef LAYER
  return cases;
}

/// The candidate with the best run, of those that are not NCHW and have a
/// kernel other than the reference; null if there is none.
static std::unique_ptr<rawconv::Program> bestProgram(const Case &c,
                                                     dnnl::stream &stream) {
  using Clock = std::chrono::steady_clock;
  std::unique_ptr<rawconv::Program> best;
  Clock::duration bestTime{};
  std::string bestName;
  const auto type =
      c.bf16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
  for (const auto &candidate : rawconv::candidates(c.layer, c.bf16)) {
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
  const Layer &layer = c.layer;
  const int type = c.bf16 ? FUSION_RT_TYPE_BF16 : FUSION_RT_TYPE_F32;
  fusion_rt_conv_desc desc{};
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.flags = FUSION_RT_HAS_BIAS | FUSION_RT_CONSTANT_WEIGHTS;
  desc.spatial_rank = 2;
  desc.src_type = desc.weights_type = desc.dst_type = type;
  desc.activation = FUSION_RT_ACT_RELU;
  desc.groups = layer.groups;
  for (int i = 0; i < 2; ++i) {
    desc.strides[i] = layer.stride;
    desc.dilations[i] = 1;
    desc.pad_low[i] = desc.pad_high[i] = layer.pad;
  }
  fusion_rt_slot slot{&desc, c.title, nullptr};

  Operands operands(c);
  fusion_rt_conv_args args{};
  args.src = operands.src.tensor({0, 3, 1, 2});
  args.dst = operands.dst.tensor({0, 3, 1, 2});
  args.bias = operands.bias.tensor({0});
  if (c.isDepthwise()) {
    args.weights = operands.weights.tensor({2, 2, 0, 1});
    args.weights.sizes[1] = 1;
  } else {
    args.weights = operands.weights.tensor({3, 2, 0, 1});
  }
  if (fusion_rt_conv(&slot, &args) != FUSION_RT_SUCCESS) {
    state.SkipWithError(fusion_rt_last_error());
    return;
  }
  for (auto _ : state)
    fusion_rt_conv(&slot, &args);
  state.SetLabel(fusion_rt_slot_kernel(&slot));
  fusion_rt_release(&slot);
}

static void runCompiled(benchmark::State &state, const Case &c) {
  Operands operands(c);
  std::vector<int64_t> src = operands.src.memref(),
                       weights = operands.weights.memref(),
                       bias = operands.bias.memref(),
                       result(3 + 2 * operands.dst.sizes.size());
  for (auto _ : state) {
    c.compiled(result.data(), src.data(), weights.data(), bias.data());
    std::free(reinterpret_cast<void *>(result[0]));
  }
}

int main(int argc, char **argv) {
  const dnnl_version_t *version = dnnl_version();
  const char *waitPolicy = getenv("OMP_WAIT_POLICY");
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
