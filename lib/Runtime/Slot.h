//===- Slot.h - What stands behind a call site ------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_SLOT_H
#define FUSION_LIB_RUNTIME_SLOT_H

#include "Backend.h"
#include "CallerContext.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace fusion {
namespace runtime {

class Context;

/// The plan for one set of sizes, strides and threads.
struct Entry {
  enum class Kind {
    Nothing,     // dst has no elements
    NoReduction, // the sum is empty
    Kernel
  };

  Problem problem;
  int threads = 0;
  Kind kind = Kind::Nothing;
  std::unique_ptr<BackendPlan> plan; // of a kernel
  /// When it ran last, on the clock of its slot.
  std::atomic<uint64_t> lastUse{0};
  /// The context that has made it, while no call outside of that uses it; or 0.
  std::atomic<uint64_t> owner{0};
  /// No longer in the slot: threads that still hold it let go of it.
  std::atomic<bool> isDropped{false};

  /// Notes a use by this thread's context.
  void share() {
    uint64_t now = owner.load(std::memory_order_relaxed);
    if (now && now != callersId())
      owner.store(0, std::memory_order_relaxed);
  }

  bool matches(const fusion_rt_conv_args &args, bool inPlace,
               int threadCount) const {
    return threads == threadCount &&
           fusion::runtime::matches(problem, args, inPlace);
  }
};

/// The contexts of one slot on one thread. Only that thread looks at them and
/// adds some. Each is taken out under the lock: the thread drops those that are
/// stale, or ends, while another releases the slot.
struct ThreadContexts {
  std::mutex mutex;
  std::vector<std::unique_ptr<Context>> contexts;

  ThreadContexts();
  ~ThreadContexts();
  void clear();
  /// Drops contexts whose entries were dropped, but for `running`.
  void dropStale(const Context *running);

private:
  std::unique_ptr<Context> takeStale(const Context *running);
};

/// The state behind a slot.
///
/// Entries are shared: the slot holds those it would use again, and each thread
/// those it has made a context for. Dropping one from the slot therefore does
/// not disturb a thread that is executing it.
class SlotState {
public:
  /// Returns the state of `slot`, which it makes if the slot is fresh. Of
  /// several threads that come first at once, one makes it. Fails if the slot
  /// is that of another function.
  static fusion_rt_status get(fusion_rt_slot &slot, fusion_rt_function function,
                              SlotState *&state);
  /// The state, or null if the slot is fresh.
  static SlotState *peek(const fusion_rt_slot &slot);
  /// Takes the state out of the slot and destroys it.
  static void release(fusion_rt_slot &slot);

  /// Finds or makes the entry for a call. `location` is for messages. Addresses
  /// are checked if `hasAddresses`.
  fusion_rt_status entry(const fusion_rt_conv_args &args, bool inPlace,
                         int threads, bool hasAddresses, const char *location,
                         std::shared_ptr<Entry> &out);
  /// Finds or packs the weights at `data` for `entry`.
  std::shared_ptr<KeptWeights> weights(const Entry &entry, void *data,
                                       const char *location);
  /// Registers a thread's contexts, which end with the slot.
  void adopt(std::shared_ptr<ThreadContexts> contexts);

  /// Notes that `entry` runs; cheap if it did so last time.
  void touch(Entry &entry, bool isSwitch);
  void dropAll();
  /// Drops the entries used least recently beyond `capacity`: of all entries,
  /// or of those that the context `owner` alone uses.
  void trim(size_t capacity, uint64_t owner = 0);

  const Descriptor descriptor;
  const uint64_t id;    // never given again
  const uint32_t index; // given again after a release
  /// Changes when entries are dropped.
  std::atomic<uint64_t> generation{1};
  std::atomic<const char *> kernel{nullptr};

private:
  SlotState(const Descriptor &descriptor, uint64_t id, uint32_t index)
      : descriptor(descriptor), id(id), index(index) {}
  ~SlotState();
  static SlotState *create(const Descriptor &descriptor);
  static void destroy(SlotState *state);

  std::shared_ptr<Entry> find(const fusion_rt_conv_args &args, bool inPlace,
                              int threads);
  std::shared_ptr<KeptWeights> findWeights(const Entry &entry, void *data);
  fusion_rt_status make(const fusion_rt_conv_args &args, int threads,
                        bool hasAddresses, const char *location, Entry &out);
  void add(std::shared_ptr<Entry> entry);
  void add(std::shared_ptr<KeptWeights> weights);
  std::shared_ptr<Entry> takeOldest(size_t capacity, uint64_t owner);

  std::atomic<uint64_t> clock{1};
  /// Held while an entry is made, and while weights are packed, so that each is
  /// made once. They are taken before `mutex`, and held while the allocator is
  /// called.
  std::mutex making, packing;
  std::mutex mutex; // of everything below; held for moments only
  std::vector<std::shared_ptr<Entry>> entries;
  std::vector<std::shared_ptr<KeptWeights>> kept;
  std::vector<std::shared_ptr<ThreadContexts>> threadContexts;
};

/// Primitives that the backend may keep though the slots that used them have
/// dropped them: the next slot or size may want an equal one.
constexpr int unusedPrimitives = 32;

/// Drops the entries of all slots.
void dropAllEntries();

/// Whether no slot has a state.
bool isEverySlotFresh();

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_SLOT_H
