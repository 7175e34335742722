//===- Entry.cpp - Entries of object files --------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Context.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#ifdef __x86_64__
#include <cpuid.h>
#endif

using namespace fusion::runtime;

namespace {
struct Feature {
  const char *name;
  uint64_t bit;
};
} // namespace

static constexpr Feature features[] = {
#define FUSION_CPU_FEATURE(NAME, name, number, ...)                            \
  {name, uint64_t(1) << number},
#include "FusionRuntime/cpu_features.def"
};

//===----------------------------------------------------------------------===//
// This CPU
//===----------------------------------------------------------------------===//

#ifdef __x86_64__

namespace {
struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};
} // namespace

/// All zero if the CPU has no such leaf.
static Registers readCpuid(unsigned leaf, unsigned subleaf) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

/// The register XCR0: which registers the system keeps when it switches
/// threads.
static uint64_t readKeptState() {
  if (!(readCpuid(1, 0).ecx & bit_OSXSAVE))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

static uint64_t readFeatures() {
  uint64_t kept = readKeptState(), found = 0;
#define FUSION_CPU_FEATURE(NAME, name, number, leaf, subleaf, reg, bit, state) \
  if ((readCpuid(leaf, subleaf).reg >> bit & 1) && (kept & state) == state)    \
    found |= uint64_t(1) << number;
#include "FusionRuntime/cpu_features.def"
  return found;
}

#else

static uint64_t readFeatures() { return 0; }

#endif

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// The descriptor of a memref. As many strides follow `sizes`.
struct MemRef {
  void *allocated;
  char *data;
  int64_t offset;
  int64_t sizes[];
};

/// Text of a bounded length.
struct Text {
  char chars[128] = "";
  size_t length = 0;

  template <typename... Args> void add(const char *format, Args... args) {
    int written =
        snprintf(chars + length, sizeof(chars) - length, format, args...);
    length = std::min(sizeof(chars) - 1, length + std::max(written, 0));
  }
};
} // namespace

/// "1x3x?x?xf32"
static Text formatShape(const int64_t *sizes, int32_t rank, const char *type) {
  Text text;
  for (int32_t dim = 0; dim < rank; ++dim) {
    if (sizes[dim] < 0)
      text.add("%s", "?x");
    else
      text.add("%lldx", number(sizes[dim]));
  }
  text.add("%s", type);
  return text;
}

