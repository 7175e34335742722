//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CHANNELEXPR_H
#define FUSION_ANALYSIS_CHANNELEXPR_H

#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/ScalarExpr.h"

namespace fusion {

/// A part of the expression of an element-wise op that varies along the channel
/// only: `gamma * rsqrt(variance + eps)` in a batch norm that is one op, say.
class ChannelExpr {
public:
  /// Fails unless `node` of `expr` is such a part: each tensor that it reads is
  /// a channel vector of the iteration space of `expr` along `channelDim`.
  static mlir::FailureOr<ChannelExpr> match(const ScalarExpr &expr,
                                            ScalarExpr::Node *node,
                                            std::optional<int64_t> channelDim,
                                            const ChannelVectorOptions &options,
                                            Refusal &refusal);

  /// The narrowest type of the computations in it; none if nothing is computed.
  std::optional<mlir::Type> getNarrowestType() const;

  /// True if it is a square root or divides by one, as the scale of a batch
  /// norm does.
  bool hasSquareRoot() const;

  using Leaves = llvm::DenseMap<ScalarExpr::Node *, ChannelVector>;

  ScalarExpr::Node *getRoot() const { return node; }
  /// The nodes that it is computed from: operands first, the root last.
  llvm::ArrayRef<ScalarExpr::Node *> getNodes() const { return nodes; }
  /// The channel vectors of those nodes that are not computed.
  const Leaves &getLeaves() const { return leaves; }

private:
  explicit ChannelExpr(ScalarExpr::Node *node) : node(node) {}

  ScalarExpr::Node *node;
  llvm::SmallVector<ScalarExpr::Node *> nodes;
  Leaves leaves;
};

} // namespace fusion

#endif // FUSION_ANALYSIS_CHANNELEXPR_H
