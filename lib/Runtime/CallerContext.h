//===- CallerContext.h - The context that a thread is in --------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CALLERCONTEXT_H
#define FUSION_LIB_RUNTIME_CALLERCONTEXT_H

#include "FusionRuntime/fusion_runtime.h"

#include <atomic>
#include <cstdint>

/// Settings that several threads may read while another one writes them.
struct fusion_rt_context {
  std::atomic<bool> isCancelled{false};
  std::atomic<int64_t> deadline{0}; // 0: none

  /// Fails if the calls in the context are to end.
  fusion_rt_status check() const;
};

namespace fusion {
namespace runtime {

/// The context that this thread is in, or null.
extern constinit thread_local fusion_rt_context *callerContext;

/// Fails if the calls in this thread's context are to end.
inline fusion_rt_status checkContext() {
  const fusion_rt_context *context = callerContext;
  return context ? context->check() : FUSION_RT_SUCCESS;
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
