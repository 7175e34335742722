//===- kernels.cpp - The kernels that could have been chosen --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: DNNL_VERBOSE=1 fusion-run FILE --threads=1 --repeat=1 | kernels
// [--rounds=N]
//
// Times each convolution and matrix multiplication that oneDNN says to have
// executed in every implementation that oneDNN has for it, on one thread: with
// src and dst in the layouts that they had, and (in brackets) in any. Rounds of
// all implementations take turns; user time counts. A best one is chosen by the
// median of the even rounds, and counts with that of the odd ones, so that
// chance chooses nothing. Prints for each different execution how many there
// were, the implementation that was executed, and the times in us of all that
// take at most twice as long as the best one at first, and of the executed one.
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"
#include "OneDnn/OneDnnCompat.h"
#include "Verbose.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <limits>

using namespace kernels;
namespace runtime = fusion::runtime;

extern "C" void omp_set_num_threads(int);

namespace {
/// An implementation of a primitive, with its operands.
struct Candidate {
  std::string name;
  bool keepsLayouts;
  dnnl::primitive_desc_base pd;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments = {};
  double first = 0;                        // us, of the second call
  int calls = 1;                           // in a round
  std::vector<double> even = {}, odd = {}; // us, of rounds
};

/// Times in us of the candidates for an execution.
struct Times {
  double executed = 0, bestInLayout = 0, best = 0;
};
} // namespace

static const dnnl::engine &engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static double userMicroseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static void appendPostOp(dnnl::post_ops &ops, const std::string &text) {
  static const std::map<std::string, dnnl::algorithm> algorithms{
      {"eltwise_relu", dnnl::algorithm::eltwise_relu},
      {"eltwise_clip", dnnl::algorithm::eltwise_clip},
      {"eltwise_clip_v2", dnnl::algorithm::eltwise_clip_v2},
      {"eltwise_swish", dnnl::algorithm::eltwise_swish},
      {"eltwise_hardswish", dnnl::algorithm::eltwise_hardswish},
      {"eltwise_logistic", dnnl::algorithm::eltwise_logistic},
      {"eltwise_tanh", dnnl::algorithm::eltwise_tanh},
      {"eltwise_gelu_erf", dnnl::algorithm::eltwise_gelu_erf},
      {"eltwise_gelu_tanh", dnnl::algorithm::eltwise_gelu_tanh},
      {"eltwise_linear", dnnl::algorithm::eltwise_linear},
      {"eltwise_round", dnnl::algorithm::eltwise_round}};
  // eltwise_clip:0:6
  std::vector<std::string> parts = split(text, ':');
  if (parts[0] == "sum") // sum:SCALE:ZERO
    return ops.append_sum(parts.size() > 1 ? std::stof(parts[1]) : 1,
                          parts.size() > 2 ? std::stoi(parts[2]) : 0);
  auto algorithm = algorithms.find(parts[0]);
  if (algorithm == algorithms.end())
    throw std::invalid_argument("post-op " + text);
  auto number = [&](size_t i) {
    return i < parts.size() ? std::stof(parts[i]) : 0;
  };
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(algorithm->second, number(1), number(2));
#else
  ops.append_eltwise(1, algorithm->second, number(1), number(2));
#endif
}

