//===- Fork.cpp - Locks that a child of fork() never finds taken ----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fork.h"

#include "Pool.h"
#include "Support.h"

#include <ctime>
#include <pthread.h>

using namespace fusion::runtime;

std::mutex fusion::runtime::settingsMutex;

/// Threads in a NoForkScope read; a thread that forks writes. Readers go first,
/// so that a thread in a scope may wait for another thread that enters one.
static pthread_rwlock_t barrier = PTHREAD_RWLOCK_INITIALIZER;
/// The number of scopes that this thread is in.
static thread_local int depth = 0;
/// Whether this thread, which is forking, has the barrier.
static thread_local bool hasBarrier = false;
static std::atomic<bool> isCut{false};

// In a cut child the barrier is of no use: nobody will release it.

NoForkScope::NoForkScope() {
  if (depth++ == 0 && !isCut)
    pthread_rwlock_rdlock(&barrier);
}

NoForkScope::~NoForkScope() {
  if (--depth == 0 && !isCut)
    pthread_rwlock_unlock(&barrier);
}

bool fusion::runtime::isCutChild() { return isCut; }

fusion_rt_status fusion::runtime::refuseInCutChild() {
  if (!isCut)
    return FUSION_RT_SUCCESS;
  return fail(FUSION_RT_BACKEND_ERROR,
              "a child of fork() cannot create kernels, pack weights or "
              "compute constants if another thread did so when it was made");
}

/// Waits for the threads in a scope. Without a bound a caller's own locks,
/// which an allocator may take, could make that a deadlock.
static bool takeBarrier() {
  constexpr time_t longest = 5; // s
  // A thread in a scope may wait for this task or this scope.
  if (depth > 0)
    return false;
  if (Pool::isInTask())
    return pthread_rwlock_trywrlock(&barrier) == 0;
  timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += longest;
  return pthread_rwlock_timedwrlock(&barrier, &end) == 0;
}

static void beginFork() {
  hasBarrier = takeBarrier();
  settingsMutex.lock();
}

static void endForkInParent() {
  settingsMutex.unlock();
  if (hasBarrier)
    pthread_rwlock_unlock(&barrier);
}

static void endForkInChild() {
  settingsMutex.unlock();
  isCut = isCut || !hasBarrier;
  // The barrier remembers the thread, which has another number here.
  pthread_rwlock_init(&barrier, /*attr=*/nullptr);
}

[[maybe_unused]] static const int forksAreWatched =
    pthread_atfork(beginFork, endForkInParent, endForkInChild);
