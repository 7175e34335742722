//===- Support.cpp - Errors, environment and blocks -----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include "Backend.h"
#include "CallerContext.h"
#include "Fork.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <sys/mman.h>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

// A plain array needs neither memory nor destruction. So errors can be reported
// when memory is short and while a thread ends.
static thread_local char lastErrorText[maxSentence];

const char *fusion::runtime::lastError() { return lastErrorText; }

void fusion::runtime::keepLastError(const char *sentence) {
  // `sentence` may be a part of the text.
  char kept[maxSentence];
  snprintf(kept, sizeof(kept), "%s", sentence);
  memcpy(lastErrorText, kept, sizeof(kept));
}

fusion_rt_status fusion::runtime::fail(fusion_rt_status status,
                                       const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lastErrorText, sizeof(lastErrorText), format, arguments);
  va_end(arguments);
  count(&Counters::errors);
  return status;
}

fusion_rt_status fusion::runtime::failFromException() noexcept {
  try {
    return failFromBackendException();
  } catch (const StatusError &error) {
    return fail(error.status, "%s", error.what());
  } catch (const AllocationError &error) {
    return fail(FUSION_RT_OUT_OF_MEMORY, "cannot allocate %zu bytes for %s",
                error.bytes, error.purpose);
  } catch (const std::bad_alloc &) {
    return fail(FUSION_RT_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return fail(FUSION_RT_BACKEND_ERROR, "unexpected failure: %s",
                error.what());
  } catch (...) {
    return fail(FUSION_RT_BACKEND_ERROR, "unexpected failure");
  }
}

static thread_local bool isCompiledCode = false;

CompiledCodeScope::CompiledCodeScope() { isCompiledCode = true; }
CompiledCodeScope::~CompiledCodeScope() { isCompiledCode = false; }
bool CompiledCodeScope::isActive() { return isCompiledCode; }

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

static bool isSwitchedOn(const char *name) {
  const char *value = getenv(name);
  return value && *value && strcmp(value, "0") != 0;
}

static PlanPreference readPlanPreference() {
  const std::pair<const char *, PlanPreference> names[] = {
      {"direct", PlanPreference::Direct},
      {"copy", PlanPreference::Copy},
      {"pad", PlanPreference::Pad},
      {"widen", PlanPreference::Widen},
      {"epilogue", PlanPreference::Epilogue},
      {"blocks", PlanPreference::Blocks},
      {"winograd", PlanPreference::Winograd}};
  const char *value = getenv("FUSION_PLAN");
  for (auto [name, preference] : names)
    if (value && !strcmp(value, name))
      return preference;
  return PlanPreference::Any;
}

const Environment &fusion::runtime::environment() {
  // glibc reads again in a child whose parent was about to. The lock of a
  // static variable's initialization would stay taken there.
  static std::once_flag once;
  static std::atomic<bool> isRead{false};
  static Environment read;
  if (isRead.load(std::memory_order_acquire))
    return read;
  std::call_once(once, [] {
    read = {isSwitchedOn("FUSION_VERBOSE"),
            isSwitchedOn("FUSION_CHECK_CONSTANTS"), readPlanPreference()};
    isRead.store(true, std::memory_order_release);
  });
  return read;
}

void fusion::runtime::verboseLine(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  Log log;
  if (callerContext && callerContext->hasLog) {
    std::lock_guard<std::mutex> lock(settingsMutex);
    log = callerContext->log;
  }
  if (log.fn)
    log.fn(line, log.context);
  else
    fprintf(stderr, "fusion: %s\n", line);
}

bool fusion::runtime::isVerbose() {
  return environment().verbose || (callerContext && callerContext->hasLog);
}

int64_t fusion::runtime::nowNs() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The size of huge pages on x86-64, and on AArch64 with small pages of 4 KB.
static constexpr size_t hugePage = 2 << 20;

/// Blocks that fill huge pages begin with one.
static void *defaultAlloc(size_t bytes, size_t alignment, void *) {
  void *block = nullptr;
  if (bytes >= hugePage)
    alignment = hugePage;
  return posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

/// Asks for huge pages where a block fills them, which costs no memory. Kernels
/// that read many megabytes of weights once are faster with them: 18.5 ms
/// become 14.2 for 411 MB (AMD Zen 4, two threads). Where Linux has none to
/// give, nothing changes.
static void adviseHugePages(void *block, size_t bytes) {
  auto address = reinterpret_cast<uintptr_t>(block);
  size_t begin = roundUp(address, hugePage);
  size_t end = (address + bytes) / hugePage * hugePage;
  if (begin < end)
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
}

static void defaultFree(void *block, void *) { free(block); }

static constexpr Allocator defaultAllocator = {defaultAlloc, defaultFree,
                                               nullptr};
static Allocator allocator; // of the process, if it has set one
/// Whether there is one, for readers without the lock.
static std::atomic<bool> hasAllocator{false};

Allocator fusion::runtime::callersAllocator() {
  if (!hasAllocator && !(callerContext && callerContext->hasAllocator))
    return {};
  std::lock_guard<std::mutex> lock(settingsMutex);
  if (callerContext && callerContext->allocator.alloc)
    return callerContext->allocator;
  return allocator;
}

fusion_rt_status fusion::runtime::checkAllocator(fusion_rt_alloc_fn alloc,
                                                 fusion_rt_free_fn free) {
  if (!alloc == !free)
    return FUSION_RT_SUCCESS;
  return fail(FUSION_RT_INVALID_ARGUMENT,
              "'alloc' and 'free' must be given together, got only '%s'",
              alloc ? "alloc" : "free");
}

fusion_rt_status fusion_rt_set_allocator(fusion_rt_alloc_fn alloc,
                                         fusion_rt_free_fn free,
                                         void *context) {
  if (auto status = checkAllocator(alloc, free))
    return status;
  std::lock_guard<std::mutex> lock(settingsMutex);
  allocator = {alloc, free, context};
  hasAllocator = alloc != nullptr;
  return FUSION_RT_SUCCESS;
}

/// The number of allocator functions that this thread is in.
static thread_local int allocatorDepth = 0;

namespace {
struct AllocatorScope {
  AllocatorScope() { ++allocatorDepth; }
  ~AllocatorScope() { --allocatorDepth; }
};
} // namespace

fusion_rt_status fusion::runtime::refuseInAllocator(const char *name) {
  if (!allocatorDepth)
    return FUSION_RT_SUCCESS;
  return fail(invalid(), "an allocator must not call fusion_rt_%s", name);
}

Block::Block(const Allocator &allocator, size_t size, size_t alignment,
             const char *purpose)
    : bytes(size) {
  const Allocator &used = allocator.alloc ? allocator : defaultAllocator;
  // A block of no bytes has an address of its own, too.
  size_t asked = roundUp(size ? size : 1, blockAlignment);
  AllocatorScope scope;
  address =
      used.alloc(asked, std::max(alignment, blockAlignment), used.context);
  if (!address)
    throw AllocationError(size, purpose);
  adviseHugePages(address, asked);
  release = used.release;
  context = used.context;
}

Block::Block(size_t size, const char *purpose)
    : Block(callersAllocator(), size, blockAlignment, purpose) {}

void Block::swap(Block &other) noexcept {
  std::swap(address, other.address);
  std::swap(bytes, other.bytes);
  std::swap(release, other.release);
  std::swap(context, other.context);
}

Block &Block::operator=(Block &&other) noexcept {
  if (this != &other) {
    reset();
    swap(other);
  }
  return *this;
}

void *Block::giveUp() noexcept {
  bytes = 0;
  return std::exchange(address, nullptr);
}

/// Clears the block before the allocator is called.
void Block::reset() noexcept {
  void *freed = giveUp();
  if (!freed)
    return;
  AllocatorScope scope;
  release(freed, context);
}

//===----------------------------------------------------------------------===//
// The C API's part of it
//===----------------------------------------------------------------------===//

const char *fusion_rt_last_error(void) { return lastErrorText; }

const char *fusion_rt_status_string(fusion_rt_status status) {
  switch (status) {
  case FUSION_RT_SUCCESS:
    return "success";
  case FUSION_RT_INVALID_ARGUMENT:
    return "invalid argument";
  case FUSION_RT_UNSUPPORTED:
    return "unsupported";
  case FUSION_RT_OUT_OF_MEMORY:
    return "out of memory";
  case FUSION_RT_UNSUPPORTED_VERSION:
    return "unsupported version";
  case FUSION_RT_BACKEND_ERROR:
    return "backend error";
  case FUSION_RT_BROKEN_PROMISE:
    return "broken promise";
  case FUSION_RT_CANCELLED:
    return "cancelled";
  case FUSION_RT_DEADLINE_EXCEEDED:
    return "deadline exceeded";
  }
  return "unknown status";
}

uint32_t fusion_rt_abi_version(void) { return FUSION_RT_ABI_VERSION; }

const char *fusion_rt_backend(void) { return backendName(); }