static fusion_rt_status validateShape(int32_t index,
                                      const fusion_rt_value_desc &desc,
                                      const MemRef &memref) {
  for (int32_t dim = 0; dim < desc.rank; ++dim) {
    int64_t size = memref.sizes[dim];
    if (size < 0)
      return fail(invalid(),
                  "'argument%d' must not have a negative size, got %lld in "
                  "dimension %d",
                  index, number(size), dim);
    if (desc.sizes[dim] >= 0 && desc.sizes[dim] != size)
      return fail(invalid(), "'argument%d' must be %s, got %s", index,
                  formatShape(desc.sizes, desc.rank, desc.type).chars,
                  formatShape(memref.sizes, desc.rank, desc.type).chars);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateStrides(int32_t index, int32_t rank,
                                        const MemRef &memref) {
  const int64_t *strides = memref.sizes + rank;
  int64_t expected = 1;
  for (int32_t dim = rank; dim-- > 0;) {
    if (memref.sizes[dim] == 0)
      return FUSION_RT_SUCCESS;
    if (memref.sizes[dim] != 1 && strides[dim] != expected)
      return fail(invalid(),
                  "'argument%d' must be row-major, with stride %lld in "
                  "dimension %d, got %lld",
                  index, number(expected), dim, number(strides[dim]));
    if (__builtin_mul_overflow(expected, memref.sizes[dim], &expected))
      return fail(invalid(), "'argument%d' must have fewer than 2^63 elements",
                  index);
  }
  if (!memref.data)
    return fail(invalid(), "the data of 'argument%d' must not be null", index);
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status validateArgument(int32_t index,
                                         const fusion_rt_value_desc &desc,
                                         const void *argument) {
  if (!argument)
    return fail(invalid(), "'argument%d' must not be null", index);
  if (desc.is_scalar)
    return FUSION_RT_SUCCESS;
  const MemRef &memref = *static_cast<const MemRef *>(argument);
  if (memref.offset != 0)
    return fail(invalid(),
                "'argument%d' must begin at its data, got an offset of %lld",
                index, number(memref.offset));
  if (auto status = validateShape(index, desc, memref))
    return status;
  return validateStrides(index, desc.rank, memref);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Validates the descriptors of the arguments or results, which `name` names.
static fusion_rt_status validateValues(const char *name, int32_t count,
                                       const fusion_rt_value_desc *values) {
  if (count < 0)
    return fail(invalid(), "'num_%s' must not be negative, got %d", name,
                count);
  if (!values && count > 0)
    return fail(invalid(), "'%s' of the signature must not be null", name);
  for (int32_t i = 0; i < count; ++i) {
    const fusion_rt_value_desc &value = values[i];
    if (value.rank < 0 || !value.type || (!value.sizes && value.rank > 0))
      return fail(invalid(),
                  "'%s[%d]' must have a type, a rank of at least 0 and sizes",
                  name, i);
  }
  return FUSION_RT_SUCCESS;
}

static fusion_rt_status
validateSignature(const fusion_rt_signature &signature) {
  if (auto status = validateVersion(signature))
    return status;
  if (signature.results_size < 0)
    return fail(invalid(), "'results_size' must not be negative, got %lld",
                number(signature.results_size));
  // Only calls that give memory for results read their descriptors.
  if (signature.num_results < 0)
    return fail(invalid(), "'num_results' must not be negative, got %d",
                signature.num_results);
  return validateValues("arguments", signature.num_arguments,
                        signature.arguments);
}

/// Fills the results of a failed call with zeros.
static void clearResults(const fusion_rt_signature *signature, void *results) {
  if (signature && results && signature->results_size > 0)
    memset(results, 0, static_cast<size_t>(signature->results_size));
}

static fusion_rt_status validateCall(const fusion_rt_signature *signature,
                                     fusion_rt_entry_fn fn, const void *results,
                                     void *const *arguments) {
  if (!signature || !fn)
    return fail(invalid(), "'signature' and 'fn' must not be null");
  if (auto status = validateSignature(*signature))
    return status;
  if (!results && (signature->num_results > 0 || signature->results_size > 0))
    return fail(invalid(), "'results' must not be null");
  if (!arguments && signature->num_arguments > 0)
    return fail(invalid(), "'arguments' must not be null");
  for (int32_t i = 0; i < signature->num_arguments; ++i)
    if (auto status =
            validateArgument(i, signature->arguments[i], arguments[i]))
      return status;
  return FUSION_RT_SUCCESS;
}

fusion_rt_status fusion_rt_call(const fusion_rt_signature *signature,
                                fusion_rt_entry_fn fn, void *results,
                                void *const *arguments) {
  auto status = guarded([&] {
    if (auto status = validateCall(signature, fn, results, arguments))
      return status;
    if (auto status = checkContext())
      return status;
    return runInScope([&] { fn(results, arguments); });
  });
  if (status)
    clearResults(signature, results);
  return status;
}

static fusion_rt_status validateCpu(const fusion_rt_entry_info &entry) {
  static const uint64_t present = readFeatures();
  uint64_t missing = entry.cpu_features & ~present;
  if (!missing)
    return FUSION_RT_SUCCESS;
  std::string names;
  for (const Feature &feature : features)
    if (missing & feature.bit)
      names.append(names.empty() ? "" : ", ").append(feature.name);
  return fail(FUSION_RT_UNSUPPORTED,
              "the CPU must have the instruction sets of '%s', which '%s' is "
              "compiled for; it lacks %s",
              entry.cpu, entry.signature->name, names.c_str());
}

static fusion_rt_status validateEntry(const fusion_rt_entry_info *entry) {
  if (!entry)
    return fail(invalid(), "'entry' must not be null");
  if (auto status = validateVersion(*entry))
    return status;
  if (!entry->signature || !entry->function)
    return fail(invalid(), "'signature' and 'function' must not be null");
  return validateCpu(*entry);
}

fusion_rt_status fusion_rt_call_entry(const fusion_rt_entry_info *entry,
                                      void *results, void *const *arguments) {
  auto status = guarded([&] { return validateEntry(entry); });
  if (!status)
    return fusion_rt_call(entry->signature, entry->function, results,
                          arguments);
  if (entry)
    clearResults(entry->signature, results);
  return status;
}

//===----------------------------------------------------------------------===//
// Results in memory of the caller's
//===----------------------------------------------------------------------===//

/// The number of elements, or -1 if a size is negative or there are 2^63 or
/// more.
static int64_t countElements(const int64_t *sizes, int32_t rank) {
  auto isNegative = [](int64_t size) { return size < 0; };
  if (std::any_of(sizes, sizes + rank, isNegative))
    return -1;
  if (std::count(sizes, sizes + rank, 0))
    return 0;
  int64_t count = 1;
  for (int32_t dim = 0; dim < rank; ++dim)
    if (__builtin_mul_overflow(count, sizes[dim], &count))
      return -1;
  return count;
}

/// The bytes of an element of `type`: of "index", "i1" or "bf16". 0 if `type`
/// is not the name of a type.
static size_t countElementBytes(const char *type) {
  unsigned bits = 64;
  if (strcmp(type, "index") != 0 && sscanf(type, "%*[a-z]%u", &bits) != 1)
    return 0;
  // LLVM aligns odd widths as the next power of two: an i48 takes 8 bytes.
  for (size_t bytes = 1; bytes <= 8; bytes *= 2)
    if (bits - 1 < 8 * bytes)
      return bytes;
  return 0;
}

namespace {
/// A result in the caller's struct, and the one that the code makes.
struct Result {
  int32_t index;
  const fusion_rt_value_desc &desc;
  char *given, *made;
  bool hasMemory; ///< of the caller's

  MemRef &givenMemRef() const { return *reinterpret_cast<MemRef *>(given); }
  MemRef &madeMemRef() const { return *reinterpret_cast<MemRef *>(made); }
  bool isStatic() const {
    return std::none_of(desc.sizes, desc.sizes + desc.rank,
                        [](int64_t size) { return size < 0; });
  }
};
} // namespace

/// The bytes of a result in the struct of results.
static size_t countFieldBytes(const fusion_rt_value_desc &desc) {
  if (desc.is_scalar)
    return countElementBytes(desc.type);
  return sizeof(MemRef) + 2 * sizeof(int64_t) * static_cast<size_t>(desc.rank);
}

/// Moves `offset`, in the struct of results, to the alignment of a result.
static void alignField(const fusion_rt_value_desc &desc, size_t &offset) {
  size_t alignment = desc.is_scalar ? countFieldBytes(desc) : alignof(MemRef);
  offset = (offset + alignment - 1) / alignment * alignment;
}

/// Validates the descriptors of the results, and the bytes of their struct.
static fusion_rt_status validateFields(const fusion_rt_signature &signature) {
  if (auto status =
          validateValues("results", signature.num_results, signature.results))
    return status;
  size_t bytes = 0;
  for (int32_t i = 0; i < signature.num_results; ++i) {
    const fusion_rt_value_desc &desc = signature.results[i];
    if (!countElementBytes(desc.type))
      return fail(
          invalid(),
          "the type of 'results[%d]' must be one as 'f32', got '%.100s'", i,
          desc.type);
    alignField(desc, bytes);
    bytes += countFieldBytes(desc);
  }
  if (static_cast<size_t>(signature.results_size) < bytes)
    return fail(invalid(),
                "'results_size' must be at least %zu, the bytes of the "
                "results, got %lld",
                bytes, number(signature.results_size));
  return FUSION_RT_SUCCESS;
}

static std::vector<Result> listResults(const fusion_rt_signature &signature,
                                       void *given, void *made) {
  std::vector<Result> results;
  results.reserve(static_cast<size_t>(signature.num_results));
  size_t offset = 0;
  for (int32_t i = 0; i < signature.num_results; ++i) {
    const fusion_rt_value_desc &desc = signature.results[i];
    alignField(desc, offset);
    Result result{i, desc, static_cast<char *>(given) + offset,
                  static_cast<char *>(made) + offset, /*hasMemory=*/false};
    result.hasMemory = !desc.is_scalar && result.givenMemRef().data;
    results.push_back(result);
    offset += countFieldBytes(desc);
  }
  return results;
}

static fusion_rt_status validateMemory(const Result &result) {
  const MemRef &memref = result.givenMemRef();
  if (memref.offset != 0)
    return fail(invalid(),
                "'result%d' must begin at its data, got an offset of %lld",
                result.index, number(memref.offset));
  if (countElements(memref.sizes, result.desc.rank) < 0)
    return fail(
        invalid(),
        "'result%d' must have sizes of at least 0 and less than 2^63 elements, "
        "got %s",
        result.index,
        formatShape(memref.sizes, result.desc.rank, result.desc.type).chars);
  return FUSION_RT_SUCCESS;
}

/// Fails if there is less room than for `sizes`, and tells the caller these.
/// `status` is that of the results before.
static fusion_rt_status requireRoom(const Result &result, const int64_t *sizes,
                                    fusion_rt_status status) {
  MemRef &memref = result.givenMemRef();
  int32_t rank = result.desc.rank;
  if (countElements(sizes, rank) <= countElements(memref.sizes, rank))
    return status;
  if (!status)
    status =
        fail(invalid(), "'result%d' must have memory for %s, got %s",
             result.index, formatShape(sizes, rank, result.desc.type).chars,
             formatShape(memref.sizes, rank, result.desc.type).chars);
  // The next call must not take the new sizes for those of this memory.
  memref.allocated = memref.data = nullptr;
  std::copy_n(sizes, rank, memref.sizes);
  return status;
}

/// Validates the memory that the caller gives, as far as that is possible
/// before the call.
static fusion_rt_status validateResults(const std::vector<Result> &results) {
  for (const Result &result : results)
    if (result.hasMemory)
      if (auto status = validateMemory(result))
        return status;
  auto status = FUSION_RT_SUCCESS;
  for (const Result &result : results)
    if (result.hasMemory && result.isStatic())
      status = requireRoom(result, result.desc.sizes, status);
  return status;
}

/// Gives `result` to the caller.
static void give(const Result &result) {
  if (!result.hasMemory) {
    memcpy(result.given, result.made, countFieldBytes(result.desc));
    return;
  }
  const MemRef &made = result.madeMemRef();
  MemRef &given = result.givenMemRef();
  size_t width = countElementBytes(result.desc.type);
  // Entries return row-major tensors.
  if (auto count = countElements(made.sizes, result.desc.rank))
    memcpy(given.data, made.data + made.offset * int64_t(width),
           static_cast<size_t>(count) * width);
  std::copy_n(made.sizes, 2 * result.desc.rank, given.sizes);
  given.allocated = nullptr; // nothing to free
}

/// Gives the results to the caller if there is room for all of them, and frees
/// what the code has allocated for those in memory of the caller's.
static fusion_rt_status giveResults(const std::vector<Result> &results) {
  auto status = FUSION_RT_SUCCESS;
  for (const Result &result : results)
    if (result.hasMemory)
      status = requireRoom(result, result.madeMemRef().sizes, status);
  for (const Result &result : results) {
    if (!status)
      give(result);
    if (!result.desc.is_scalar && (result.hasMemory || status))
      fusion_rt_free(result.madeMemRef().allocated);
  }
  return status;
}

static fusion_rt_status callInto(const fusion_rt_entry_info *entry, void *given,
                                 void *const *arguments) {
  if (auto status = validateEntry(entry))
    return status;
  const fusion_rt_signature &signature = *entry->signature;
  if (auto status = validateSignature(signature))
    return status;
  if (!given && (signature.num_results > 0 || signature.results_size > 0))
    return fail(invalid(), "'results' must not be null");
  if (auto status = validateFields(signature))
    return status;
  // The struct is as aligned as its words.
  std::vector<int64_t> made(
      static_cast<size_t>(signature.results_size) / sizeof(int64_t) + 1);
  std::vector<Result> results = listResults(signature, given, made.data());
  if (auto status = validateResults(results))
    return status;
  if (auto status =
          fusion_rt_call(&signature, entry->function, made.data(), arguments))
    return status;
  return giveResults(results);
}

fusion_rt_status fusion_rt_call_entry_into(const fusion_rt_entry_info *entry,
                                           void *results,
                                           void *const *arguments) {
  return guarded([&] { return callInto(entry, results, arguments); });
}
