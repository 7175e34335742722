//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/MemoryMeter.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <malloc.h>

static std::atomic<size_t> current{0};
static std::atomic<size_t> peak{0};
static std::atomic<bool> fillNewMemory{false};

static std::atomic<size_t> budget{std::numeric_limits<size_t>::max()};

[[noreturn]] static void refuse(size_t bytes) {
  char reason[96];
  snprintf(reason, sizeof(reason),
           "compiled code asks for %zu bytes on top of %zu", bytes,
           current.load());
  llvm::report_bad_alloc_error(reason);
  std::abort(); // a handler must not return
}

/// Refuses `bytes` that exceed the budget.
static void check(size_t bytes) {
  size_t most = budget.load(std::memory_order_relaxed);
  if (bytes > most || current.load(std::memory_order_relaxed) > most - bytes)
    refuse(bytes);
}

/// Counts `block`, of `asked` bytes, or refuses if it is null.
static void *count(void *block, size_t asked) {
  if (!block)
    refuse(asked);
  size_t bytes = malloc_usable_size(block);
  size_t now = current.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  size_t before = peak.load(std::memory_order_relaxed);
  while (before < now &&
         !peak.compare_exchange_weak(before, now, std::memory_order_relaxed))
    ;
  return block;
}

static void *fill(void *block, size_t bytes) {
  if (block && fillNewMemory.load(std::memory_order_relaxed))
    std::memset(block, 0xff, bytes);
  return block;
}

void *fusion::memory::allocate(size_t bytes) {
  check(bytes);
  return count(fill(std::malloc(bytes), bytes), bytes);
}

void *fusion::memory::allocateZeroed(size_t number, size_t bytes) {
  size_t total = llvm::SaturatingMultiply(number, bytes);
  check(total);
  return count(std::calloc(number, bytes), total);
}

void *fusion::memory::allocateAligned(size_t alignment, size_t bytes) {
  check(llvm::SaturatingAdd(bytes, alignment));
  bytes = llvm::alignTo(bytes, alignment);
  return count(fill(std::aligned_alloc(alignment, bytes), bytes), bytes);
}

void fusion::memory::release(void *block) {
  if (block)
    current.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
  std::free(block);
}

size_t fusion::memory::getCurrent() { return current; }
size_t fusion::memory::getPeak() { return peak; }
void fusion::memory::resetPeak() { peak.store(current.load()); }
void fusion::memory::setBudget(size_t bytes) {
  budget = llvm::SaturatingAdd(current.load(), bytes);
}
void fusion::memory::setFillNewMemory(bool fill) { fillNewMemory = fill; }
