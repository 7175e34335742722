//===- Entry.cpp - Entries of object files --------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support.h"

#include <cstring>
#include <string>

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
// Calls
//===----------------------------------------------------------------------===//

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
  if (entry && entry->signature && results)
    memset(results, 0, static_cast<size_t>(entry->signature->results_size));
  return status;
}
