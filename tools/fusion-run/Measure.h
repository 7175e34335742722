//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_MEASURE_H
#define FUSION_TOOLS_FUSION_RUN_MEASURE_H

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionRuntime/fusion_runtime.h"
#include "Options.h"
#include "llvm/ADT/MapVector.h"

namespace fusion::run {

/// The kernel of the runtime calls at one source location.
struct KernelInfo {
  std::string location;
  std::string kernel;
};

/// The results of running an executable.
struct Measurement {
  double prepareUs = 0; // if asked for
  double firstRunUs = 0;
  /// The times of the timed runs of all callers.
  std::vector<double> runsUs;
  double meanUs = 0, medianUs = 0, minUs = 0, maxUs = 0, stdUs = 0;
  /// The times that 50 and 99 of 100 runs do not exceed.
  double p50Us = 0, p99Us = 0;
  /// The time from the begin of the first timed run to the end of the last one.
  double wallUs = 0;
  /// The most heap memory held at once by compiled code and the runtime:
  /// buffers, packed weights, scratchpads. Arguments and constants are not
  /// counted.
  size_t peakMemoryBytes = 0;
  fusion_rt_counters counters = {};
  int threads = 0;
  /// In the order of execution.
  std::vector<KernelInfo> kernels;
  /// Results of the first run and, for each caller, of the last run. A kernel
  /// is created in the first run and reused in the last one.
  llvm::SmallVector<HostTensor> firstResults;
  llvm::SmallVector<llvm::SmallVector<HostTensor>> lastResults;
};

/// Applies the options for the runtime to the whole process: threads, memory,
/// errors.
llvm::Error setUpRuntime(const Options &options);

/// Runs once, warms up, and times, on as many threads at once as there are
/// callers. Each caller has copies of the arguments, but shares those that are
/// `constant`. Fails if the runtime reports an error or an argument is
/// overwritten.
llvm::Expected<Measurement> measure(Executable &executable,
                                    llvm::ArrayRef<HostTensor> arguments,
                                    llvm::ArrayRef<bool> constant,
                                    const Options &options);

/// Runs as often as each line of standard input says, and prints a line of JSON
/// with the times: {"times_us": [...]}. So programs that take turns are each
/// compiled once.
llvm::Error answerRequests(Executable &executable,
                           llvm::ArrayRef<HostTensor> arguments,
                           llvm::raw_fd_ostream &os);

/// Runs once, with memory whose first contents are NaN, so that reading it
/// before it is written shows.
llvm::Expected<llvm::SmallVector<HostTensor>>
runOnce(Executable &executable, llvm::ArrayRef<HostTensor> arguments);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_MEASURE_H
