//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_PROFILE_H
#define FUSION_TOOLS_FUSION_RUN_PROFILE_H

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionRuntime/fusion_runtime.h"
#include "Options.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace fusion::run {

/// One span of time that the runtime reported.
struct TraceEvent {
  std::string name;
  std::string location;
  std::string kernel;
  int64_t beginNs;
  int64_t endNs;
  uint64_t thread;
};

/// Collects the runtime's events while it is started.
class Trace {
public:
  ~Trace() { stop(); }
  void start();
  void stop();
  const std::vector<TraceEvent> &getEvents() const { return events; }

private:
  static void record(const fusion_rt_event *event, void *context);
  std::vector<TraceEvent> events;
};

/// Runs `executable` as often as --repeat says, prints a table with a row for
/// each kernel call and loop nest, and writes --profile's file if it is named.
llvm::Error profile(Executable &executable,
                    llvm::ArrayRef<HostTensor> arguments,
                    const Options &options, llvm::raw_ostream &os);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_PROFILE_H
