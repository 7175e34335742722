//===- CallerContext.cpp - The context that a thread is in ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallerContext.h"

#include "Support.h"

using namespace fusion::runtime;

constinit thread_local fusion_rt_context *fusion::runtime::callerContext =
    nullptr;

fusion_rt_status fusion_rt_context::check() const {
  if (isCancelled.load(std::memory_order_relaxed))
    return fail(FUSION_RT_CANCELLED, "the context was cancelled");
  int64_t end = deadline.load(std::memory_order_relaxed);
  if (end && nowNs() >= end)
    return fail(FUSION_RT_DEADLINE_EXCEEDED,
                "the deadline of the context has passed");
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_context_create(fusion_rt_context **context) {
  if (!context)
    return fail(invalid(), "'context' must not be null");
  *context = new (std::nothrow) fusion_rt_context;
  if (!*context)
    return fail(FUSION_RT_OUT_OF_MEMORY, "out of memory");
  return FUSION_RT_SUCCESS;
}

void fusion_rt_context_destroy(fusion_rt_context *context) { delete context; }

fusion_rt_context *fusion_rt_context_enter(fusion_rt_context *context) {
  return std::exchange(callerContext, context);
}

/// Runs `body` on a context, if there is one.
template <typename Body>
static fusion_rt_status withContext(fusion_rt_context *context, Body body) {
  if (!context)
    return fail(invalid(), "'context' must not be null");
  body(*context);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_context_cancel(fusion_rt_context *context) {
  return withContext(context,
                     [](auto &context) { context.isCancelled = true; });
}

fusion_rt_status fusion_rt_context_set_deadline(fusion_rt_context *context,
                                                int64_t time) {
  return withContext(context, [=](auto &context) { context.deadline = time; });
}

fusion_rt_status fusion_rt_context_reset(fusion_rt_context *context) {
  return withContext(context, [](auto &context) {
    context.isCancelled = false;
    context.deadline = 0;
  });
}
