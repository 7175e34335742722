//===- Counters.cpp - Numbers of calls ------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counters.h"

#include "CallerContext.h"

using namespace fusion::runtime;

Counters fusion::runtime::counters;

void fusion::runtime::count(std::atomic<uint64_t> Counters::*counter) {
  (counters.*counter).fetch_add(1, std::memory_order_relaxed);
  if (fusion_rt_context *context = callerContext)
    ((*context->counters).*counter).fetch_add(1, std::memory_order_relaxed);
}

void Counters::read(fusion_rt_counters &out) const {
  out.creates = creates;
  out.executes = executes;
  out.weight_packs = weightPacks;
  out.evictions = evictions;
  out.reference_kernels = referenceKernels;
  out.errors = errors;
  out.packed_bytes = packedBytes;
}

void Counters::reset() {
  creates = 0;
  executes = 0;
  weightPacks = 0;
  evictions = 0;
  referenceKernels = 0;
  errors = 0;
}

void fusion_rt_get_counters(fusion_rt_counters *out) {
  if (out)
    counters.read(*out);
}

void fusion_rt_reset_counters(void) { counters.reset(); }

fusion_rt_status
fusion_rt_context_get_counters(const fusion_rt_context *context,
                               fusion_rt_counters *out) {
  if (!context || !out)
    return fail(invalid(), "'context' and 'counters' must not be null");
  context->counters->read(*out);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_context_reset_counters(fusion_rt_context *context) {
  return withContext(context, [](auto &context) { context.counters->reset(); });
}
