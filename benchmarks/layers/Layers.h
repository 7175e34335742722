//===- Layers.h - The layers of layers.py, three ways -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_LAYERS_H
#define FUSION_BENCHMARKS_LAYERS_H

#include "FusionRuntime/fusion_runtime.h"
#include "RawConv.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace layers {

/// A compiled function. Its arguments are memrefs of result, input, filter,
/// bias.
using CompiledFn = void (*)(void *, void *, void *, void *);

struct Case {
  const char *title;
  bool bf16;
  rawconv::Layer layer;
  CompiledFn compiled;
  /// The raw candidate that was best the first time. It is used from then on.
  mutable std::string best = {};

  bool isDepthwise() const {
    return layer.groups > 1 && layer.groups == layer.inputs &&
           layer.groups == layer.outputs;
  }
};

/// Every layer, in f32 and in bf16.
std::vector<Case> allCases();

using Dims = std::vector<int64_t>;

/// An array of small numbers. Zeros and denormals may run at another speed.
struct Array {
  Array(const Dims &sizes, bool bf16);

  Dims strides() const;
  /// The memref as words: allocated, data, offset, sizes, strides.
  std::vector<int64_t> memref() const;
  /// The tensor with its dimensions in the order of `permutation`.
  fusion_rt_tensor tensor(const std::vector<int> &permutation) const;

  struct Free {
    void operator()(char *block) const { std::free(block); }
  };
  Dims sizes;
  std::unique_ptr<char, Free> data;
};

/// The operands of a layer, channels last, as layers.py declares it.
struct Operands {
  explicit Operands(const Case &c);

  Array src, weights, bias, dst;
};

/// Calls a layer through the C runtime.
class RuntimeCall {
public:
  explicit RuntimeCall(const Case &c);
  ~RuntimeCall() { fusion_rt_release(&slot); }
  RuntimeCall(const RuntimeCall &) = delete;
  RuntimeCall &operator=(const RuntimeCall &) = delete;

  fusion_rt_status run() { return fusion_rt_conv(&slot, &args); }
  const char *kernel() { return fusion_rt_slot_kernel(&slot); }

private:
  Operands operands;
  fusion_rt_conv_desc desc{};
  fusion_rt_slot slot{};
  fusion_rt_conv_args args{};
};

/// Calls the function that Fusion compiled for a layer. It allocates its
/// result.
class CompiledCall {
public:
  explicit CompiledCall(const Case &c);

  void run() {
    function(result.data(), src.data(), weights.data(), bias.data());
    std::free(reinterpret_cast<void *>(result[0]));
  }

private:
  CompiledFn function;
  Operands operands;
  std::vector<int64_t> src, weights, bias, result;
};

} // namespace layers

#endif // FUSION_BENCHMARKS_LAYERS_H
