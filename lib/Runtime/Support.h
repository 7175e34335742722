//===- Support.h - Errors, environment and blocks ---------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_SUPPORT_H
#define FUSION_LIB_RUNTIME_SUPPORT_H

#include "Counters.h"
#include "FusionRuntime/fusion_runtime.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace fusion {
namespace runtime {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Stores the sentence as this thread's last error, counts the error and
/// returns `status`. Needs no memory, so that it works when there is none.
[[gnu::format(printf, 2, 3)]] fusion_rt_status fail(fusion_rt_status status,
                                                    const char *format, ...);

/// A failure with its status and sentence.
class StatusError : public std::runtime_error {
public:
  StatusError(fusion_rt_status status, const std::string &sentence)
      : std::runtime_error(sentence), status(status) {}
  const fusion_rt_status status;
};

/// Call it in a catch block. Returns the status of the current exception, and
/// sets its sentence.
fusion_rt_status failFromException() noexcept;

/// The status of most refusals.
inline fusion_rt_status invalid() { return FUSION_RT_INVALID_ARGUMENT; }
/// A size as an argument for `%lld`.
inline long long number(int64_t value) { return value; }

/// The bytes of a sentence, with its terminator.
constexpr size_t maxSentence = 512;

const char *lastError();
/// Makes `sentence`, of an error that was counted before, this thread's last
/// error.
void keepLastError(const char *sentence);

/// Marks the calling thread as one that executes compiled code. If an
/// allocation fails there, the code passes on the null.
class CompiledCodeScope {
public:
  CompiledCodeScope();
  ~CompiledCodeScope();
  CompiledCodeScope(const CompiledCodeScope &) = delete;
  CompiledCodeScope &operator=(const CompiledCodeScope &) = delete;
  static bool isActive();
};

/// Passes a status other than success to the error handler.
void checkStatus(fusion_rt_status status, const fusion_rt_slot *slot);

/// Thrown if memory for `purpose` cannot be allocated.
class AllocationError : public std::bad_alloc {
public:
  AllocationError(size_t bytes, const char *purpose)
      : bytes(bytes), purpose(purpose) {}
  const char *what() const noexcept override { return purpose; }
  size_t bytes;
  const char *purpose;
};

/// Runs `body`, which returns a status. No exception leaves the C API.
template <typename Body> fusion_rt_status guarded(Body &&body) noexcept {
  try {
    return body();
  } catch (...) {
    return failFromException();
  }
}

/// Checks the version and the size, with which each descriptor begins.
template <typename Desc> fusion_rt_status validateVersion(const Desc &desc) {
  unsigned major = desc.abi_version >> 16, minor = desc.abi_version & 0xffff;
  if (major != FUSION_RT_ABI_MAJOR || minor > FUSION_RT_ABI_MINOR)
    return fail(FUSION_RT_UNSUPPORTED_VERSION,
                "'abi_version' must be %d.0 to %d.%d, got %u.%u",
                FUSION_RT_ABI_MAJOR, FUSION_RT_ABI_MAJOR, FUSION_RT_ABI_MINOR,
                major, minor);
  if (desc.struct_size != sizeof(Desc))
    return fail(FUSION_RT_UNSUPPORTED_VERSION,
                "'struct_size' must be %zu in version %u.%u, got %u",
                sizeof(Desc), major, minor, desc.struct_size);
  return FUSION_RT_SUCCESS;
}

/// Marks the state of a slot of fusion_rt_once, whose type differs from that of
/// a kernel's slot.
constexpr uintptr_t onceMark = 1;

inline uintptr_t loadState(const fusion_rt_slot &slot) {
  return reinterpret_cast<uintptr_t>(
      __atomic_load_n(&slot.state, __ATOMIC_ACQUIRE));
}

/// Fails for a slot that was used with function `before`.
inline fusion_rt_status failOtherFunction(const char *before, const char *now) {
  return fail(FUSION_RT_INVALID_ARGUMENT,
              "'slot' must be used with one function only, was used with "
              "fusion_rt_%s and now with fusion_rt_%s",
              before, now);
}

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

/// The plans to try first; `Any` except in tests of other plans.
enum class PlanPreference {
  Any,
  Direct,
  Copy,
  Pad,
  Widen,
  Epilogue,
  Blocks,
  Winograd // where the descriptor allows it
};

/// The settings in the environment when they were first read.
struct Environment {
  bool verbose;        // FUSION_VERBOSE=1
  bool checkConstants; // FUSION_CHECK_CONSTANTS=1
  PlanPreference plan; // FUSION_PLAN=direct|copy|pad|widen|epilogue|blocks|
                       //             winograd
};
const Environment &environment();

/// Whether anybody reads the lines below.
bool isVerbose();

/// Gives a line to the context's log, or writes it to standard error, in one
/// piece.
[[gnu::format(printf, 1, 2)]] void verboseLine(const char *format, ...);

/// CLOCK_MONOTONIC in nanoseconds.
int64_t nowNs();

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Alignment of every block and of every part of a thread's arena: a cache
/// line, and the widest vector.
constexpr size_t blockAlignment = 64;

inline size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

struct Allocator; // of CallerContext.h

/// Refuses one function without the other.
fusion_rt_status checkAllocator(fusion_rt_alloc_fn alloc,
                                fusion_rt_free_fn free);

/// Refuses a call of `name` inside of an allocator's functions on this thread:
/// it would use the memory that is being allocated.
fusion_rt_status refuseInAllocator(const char *name);

/// A block from the caller's allocator. The function that was set when it was
/// allocated frees it, whatever is set by then. No lock may be held at an
/// allocation or release: the allocator may call the library.
class Block {
public:
  Block() = default;
  /// Throws AllocationError.
  Block(size_t bytes, const char *purpose);
  /// The same from `allocator`, with a greater alignment if need be.
  Block(const Allocator &allocator, size_t bytes, size_t alignment,
        const char *purpose);
  /// Memory of another kind, which release(address, context) frees.
  Block(void *address, size_t bytes, fusion_rt_free_fn release, void *context)
      : address(address), bytes(bytes), release(release), context(context) {}
  Block(Block &&other) noexcept { *this = std::move(other); }
  Block &operator=(Block &&other) noexcept;
  ~Block() { reset(); }

  void reset() noexcept;
  /// Leaves the memory to the caller.
  void *giveUp() noexcept;
  char *data() const { return static_cast<char *>(address); }
  size_t size() const { return bytes; }

private:
  void swap(Block &other) noexcept;

  void *address = nullptr;
  size_t bytes = 0;
  fusion_rt_free_fn release = nullptr;
  void *context = nullptr;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_SUPPORT_H
