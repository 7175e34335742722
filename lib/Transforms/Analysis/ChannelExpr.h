//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELEXPR_H
#define FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELEXPR_H

#include "ChannelVector.h"
#include "ScalarExpr.h"

namespace fusion {

/// A part of what an element-wise op computes that varies along the channel
/// only: `gamma * rsqrt(variance + eps)` in a batch norm that is one op, say.
class ChannelExpr {
public:
  /// Decides whether `node` of `expr` is one: each tensor that it reads is a
  /// channel vector of the iteration space of `expr` along `channelDim`.
  static mlir::FailureOr<ChannelExpr> match(const ScalarExpr &expr,
                                            ScalarExpr::Node *node,
                                            std::optional<int64_t> channelDim,
                                            const ChannelVectorOptions &options,
                                            Refusal &refusal);

  /// Builds the tensor<Cxf32> of its values, for `channels` channels.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::OpFoldResult channels) const;

  /// The narrowest type that something of it is computed in; nothing if nothing
  /// is computed.
  std::optional<mlir::Type> getNarrowestType() const;

  /// True if it is or divides by a square root, as the scale of a batch norm.
  bool hasSquareRoot() const;

private:
  explicit ChannelExpr(ScalarExpr::Node *node) : node(node) {}

  ScalarExpr::Node *node;
  /// The nodes that it is computed from, operands first, `node` last.
  llvm::SmallVector<ScalarExpr::Node *> nodes;
  /// What those of them that are no computation stand for.
  llvm::DenseMap<ScalarExpr::Node *, ChannelVector> leaves;
};

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELEXPR_H
