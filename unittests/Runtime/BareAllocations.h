//===- BareAllocations.h - What bare oneDNN allocates -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_BAREALLOCATIONS_H
#define FUSION_UNITTESTS_RUNTIME_BAREALLOCATIONS_H

#include "ConvTest.h"

#include <atomic>

namespace fusion {
namespace test {

/// The number of allocations, counted by `counter`, in `calls` bare calls of
/// oneDNN's kernel for `spec`. Mostly they are the map of its arguments, 7 to
/// 10 blocks a call in oneDNN 2.6.
int64_t bareAllocations(const ConvSpec &spec, int calls,
                        const std::atomic<int64_t> &counter);

/// The same for `calls` bare reorders, which have one operand and one result
/// as a pool has, through the C API, which makes no map.
int64_t bareReorderAllocations(int calls, const std::atomic<int64_t> &counter);

} // namespace test
} // namespace fusion

#endif // FUSION_UNITTESTS_RUNTIME_BAREALLOCATIONS_H
