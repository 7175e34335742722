//===- Backend.cpp - oneDNN as the backend of the runtime -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backend.h"

#include "Fork.h"
#include "OneThread.h"
#include "Portable/LoopsPlan.h"
#include "TiledIntegers.h"
#include "TiledPlan.h"
#include "Verbose.h"
#include "WidenedPlan.h"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <sys/mman.h>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Fails unless there is address space for the code of large kernels and for
/// the objects of their first execution. oneDNN 2.6 does not check the memory
/// that it writes code to, so that the call would end by a signal.
static void expectRoomForCode() {
  constexpr size_t bytes = 16 << 20;
  void *room = mmap(nullptr, bytes, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    throw AllocationError(bytes, "generated code");
  munmap(room, bytes);
}

static void watchCache();

fusion_rt_status fusion::runtime::makeBackendPlan(
    const Descriptor &descriptor, const Problem &problem, int threads,
    const std::vector<std::shared_ptr<KeptWeights>> &kept,
    std::unique_ptr<BackendPlan> &out) {
  expectRoomForCode();
  watchCache();
  OneThreadScope oneThread;
  std::vector<PackedFormat> formats;
  for (const auto &weights : kept)
    if (auto *packed = dynamic_cast<const PackedWeights *>(weights.get()))
      for (const PackedPart &part : packed->parts)
        formats.push_back(part.format);
  if (descriptor.isQuantized()) {
    out = makeIntegerPlan(descriptor, problem, threads, /*takesSlow=*/false);
    if (!out)
      out = makeWidenedPlan(descriptor, problem, threads, formats);
    if (!out)
      out = makeIntegerPlan(descriptor, problem, threads, /*takesSlow=*/true);
    if (!out) // plain loops are exact on every machine
      out = makeLoopsPlan(descriptor, problem);
    return FUSION_RT_SUCCESS;
  }
  auto plan =
      TilePlanner(descriptor, problem, threads, std::move(formats)).run();
  if (!plan)
    return fail(FUSION_RT_UNSUPPORTED,
                "oneDNN has no kernel for this %s of %s to %s",
                opName(descriptor.function), typeName(descriptor.srcType()),
                typeName(descriptor.dstType()));
  out = std::move(plan);
  return FUSION_RT_SUCCESS;
}

static const char *layoutName(const View &copy) {
  if (copy.hasBlocks())
    return " blocks of channels";
  return fitsOrder(copy, Order::ChannelsLast) ? " channels-last"
                                              : " channels-first";
}

/// The steps of the plan beside the primitive.
std::string Plan::steps() const {
  std::string out;
  if (kernelClass == KernelClass::Reference)
    out += ", REFERENCE KERNEL (slow)";
  if (copiesSrc)
    out += ", src copied to " + text(src) + layoutName(src) +
           (variant.padsWidth ? " with pads" : "");
  if (copiesResidual())
    out += ", residual copied to dst";
  if (hasEpilogue)
    out += ", what follows the sum in an element-wise primitive";
  if (loopsSwish)
    out += ", swish in a loop";
  if (copiesDst)
    out += ", dst copied from " + text(dst) + layoutName(dst);
  return out;
}

//===----------------------------------------------------------------------===//
// oneDNN's cache of primitives
//===----------------------------------------------------------------------===//

static std::atomic<bool> hasCache{false};

/// Notes the end of oneDNN's cache, which is destroyed when the process exits:
/// slots may be released after that.
static void watchCache() {
  struct Watch {
    Watch() {
      int capacity = 0; // asking makes the cache, whose end comes after ours
      dnnl_get_primitive_cache_capacity(&capacity);
      hasCache = true;
    }
    ~Watch() { hasCache = false; }
  };
  static Watch watch;
}

/// oneDNN has one cache for the process, of 1024 primitives. Each may have
/// megabytes of code if images are large. A smaller capacity drops the least
/// recently used ones. The host's capacity is restored at once.
void fusion::runtime::trimBackendCache(int primitives) {
  static auto *mutex = new std::mutex;
  Lock lock(*mutex);
  int capacity = 0;
  if (!hasCache ||
      dnnl_get_primitive_cache_capacity(&capacity) != dnnl_success ||
      capacity <= primitives)
    return;
  dnnl_set_primitive_cache_capacity(primitives);
  dnnl_set_primitive_cache_capacity(capacity);
}

//===----------------------------------------------------------------------===//
// Version and errors
//===----------------------------------------------------------------------===//

const char *fusion::runtime::backendName() {
  static char text[48];
  static const bool written = [] {
    const dnnl_version_t *version = dnnl_version();
    snprintf(text, sizeof(text), "oneDNN %d.%d.%d", version->major,
             version->minor, version->patch);
    return true;
  }();
  (void)written;
  return text;
}

unsigned fusion::runtime::backendInstructionSets() {
  return static_cast<unsigned>(dnnl::get_effective_cpu_isa());
}

/// Like kernels, limited by ONEDNN_MAX_CPU_ISA.
int fusion::runtime::vectorBits() {
  static const unsigned isa = backendInstructionSets();
  auto has = [](dnnl::cpu_isa wanted) {
    return (isa & unsigned(wanted)) == unsigned(wanted);
  };
  return has(dnnl::cpu_isa::avx512_core) ? 512
         : has(dnnl::cpu_isa::avx2)      ? 256
                                         : 128;
}

static fusion_rt_status statusOf(const dnnl::error &error) {
  switch (error.status) {
  case dnnl_out_of_memory:
    return FUSION_RT_OUT_OF_MEMORY;
  case dnnl_unimplemented:
    return FUSION_RT_UNSUPPORTED;
  default:
    return FUSION_RT_BACKEND_ERROR;
  }
}

fusion_rt_status fusion::runtime::failFromBackendException() {
  try {
    throw;
  } catch (const dnnl::error &error) {
    return fail(statusOf(error), "oneDNN failed: %s (status %d)", error.what(),
                static_cast<int>(error.status));
  }
}
