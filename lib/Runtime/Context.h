//===- Context.h - Execution on one thread ----------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CONTEXT_H
#define FUSION_LIB_RUNTIME_CONTEXT_H

#include "Slot.h"
#include "Support.h"

#include <algorithm>
#include <vector>

namespace fusion {
namespace runtime {

class Thread;

/// The state to run one entry on one thread.
class Context {
public:
  Context(const Descriptor &descriptor, std::shared_ptr<Entry> entry);

  /// Runs a call whose addresses have been checked.
  fusion_rt_status run(SlotState &state, Thread &thread,
                       const fusion_rt_conv_args &args, const char *location);

  Entry &entry() const { return *shared; }

  bool hasRun = false;

private:
  fusion_rt_status findWeights(SlotState &state, void *data,
                               const char *location);

  std::shared_ptr<Entry> shared;
  std::unique_ptr<Execution> execution; // of a kernel
  std::shared_ptr<KeptWeights> weights; // of the last call, if they are kept
};

/// The state of a thread: scratch memory for all its executions, and its
/// contexts.
class Thread {
public:
  /// The calling thread's state. It is created by the first call, and destroyed
  /// with the thread.
  static Thread &current();
  /// The calling thread's state, or null.
  static Thread *peek();

  ~Thread();

  /// The context for a call: one of this thread's if the call has run before.
  fusion_rt_status context(SlotState &state, const fusion_rt_conv_args &args,
                           const char *location, Context *&out);

  /// Runs `context`. Clearing of caches does not drop it meanwhile.
  fusion_rt_status run(Context &context, SlotState &state,
                       const fusion_rt_conv_args &args, const char *location);

  /// At least `bytes` of scratch memory, valid until the next call.
  char *reserve(size_t bytes);
  /// Frees the scratch memory, and the arenas of calls that are not running.
  void freeMemory();

  /// Memory for one call of compiled code, kept for the next call at this depth
  /// of nesting. Throws AllocationError.
  char *beginArena(size_t bytes);
  /// Ends an arena, and those begun after it. False if there is no such arena.
  bool endArena(void *arena);
  /// The number of arenas in use. `endArenasFrom` ends all beyond `depth`.
  size_t arenaDepth() const { return callDepth; }
  void endArenasFrom(size_t depth) { callDepth = std::min(callDepth, depth); }
  /// Drops contexts whose entries were dropped, in all slots.
  void dropStaleContexts();

private:
  /// The contexts of the slot whose index is the position in `sites`.
  struct Site {
    uint64_t id = 0; // of the slot; another one's if it has been released
    uint64_t generation = 0;
    Context *last = nullptr;
    std::shared_ptr<ThreadContexts> own;
  };

  Thread() = default;
  Site &prepareSite(SlotState &state);
  static void destroyCurrent(void *);
  void dropStale(Site &site);
  static Context *findIn(const Site &site, const fusion_rt_conv_args &args,
                         bool inPlace, int threads);

  std::vector<Site> sites;
  const Context *running = nullptr;
  Block scratch;
  std::vector<Block> callArenas; // by depth of nesting
  size_t callDepth = 0;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_CONTEXT_H
