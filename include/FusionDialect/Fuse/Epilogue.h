//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_EPILOGUE_H
#define FUSION_FUSE_EPILOGUE_H

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"

namespace fusion {

/// An element-wise op that reads the result of a fusion op, element for
/// element, directly or behind casts and reshapes. The laws of `fusion-fuse`
/// that fold such an op take one step of it at a time: the first nodes of
/// `expr` that the value runs through.
struct Epilogue {
  FusedOpInterface fused;
  /// Casts and reshapes from the result of `fused` to the operand, in order.
  llvm::SmallVector<mlir::Operation *> views;
  mlir::Operation *consumer;
  ScalarExpr expr;
  /// The node of `expr` that is the value of `fused`.
  ScalarExpr::Node *value;
  /// The dimension of the iteration space that is the output channel; none if
  /// the reshapes mix it with others.
  std::optional<int64_t> channelDim;
  /// Other ops between `fused` and `consumer` that `expr` covers, in order; see
  /// `matchActivationRegion`.
  llvm::SmallVector<mlir::Operation *> inner = {};

  FusedOpInterface getFused() const { return fused; }

  /// The node that widens the value, which is rounded, to f32 for all of the
  /// consumer; null if there is none.
  ScalarExpr::Node *getWidened() const;

  /// Fails, since the consumer does not begin with a step.
  mlir::LogicalResult refuseConsumer(Refusal &refusal) const;

  /// Fails if anything but the consumer uses the result of `fused`.
  mlir::LogicalResult checkOneUser(Refusal &refusal) const;

  /// True if `addend` is a tensor with the sizes of the result, in any order,
  /// or computed from one: a residual and no bias.
  bool hasSizesOfResult(const ScalarExpr::Node *addend) const;
};

/// True if `op` is a transpose or reshape that a pass has made, and nobody
/// wrote: it has the location of an op that it is next to.
bool isMadeByPass(mlir::Operation *op);

/// Fails, and names the users, unless one op alone uses the result of
/// `producer`.
mlir::LogicalResult checkOneUser(mlir::Operation *producer, Refusal &refusal);

/// All ways to see `consumer` as an epilogue: one for each operand that is the
/// result of a fusion op, the preferred one first. Empty, with the reason, if
/// there is none.
std::vector<Epilogue> matchEpilogues(mlir::Operation *consumer,
                                     const FuseOptions &options,
                                     Refusal &refusal);

/// The only op that reads the result of the consumer of `epilogue`, directly or
/// behind casts and reshapes, as if its operand were the result of the fusion
/// op.
mlir::FailureOr<Epilogue> matchNextEpilogue(const Epilogue &epilogue,
                                            Refusal &refusal);

/// True if `map` reads each element of an operand of type `type` at its own
/// place in the result: it is the identity, or 0 in dimensions of size 1.
bool isElementForElement(mlir::AffineMap map, mlir::ShapedType type,
                         mlir::ShapedType resultType);

/// The largest group of several element-wise ops behind `fused` that together
/// compute an activation of its result: chains, or diamonds, where several ops
/// read the result and their results meet again. Nothing outside may use the
/// result or a value between the ops.
mlir::FailureOr<Epilogue> matchActivationRegion(FusedOpInterface fused,
                                                const FuseOptions &options,
                                                Refusal &refusal);

/// The same for ops behind `leaf`, which has elements of the result of `fused`
/// behind `views`.
mlir::FailureOr<Epilogue>
matchActivationRegion(FusedOpInterface fused, mlir::Value leaf,
                      llvm::ArrayRef<mlir::Operation *> views,
                      const FuseOptions &options, Refusal &refusal);

/// Fails unless `epilogue` may be folded under `options`, whatever its steps.
mlir::LogicalResult checkMayFold(const Epilogue &epilogue,
                                 const FuseOptions &options, Refusal &refusal);

/// Fails as `checkMayFold` does, but takes it that `epilogue` is part of no
/// larger activation.
mlir::LogicalResult checkMayFoldAlone(const Epilogue &epilogue,
                                      const FuseOptions &options,
                                      Refusal &refusal);

/// Fails if what `epilogue` adds to the result is half a step of a quantisation
/// that is all of it: in the bias of the op it could not be told from it.
mlir::LogicalResult checkAddsNoHalfStep(const Epilogue &epilogue,
                                        Refusal &refusal);

/// The number of the result of `op` that can be split off, and at least partly
/// folded into `fused`. The other results may depend on the result of `fused`
/// only through it.
mlir::FailureOr<unsigned> findFirstResult(FusedOpInterface fused,
                                          mlir::linalg::GenericOp op,
                                          const FuseOptions &options,
                                          Refusal &refusal);

/// Builds what the consumer does behind its first step, which computes `node`
/// and has the result `done`: only the reshapes if the step was all. `rest`
/// takes the place of `node`, or `done` if it is null.
mlir::Value buildRest(mlir::RewriterBase &rewriter, const Epilogue &epilogue,
                      ScalarExpr::Node *node, mlir::Value done,
                      ScalarExpr::Node *rest);

} // namespace fusion

#endif // FUSION_FUSE_EPILOGUE_H
