//===- Allocations.h - The heap of the process, under watch -----*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_ALLOCATIONS_H
#define FUSION_UNITTESTS_RUNTIME_ALLOCATIONS_H

#include <atomic>
#include <cstdint>

namespace fusion {
namespace test {

/// The allocations of the whole process, also of oneDNN, and how many of them
/// are not freed: of malloc and what stands on it, or of `operator new` alone
/// where a sanitizer brings a malloc of its own.
extern std::atomic<int64_t> allocations, liveAllocations;

/// Whether these are of malloc.
extern const bool isMallocWatched;

/// The allocation after `armFailure(n)` that is the nth fails, on whatever
/// thread; 0 is none. Returns whether the one before did.
bool armFailure(int64_t nth);

} // namespace test
} // namespace fusion

#endif // FUSION_UNITTESTS_RUNTIME_ALLOCATIONS_H
