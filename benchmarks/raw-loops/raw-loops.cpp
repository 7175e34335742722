//===- raw-loops.cpp - What is between convolutions, in oneDNN ------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times one primitive of oneDNN on f32 matrices, or memcpy, and prints the
// median and the least time in microseconds as JSON. benchmarks/loops.py runs
// it.
//
// usage: raw-loops softmax|exp|add|copy REPEAT ROWS COLUMNS
//        raw-loops concat REPEAT ROWS COLUMNS...
//
//===----------------------------------------------------------------------===//

#include "../Arguments.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dnnl.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

using dnnl::memory;

static const auto inference = dnnl::prop_kind::forward_inference;

static memory::desc matrix(int64_t rows, int64_t columns) {
  return {{rows, columns}, memory::data_type::f32, memory::format_tag::ab};
}

static memory makeMemory(const memory::desc &desc, const dnnl::engine &engine) {
  memory made(desc, engine);
  float *data = static_cast<float *>(made.get_data_handle());
  for (size_t i = 0; i < desc.get_size() / sizeof(float); ++i)
    data[i] = float(i % 1999) / 1000 - 1;
  return made;
}

static dnnl::primitive makeSoftmax(const memory::desc &desc,
                                   const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::softmax_forward(
      {engine, inference, dnnl::algorithm::softmax_accurate, desc, desc, 1});
#else
  return dnnl::softmax_forward({{inference, desc, 1}, engine});
#endif
}

static dnnl::primitive makeExp(const memory::desc &desc,
                               const dnnl::engine &engine) {
  const auto exp = dnnl::algorithm::eltwise_exp;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::eltwise_forward({engine, inference, exp, desc, desc, 0, 0});
#else
  return dnnl::eltwise_forward({{inference, exp, desc, 0, 0}, engine});
#endif
}

static dnnl::primitive makeAdd(const memory::desc &desc,
                               const dnnl::engine &engine) {
  const auto add = dnnl::algorithm::binary_add;
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::binary({engine, add, desc, desc, desc});
#else
  return dnnl::binary({{add, desc, desc, desc}, engine});
#endif
}

static dnnl::primitive makeConcat(const std::vector<memory::desc> &sources,
                                  const memory::desc &result,
                                  const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  return dnnl::concat({engine, result, 1, sources});
#else
  return dnnl::concat({result, 1, sources, engine});
#endif
}

/// The program to run and time.
static std::function<void()> makeProgram(const std::string &op, int64_t rows,
                                         const std::vector<int64_t> &columns,
                                         const dnnl::engine &engine) {
  int64_t width = 0;
  std::vector<memory::desc> sources;
  std::vector<memory> memories;
  for (int64_t part : columns) {
    width += part;
    sources.push_back(matrix(rows, part));
    memories.push_back(makeMemory(sources.back(), engine));
  }
  memory::desc desc = matrix(rows, width);
  memory result = makeMemory(desc, engine);
  if (op == "copy")
    return [=] {
      std::memcpy(result.get_data_handle(), memories[0].get_data_handle(),
                  desc.get_size());
    };
  std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, memories[0]},
                                            {DNNL_ARG_DST, result}};
  dnnl::primitive primitive;
  if (op == "softmax") {
    primitive = makeSoftmax(desc, engine);
  } else if (op == "exp") {
    primitive = makeExp(desc, engine);
  } else if (op == "add") {
    primitive = makeAdd(desc, engine);
    arguments.insert({DNNL_ARG_SRC_1, makeMemory(desc, engine)});
  } else if (op == "concat") {
    primitive = makeConcat(sources, desc, engine);
    arguments.erase(DNNL_ARG_SRC);
    for (size_t i = 0; i < memories.size(); ++i)
      arguments.insert({DNNL_ARG_MULTIPLE_SRC + int(i), memories[i]});
  } else {
    fprintf(stderr, "raw-loops: unknown operation '%s'\n", op.c_str());
    exit(2);
  }
  dnnl::stream stream(engine);
  return [=]() mutable {
    primitive.execute(stream, arguments);
    stream.wait();
  };
}

static void run(const char *name, int repeat, int64_t rows,
                const std::vector<int64_t> &columns) {
  using Clock = std::chrono::steady_clock;
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  auto program = makeProgram(name, rows, columns, engine);
  std::vector<double> times;
  for (int i = -5; i < repeat; ++i) {
    Clock::time_point begin = Clock::now();
    program();
    if (i >= 0)
      times.push_back(
          std::chrono::duration<double, std::micro>(Clock::now() - begin)
              .count());
  }
  std::sort(times.begin(), times.end());
  printf("{\"median_us\": %g, \"min_us\": %g}\n", times[times.size() / 2],
         times[0]);
}

int main(int argc, char **argv) {
  int repeat = 0;
  int64_t rows = 0;
  std::vector<int64_t> columns(argc > 4 ? argc - 4 : 0);
  bool isGood = !columns.empty() && parseNumber(argv[2], 1, repeat) &&
                parseNumber<int64_t>(argv[3], 1, rows);
  for (size_t i = 0; i < columns.size(); ++i)
    isGood = isGood && parseNumber<int64_t>(argv[4 + i], 1, columns[i]);
  if (!isGood) {
    fprintf(stderr, "usage: raw-loops softmax|exp|add|copy|concat REPEAT ROWS "
                    "COLUMNS...\n");
    return 2;
  }
  try {
    run(argv[1], repeat, rows, columns);
  } catch (const std::exception &error) {
    fprintf(stderr, "raw-loops: %s\n", error.what());
    return 1;
  }
  return 0;
}
