//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_REFUSAL_H
#define FUSION_SUPPORT_REFUSAL_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace fusion {

/// The reason why a rule did not hold: one sentence, lower case, rule first and
/// then the values. Every predicate that can refuse takes one, so that the same
/// sentence serves the match failures of patterns, remarks and
/// `fusion-explain`.
class Refusal {
public:
  /// A refusal whose reason nobody reads, so that it is not written.
  static Refusal unread() {
    Refusal refusal;
    refusal.isRead = false;
    return refusal;
  }

  /// Sets the reason to the parts one after the other and returns failure.
  template <typename... Parts> mlir::LogicalResult because(Parts &&...parts) {
    if (!isRead)
      return mlir::failure();
    reason.clear();
    llvm::raw_string_ostream stream(reason);
    (stream << ... << parts);
    return mlir::failure();
  }

  llvm::StringRef str() const { return reason; }

  /// Reports the reason as the match failure of a pattern on `op`.
  mlir::LogicalResult notify(mlir::RewriterBase &rewriter,
                             mlir::Operation *op) const {
    return rewriter.notifyMatchFailure(op, reason);
  }

private:
  std::string reason;
  bool isRead = true;
};

} // namespace fusion

#endif // FUSION_SUPPORT_REFUSAL_H
