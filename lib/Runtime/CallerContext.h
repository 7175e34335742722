//===- CallerContext.h - The context that a thread is in --------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CALLERCONTEXT_H
#define FUSION_LIB_RUNTIME_CALLERCONTEXT_H

#include "Counters.h"
#include "FusionRuntime/fusion_runtime.h"
#include "Support.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace fusion {
namespace runtime {

// Functions of the caller. settingsMutex protects them.

struct ErrorHandler {
  fusion_rt_error_handler fn = nullptr;
  void *context = nullptr;
};

struct Allocator {
  fusion_rt_alloc_fn alloc = nullptr;
  fusion_rt_free_fn release = nullptr;
  void *context = nullptr;
};

struct Log {
  fusion_rt_log_fn fn = nullptr;
  void *context = nullptr;
};

} // namespace runtime
} // namespace fusion

/// Settings that several threads may read while another one writes them.
struct fusion_rt_context {
  fusion_rt_context();

  std::atomic<bool> isCancelled{false};
  std::atomic<int64_t> deadline{0};      // 0: none
  std::atomic<int32_t> threads{0};       // 0: as many as in the process
  std::atomic<int32_t> cacheCapacity{0}; // 0: only the limit of the process
  /// Tells it from other contexts, those that are gone too. Never 0.
  const uint64_t id;
  /// Settings of the process where they are null.
  fusion::runtime::ErrorHandler errorHandler;
  fusion::runtime::Allocator allocator;
  fusion::runtime::Log log;
  /// Whether there are such functions, for readers without the lock.
  std::atomic<bool> hasAllocator{false}, hasLog{false};

  /// Shared with the weights that were packed in the context.
  const std::shared_ptr<fusion::runtime::Counters> counters =
      std::make_shared<fusion::runtime::Counters>();

  /// Fails if the calls in the context are to end.
  fusion_rt_status check() const;
};

namespace fusion {
namespace runtime {

/// The context that this thread is in, or null.
extern constinit thread_local fusion_rt_context *callerContext;

/// The allocator for this thread's calls, that of its context or of the
/// process. Has no functions if none is set.
Allocator callersAllocator();

/// The number of the context that this thread is in; 0 if it is in none.
inline uint64_t callersId() { return callerContext ? callerContext->id : 0; }

/// Fails if the calls in this thread's context are to end.
inline fusion_rt_status checkContext() {
  const fusion_rt_context *context = callerContext;
  return context ? context->check() : FUSION_RT_SUCCESS;
}

/// Runs `body` on a context, which must not be null.
template <typename Body>
fusion_rt_status withContext(fusion_rt_context *context, Body body) {
  if (!context)
    return fail(invalid(), "'context' must not be null");
  body(*context);
  return FUSION_RT_SUCCESS;
}

/// Puts this thread into a context, or into none.
class ContextScope {
public:
  explicit ContextScope(fusion_rt_context *context)
      : before(fusion_rt_context_enter(context)) {}
  ~ContextScope() { fusion_rt_context_enter(before); }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

private:
  fusion_rt_context *before;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_CALLERCONTEXT_H
