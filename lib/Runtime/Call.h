//===- Call.h - Calls of compiled code that may fail ------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CALL_H
#define FUSION_LIB_RUNTIME_CALL_H

#include "CallerContext.h"
#include "WeightsFile.h"

#include <csetjmp>
#include <vector>

namespace fusion {
namespace runtime {

/// A call of compiled code on this thread. The first failure in it leaves the
/// code by a jump. The code has nothing on its stack that needs destruction:
/// its memory comes from `allocate` and from the thread's arenas.
class CallScope {
public:
  CallScope();
  ~CallScope();
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;

  /// The innermost call of this thread, or null.
  static CallScope *current();

  /// Runs fn(context). If the call is left, frees its blocks and returns the
  /// reason, whose sentence is the last error.
  fusion_rt_status run(void (*fn)(void *), void *context);

  /// Ends the call with an error.
  [[noreturn]] void leave(fusion_rt_status status, const char *sentence);

  /// Notes a block to be freed if the call is left. May throw.
  void note(void *block);
  /// Forgets `block`, which is being freed. False if it is not noted here.
  bool forget(void *block);
  CallScope *outer() const { return outerScope; }

private:
  void unwind() noexcept;

  CallScope *outerScope;
  size_t arenaDepth;
  fusion_rt_status status = FUSION_RT_SUCCESS;
  std::vector<void *> blocks;
  std::jmp_buf place;
};

/// Runs `body`, on this thread, in a scope of its own.
template <typename Body> fusion_rt_status runInScope(Body body) {
  CallScope scope;
  return scope.run([](void *context) { (*static_cast<Body *>(context))(); },
                   &body);
}

/// `fn` for ranges that several threads run in the caller's context, and with
/// its file of weights. If it fails on any of them, ranges that have not begun
/// are left out, and the call on the thread that started them fails.
class GuardedLoop {
public:
  GuardedLoop(fusion_rt_loop_fn fn, void *context) : fn(fn), context(context) {}

  static void run(int64_t begin, int64_t end, void *loop);
  /// The first failure, as a failure of this thread.
  fusion_rt_status finish();

private:
  fusion_rt_status runRange(int64_t begin, int64_t end);

  fusion_rt_loop_fn fn;
  void *context;
  const bool isInCall = CallScope::current();
  fusion_rt_context *const caller = callerContext;
  WeightsFile *const weightsFile = callerWeightsFile;
  std::atomic<int> failures{0};
  fusion_rt_status status = FUSION_RT_SUCCESS;
  char sentence[maxSentence];
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_CALL_H
