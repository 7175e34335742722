//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_MEMORYMETER_H
#define FUSION_EXECUTIONENGINE_MEMORYMETER_H

#include <cstddef>

/// Heap memory of compiled code and of the runtime, counted. The functions
/// stand in for those of the C library. Compiled code does not ask whether it
/// got any: where there is none LLVM's handler of failed allocations is called,
/// which by default ends the process.
namespace fusion::memory {

void *allocate(size_t bytes);
void *allocateZeroed(size_t count, size_t bytes);
void *allocateAligned(size_t alignment, size_t bytes);
void release(void *block);

/// Bytes held now, and the most held at once since the last reset.
size_t getCurrent();
size_t getPeak();
void resetPeak();

/// From now on at most `bytes` more are given than are held now: Linux gives
/// what it does not have, and kills who uses it.
void setBudget(size_t bytes);

/// Whether new memory is filled with ones, which are NaN in every float type:
/// what is read before it is written then shows in the results.
void setFillNewMemory(bool fill);

} // namespace fusion::memory

#endif // FUSION_EXECUTIONENGINE_MEMORYMETER_H
