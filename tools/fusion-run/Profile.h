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
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace fusion::run {

/// A span of time that the runtime reported. Its texts live as long as the
/// executable: copying them would take longer than the smallest kernels.
struct TraceEvent {
  llvm::StringRef name;
  llvm::StringRef location;
  llvm::StringRef kernel;
  llvm::StringRef steps; ///< of the call beside the kernel
  int64_t beginNs;
  int64_t endNs;
  fusion_rt_copies copies; ///< of the call
  uint64_t thread;
};

/// Collects the runtime's events between `start` and `stop`.
class Trace {
public:
  ~Trace() { stop(); }
  void start();
  void stop();
  /// Forgets the events of one run, and reserves memory for those of `runs`.
  void makeRoom(size_t runs);
  const std::vector<TraceEvent> &getEvents() const { return events; }

private:
  static void record(const fusion_rt_event *event, void *context);
  std::vector<TraceEvent> events;
  /// Their texts that the runtime does not keep.
  llvm::StringSet<> texts;
};

/// All events of one place and kernel.
struct ProfileRow {
  /// The file without its folder, line and column; "-" if not known.
  std::string location;
  /// "conv", or the op that became a loop nest, with the bytes that it moves if
  /// it does nothing else.
  std::string name;
  /// "" for a loop nest.
  std::string kernel;
  /// The steps of each call beside the kernel, such as copies, each with a
  /// comma in front.
  std::string steps;
  /// Calls and time per run.
  double calls = 0;
  double us = 0;
  /// The bytes of operands and weights that calls copy per run, and the time.
  double copiedBytes = 0;
  double copiesUs = 0;
};

/// The parts of the time of a run, the longest rows first.
struct Profile {
  std::vector<ProfileRow> rows;
  /// The time of one run, and the part of it that is in no row.
  double wallUs = 0;
  double elsewhereUs = 0;
  /// The part in loop nests that only copy, transpose or broadcast, and in
  /// copies of kernel calls.
  double movesUs = 0;
};

/// Runs `executable` as often as --repeat says, and writes the file of
/// --profile if there is one.
llvm::Expected<Profile> profile(Executable &executable,
                                llvm::ArrayRef<HostTensor> arguments,
                                const Options &options);

/// Prints a table with a row for each kernel call and loop nest, and a warning
/// if moves take much of the time.
void printProfile(const Profile &profile, llvm::raw_ostream &os);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_PROFILE_H
