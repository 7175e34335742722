//===- Slot.cpp - What stands behind a call site --------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slot.h"

#include "Context.h"
#include "Fork.h"
#include "Verbose.h"

#include <algorithm>

using namespace fusion::runtime;

/// Weights that one slot keeps: more than one where it is called with
/// several sets of weights in turn, or sizes need different layouts.
static constexpr size_t keptCapacity = 4;

static std::atomic<int32_t> cacheCapacity{16};

//===----------------------------------------------------------------------===//
// All slots
//===----------------------------------------------------------------------===//

namespace {
/// Every state there is. Asked when slots come and go, never by calls.
struct Registry {
  std::mutex mutex;
  std::vector<SlotState *> states;
  std::vector<uint32_t> freeIndices;
  uint32_t indexCount = 0;
  uint64_t nextId = 1;
};
} // namespace

/// Never destroyed: slots may be released while static objects are.
static Registry &registry() {
  static auto *registry = new Registry;
  return *registry;
}

SlotState *SlotState::create(const Descriptor &descriptor) {
  Registry &all = registry();
  Lock lock(all.mutex);
  // Room first, so that nothing can fail once there is a state.
  all.states.reserve(all.states.size() + 1);
  all.freeIndices.reserve(all.states.size() + 1);
  uint32_t index = all.indexCount;
  if (!all.freeIndices.empty())
    index = all.freeIndices.back();
  auto *state = new SlotState(descriptor, all.nextId, index);
  if (index == all.indexCount)
    ++all.indexCount;
  else
    all.freeIndices.pop_back();
  ++all.nextId;
  all.states.push_back(state);
  return state;
}

void SlotState::destroy(SlotState *state) {
  Registry &all = registry();
  {
    Lock lock(all.mutex);
    all.states.erase(std::find(all.states.begin(), all.states.end(), state));
    all.freeIndices.push_back(state->index);
  }
  delete state;
}

SlotState::~SlotState() {
  for (auto &contexts : threadContexts)
    contexts->clear();
}

bool fusion::runtime::isEverySlotFresh() {
  Registry &all = registry();
  Lock lock(all.mutex);
  return all.states.empty();
}

void fusion::runtime::dropAllEntries() {
  Registry &all = registry();
  Lock lock(all.mutex);
  for (SlotState *state : all.states)
    state->dropAll();
}

/// Trims each slot to a capacity that was set.
static void trimAll(int32_t entries, uint64_t owner) {
  Registry &all = registry();
  Lock lock(all.mutex);
  for (SlotState *state : all.states)
    state->trim(static_cast<size_t>(entries), owner);
}

fusion_rt_status fusion_rt_set_cache_capacity(int32_t entries) {
  if (entries < 1)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'entries' must be at least 1, got %d",
                static_cast<int>(entries));
  if (auto status = refuseInCutChild())
    return status;
  cacheCapacity.store(entries, std::memory_order_relaxed);
  trimAll(entries, /*owner=*/0);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status
fusion_rt_context_set_cache_capacity(fusion_rt_context *context,
                                     int32_t entries) {
  if (!context)
    return fail(invalid(), "'context' must not be null");
  if (entries < 0)
    return fail(invalid(), "'entries' must not be negative, got %d",
                static_cast<int>(entries));
  if (auto status = refuseInCutChild())
    return status;
  context->cacheCapacity = entries;
  if (entries)
    trimAll(entries, context->id);
  return FUSION_RT_SUCCESS;
}

//===----------------------------------------------------------------------===//
// The word in the slot
//===----------------------------------------------------------------------===//

SlotState *SlotState::peek(const fusion_rt_slot &slot) {
  uintptr_t word = loadState(slot);
  return word & onceMark ? nullptr : reinterpret_cast<SlotState *>(word);
}

