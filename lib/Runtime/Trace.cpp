//===- Trace.cpp - Spans of time for a profiler ---------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "Support.h"

#include <atomic>

using namespace fusion::runtime;

static std::atomic<fusion_rt_trace_fn> traceFn{nullptr};
/// Written while no other thread executes, as the header demands.
static void *traceContext = nullptr;

static const char *orEmpty(const char *text) { return text ? text : ""; }

bool fusion::runtime::isTracing() {
  return traceFn.load(std::memory_order_relaxed) != nullptr;
}

void fusion::runtime::trace(const char *name, const char *location,
                            const char *kernel, int64_t beginNs, int64_t endNs,
                            const char *steps) {
  fusion_rt_trace_fn fn = traceFn.load(std::memory_order_acquire);
  if (!fn)
    return;
  fusion_rt_event event{
      orEmpty(name), orEmpty(location), orEmpty(kernel), beginNs, endNs, steps};
  fn(&event, traceContext);
}

void fusion_rt_set_trace(fusion_rt_trace_fn fn, void *context) {
  traceContext = context;
  traceFn.store(fn, std::memory_order_release);
}

int64_t fusion_rt_trace_begin(void) { return isTracing() ? nowNs() : 0; }

void fusion_rt_trace_end(int64_t beginNs, const char *name,
                         const char *location) {
  // 0: tracing was off when the region began.
  if (beginNs && isTracing())
    trace(name, location, nullptr, beginNs, nowNs());
}
