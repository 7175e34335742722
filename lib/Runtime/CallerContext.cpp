//===- CallerContext.cpp - The context that a thread is in ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallerContext.h"

#include "Context.h"
#include "Fork.h"

using namespace fusion::runtime;

constinit thread_local fusion_rt_context *fusion::runtime::callerContext =
    nullptr;

static std::atomic<uint64_t> lastId{0};

fusion_rt_context::fusion_rt_context() : id(++lastId) {}

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
  *context = nullptr;
  return guarded([&] {
    *context = new fusion_rt_context;
    return FUSION_RT_SUCCESS;
  });
}

void fusion_rt_context_destroy(fusion_rt_context *context) { delete context; }

fusion_rt_context *fusion_rt_context_enter(fusion_rt_context *context) {
  fusion_rt_context *before = std::exchange(callerContext, context);
  // Its allocator may end with the context.
  if (Thread *thread = Thread::peek();
      thread && before && before != context && before->hasAllocator)
    thread->freeMemory();
  return before;
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

fusion_rt_status fusion_rt_context_set_error_handler(
    fusion_rt_context *context, fusion_rt_error_handler handler, void *data) {
  return withContext(context, [=](auto &context) {
    std::lock_guard<std::mutex> lock(settingsMutex);
    context.errorHandler = {handler, data};
  });
}

fusion_rt_status fusion_rt_context_set_allocator(fusion_rt_context *context,
                                                 fusion_rt_alloc_fn alloc,
                                                 fusion_rt_free_fn free,
                                                 void *data) {
  if (auto status = checkAllocator(alloc, free))
    return status;
  return withContext(context, [=](auto &context) {
    std::lock_guard<std::mutex> lock(settingsMutex);
    context.allocator = {alloc, free, data};
    context.hasAllocator = alloc != nullptr;
  });
}

fusion_rt_status fusion_rt_context_set_log(fusion_rt_context *context,
                                           fusion_rt_log_fn fn, void *data) {
  return withContext(context, [=](auto &context) {
    std::lock_guard<std::mutex> lock(settingsMutex);
    context.log = {fn, data};
    context.hasLog = fn != nullptr;
  });
}
