//===- Counters.h - Numbers of calls ----------------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_COUNTERS_H
#define FUSION_LIB_RUNTIME_COUNTERS_H

#include "FusionRuntime/fusion_runtime.h"

#include <atomic>
#include <cstdint>

namespace fusion {
namespace runtime {

struct Counters {
  std::atomic<uint64_t> creates{0};
  std::atomic<uint64_t> executes{0};
  std::atomic<uint64_t> weightPacks{0};
  std::atomic<uint64_t> evictions{0};
  std::atomic<uint64_t> referenceKernels{0};
  std::atomic<uint64_t> errors{0};
  std::atomic<uint64_t> packedBytes{0};

  void read(fusion_rt_counters &out) const;
  /// Sets all but `packedBytes` to 0.
  void reset();
};

/// Those of the process.
extern Counters counters;

/// Adds 1 to a counter of the process and of the thread's context.
void count(std::atomic<uint64_t> Counters::*counter);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_COUNTERS_H
