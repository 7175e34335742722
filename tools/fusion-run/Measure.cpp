//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Profile.h"

#include "FusionDialect/ExecutionEngine/MemoryMeter.h"
#include "FusionDialect/Support/TensorSize.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cmath>
#include <mutex>
#include <utility>

using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Runtime
//===----------------------------------------------------------------------===//

/// The first error of the runtime since it was last taken. The handler may be
/// called on any thread.
static std::mutex errorMutex;
static std::string firstError;

static void recordError(fusion_rt_status status, const char *message, void *) {
  std::lock_guard<std::mutex> lock(errorMutex);
  if (firstError.empty())
    firstError = std::string(fusion_rt_status_string(status)) + ": " + message;
}

static llvm::Error takeRuntimeError() {
  std::lock_guard<std::mutex> lock(errorMutex);
  if (firstError.empty())
    return llvm::Error::success();
  return createStringError("the runtime failed: " +
                           std::exchange(firstError, ""));
}

static void *allocateForRuntime(size_t bytes, size_t alignment, void *) {
  return memory::allocateAligned(alignment, bytes);
}

static void freeForRuntime(void *block, void *) { memory::release(block); }

llvm::Error fusion::run::setUpRuntime(const Options &options) {
  fusion_rt_set_error_handler(recordError, nullptr);
  fusion_rt_status status =
      fusion_rt_set_allocator(allocateForRuntime, freeForRuntime, nullptr);
  if (status == FUSION_RT_SUCCESS)
    status = fusion_rt_set_num_threads(options.threads);
  if (status == FUSION_RT_SUCCESS)
    return llvm::Error::success();
  return createStringError("the runtime cannot be set up: " +
                           llvm::Twine(fusion_rt_last_error()));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static uint64_t hashArguments(llvm::ArrayRef<HostTensor> arguments) {
  llvm::hash_code hash(0);
  for (const HostTensor &argument : arguments) {
    auto *data = reinterpret_cast<const uint8_t *>(argument.data());
    hash = llvm::hash_combine(
        hash, llvm::xxh3_64bits({data, argument.getNumBytes()}));
  }
  return hash;
}

static double timeCall(Invocation &invocation) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin = Clock::now();
  invocation.call();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin)
      .count();
}

static void summarize(Measurement &result) {
  std::vector<double> sorted = result.runsUs;
  llvm::sort(sorted);
  size_t n = sorted.size();
  result.minUs = sorted.front();
  result.maxUs = sorted.back();
  result.medianUs = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  for (double time : sorted)
    result.meanUs += time / n;
  double squares = 0;
  for (double time : sorted)
    squares += (time - result.meanUs) * (time - result.meanUs);
  result.stdUs = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

/// The first run creates kernels: it is timed apart and shows which they are.
static void runFirst(Invocation &invocation, const Options &options,
                     Measurement &result) {
  Trace trace;
  trace.start();
  memory::setFillNewMemory(options.verify);
  result.firstRunUs = timeCall(invocation);
  memory::setFillNewMemory(false);
  trace.stop();
  for (const TraceEvent &event : trace.getEvents())
    if (!event.kernel.empty())
      result.kernels.push_back({event.location.str(), event.kernel.str()});
  result.firstResults = invocation.copyResults();
  invocation.freeResults();
}

static void runTimed(Invocation &invocation, const Options &options,
                     Measurement &result) {
  for (unsigned i = 0; i < options.warmup; ++i) {
    invocation.call();
    invocation.freeResults();
  }
  for (unsigned i = 0; i < options.repeat; ++i) {
    result.runsUs.push_back(timeCall(invocation));
    if (i + 1 == options.repeat)
      result.lastResults = invocation.copyResults();
    invocation.freeResults();
  }
}

llvm::Expected<Measurement>
fusion::run::measure(Executable &executable,
                     llvm::ArrayRef<HostTensor> arguments,
                     const Options &options) {
  Measurement result;
  uint64_t before = hashArguments(arguments);
  Invocation invocation(executable, arguments);
  fusion_rt_reset_counters();
  memory::resetPeak();
  memory::setBudget(getAvailableMemory());
  runFirst(invocation, options, result);
  if (llvm::Error error = takeRuntimeError())
    return error;
  runTimed(invocation, options, result);
  if (llvm::Error error = takeRuntimeError())
    return error;
  if (hashArguments(arguments) != before)
    return createStringError("compiled code wrote to an argument");

  result.peakMemoryBytes = memory::getPeak();
  fusion_rt_get_counters(&result.counters);
  result.threads = fusion_rt_get_num_threads();
  summarize(result);
  return result;
}

llvm::Expected<llvm::SmallVector<HostTensor>>
fusion::run::runOnce(Executable &executable,
                     llvm::ArrayRef<HostTensor> arguments) {
  Invocation invocation(executable, arguments);
  memory::setBudget(getAvailableMemory());
  memory::setFillNewMemory(true);
  invocation.call();
  memory::setFillNewMemory(false);
  if (llvm::Error error = takeRuntimeError())
    return error;
  return invocation.copyResults();
}
