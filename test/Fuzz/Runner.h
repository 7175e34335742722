//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_RUNNER_H
#define FUSION_TEST_FUZZ_RUNNER_H

#include "Check.h"

namespace fusion::fuzz {

/// Checks cases in a child process, many in one. A crash or hang of one case
/// neither ends the program nor affects the next one.
class Runner {
public:
  using ReportFn = llvm::function_ref<void(size_t index, const Outcome &)>;

  Runner();

  /// Checks all cases and reports each as soon as it is known, in order.
  void run(llvm::ArrayRef<CaseDescription> cases, ReportFn report);
  Outcome run(const CaseDescription &description);

private:
  mlir::DialectRegistry registry;
  /// The file that children write their messages to. It has no name.
  int messageFile;

  [[noreturn]] void runChild(llvm::ArrayRef<CaseDescription> cases, int pipe);
  std::string readMessages(std::string *stage = nullptr) const;
  Outcome describeDeath(int status) const;
};

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_RUNNER_H
