//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_EXPLAIN_H
#define FUSION_FUSE_EXPLAIN_H

#include "FusionDialect/Fuse/Laws.h"

namespace fusion {

/// The outcome for one convolution.
struct Explanation {
  enum class Status { Fused, PartlyFused, NotFused };
  Status status;
  mlir::Operation *op;
  /// The parts folded into the fusion op: "pad", "scale", "bn", "bias",
  /// "residual", the activation.
  llvm::SmallVector<std::string> folded;
  /// The first rule that refused, and the values; empty if fused.
  std::string reason;

  /// "fused: bias, relu" or "partly fused: bias; result has 2 users: ...".
  std::string str() const;
};

/// Explains `op` if it is a convolution: a fusion op or one of linalg. Asks the
/// predicates of the laws in this order: raising; `pad`, `deconv`; for the op
/// that reads the result `cast`, `activation`, `scale`, `bias`, `residual`;
/// then whether that op is the only user.
std::optional<Explanation> explain(mlir::Operation *op,
                                   const FuseOptions &options);

/// The explanations of all convolutions in `root`, in program order.
llvm::SmallVector<Explanation> explainAll(mlir::Operation *root,
                                          const FuseOptions &options);

} // namespace fusion

#endif // FUSION_FUSE_EXPLAIN_H
