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

#include <vector>

namespace fusion {
namespace runtime {

class Thread;

/// What one thread needs to execute one entry: memories of oneDNN, whose
/// addresses are set anew for each call, and a place in the thread's arena.
class Context {
public:
  Context(const Descriptor &descriptor, std::shared_ptr<Entry> entry);

  /// Runs a call whose addresses have been checked.
  fusion_rt_status run(SlotState &state, Thread &thread,
                       const fusion_rt_conv_args &args, const char *location);

  Entry &entry() const { return *shared; }

private:
  enum Operand {
    Src,
    Dst,
    Bias,
    Residual,
    One,
    Scratchpad,
    EpilogueScratchpad,
    Weights,
    OperandCount
  };

  void planArena(const Descriptor &descriptor);
  size_t place(size_t bytes);
  void addArgument(int role, Operand operand, const dnnl::memory::desc &desc);
  void addEpilogueArguments(const Descriptor &descriptor);
  bool copiesResidualForEpilogue() const;
  void bindResidual(char *arena, const fusion_rt_conv_args &args);
  fusion_rt_status bindWeights(SlotState &state, Thread &thread, char *arena,
                               void *data, const char *location);
  void bindBias(char *arena, const fusion_rt_conv_args &args);

  std::shared_ptr<Entry> shared;
  std::shared_ptr<PackedWeights> packed; // bound, if weights are constant
  WeightsPacker packer;                  // used each call, if they are not

  BoundMemory memories[OperandCount];
  std::vector<dnnl_exec_arg_t> arguments;
  std::vector<dnnl_exec_arg_t> epilogueArguments;
  size_t weightsArgument = 0; // its place in `arguments`

  // Offsets in the thread's arena of what the plan has there.
  size_t arenaBytes = 0;
  size_t scratchpadAt = 0, epilogueScratchpadAt = 0;
  size_t srcAt = 0, dstAt = 0, biasAt = 0, residualAt = 0;
  size_t packedAt = 0, packScratchAt = 0;
};

/// What belongs to a thread: scratch memory for all its executions, and the
/// contexts it has made.
class Thread {
public:
  /// The calling thread's. Made when it is first asked for, destroyed with the
  /// thread.
  static Thread &current();
  /// The calling thread's, or null.
  static Thread *peek();

  ~Thread();

  /// The context for a call, from the thread's own memory if it has run before.
  fusion_rt_status context(SlotState &state, const fusion_rt_conv_args &args,
                           const char *location, Context *&out);

  /// At least `bytes` of scratch memory, valid until the next call.
  char *reserve(size_t bytes);
  /// Frees the scratch memory, and the arenas of calls that are not running.
  void freeMemory();

  /// Memory for one call of compiled code, kept for the next at this depth of
  /// nesting. Throws AllocationError.
  char *beginArena(size_t bytes);
  /// The arena begun last and not ended yet; null if there is none.
  char *currentArena() const;
  void endArena() { --callDepth; }
  /// Lets go of contexts whose entries were dropped, in all slots.
  void dropStaleContexts();

  const dnnl::stream &stream() const { return cpuStream; }

private:
  /// The contexts of the slot whose index is the place in `sites`.
  struct Site {
    uint64_t id = 0; // of the slot; another one's if it has been released
    uint64_t generation = 0;
    Context *last = nullptr;
    std::shared_ptr<ThreadContexts> own;
  };

  Thread() : cpuStream(cpuEngine()) {}
  Site &prepareSite(SlotState &state);
  static void dropStale(Site &site);
  static Context *findIn(const Site &site, const fusion_rt_conv_args &args,
                         bool inPlace, int threads);

  std::vector<Site> sites;
  Block scratch;
  std::vector<Block> callArenas; // by depth of nesting
  size_t callDepth = 0;
  dnnl::stream cpuStream;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_CONTEXT_H
