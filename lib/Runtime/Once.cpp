//===- Once.cpp - Values computed once from constant operands -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slot.h"
#include "Support.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

using namespace fusion::runtime;

/// Sets of addresses that one slot serves. Results are used without a word to
/// the slot, so that none can be freed to make room for others.
static constexpr size_t setCapacity = 64;

namespace {
/// What was computed from the operands at one set of addresses.
struct OnceSet {
  std::vector<void *> keys;
  std::vector<void *> results;

  bool matches(void *const *other) const {
    return std::equal(keys.begin(), keys.end(), other);
  }
};

struct OnceState {
  /// Held while results are computed.
  std::mutex mutex;
  /// The thread that computes some.
  std::atomic<std::thread::id> computing{};
  std::vector<std::unique_ptr<OnceSet>> sets;
  /// The set of the latest call.
  std::atomic<const OnceSet *> latest{nullptr};
};

struct ComputingScope {
  explicit ComputingScope(OnceState &state) : state(state) {
    state.computing = std::this_thread::get_id();
  }
  ~ComputingScope() { state.computing = std::thread::id(); }
  OnceState &state;
};
} // namespace

static OnceState *unmark(uintptr_t word) {
  return word & onceMark ? reinterpret_cast<OnceState *>(word - onceMark)
                         : nullptr;
}

/// The state, or null if the slot is fresh or that of a kernel.
static OnceState *peekState(const fusion_rt_slot &slot) {
  return unmark(loadState(slot));
}

/// Makes the state of a fresh slot. Null if the slot is that of a kernel.
static OnceState *getState(fusion_rt_slot &slot) {
  if (OnceState *state = peekState(slot))
    return state;
  auto made = std::make_unique<OnceState>();
  void *expected = nullptr;
  void *marked = reinterpret_cast<char *>(made.get()) + onceMark;
  if (__atomic_compare_exchange_n(&slot.state, &expected, marked,
                                  /*weak=*/false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return made.release();
  return peekState(slot);
}

static fusion_rt_status validateOnce(const fusion_rt_once_desc *desc,
                                     void *const *keys) {
  if (!desc)
    return fail(FUSION_RT_INVALID_ARGUMENT, "'desc' must not be null");
  if (auto status = validateVersion(*desc))
    return status;
  if (desc->num_keys < 0 || desc->num_results < 0)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'num_keys' and 'num_results' must not be negative, got %d and "
                "%d",
                desc->num_keys, desc->num_results);
  if (!desc->compute || !desc->free_block)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'compute' and 'free_block' must not be null");
  if (!keys && desc->num_keys)
    return fail(FUSION_RT_INVALID_ARGUMENT, "'keys' must not be null");
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status computeOnce(fusion_rt_slot &slot, void *const *keys,
                                    void *const **results) {
  if (auto status = refuseInAllocator("once"))
    return status;
  auto *desc = static_cast<const fusion_rt_once_desc *>(slot.desc);
  if (auto status = validateOnce(desc, keys))
    return status;
  OnceState *state = getState(slot);
  if (!state)
    return failOtherFunction(opName(SlotState::peek(slot)->descriptor.kind),
                             "once");
  if (state->computing == std::this_thread::get_id())
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'compute' must not ask for results of its own slot");
  std::lock_guard<std::mutex> lock(state->mutex);
  for (auto &set : state->sets)
    if (set->matches(keys)) {
      state->latest.store(set.get(), std::memory_order_release);
      *results = set->results.data();
      return FUSION_RT_SUCCESS;
    }
  if (state->sets.size() == setCapacity)
    return fail(FUSION_RT_UNSUPPORTED,
                "constant operands came at more than %zu different sets of "
                "addresses; release the module before they move",
                setCapacity);
  // All memory first: what `compute` makes must not be lost.
  state->sets.reserve(state->sets.size() + 1);
  auto made = std::make_unique<OnceSet>();
  made->keys.assign(keys, keys + desc->num_keys);
  made->results.resize(2 * static_cast<size_t>(desc->num_results));
  int64_t begin = nowNs();
  {
    ComputingScope scope(*state);
    desc->compute(made->results.data(), keys);
  }
  if (environment().verbose)
    verboseLine("once %d results from %d constants, %.1f us, %s",
                desc->num_results, desc->num_keys, (nowNs() - begin) / 1e3,
                slot.location ? slot.location : "unknown location");
  *results = made->results.data();
  state->latest.store(made.get(), std::memory_order_release);
  state->sets.push_back(std::move(made));
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_once(fusion_rt_slot *slot, void *const *keys,
                                void *const **results) {
  if (!slot || !results)
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'slot' and 'results' must not be null");
  if (OnceState *state = peekState(*slot))
    if (const OnceSet *set = state->latest.load(std::memory_order_acquire);
        set && keys && set->matches(keys)) {
      *results = set->results.data();
      return FUSION_RT_SUCCESS;
    }
  return guarded([&] { return computeOnce(*slot, keys, results); });
}

void *const *fusion_rt_once_checked(fusion_rt_slot *slot, void *const *keys) {
  void *const *results = nullptr;
  fusion_rt_status status = fusion_rt_once(slot, keys, &results);
  if (status == FUSION_RT_SUCCESS)
    return results;
  checkStatus(status, slot);
  OnceState *state = slot ? peekState(*slot) : nullptr;
  const OnceSet *set = state ? state->latest.load() : nullptr;
  if (!set)
    abort();
  return set->results.data();
}

void fusion_rt_once_release(fusion_rt_slot *slot) {
  if (!slot)
    return;
  if (!peekState(*slot))
    return;
  void *word = __atomic_exchange_n(&slot->state, nullptr, __ATOMIC_ACQ_REL);
  std::unique_ptr<OnceState> state(unmark(reinterpret_cast<uintptr_t>(word)));
  if (!state)
    return;
  auto *desc = static_cast<const fusion_rt_once_desc *>(slot->desc);
  for (auto &set : state->sets) {
    // Two results may be parts of one block.
    std::vector<void *> blocks;
    for (size_t i = 0; i < set->results.size(); i += 2)
      blocks.push_back(set->results[i]);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (void *block : blocks)
      desc->free_block(block);
  }
}
