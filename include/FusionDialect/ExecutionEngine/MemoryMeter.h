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

/// Counts the heap memory of compiled code and of the runtime. The functions
/// replace those of the C library. Compiled code does not check for null: an
/// allocation that fails calls LLVM's handler of failed allocations, which by
/// default ends the process.
namespace fusion::memory {

void *allocate(size_t bytes);
void *allocateZeroed(size_t count, size_t bytes);
void *allocateAligned(size_t alignment, size_t bytes);
void release(void *block);

/// Bytes held now, and the most held at once since the last reset.
size_t getCurrent();
size_t getPeak();
void resetPeak();

/// From now on an allocation fails if it takes more than `bytes` beyond the
/// memory held now. Linux would grant it, and kill the process that uses it.
void setBudget(size_t bytes);

/// Sets if new memory is filled with one bits, which are a NaN in every float
/// type. A read before the first write then shows in the results.
void setFillNewMemory(bool fill);

} // namespace fusion::memory

#endif // FUSION_EXECUTIONENGINE_MEMORYMETER_H
