//===- Allocations.cpp - The heap of the process, under watch -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

#include "FusionRuntime/fusion_runtime.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <new>

// Sanitizers bring a malloc of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_MALLOC 1
#endif
#endif

using namespace fusion::test;

std::atomic<int64_t> fusion::test::allocations{0};
std::atomic<int64_t> fusion::test::liveAllocations{0};

/// Allocations until the one that fails, which has number 1.
static std::atomic<int64_t> untilFailure{0};

bool fusion::test::armFailure(int64_t nth) {
  return untilFailure.exchange(nth) < 0;
}

/// Whether the runtime has the code at `address`.
static bool isOfRuntime(const void *address) {
  auto beginOf = [](const void *code) {
    Dl_info info;
    return dladdr(code, &info) ? info.dli_fbase : nullptr;
  };
  return beginOf(address) ==
         beginOf(reinterpret_cast<const void *>(fusion_rt_abi_version));
}

/// Counts an allocation of the code at `caller`. False if it is to fail.
static bool mayAllocate(const void *caller) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  int64_t left = untilFailure.load();
  if (left > 0 && !isOfRuntime(caller))
    return true;
  while (left > 0)
    // -1 tells that it was reached.
    if (untilFailure.compare_exchange_weak(left, left == 1 ? -1 : left - 1))
      return left != 1;
  return true;
}

template <typename Allocate>
static void *watch(const void *caller, Allocate allocate) {
  void *block = mayAllocate(caller) ? allocate() : nullptr;
  if (block)
    liveAllocations.fetch_add(1, std::memory_order_relaxed);
  return block;
}

template <typename Free> static void watchFree(void *block, Free free) {
  if (block)
    liveAllocations.fetch_sub(1, std::memory_order_relaxed);
  free(block);
}

#define WATCH(allocation)                                                      \
  watch(__builtin_return_address(0), [&] { return allocation; })

//===----------------------------------------------------------------------===//
// malloc
//===----------------------------------------------------------------------===//

#ifdef HAS_OWN_MALLOC

const bool fusion::test::isMallocWatched = false;
static constexpr auto rawMalloc = malloc;
static constexpr auto rawFree = free;

#else

const bool fusion::test::isMallocWatched = true;

// The whole process calls these instead of glibc's, by their real names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

void *malloc(size_t bytes) { return WATCH(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) {
  return WATCH(__libc_calloc(count, bytes));
}
void *realloc(void *block, size_t bytes) {
  void *moved = WATCH(__libc_realloc(block, bytes));
  if (moved)
    watchFree(block, [](void *) {});
  return moved;
}
void *memalign(size_t alignment, size_t bytes) {
  return WATCH(__libc_memalign(alignment, bytes));
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  return WATCH(__libc_memalign(alignment, bytes));
}
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  void *made = WATCH(__libc_memalign(alignment, bytes));
  if (!made)
    return ENOMEM;
  *block = made;
  return 0;
}
void free(void *block) { watchFree(block, __libc_free); }
}

static constexpr auto rawMalloc = __libc_malloc;
static constexpr auto rawFree = __libc_free;

#endif // HAS_OWN_MALLOC

//===----------------------------------------------------------------------===//
// operator new
//===----------------------------------------------------------------------===//

// If it called malloc above, the caller would be the C++ library.

void *operator new(size_t bytes) {
  if (void *block = WATCH(rawMalloc(bytes)))
    return block;
  throw std::bad_alloc();
}
void *operator new(size_t bytes, const std::nothrow_t &) noexcept {
  return WATCH(rawMalloc(bytes));
}
void operator delete(void *block) noexcept { watchFree(block, rawFree); }
void operator delete(void *block, size_t) noexcept { operator delete(block); }
void operator delete(void *block, const std::nothrow_t &) noexcept {
  operator delete(block);
}
