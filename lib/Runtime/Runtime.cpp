//===- Runtime.cpp - The calls of the C interface -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "CallerContext.h"
#include "Context.h"
#include "Fork.h"
#include "Parallel.h"
#include "Trace.h"
#include "Verbose.h"

#include <cstdio>
#include <cstdlib>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Reports a call that ran from `begin` to now to tracers and readers of
/// FUSION_VERBOSE. The time includes finding the kernel. In a network that
/// takes half a microsecond, since the caches have lost its data since the last
/// call.
static void report(const SlotState &state, const Entry &entry, int64_t begin,
                   const char *location, const Copies &copies) {
  int64_t end = nowNs();
  if (isVerbose())
    verboseExecute(state.descriptor.function, entry, end - begin, location);
  if (const char *kernel = isTracing() ? kernelName(entry) : nullptr)
    trace(opName(state.descriptor.function), location, kernel, begin, end,
          stepsOfCall(state.descriptor, entry).c_str(), &copies);
}

static fusion_rt_status runSlot(fusion_rt_function function,
                                fusion_rt_slot &slot,
                                const fusion_rt_conv_args &args) {
  Copies copies;
  CallWork work(isTracing() ? &copies : nullptr);
  bool isTimed = isTracing() || isVerbose();
  int64_t begin = isTimed ? nowNs() : 0;
  SlotState *state;
  if (auto status = SlotState::get(slot, function, state))
    return status;
  Thread &thread = Thread::current();
  Context *context;
  if (auto status = thread.context(*state, args, slot.location, context))
    return status;
  const Entry &entry = context->entry();
  if (auto status = validateAddresses(state->descriptor, entry.problem, args))
    return status;
  if (auto status = thread.run(*context, *state, args, slot.location))
    return status;
  count(&Counters::executes);
  if (const char *kernel = kernelName(entry))
    state->kernel.store(kernel, std::memory_order_relaxed);
  if (isTimed)
    report(*state, entry, begin, slot.location, copies);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status call(fusion_rt_function function, fusion_rt_slot *slot,
                             const fusion_rt_conv_args *args) {
  if (!slot)
    return fail(FUSION_RT_INVALID_ARGUMENT, "'slot' must not be null");
  auto status = guarded([&] {
    if (!args)
      return fail(FUSION_RT_INVALID_ARGUMENT, "'args' must not be null");
    if (auto status = refuseInAllocator(opName(function)))
      return status;
    if (auto status = checkContext())
      return status;
    return runSlot(function, *slot, *args);
  });
  if (status && isVerbose())
    verboseRefuse(function, status, slot->location);
  return status;
}

fusion_rt_status fusion_rt_conv(fusion_rt_slot *slot,
                                const fusion_rt_conv_args *args) {
  return call(FUSION_RT_FUNCTION_CONV, slot, args);
}

fusion_rt_status fusion_rt_deconv(fusion_rt_slot *slot,
                                  const fusion_rt_conv_args *args) {
  return call(FUSION_RT_FUNCTION_DECONV, slot, args);
}

fusion_rt_status fusion_rt_matmul(fusion_rt_slot *slot,
                                  const fusion_rt_matmul_args *args) {
  return call(FUSION_RT_FUNCTION_MATMUL, slot, args);
}

/// The descriptor of the slot says whether scales follow the operands.
static const fusion_rt_conv_args *
operandsOf(const fusion_rt_quantized_args *args) {
  return reinterpret_cast<const fusion_rt_conv_args *>(args);
}

fusion_rt_status
fusion_rt_quantized_conv(fusion_rt_slot *slot,
                         const fusion_rt_quantized_args *args) {
  return call(FUSION_RT_FUNCTION_QUANTIZED_CONV, slot, operandsOf(args));
}

fusion_rt_status
fusion_rt_quantized_matmul(fusion_rt_slot *slot,
                           const fusion_rt_quantized_args *args) {
  return call(FUSION_RT_FUNCTION_QUANTIZED_MATMUL, slot, operandsOf(args));
}

fusion_rt_status fusion_rt_pool(fusion_rt_slot *slot,
                                const fusion_rt_conv_args *args) {
  return call(FUSION_RT_FUNCTION_POOL, slot, args);
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

static fusion_rt_status prepareSlot(fusion_rt_function function,
                                    fusion_rt_slot &slot,
                                    const fusion_rt_conv_args &args) {
  SlotState *state;
  if (auto status = SlotState::get(slot, function, state))
    return status;
  NoForkScope noFork;
  std::shared_ptr<Entry> entry;
  if (auto status = state->entry(args, isInPlace(state->descriptor, args),
                                 fusion_rt_get_num_threads(),
                                 /*hasAddresses=*/false, slot.location, entry))
    return status;
  if (entry->kind == Entry::Kind::Kernel && args.weights.data &&
      state->descriptor.hasConstantWeights() && entry->plan->packsWeights())
    state->weights(*entry, args.weights.data, slot.location);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status prepare(fusion_rt_function function,
                                fusion_rt_slot *slot,
                                const fusion_rt_conv_args *args) {
  if (!slot)
    return fail(FUSION_RT_INVALID_ARGUMENT, "'slot' must not be null");
  auto status = guarded([&] {
    if (!args)
      return fail(FUSION_RT_INVALID_ARGUMENT, "'args' must not be null");
    if (auto status = refuseInAllocator("prepare"))
      return status;
    if (auto status = checkContext())
      return status;
    return prepareSlot(function, *slot, *args);
  });
  if (status && isVerbose())
    verboseRefuse(function, status, slot->location);
  return status;
}

fusion_rt_status fusion_rt_prepare(fusion_rt_function function,
                                   fusion_rt_slot *slot,
                                   const fusion_rt_conv_args *args) {
  auto number = static_cast<unsigned>(function);
  if (number > FUSION_RT_FUNCTION_POOL)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'function' must be a fusion_rt_function without a "
                "quantization, got %u",
                number);
  return prepare(function, slot, args);
}

fusion_rt_status
fusion_rt_prepare_quantized(fusion_rt_function function, fusion_rt_slot *slot,
                            const fusion_rt_quantized_args *args) {
  if (function != FUSION_RT_FUNCTION_QUANTIZED_CONV &&
      function != FUSION_RT_FUNCTION_QUANTIZED_MATMUL)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'function' must be a fusion_rt_function with a quantization, "
                "got %u",
                static_cast<unsigned>(function));
  return prepare(function, slot, operandsOf(args));
}

void fusion_rt_prepare_checked(fusion_rt_function function,
                               fusion_rt_slot *slot,
                               const fusion_rt_conv_args *args) {
  checkStatus(fusion_rt_prepare(function, slot, args), slot);
}

void fusion_rt_prepare_quantized_checked(fusion_rt_function function,
                                         fusion_rt_slot *slot,
                                         const fusion_rt_quantized_args *args) {
  checkStatus(fusion_rt_prepare_quantized(function, slot, args), slot);
}

//===----------------------------------------------------------------------===//
// Errors of compiled code
//===----------------------------------------------------------------------===//

static void defaultErrorHandler(fusion_rt_status status, const char *message,
                                void *) {
  fprintf(stderr, "fusion runtime error: %s: %s\n",
          fusion_rt_status_string(status), message);
  abort();
}

static ErrorHandler errorHandler = {defaultErrorHandler, nullptr};

void fusion_rt_set_error_handler(fusion_rt_error_handler handler,
                                 void *context) {
  std::lock_guard<std::mutex> lock(settingsMutex);
  errorHandler = {handler ? handler : defaultErrorHandler, context};
}

void fusion::runtime::checkStatus(fusion_rt_status status,
                                  const fusion_rt_slot *slot) {
  if (status == FUSION_RT_SUCCESS)
    return;
  const char *location = slot ? slot->location : nullptr;
  char message[1024];
  snprintf(message, sizeof(message), "%s (%s)", lastError(),
           location ? location : "unknown location");
  // In a call that returns a status, the error ends that call.
  if (CallScope *scope = CallScope::current())
    scope->leave(status, slot ? message : lastError());
  ErrorHandler handler;
  {
    std::lock_guard<std::mutex> lock(settingsMutex);
    if (callerContext)
      handler = callerContext->errorHandler;
    if (!handler.fn)
      handler = errorHandler;
  }
  handler.fn(status, message, handler.context);
}

template <typename Args>
static void callChecked(fusion_rt_status (*fn)(fusion_rt_slot *, const Args *),
                        fusion_rt_slot *slot, const Args *args) {
  fusion_rt_status status;
  {
    CompiledCodeScope scope;
    status = fn(slot, args);
  }
  checkStatus(status, slot); // the handler may jump
}

void fusion_rt_conv_checked(fusion_rt_slot *slot,
                            const fusion_rt_conv_args *args) {
  callChecked(fusion_rt_conv, slot, args);
}

void fusion_rt_deconv_checked(fusion_rt_slot *slot,
                              const fusion_rt_conv_args *args) {
  callChecked(fusion_rt_deconv, slot, args);
}

void fusion_rt_matmul_checked(fusion_rt_slot *slot,
                              const fusion_rt_matmul_args *args) {
  callChecked(fusion_rt_matmul, slot, args);
}

void fusion_rt_pool_checked(fusion_rt_slot *slot,
                            const fusion_rt_conv_args *args) {
  callChecked(fusion_rt_pool, slot, args);
}

void fusion_rt_quantized_conv_checked(fusion_rt_slot *slot,
                                      const fusion_rt_quantized_args *args) {
  callChecked(fusion_rt_quantized_conv, slot, args);
}

void fusion_rt_quantized_matmul_checked(fusion_rt_slot *slot,
                                        const fusion_rt_quantized_args *args) {
  callChecked(fusion_rt_quantized_matmul, slot, args);
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void fusion_rt_release(fusion_rt_slot *slot) {
  if (!slot || !SlotState::peek(*slot) || isCutChild())
    return;
  NoForkScope noFork;
  SlotState::release(*slot);
  bool isLast = isEverySlotFresh();
  trimBackendCache(isLast ? 0 : unusedPrimitives);
  // Without slots the scratch memory is not needed. Only this thread's can be
  // freed.
  if (Thread *thread = Thread::peek(); thread && isLast)
    thread->freeMemory();
}

const char *fusion_rt_slot_kernel(const fusion_rt_slot *slot) {
  SlotState *state = slot ? SlotState::peek(*slot) : nullptr;
  return state ? state->kernel.load(std::memory_order_relaxed) : nullptr;
}

void fusion_rt_clear_caches(void) {
  if (isCutChild())
    return;
  NoForkScope noFork;
  dropAllEntries();
  if (Thread *thread = Thread::peek()) {
    thread->dropStaleContexts();
    thread->freeMemory();
  }
  trimBackendCache(0);
}