fusion_rt_status SlotState::get(fusion_rt_slot &slot,
                                fusion_rt_function function,
                                SlotState *&state) {
  state = peek(slot);
  if (state) {
    if (state->descriptor.function == function)
      return FUSION_RT_SUCCESS;
    return failOtherFunction(opName(state->descriptor.function),
                             opName(function));
  }
  if (loadState(slot) & onceMark)
    return failOtherFunction("once", opName(function));
  Descriptor descriptor;
  if (auto status = validateDescriptor(function, slot.desc, descriptor))
    return status;
  if (auto status = refuseInCutChild())
    return status;
  state = create(descriptor);
  void *expected = nullptr;
  if (__atomic_compare_exchange_n(&slot.state, &expected, state,
                                  /*weak=*/false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return FUSION_RT_SUCCESS;
  // Another thread was first.
  destroy(state);
  return get(slot, function, state);
}

void SlotState::release(fusion_rt_slot &slot) {
  void *state = __atomic_exchange_n(&slot.state, nullptr, __ATOMIC_ACQ_REL);
  if (state)
    destroy(static_cast<SlotState *>(state));
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

std::shared_ptr<Entry> SlotState::find(const fusion_rt_conv_args &args,
                                       bool inPlace, int threads) {
  Lock lock(mutex);
  for (const auto &entry : entries)
    if (entry->matches(args, inPlace, threads)) {
      entry->share();
      return entry;
    }
  return nullptr;
}

/// Validates a call with new shapes and makes what runs it.
fusion_rt_status SlotState::make(const fusion_rt_conv_args &args, int threads,
                                 bool hasAddresses, const char *location,
                                 Entry &out) {
  if (auto status = validateShapes(descriptor, args, out.problem))
    return status;
  out.threads = threads;
  if (out.problem.isEmpty())
    return FUSION_RT_SUCCESS;
  // Before the backend is asked: the addresses decide whether there is a call
  // at all.
  if (hasAddresses)
    if (auto status = validateAddresses(descriptor, out.problem, args))
      return status;
  if (out.problem.isReductionEmpty()) {
    out.kind = Entry::Kind::NoReduction;
    return FUSION_RT_SUCCESS;
  }
  out.kind = Entry::Kind::Kernel;
  std::vector<std::shared_ptr<KeptWeights>> packed;
  {
    Lock lock(mutex);
    packed = kept;
  }
  int64_t begin = nowNs();
  if (auto status =
          makeBackendPlan(descriptor, out.problem, threads, packed, out.plan))
    return status;
  count(&Counters::creates);
  if (out.plan->isReference())
    count(&Counters::referenceKernels);
  if (isVerbose())
    verboseCreate(descriptor, out, nowNs() - begin, location);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status SlotState::entry(const fusion_rt_conv_args &args, bool inPlace,
                                  int threads, bool hasAddresses,
                                  const char *location,
                                  std::shared_ptr<Entry> &out) {
  if (auto status = refuseInCutChild())
    return status;
  if ((out = find(args, inPlace, threads)))
    return FUSION_RT_SUCCESS;
  Lock lock(making);
  if ((out = find(args, inPlace, threads))) // another thread was first
    return FUSION_RT_SUCCESS;
  auto made = std::make_shared<Entry>();
  if (auto status = make(args, threads, hasAddresses, location, *made))
    return status;
  made->owner = callersId();
  add(made);
  // First what goes by a limit of its own, so that less of others has to.
  if (int32_t own = callerContext ? callerContext->cacheCapacity.load() : 0)
    trim(static_cast<size_t>(own), callersId());
  trim(static_cast<size_t>(cacheCapacity.load()));
  out = std::move(made);
  return FUSION_RT_SUCCESS;
}

void SlotState::add(std::shared_ptr<Entry> entry) {
  Lock lock(mutex);
  entry->lastUse = clock.fetch_add(1) + 1;
  entries.push_back(std::move(entry));
}

void SlotState::touch(Entry &entry, bool isSwitch) {
  entry.share();
  uint64_t now = isSwitch ? clock.fetch_add(1, std::memory_order_relaxed) + 1
                          : clock.load(std::memory_order_relaxed);
  if (entry.lastUse.load(std::memory_order_relaxed) != now)
    entry.lastUse.store(now, std::memory_order_relaxed);
}

void SlotState::trim(size_t capacity, uint64_t owner) {
  bool isAnyDropped = false;
  while (takeOldest(capacity, owner))
    isAnyDropped = true;
  if (isAnyDropped)
    trimBackendCache(unusedPrimitives);
}

/// Takes out the entry that was used least recently, if there are more than
/// `capacity` of them.
std::shared_ptr<Entry> SlotState::takeOldest(size_t capacity, uint64_t owner) {
  Lock lock(mutex);
  size_t candidates = 0;
  auto oldest = entries.end();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (owner && (*entry)->owner != owner)
      continue;
    ++candidates;
    if (oldest == entries.end() || (*entry)->lastUse < (*oldest)->lastUse)
      oldest = entry;
  }
  if (candidates <= capacity)
    return nullptr;
  std::shared_ptr<Entry> taken = std::move(*oldest);
  entries.erase(oldest);
  taken->isDropped = true;
  count(&Counters::evictions);
  ++generation;
  return taken;
}

void SlotState::dropAll() {
  std::vector<std::shared_ptr<Entry>> all; // destroyed without the lock
  Lock lock(mutex);
  all.swap(entries);
  for (auto &entry : all)
    entry->isDropped = true;
  ++generation;
}

//===----------------------------------------------------------------------===//
// Weights and threads
//===----------------------------------------------------------------------===//

std::shared_ptr<KeptWeights> SlotState::weights(const Entry &entry, void *data,
                                                const char *location) {
  if (auto found = findWeights(entry, data))
    return found;
  Lock lock(packing);
  if (auto found = findWeights(entry, data)) // another thread was first
    return found;
  int64_t begin = nowNs();
  auto made = entry.plan->keepWeights(entry.problem.weights, data);
  add(made);
  if (isVerbose() && made->block.size())
    verbosePack(entry, *made, nowNs() - begin, location);
  return made;
}

/// Refuses packed weights that the file of this thread's prepare would lack:
/// those in memory, and those in the file of an earlier prepare.
static void expectInFile(const KeptWeights &weights) {
  if (callerWeightsFile && weights.block.size() &&
      weights.fileSerial != callerWeightsFile->serial)
    throw StatusError(invalid(), "weights must not be packed already if they "
                                 "are to be in a file; release them first");
}

std::shared_ptr<KeptWeights> SlotState::findWeights(const Entry &entry,
                                                    void *data) {
  Lock lock(mutex);
  for (auto &weights : kept)
    if (weights->areOf(entry.problem.weights, data) &&
        entry.plan->takes(*weights)) {
      expectInFile(*weights);
      weights->lastUse = clock.fetch_add(1) + 1;
      return weights;
    }
  return nullptr;
}

void SlotState::add(std::shared_ptr<KeptWeights> weights) {
  std::shared_ptr<KeptWeights> oldest; // freed without the lock
  Lock lock(mutex);
  weights->lastUse = clock.fetch_add(1) + 1;
  kept.push_back(std::move(weights));
  if (kept.size() <= keptCapacity)
    return;
  auto least = std::min_element(
      kept.begin(), kept.end(),
      [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
  oldest = std::move(*least);
  kept.erase(least);
}

void SlotState::adopt(std::shared_ptr<ThreadContexts> contexts) {
  Lock lock(mutex);
  // Those of threads that have ended have no other owner.
  threadContexts.erase(
      std::remove_if(threadContexts.begin(), threadContexts.end(),
                     [](const auto &other) { return other.use_count() == 1; }),
      threadContexts.end());
  threadContexts.push_back(std::move(contexts));
}
