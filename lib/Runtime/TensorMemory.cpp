//===- TensorMemory.cpp - Memory of compiled code -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"

#include "Call.h"
#include "Fork.h"

#include <cstdlib>
#include <cstring>
#include <map>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Blocks of allocators
//===----------------------------------------------------------------------===//

// Without an allocator blocks are those of the C library, which callers may
// free with free(). Compiled code also frees blocks that other code has from
// the C library. So a block cannot tell whose it is, and those of allocators
// are recorded.

/// The allocators of blocks. settingsMutex protects them, since fork() leaves
/// it free for the child.
using Owners = std::map<void *, Allocator>;

/// Never destroyed: blocks may be freed while static objects are.
static Owners &owners() {
  static auto *owners = new Owners;
  return *owners;
}

/// The number of recorded blocks. Whoever frees one sees it counted.
static std::atomic<size_t> ownerCount{0};

static void record(void *block, const Allocator &allocator) {
  std::lock_guard<std::mutex> lock(settingsMutex);
  owners()[block] = allocator;
  ownerCount.store(owners().size(), std::memory_order_relaxed);
}

/// Takes the record of `block` out. Returns no functions if it has none.
static Allocator takeOwner(void *block) {
  if (!ownerCount.load(std::memory_order_relaxed))
    return {};
  std::lock_guard<std::mutex> lock(settingsMutex);
  auto found = owners().find(block);
  if (found == owners().end())
    return {};
  Allocator owner = found->second;
  owners().erase(found);
  ownerCount.store(owners().size(), std::memory_order_relaxed);
  return owner;
}

void fusion::runtime::freeTensor(void *block) noexcept {
  Allocator owner = takeOwner(block);
  if (owner.release)
    Block(block, /*bytes=*/0, owner.release, owner.context).reset();
  else
    free(block);
}

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

namespace {
struct Request {
  size_t bytes;
  size_t alignment = 0; // as malloc aligns
  bool isZeroed = false;
};
} // namespace

static void *allocateFromAllocator(const Request &request,
                                   const Allocator &allocator) {
  Block made(allocator, request.bytes, request.alignment, "a tensor");
  if (request.isZeroed)
    memset(made.data(), 0, request.bytes);
  record(made.data(), allocator);
  return made.giveUp();
}

static void *allocateFromLibrary(const Request &request) {
  // A block of no bytes has an address, and aligned_alloc takes multiples.
  size_t bytes = request.bytes       ? request.bytes
                 : request.alignment ? request.alignment
                                     : 1;
  void *block = request.alignment  ? aligned_alloc(request.alignment, bytes)
                : request.isZeroed ? calloc(1, bytes)
                                   : malloc(bytes);
  if (!block)
    throw AllocationError(request.bytes, "a tensor");
  return block;
}

static fusion_rt_status allocate(const Request &request, void *&block) {
  return guarded([&] {
    // The size was computed from arguments that do not fit each other.
    if (static_cast<ptrdiff_t>(request.bytes) < 0)
      return fail(invalid(),
                  "the size of a tensor must not be negative or beyond the "
                  "address space, got %lld bytes",
                  number(static_cast<int64_t>(request.bytes)));
    if (auto status = refuseInAllocator("malloc"))
      return status;
    Allocator allocator = callersAllocator();
    block = allocator.alloc ? allocateFromAllocator(request, allocator)
                            : allocateFromLibrary(request);
    return FUSION_RT_SUCCESS;
  });
}

/// Lets the call that this thread is in free `block` if it fails.
static fusion_rt_status note(void *&block) {
  auto status = guarded([&] {
    if (CallScope *scope = CallScope::current())
      scope->note(block);
    return FUSION_RT_SUCCESS;
  });
  if (status)
    freeTensor(std::exchange(block, nullptr));
  return status;
}

static void *allocateChecked(const Request &request) {
  void *block = nullptr;
  auto status = allocate(request, block);
  if (!status)
    status = note(block);
  checkStatus(status, /*slot=*/nullptr);
  // Compiled code cannot continue without memory.
  if (!block)
    abort();
  return block;
}

fusion_rt_status fusion_rt_malloc(size_t bytes, void **block) {
  if (!block)
    return fail(invalid(), "'block' must not be null");
  *block = nullptr;
  return allocate({bytes}, *block);
}

void *fusion_rt_malloc_checked(size_t bytes) {
  return allocateChecked({bytes});
}

void *fusion_rt_calloc_checked(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total))
    total = SIZE_MAX; // refused
  return allocateChecked({total, /*alignment=*/0, /*isZeroed=*/true});
}

void *fusion_rt_aligned_alloc_checked(size_t alignment, size_t bytes) {
  return allocateChecked({bytes, alignment});
}

void fusion_rt_free(void *block) {
  for (CallScope *scope = CallScope::current(); scope && block;
       scope = scope->outer())
    if (scope->forget(block))
      break;
  freeTensor(block);
}
