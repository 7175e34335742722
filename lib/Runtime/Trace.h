//===- Trace.h - Spans of time for a profiler -------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_TRACE_H
#define FUSION_LIB_RUNTIME_TRACE_H

#include "FusionRuntime/fusion_runtime.h"

#include <atomic>
#include <cstdint>

namespace fusion {
namespace runtime {

/// The copies of one traced call, on all its threads.
struct Copies {
  std::atomic<int64_t> bytes{0}, ns{0};
  std::atomic<int64_t> helpersNs{0}; // for which others worked for the caller
};

/// The work that a thread does.
struct TracedWork {
  Copies *copies = nullptr; // of the call; null if it is not traced
  bool isCopy = false;
};
extern constinit thread_local TracedWork currentWork;

/// Lets this thread work for a call that it makes.
class CallWork {
public:
  explicit CallWork(Copies *copies) : before(currentWork) {
    currentWork = {copies, /*isCopy=*/false};
  }
  ~CallWork() { currentWork = before; }
  CallWork(const CallWork &) = delete;
  CallWork &operator=(const CallWork &) = delete;

private:
  const TracedWork before;
};

/// Counts a copy of `bytes` bytes, with copies that it consists of.
class CopyWork {
public:
  explicit CopyWork(int64_t bytes);
  ~CopyWork();
  CopyWork(const CopyWork &) = delete;
  CopyWork &operator=(const CopyWork &) = delete;

private:
  const TracedWork before;
  int64_t begin = 0; // 0: not counted
};

/// Lets this thread help with `work`, of another thread or its own.
class HelpersWork {
public:
  explicit HelpersWork(TracedWork work);
  ~HelpersWork();
  HelpersWork(const HelpersWork &) = delete;
  HelpersWork &operator=(const HelpersWork &) = delete;

private:
  const TracedWork before;
  int64_t begin = 0; // 0: its own
};

/// Costs one relaxed load.
bool isTracing();

/// Calls the callback, if there is one. Null strings become "".
void trace(const char *name, const char *location, const char *kernel,
           int64_t beginNs, int64_t endNs, const char *steps = "",
           const Copies *copies = nullptr);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_TRACE_H
