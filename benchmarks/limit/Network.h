//===- Network.h - A network as a list of primitives ------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_LIMIT_NETWORK_H
#define FUSION_BENCHMARKS_LIMIT_NETWORK_H

#include <cstdint>
#include <string>
#include <vector>

namespace limit {

/// A line of the description, whose format benchmarks/networks/primitives.py
/// documents. Buffers have numbers; -1 is none.
struct Layer {
  std::string kind, activation;
  int64_t dst = -1, src = -1, residual = -1;
  int64_t n = 1, c = 1, h = 1, w = 1; // of an input
  int64_t channels = 1, kernel = 1, stride = 1, pad = 0, end = 0, groups = 1;
};

using Network = std::vector<Layer>;

/// Reads a description. Throws std::runtime_error with the first wrong line.
Network readNetwork(const std::string &path);

/// Whether a layer after `network[index]` reads buffer `number`.
bool isReadAfter(const Network &network, size_t index, int64_t number);

} // namespace limit

#endif // FUSION_BENCHMARKS_LIMIT_NETWORK_H
