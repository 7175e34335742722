//===- Context.cpp - Execution on one thread ------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "Fork.h"
#include "Parallel.h"
#include "Pointwise.h"

#include <algorithm>
#include <cxxabi.h>
#include <optional>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Context::Context(const Descriptor &descriptor, std::shared_ptr<Entry> entry)
    : shared(std::move(entry)) {
  if (shared->kind == Entry::Kind::Kernel)
    execution = shared->plan->makeExecution(descriptor, shared->problem);
}

/// Finds constant weights in the slot, or packs them, and checks that they have
/// not changed. Sets none if the plan takes them as they are.
fusion_rt_status Context::findWeights(SlotState &state, void *data,
                                      const char *location) {
  bool isChecked = environment().checkConstants;
  if (!state.descriptor.hasConstantWeights() ||
      (!isChecked && !shared->plan->packsWeights()))
    return FUSION_RT_SUCCESS;
  if (!weights || weights->address != data) {
    if (auto status = refuseInCutChild())
      return status;
    weights = state.weights(*shared, data, location);
  }
  if (isChecked && !weights->areUnchanged())
    return fail(FUSION_RT_BROKEN_PROMISE,
                "'weights' at %p must not change while the slot lives, but "
                "have changed since they were packed",
                data);
  return FUSION_RT_SUCCESS;
}

fusion_rt_status Context::run(SlotState &state, Thread &thread,
                              const fusion_rt_conv_args &args,
                              const char *location) {
  switch (shared->kind) {
  case Entry::Kind::Nothing:
    return FUSION_RT_SUCCESS;
  case Entry::Kind::NoReduction:
    runWithoutReduction(state.descriptor, shared->problem, args);
    return FUSION_RT_SUCCESS;
  case Entry::Kind::Kernel:
    break;
  }
  if (state.descriptor.hasWeights())
    if (auto status = findWeights(state, args.weights.data, location))
      return status;
  execution->run(thread, args, weights.get());
  return FUSION_RT_SUCCESS;
}

ThreadContexts::ThreadContexts() = default;
ThreadContexts::~ThreadContexts() = default;

// Contexts are destroyed without the lock: that may free memory, and the
// caller's allocator is called for it.

void ThreadContexts::clear() {
  std::vector<std::unique_ptr<Context>> all;
  Lock lock(mutex);
  all.swap(contexts);
}

std::unique_ptr<Context> ThreadContexts::takeStale(const Context *running) {
  Lock lock(mutex);
  auto stale =
      std::find_if(contexts.begin(), contexts.end(), [&](const auto &context) {
        return context->entry().isDropped && context.get() != running;
      });
  if (stale == contexts.end())
    return nullptr;
  std::unique_ptr<Context> taken = std::move(*stale);
  *stale = std::move(contexts.back()); // the order does not matter
  contexts.pop_back();
  return taken;
}

