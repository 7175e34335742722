//===- Arena.cpp - Memory between the ops of a call -----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Support.h"

#include <cstdlib>

using namespace fusion::runtime;

fusion_rt_status fusion_rt_arena_begin(int64_t bytes, void **arena) {
  return guarded([&] {
    if (!arena)
      return fail(invalid(), "'arena' must not be null");
    if (bytes < 0)
      return fail(invalid(), "'bytes' must be at least 0, got %lld",
                  number(bytes));
    if (auto status = refuseInAllocator("arena_begin"))
      return status;
    *arena = Thread::current().beginArena(static_cast<size_t>(bytes));
    return FUSION_RT_SUCCESS;
  });
}

fusion_rt_status fusion_rt_arena_end(void *arena) {
  if (auto status = refuseInAllocator("arena_end"))
    return status;
  Thread *thread = Thread::peek();
  if (!thread || !thread->endArena(arena))
    return fail(invalid(),
                "'arena' must be one that this thread has begun and not ended, "
                "got %p",
                arena);
  return FUSION_RT_SUCCESS;
}

void *fusion_rt_arena_begin_checked(int64_t bytes) {
  void *arena = nullptr;
  checkStatus(fusion_rt_arena_begin(bytes, &arena), /*slot=*/nullptr);
  // Compiled code cannot continue without memory.
  if (!arena)
    abort();
  return arena;
}

void fusion_rt_arena_end_checked(void *arena) {
  checkStatus(fusion_rt_arena_end(arena), /*slot=*/nullptr);
}
