//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Numbers.h"
#include "Profile.h"

#include "FusionDialect/ExecutionEngine/MemoryMeter.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Support/WriteFile.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>

using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;

//===----------------------------------------------------------------------===//
// Runtime
//===----------------------------------------------------------------------===//

/// The first error of the runtime since the last `takeRuntimeError`. The
/// handler may be called on any thread.
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

using Pointers = llvm::SmallVector<const HostTensor *>;

static uint64_t hashArguments(llvm::ArrayRef<const HostTensor *> arguments) {
  llvm::hash_code hash(0);
  for (const HostTensor *argument : arguments) {
    auto *data = reinterpret_cast<const uint8_t *>(argument->data());
    hash = llvm::hash_combine(
        hash, llvm::xxh3_64bits({data, argument->getNumBytes()}));
  }
  return hash;
}

using Clock = std::chrono::steady_clock;

static double getMicroseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

static double timeCall(Invocation &invocation) {
  Clock::time_point begin = Clock::now();
  invocation.call();
  return getMicroseconds(Clock::now() - begin);
}

/// The shortest time that `percent` of 100 do not exceed.
static double getPercentile(llvm::ArrayRef<double> sorted, size_t percent) {
  return sorted[llvm::divideCeil(sorted.size() * percent, 100) - 1];
}

static void summarize(Measurement &result) {
  std::vector<double> sorted = result.runsUs;
  llvm::sort(sorted);
  size_t n = sorted.size();
  result.minUs = sorted.front();
  result.maxUs = sorted.back();
  result.medianUs = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  result.p50Us = getPercentile(sorted, 50);
  result.p99Us = getPercentile(sorted, 99);
  for (double time : sorted)
    result.meanUs += time / n;
  double squares = 0;
  for (double time : sorted)
    squares += (time - result.meanUs) * (time - result.meanUs);
  result.stdUs = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

/// The first run creates kernels. It is timed separately, and tells which
/// kernels are used.
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

//===----------------------------------------------------------------------===//
// Callers
//===----------------------------------------------------------------------===//

namespace {
/// Lets the threads continue when all have arrived.
class StartLine {
public:
  explicit StartLine(unsigned threads) : missing(threads) {}
  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    if (--missing == 0)
      allAreHere.notify_all();
    allAreHere.wait(lock, [&] { return missing == 0; });
  }

private:
  std::mutex mutex;
  std::condition_variable allAreHere;
  unsigned missing;
};

/// A thread that runs the executable, and its results.
struct Caller {
  Caller(Executable &executable, Pointers arguments)
      : arguments(std::move(arguments)),
        invocation(executable, this->arguments) {}
  void run(const Options &options, StartLine &line);

  Pointers arguments;
  Invocation invocation;
  std::vector<double> runsUs;
  Clock::time_point begin, end;
  llvm::SmallVector<HostTensor> lastResults;
};
} // namespace

void Caller::run(const Options &options, StartLine &line) {
  for (unsigned i = 0; i < options.warmup; ++i) {
    invocation.call();
    invocation.freeResults();
  }
  line.wait();
  begin = Clock::now();
  for (unsigned i = 0; i < options.repeat; ++i) {
    runsUs.push_back(timeCall(invocation));
    end = Clock::now();
    if (i + 1 == options.repeat)
      lastResults = invocation.copyResults();
    invocation.freeResults();
  }
}

/// Pointers to `arguments`, or to copies of those that are not constant.
static Pointers copyArguments(llvm::ArrayRef<HostTensor> arguments,
                              llvm::ArrayRef<bool> constant,
                              std::deque<HostTensor> &copies) {
  Pointers pointers;
  for (auto [argument, isConstant] : llvm::zip_equal(arguments, constant))
    pointers.push_back(isConstant ? &argument
                                  : &copies.emplace_back(argument.clone()));
  return pointers;
}

/// Runs and times all callers. The calling thread is the first of them.
static void runTimed(std::deque<Caller> &callers, const Options &options,
                     Measurement &result) {
  StartLine line(callers.size());
  std::vector<std::thread> threads;
  for (Caller &caller : llvm::drop_begin(callers))
    threads.emplace_back(&Caller::run, &caller, std::cref(options),
                         std::ref(line));
  callers.front().run(options, line);
  for (std::thread &thread : threads)
    thread.join();
  Clock::time_point begin = callers.front().begin, end = callers.front().end;
  for (Caller &caller : callers) {
    begin = std::min(begin, caller.begin);
    end = std::max(end, caller.end);
    llvm::append_range(result.runsUs, caller.runsUs);
    result.lastResults.push_back(std::move(caller.lastResults));
  }
  result.wallUs = getMicroseconds(end - begin);
}

llvm::Expected<Measurement>
fusion::run::measure(Executable &executable,
                     llvm::ArrayRef<HostTensor> arguments,
                     llvm::ArrayRef<bool> constant, const Options &options) {
  Measurement result;
  Pointers pointers = llvm::map_to_vector(
      arguments, [](const HostTensor &argument) { return &argument; });
  uint64_t before = hashArguments(pointers);
  std::deque<HostTensor> copies;
  std::deque<Caller> callers;
  callers.emplace_back(executable, pointers);
  while (callers.size() < options.callers)
    callers.emplace_back(executable,
                         copyArguments(arguments, constant, copies));
  fusion_rt_reset_counters();
  memory::resetPeak();
  memory::setBudget(getAvailableMemory());
  if (options.prepare) {
    Clock::time_point begin = Clock::now();
    executable.prepare();
    result.prepareUs = getMicroseconds(Clock::now() - begin);
    if (llvm::Error error = takeRuntimeError())
      return error;
  }
  runFirst(callers.front().invocation, options, result);
  if (llvm::Error error = takeRuntimeError())
    return error;
  runTimed(callers, options, result);
  if (llvm::Error error = takeRuntimeError())
    return error;
  for (const Caller &caller : callers)
    if (hashArguments(caller.arguments) != before)
      return createStringError("compiled code wrote to an argument");

  result.peakMemoryBytes = memory::getPeak();
  fusion_rt_get_counters(&result.counters);
  result.threads = fusion_rt_get_num_threads();
  summarize(result);
  return result;
}

static void printTimes(llvm::ArrayRef<double> times, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attributeArray("times_us", [&] {
      for (double us : times)
        printNumber(json, us, "%.3f");
    });
  });
  os << "\n";
}

llvm::Error fusion::run::answerRequests(Executable &executable,
                                        llvm::ArrayRef<HostTensor> arguments,
                                        llvm::raw_fd_ostream &os) {
  Invocation invocation(executable, arguments);
  for (std::string line; std::getline(std::cin, line);) {
    unsigned repeat = 0;
    if (llvm::StringRef(line).trim().getAsInteger(10, repeat) || repeat == 0)
      return createStringError("--requests: expected a number of runs, got '" +
                               line + "'");
    std::vector<double> times;
    for (unsigned i = 0; i < repeat; ++i) {
      times.push_back(timeCall(invocation));
      invocation.freeResults();
    }
    if (llvm::Error error = takeRuntimeError())
      return error;
    printTimes(times, os);
    if (llvm::Error error = checkWritten(os, "to standard output"))
      return error;
  }
  return llvm::Error::success();
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
