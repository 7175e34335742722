//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_CHECK_H
#define FUSION_TEST_FUZZ_CHECK_H

#include "CaseDescription.h"
#include "Generate.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"

namespace fusion::fuzz {

/// The outcome of a case.
struct Outcome {
  enum Status {
    Agrees,
    /// The results differ from the reference's.
    Differs,
    /// A pass, the verifier or the compiler failed.
    Failed,
    /// The passes of upstream that ran before change the meaning, or fail. This
    /// is not our error.
    UpstreamFault,
  };
  Status status = Agrees;
  /// The stage that failed: "reference", "fusion-optimize", "compile".
  /// Shrinking keeps it.
  std::string stage;
  std::string message;
  /// Whether all convolutions have become fusion ops without arithmetic behind
  /// them. `reasons` has the reasons why not.
  bool isFused = false;
  std::vector<std::string> reasons;

  bool isBad() const { return status == Differs || status == Failed; }
};

/// Begins a line on standard error with the name of the stage that begins. The
/// output of a dead process then shows the stage in which it ended.
constexpr llvm::StringLiteral kStageMark = "stage: ";

/// Compiles the module of the case twice and compares the results.
Outcome check(mlir::MLIRContext &context, const CaseDescription &description);

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_CHECK_H
