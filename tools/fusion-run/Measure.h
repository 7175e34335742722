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

/// Calls of the runtime by one source location.
struct KernelInfo {
  std::string location;
  std::string kernel;
};

/// What running an executable showed.
struct Measurement {
  double firstRunUs = 0;
  /// Of the timed runs of all callers.
  std::vector<double> runsUs;
  double meanUs = 0, medianUs = 0, minUs = 0, maxUs = 0, stdUs = 0;
  /// Times that 50 and 99 of 100 runs do not exceed.
  double p50Us = 0, p99Us = 0;
  /// From the begin of the first timed run to the end of the last.
  double wallUs = 0;
  /// Most heap memory held at once by compiled code and the runtime: buffers,
  /// packed weights, scratchpads. Arguments and constants are not in it.
  size_t peakMemoryBytes = 0;
  fusion_rt_counters counters = {};
  int threads = 0;
  /// In the order of execution.
  std::vector<KernelInfo> kernels;
  /// Of the first and, for each caller, of the last run. Both, since a kernel
  /// that is created in the first is reused in the last.
  llvm::SmallVector<HostTensor> firstResults;
  llvm::SmallVector<llvm::SmallVector<HostTensor>> lastResults;
};

/// Sets what the runtime is to do for the whole process: threads, memory,
/// errors.
llvm::Error setUpRuntime(const Options &options);

/// Runs once, warms up, and times, on as many threads at once as there are
/// callers. Each has a copy of the arguments, except of those that are
/// `constant`: they are the same for all calls, in one place. Fails if the
/// runtime reports an error or an argument was written to.
llvm::Expected<Measurement> measure(Executable &executable,
                                    llvm::ArrayRef<HostTensor> arguments,
                                    llvm::ArrayRef<bool> constant,
                                    const Options &options);

/// Runs once, with memory that shows when it is read before it is written.
llvm::Expected<llvm::SmallVector<HostTensor>>
runOnce(Executable &executable, llvm::ArrayRef<HostTensor> arguments);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_MEASURE_H
