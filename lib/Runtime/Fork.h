//===- Fork.h - Locks that a child of fork() never finds taken --*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_FORK_H
#define FUSION_LIB_RUNTIME_FORK_H

#include "FusionRuntime/fusion_runtime.h"

#include <mutex>

namespace fusion {
namespace runtime {

// A child of fork() has one thread. A lock that another thread held is never
// released there. So fork() waits until no thread is in a `NoForkScope`, and if
// that takes too long, the child is told that it may not enter one.

/// Makes fork() on another thread wait. Around what takes a lock, of this
/// library or of the backend.
class NoForkScope {
public:
  NoForkScope();
  ~NoForkScope();
  NoForkScope(const NoForkScope &) = delete;
  NoForkScope &operator=(const NoForkScope &) = delete;
};

/// Holds a mutex that other threads may hold for long.
class Lock {
public:
  explicit Lock(std::mutex &mutex) : lock(mutex) {}

private:
  NoForkScope noFork;
  std::lock_guard<std::mutex> lock;
};

/// Whether this process is a child that fork() has made while another thread
/// was in a NoForkScope. It must not take a lock.
bool isCutChild();
/// Fails in such a child.
fusion_rt_status refuseInCutChild();

/// Protects settings of the process, for moments. fork() holds it.
extern std::mutex settingsMutex;

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_FORK_H