static dnnl::primitive_attr makeAttributes(const Execution &execution) {
  dnnl::post_ops ops;
  if (!execution.postOps.empty())
    for (const std::string &op : split(execution.postOps, '+'))
      appendPostOp(ops, op);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

/// The first implementation with none of `avoided` in its name; empty if there
/// is none.
static dnnl::primitive_desc_base
create(const Execution &execution, const Operands &operands,
       const dnnl::primitive_attr &attr,
       const std::vector<const char *> &avoided) {
  const dnnl::memory::desc *bias = operands.hasBias ? &operands.bias : nullptr;
  if (execution.kind == "matmul")
    return runtime::createMatmul(
        {operands.src, operands.weights, bias, operands.dst, avoided}, attr,
        engine());
  return runtime::createConvolution(
      {operands.src, operands.weights, bias, operands.dst, operands.strides,
       operands.dilations, operands.padLow, operands.padHigh,
       dnnl::algorithm::convolution_direct, avoided},
      attr, engine());
}

/// The kinds of operands, with their places in a primitive's description.
struct Place {
  int argument;
  dnnl::query query;
  int index;
};
static const Place places[] = {
    {DNNL_ARG_SRC, dnnl::query::src_md, 0},
    {DNNL_ARG_WEIGHTS, dnnl::query::weights_md, 0},
    {DNNL_ARG_BIAS, dnnl::query::weights_md, 1},
    {DNNL_ARG_DST, dnnl::query::dst_md, 0},
    {DNNL_ARG_SCRATCHPAD, dnnl::query::scratchpad_md, 0}};

/// Gives the candidates their operands, in which each number is 0.05, in f32
/// and in bf16. All use the same memory, which the caches hold as in a network.
/// It begins at different offsets in a page, as addresses that differ by whole
/// pages stall each other.
static void addOperands(std::vector<Candidate> &candidates,
                        std::vector<std::vector<char>> &buffers) {
  constexpr size_t page = 4096, step = 576;
  for (const Place &place : places) {
    size_t size = 0;
    for (const Candidate &candidate : candidates)
      size = std::max(
          size, candidate.pd.query_md(place.query, place.index).get_size());
    size_t offset = buffers.size() * step;
    std::vector<char> &buffer =
        buffers.emplace_back(size + offset + page, 0x3d);
    auto begin = reinterpret_cast<uintptr_t>(buffer.data());
    char *data = buffer.data() + (page - begin % page) + offset;
    for (Candidate &candidate : candidates) {
      dnnl::memory::desc desc = candidate.pd.query_md(place.query, place.index);
      if (desc.get_size() != 0)
        candidate.arguments.emplace(place.argument,
                                    dnnl::memory(desc, engine(), data));
    }
  }
}

/// Adds all implementations but those of the reference.
static void addCandidates(const Execution &execution, Operands operands,
                          bool keepsLayouts,
                          std::vector<Candidate> &candidates) {
  dnnl::primitive_attr attr = makeAttributes(execution);
  std::vector<std::string> names;
  while (true) {
    std::vector<const char *> avoided{"ref"};
    for (const std::string &name : names)
      avoided.push_back(name.c_str());
    dnnl::primitive_desc_base pd = create(execution, operands, attr, avoided);
    if (!pd)
      return;
    names.push_back(pd.impl_info_str());
    candidates.push_back(
        {names.back(), keepsLayouts, pd, dnnl::primitive(pd.get())});
  }
}

static std::vector<Candidate> makeCandidates(const Execution &execution) {
  std::vector<Candidate> candidates;
  Operands operands = describe(execution);
  addCandidates(execution, operands, /*keepsLayouts=*/true, candidates);
  for (dnnl::memory::desc *desc : {&operands.src, &operands.dst})
    *desc = {runtime::sizesOf(*desc), runtime::typeOf(*desc),
             dnnl::memory::format_tag::any};
  addCandidates(execution, operands, /*keepsLayouts=*/false, candidates);
  return candidates;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// The time of a call in us.
static double measure(Candidate &candidate, dnnl::stream &stream) {
  double begin = userMicroseconds();
  for (int call = 0; call < candidate.calls; ++call)
    candidate.primitive.execute(stream, candidate.arguments);
  return (userMicroseconds() - begin) / candidate.calls;
}

/// Makes the code of all candidates, and drops those but `executed` that take
/// over twice as long as the best one.
static void warmUp(std::vector<Candidate> &candidates,
                   const std::string &executed, dnnl::stream &stream) {
  constexpr double leastRound = 100; // us
  double best = std::numeric_limits<double>::max();
  for (Candidate &candidate : candidates) {
    measure(candidate, stream);
    candidate.first = measure(candidate, stream);
    best = std::min(best, candidate.first);
    candidate.calls = int(std::clamp(leastRound / candidate.first, 1.0, 100.0));
  }
  std::erase_if(candidates, [&](const Candidate &candidate) {
    return candidate.first > 2 * best && candidate.name != executed;
  });
}

static void runRounds(std::vector<Candidate> &candidates,
                      const std::string &executed, int rounds) {
  dnnl::stream stream(engine());
  warmUp(candidates, executed, stream);
  for (int round = 0; round < rounds; ++round)
    for (Candidate &candidate : candidates)
      (round % 2 ? candidate.odd : candidate.even)
          .push_back(measure(candidate, stream));
}

/// Prints the times of all candidates, those in any layout in brackets.
static void print(const std::vector<Candidate> &candidates) {
  for (const Candidate &candidate : candidates)
    printf(candidate.keepsLayouts ? "  %s %.1f" : "  (%s %.1f)",
           candidate.name.c_str(), median(candidate.odd));
  puts("");
  fflush(stdout);
}

static Times timeExecution(const Execution &execution, int rounds) {
  std::vector<Candidate> candidates = makeCandidates(execution);
  std::vector<std::vector<char>> buffers;
  addOperands(candidates, buffers);
  runRounds(candidates, execution.implementation, rounds);
  print(candidates);
  const Candidate *executed = nullptr, *inLayout = nullptr, *best = nullptr;
  auto keepBetter = [](const Candidate *&best, const Candidate &candidate) {
    if (!best || median(candidate.even) < median(best->even))
      best = &candidate;
  };
  for (const Candidate &candidate : candidates) {
    keepBetter(best, candidate);
    if (!candidate.keepsLayouts)
      continue;
    keepBetter(inLayout, candidate);
    if (candidate.name == execution.implementation)
      executed = &candidate;
  }
  if (!executed || !inLayout)
    throw std::runtime_error("no time of " + execution.implementation);
  return {median(executed->odd), median(inLayout->odd), median(best->odd)};
}

/// The executions of oneDNN's output, with their numbers.
static std::map<std::string, std::pair<Execution, int>> readAll() {
  std::map<std::string, std::pair<Execution, int>> result;
  for (std::string line; std::getline(std::cin, line);)
    if (std::optional<Execution> execution = readExecution(line))
      ++result.try_emplace(execution->key(), *execution, 0)
            .first->second.second;
  return result;
}

static void run(int rounds) {
  omp_set_num_threads(1);
  auto executions = readAll();
  if (executions.empty())
    throw std::runtime_error("standard input has no execution of a convolution "
                             "or matrix multiplication; oneDNN writes them "
                             "with DNNL_VERBOSE=1");
  Times sum;
  for (const auto &[key, counted] : executions) {
    const auto &[execution, count] = counted;
    printf("%d %s %s %s, %s, us:", count, execution.kind.c_str(),
           execution.problem.c_str(), execution.postOps.c_str(),
           execution.implementation.c_str());
    // The reference may take minutes, and a tensor that is added has no
    // descriptor in the line.
    if (execution.implementation.find("ref") != std::string::npos ||
        execution.postOps.find("binary") != std::string::npos) {
      puts("  not timed");
      continue;
    }
    Times times = timeExecution(execution, rounds);
    sum.executed += count * times.executed;
    sum.bestInLayout += count * times.bestInLayout;
    sum.best += count * times.best;
  }
  printf("all: %.0f us, the best %.3f of it, in any layout %.3f\n",
         sum.executed, sum.bestInLayout / sum.executed,
         sum.best / sum.executed);
}

int main(int argc, char **argv) {
  int rounds = 31;
  for (int i = 1; i < argc; ++i) {
    const char *value = valueOf(argv[i], "--rounds=");
    if (!value || !parseNumber(value, 2, rounds)) {
      fprintf(stderr, "usage: DNNL_VERBOSE=1 fusion-run FILE --threads=1 |"
                      " kernels [--rounds=N]\n");
      return 2;
    }
  }
  try {
    run(rounds);
  } catch (const std::exception &error) {
    fprintf(stderr, "kernels: %s\n", error.what());
    return 1;
  }
}
