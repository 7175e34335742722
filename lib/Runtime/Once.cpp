//===- Once.cpp - Values computed once from constant operands -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Fork.h"
#include "Slot.h"
#include "Support.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

using namespace fusion::runtime;

namespace {
/// Results computed from the operands at one set of addresses. It lives as long
/// as the slot: users of the results do not tell the slot, and weights packed
/// from them are known by their addresses.
struct OnceSet {
  std::vector<void *> keys;
  std::vector<void *> results;

  bool matches(void *const *other) const {
    return std::equal(keys.begin(), keys.end(), other);
  }
};

/// The addresses of a set, or of a call.
struct Keys {
  void *const *begin, *const *end;

  bool operator<(const Keys &other) const {
    return std::lexicographical_compare(begin, end, other.begin, other.end,
                                        std::less<void *>());
  }
};

/// The sets, each with its own `keys` as the key.
using OnceSets = std::map<Keys, std::unique_ptr<OnceSet>>;

struct OnceState {
  /// Held while results are computed.
  std::mutex mutex;
  /// The thread that computes results now.
  std::atomic<std::thread::id> computing{};
  OnceSets sets;
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

/// The state, or null if the slot is fresh or belongs to a kernel.
static OnceState *peekState(const fusion_rt_slot &slot) {
  return unmark(loadState(slot));
}

/// Creates the state of a fresh slot. Null if the slot belongs to a kernel.
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
  if (auto status = refuseInCutChild())
    return status;
  auto *desc = static_cast<const fusion_rt_once_desc *>(slot.desc);
  if (auto status = validateOnce(desc, keys))
    return status;
  OnceState *state = getState(slot);
  if (!state)
    return failOtherFunction(opName(SlotState::peek(slot)->descriptor.function),
                             "once");
  if (state->computing == std::this_thread::get_id())
    return fail(FUSION_RT_INVALID_ARGUMENT,
                "'compute' must not ask for results of its own slot");
  Lock lock(state->mutex);
  if (auto it = state->sets.find(Keys{keys, keys + desc->num_keys});
      it != state->sets.end()) {
    state->latest.store(it->second.get(), std::memory_order_release);
    *results = it->second->results.data();
    return FUSION_RT_SUCCESS;
  }
  // Allocates all memory first, so that the results of `compute` cannot be
  // lost. The set joins the others when it has its results.
  auto made = std::make_unique<OnceSet>();
  made->keys.assign(keys, keys + desc->num_keys);
  made->results.resize(2 * static_cast<size_t>(desc->num_results));
  void *const *first = made->keys.data();
  OnceSets computed;
  auto place =
      computed.emplace(Keys{first, first + desc->num_keys}, nullptr).first;
  int64_t begin = nowNs();
  // The results outlive the current call. A failure ends that call.
  auto compute = [&] { desc->compute(made->results.data(), keys); };
  {
    ComputingScope scope(*state);
    if (auto status = runInScope(compute))
      return status;
  }
  if (isVerbose())
    verboseLine("once %d results from %d constants, %.1f us, %s",
                desc->num_results, desc->num_keys, (nowNs() - begin) / 1e3,
                slot.location ? slot.location : "unknown location");
  *results = made->results.data();
  state->latest.store(made.get(), std::memory_order_release);
  place->second = std::move(made);
  state->sets.merge(computed);
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
  for (auto &[key, set] : state->sets) {
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
