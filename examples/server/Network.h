//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NETWORK_H
#define NETWORK_H

#include "FusionRuntime/fusion_runtime.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using Sizes = std::vector<int64_t>;
using Clock = std::chrono::steady_clock; // CLOCK_MONOTONIC

/// The answer to a request: an HTTP status, and bytes or a sentence.
struct Answer {
  unsigned code = 200;
  std::string body;
  /// Of the results, as "1x2xf32, i64"; empty if the body is text.
  std::string shapes;
};

/// Calls of one thread, which end at their deadline.
class Context {
public:
  /// Throws std::bad_alloc.
  Context();
  Context(const Context &) = delete;
  ~Context() { fusion_rt_context_destroy(context); }

  fusion_rt_context *get() const { return context; }

private:
  fusion_rt_context *context;
};

/// A compiled network of which nothing is known but what its object tells. Its
/// arguments are the bytes of one request, one after another, and its results
/// those of the answer. Several threads may use it at once.
class Network {
public:
  /// Throws std::invalid_argument if it cannot be called this way.
  explicit Network(const fusion_rt_entry_info &info);

  const fusion_rt_signature &getSignature() const { return *info.signature; }
  bool isDynamic(int argument) const;
  /// The sizes of an argument; a dynamic one is -1.
  Sizes getSizes(int argument) const;
  /// Names, types and sizes as JSON.
  std::string describe() const;

  /// The bytes of a request whose arguments have these sizes. Throws
  /// std::invalid_argument if these are no sizes.
  size_t countBytes(const std::vector<Sizes> &sizes) const;
  /// Calls the network with `body`, of as many bytes.
  Answer call(Context &context, const std::string &body,
              const std::vector<Sizes> &sizes,
              Clock::time_point deadline) const;

private:
  const fusion_rt_entry_info &info;
};

/// "1x3x?x?xf32", or "f32" of a scalar.
std::string formatShape(const Sizes &sizes, const char *type);

#endif // NETWORK_H
