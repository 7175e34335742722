//===- Call.cpp - Calls of compiled code that may fail --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "Context.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

static thread_local CallScope *currentScope = nullptr;

static size_t currentArenaDepth() {
  Thread *thread = Thread::peek();
  return thread ? thread->arenaDepth() : 0;
}

CallScope::CallScope()
    : outerScope(currentScope), arenaDepth(currentArenaDepth()) {
  currentScope = this;
}

CallScope::~CallScope() { currentScope = outerScope; }

CallScope *CallScope::current() { return currentScope; }

/// Not inlined: after the jump only the parameters in this frame are read,
/// which do not change.
[[gnu::noinline]] static bool runUntilLeft(std::jmp_buf &place,
                                           void (*fn)(void *), void *context) {
  if (setjmp(place))
    return false;
  fn(context);
  return true;
}

fusion_rt_status CallScope::run(void (*fn)(void *), void *context) {
  if (runUntilLeft(place, fn, context))
    return FUSION_RT_SUCCESS;
  unwind();
  return status;
}

void CallScope::leave(fusion_rt_status why, const char *sentence) {
  status = why;
  keepLastError(sentence);
  std::longjmp(place, 1);
}

void CallScope::unwind() noexcept {
  for (void *block : blocks)
    free(block);
  blocks.clear();
  if (Thread *thread = Thread::peek())
    thread->endArenasFrom(arenaDepth);
}

void CallScope::note(void *block) { blocks.push_back(block); }

bool CallScope::forget(void *block) {
  // Usually the latest block is freed first.
  auto found = std::find(blocks.rbegin(), blocks.rend(), block);
  if (found == blocks.rend())
    return false;
  *found = blocks.back();
  blocks.pop_back();
  return true;
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

fusion_rt_status GuardedLoop::runRange(int64_t begin, int64_t end) {
  ContextScope scope(caller);
  WeightsFileScope fileScope(weightsFile);
  if (auto status = checkContext())
    return status;
  if (isInCall)
    return runInScope([&] { fn(begin, end, context); });
  fn(begin, end, context);
  return FUSION_RT_SUCCESS;
}

void GuardedLoop::run(int64_t begin, int64_t end, void *loop) {
  auto &self = *static_cast<GuardedLoop *>(loop);
  if (self.failures)
    return;
  auto status = self.runRange(begin, end);
  if (status == FUSION_RT_SUCCESS || self.failures.fetch_add(1) != 0)
    return;
  self.status = status;
  snprintf(self.sentence, sizeof(self.sentence), "%s", lastError());
}

fusion_rt_status GuardedLoop::finish() {
  if (status != FUSION_RT_SUCCESS)
    keepLastError(sentence);
  return status;
}

//===----------------------------------------------------------------------===//
// Memory and assertions of compiled code
//===----------------------------------------------------------------------===//

/// Fails the call because `bytes` are not available, or make no sense: the size
/// of the tensor was computed from arguments that do not fit each other.
static void failAllocation(size_t bytes) {
  if (static_cast<ptrdiff_t>(bytes) < 0)
    checkStatus(fail(FUSION_RT_INVALID_ARGUMENT,
                     "the size of a tensor must not be negative or beyond the "
                     "address space, got %lld bytes",
                     number(static_cast<int64_t>(bytes))),
                /*slot=*/nullptr);
  else
    checkStatus(fail(FUSION_RT_OUT_OF_MEMORY,
                     "cannot allocate %zu bytes for a tensor", bytes),
                /*slot=*/nullptr);
  // Compiled code cannot continue without memory.
  abort();
}

/// Notes `block` of `bytes` in the call that asked for it, or fails the call.
static void *keep(void *block, size_t bytes) {
  bool isNoted = false;
  if (block) {
    try {
      if (CallScope *scope = CallScope::current())
        scope->note(block);
      isNoted = true;
    } catch (const std::bad_alloc &) {
      free(block);
    }
  }
  // Outside of the handler, because a jump must not leave that.
  if (!isNoted)
    failAllocation(bytes);
  return block;
}

void *fusion_rt_malloc_checked(size_t bytes) {
  return keep(malloc(bytes ? bytes : 1), bytes);
}

void *fusion_rt_calloc_checked(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total))
    failAllocation(SIZE_MAX);
  return keep(calloc(1, total ? total : 1), total);
}

void *fusion_rt_aligned_alloc_checked(size_t alignment, size_t bytes) {
  return keep(aligned_alloc(alignment, bytes), bytes);
}

void fusion_rt_free(void *block) {
  for (CallScope *scope = CallScope::current(); scope && block;
       scope = scope->outer())
    if (scope->forget(block))
      break;
  free(block);
}

static thread_local char assertionText[maxSentence];

int fusion_rt_assertion_message(const char *message) {
  snprintf(assertionText, sizeof(assertionText), "%s", message ? message : "");
  return 0;
}

void fusion_rt_assertion_failed(void) {
  checkStatus(fail(FUSION_RT_INVALID_ARGUMENT,
                   "an assertion of the program must hold: %s", assertionText),
              /*slot=*/nullptr);
  abort();
}

void fusion_rt_check_failed(const char *format, ...) {
  char sentence[maxSentence] = "";
  va_list numbers;
  va_start(numbers, format);
  if (format)
    vsnprintf(sentence, sizeof(sentence), format, numbers);
  va_end(numbers);
  checkStatus(fail(FUSION_RT_INVALID_ARGUMENT, "%s", sentence),
              /*slot=*/nullptr);
  abort();
}
