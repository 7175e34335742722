//===- Verbose.h - Primitives in oneDNN's own words -------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_KERNELS_VERBOSE_H
#define FUSION_BENCHMARKS_KERNELS_VERBOSE_H

#include <dnnl.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernels {

/// One execution, as oneDNN writes it with DNNL_VERBOSE=1. Equal ones have
/// equal keys.
struct Execution {
  std::string kind; // convolution, matmul
  std::string implementation;
  // By src, wei, bia and dst.
  std::map<std::string, dnnl::memory::data_type> types;
  std::map<std::string, std::string> tags; // the letters of dimensions
  std::string postOps;
  std::string problem; // of a convolution mb1_ic64oc64_ih56oh56kh3...

  std::string key() const;
};

std::vector<std::string> split(const std::string &text, char separator);

/// Nothing for other lines, and for primitives of other kinds. Throws
/// std::invalid_argument for a line of these kinds that it does not understand.
std::optional<Execution> readExecution(const std::string &line);

/// The operands of `execution`, dense, in the layouts that it names. Weights of
/// a convolution have any layout, and so has what is laid out in blocks.
struct Operands {
  dnnl::memory::desc src, weights, bias, dst;
  bool hasBias = false;
  // Of a convolution; oneDNN's dilations, 0 of dense windows.
  dnnl::memory::dims strides, dilations, padLow, padHigh;
};
Operands describe(const Execution &execution);

} // namespace kernels

#endif // FUSION_BENCHMARKS_KERNELS_VERBOSE_H
