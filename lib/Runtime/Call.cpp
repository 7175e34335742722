//===- Call.cpp - Calls of compiled code that may fail --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "Context.h"
#include "TensorMemory.h"

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
    freeTensor(block);
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
// Assertions of compiled code
//===----------------------------------------------------------------------===//

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
