//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef METRICS_H
#define METRICS_H

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

/// Counts requests for the network, and the time until their answers.
class Metrics {
public:
  void count(unsigned code, std::chrono::duration<double> seconds);
  /// All in the text format of Prometheus.
  std::string format(size_t queueLength, size_t queueCapacity) const;

private:
  static constexpr std::array<double, 12> bounds = {
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5};

  mutable std::mutex mutex;
  std::map<unsigned, uint64_t> answers; // by HTTP status
  /// Answers that took up to each bound and no less; the last took longer.
  std::array<uint64_t, bounds.size() + 1> buckets = {};
  double seconds = 0;
};

#endif // METRICS_H