void ThreadContexts::dropStale(const Context *running) {
  while (takeStale(running)) {
  }
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

// The pointer needs no destruction. It can be read at any time, also by a slot
// that is released after the thread's other objects are gone.
static thread_local Thread *currentThread = nullptr;

// Identifies this library, which stays loaded until functions that are
// registered for it have run.
extern "C" void *__dso_handle __attribute__((visibility("hidden")));

void Thread::destroyCurrent(void *) {
  delete std::exchange(currentThread, nullptr);
}

Thread &Thread::current() {
  if (!currentThread) {
    std::unique_ptr<Thread> made(new Thread);
    // Registered each time, and not the destructor of a thread_local object:
    // objects that are destroyed later may still call the library.
    if (abi::__cxa_thread_atexit(destroyCurrent, nullptr, &__dso_handle))
      throw std::bad_alloc();
    currentThread = made.release();
  }
  return *currentThread;
}

Thread *Thread::peek() { return currentThread; }

Thread::~Thread() {
  NoForkScope noFork;
  for (Site &site : sites)
    if (site.own && !isCutChild())
      site.own->clear();
}

// The allocator may clear caches during an allocation or a release. So a block
// is freed before another one replaces it, and no reference to a block is kept
// meanwhile.

char *Thread::reserve(size_t bytes) {
  if (bytes > scratch.size() || !scratch.data()) {
    scratch.reset();
    scratch = Block(bytes, "scratch memory");
  }
  return scratch.data();
}

char *Thread::beginArena(size_t bytes) {
  auto isThere = [&] {
    return callDepth < callArenas.size() && callArenas[callDepth].data();
  };
  if (isThere() && callArenas[callDepth].size() < bytes)
    Block(std::move(callArenas[callDepth])).reset();
  if (!isThere()) {
    Block made(bytes, "intermediate tensors");
    if (callArenas.size() <= callDepth)
      callArenas.resize(callDepth + 1);
    callArenas[callDepth] = std::move(made);
  }
  return callArenas[callDepth++].data();
}

bool Thread::endArena(void *arena) {
  for (size_t depth = callDepth; depth-- > 0;)
    if (callArenas[depth].data() == arena) {
      callDepth = depth;
      return true;
    }
  return false;
}

void Thread::freeMemory() {
  scratch.reset();
  while (callArenas.size() > callDepth) {
    Block last = std::move(callArenas.back());
    callArenas.pop_back();
  }
}

void Thread::dropStale(Site &site) {
  site.last = nullptr;
  site.own->dropStale(running);
}

void Thread::dropStaleContexts() {
  for (Site &site : sites)
    if (site.own)
      dropStale(site);
}

fusion_rt_status Thread::run(Context &context, SlotState &state,
                             const fusion_rt_conv_args &args,
                             const char *location) {
  running = &context;
  struct Reset {
    const Context *&running;
    ~Reset() { running = nullptr; }
  } reset{running};
  // A kernel may prepare something at its first execution.
  std::optional<NoForkScope> first;
  if (!context.hasRun)
    first.emplace();
  auto status = context.run(state, *this, args, location);
  context.hasRun = true;
  return status;
}

/// Creates the site of `state` in this thread, or brings it up to date.
Thread::Site &Thread::prepareSite(SlotState &state) {
  if (sites.size() <= state.index)
    sites.resize(state.index + 1);
  Site &site = sites[state.index];
  if (site.id != state.id) {
    auto own = std::make_shared<ThreadContexts>();
    state.adopt(own);
    site = Site();
    site.own = std::move(own);
    site.id = state.id;
  }
  // Reads the number before the entries: an entry dropped in between shows next
  // time.
  uint64_t generation = state.generation.load();
  if (site.generation != generation) {
    dropStale(site);
    site.generation = generation;
  }
  return site;
}

Context *Thread::findIn(const Site &site, const fusion_rt_conv_args &args,
                        bool inPlace, int threads) {
  for (const auto &context : site.own->contexts)
    if (context->entry().matches(args, inPlace, threads))
      return context.get();
  return nullptr;
}

fusion_rt_status Thread::context(SlotState &state,
                                 const fusion_rt_conv_args &args,
                                 const char *location, Context *&out) {
  bool inPlace = isInPlace(state.descriptor, args);
  int threads = effectiveThreads();
  // The path of nearly all calls, which have the shapes of the last one.
  if (state.index < sites.size()) {
    Site &site = sites[state.index];
    if (site.id == state.id && site.last &&
        site.generation == state.generation.load(std::memory_order_acquire) &&
        site.last->entry().matches(args, inPlace, threads)) {
      out = site.last;
      state.touch(out->entry(), /*isSwitch=*/false);
      return FUSION_RT_SUCCESS;
    }
  }
  if (auto status = refuseInCutChild())
    return status;
  NoForkScope noFork;
  Site &site = prepareSite(state);
  out = findIn(site, args, inPlace, threads);
  if (!out) {
    std::shared_ptr<Entry> entry;
    if (auto status = state.entry(args, inPlace, threads,
                                  /*hasAddresses=*/true, location, entry))
      return status;
    auto made = std::make_unique<Context>(state.descriptor, std::move(entry));
    out = made.get();
    site.own->contexts.push_back(std::move(made));
  }
  site.last = out;
  state.touch(out->entry(), /*isSwitch=*/true);
  return FUSION_RT_SUCCESS;
}
