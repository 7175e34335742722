//===- Trace.cpp - Spans of time for a profiler ---------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "Support.h"

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

constinit thread_local TracedWork fusion::runtime::currentWork;

CopyWork::CopyWork(int64_t bytes) : before(currentWork) {
  if (!before.copies || before.isCopy)
    return;
  before.copies->bytes += bytes;
  currentWork.isCopy = true;
  begin = nowNs();
}

CopyWork::~CopyWork() {
  if (begin)
    before.copies->ns += nowNs() - begin;
  currentWork = before;
}

HelpersWork::HelpersWork(TracedWork work) : before(currentWork) {
  if (work.copies && work.copies != before.copies)
    begin = nowNs();
  currentWork = work;
}

HelpersWork::~HelpersWork() {
  if (begin) {
    int64_t ns = nowNs() - begin;
    currentWork.copies->helpersNs += ns;
    if (currentWork.isCopy)
      currentWork.copies->ns += ns;
  }
  currentWork = before;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static std::atomic<fusion_rt_trace_fn> traceFn{nullptr};
/// Written while no other thread executes, as the header demands.
static void *traceContext = nullptr;

/// Those of the event that `traceFn` gets on this thread.
static constinit thread_local fusion_rt_copies tracedCopies = {0, 0};

static const char *orEmpty(const char *text) { return text ? text : ""; }

bool fusion::runtime::isTracing() {
  return traceFn.load(std::memory_order_relaxed) != nullptr;
}

/// The part of a call of `callNs` that its threads have spent on copies.
static fusion_rt_copies sumUp(const Copies &copies, int64_t callNs) {
  double ofThreads = double(callNs) + double(copies.helpersNs);
  double share = ofThreads > 0 ? double(copies.ns) / ofThreads : 0;
  return {copies.bytes, static_cast<int64_t>(share * double(callNs))};
}

void fusion::runtime::trace(const char *name, const char *location,
                            const char *kernel, int64_t beginNs, int64_t endNs,
                            const char *steps, const Copies *copies) {
  fusion_rt_trace_fn fn = traceFn.load(std::memory_order_acquire);
  if (!fn)
    return;
  fusion_rt_event event{
      orEmpty(name), orEmpty(location), orEmpty(kernel), beginNs, endNs, steps};
  if (copies)
    tracedCopies = sumUp(*copies, endNs - beginNs);
  fn(&event, traceContext);
  tracedCopies = {};
}

void fusion_rt_get_traced_copies(fusion_rt_copies *copies) {
  if (copies)
    *copies = tracedCopies;
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
