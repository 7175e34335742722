//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ANALYSIS_EPILOGUE_H
#define FUSION_LIB_TRANSFORMS_ANALYSIS_EPILOGUE_H

#include "ChannelExpr.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "ScalarExpr.h"
#include "Views.h"

namespace fusion {

/// An element-wise op that reads the result of a fusion op, element for
/// element, directly or behind casts and reshapes. Each law of `fusion-fuse`
/// that folds something behind a fusion op folds one node of `expr`, the first
/// ones that the value runs through, into the fusion op.
struct Epilogue {
  FusedOpInterface fused;
  /// Casts and reshapes from the result of `fused` to the operand, in order.
  llvm::SmallVector<mlir::Operation *> views;
  mlir::Operation *consumer;
  ScalarExpr expr;
  /// The node of `expr` that is the value of `fused`.
  ScalarExpr::Node *value;
  /// The dimension of the iteration space that is the output channel; nothing
  /// if the reshapes mix it with others.
  std::optional<int64_t> channelDim;
  /// Other ops between `fused` and `consumer` that `expr` spans as well, in
  /// order; see `matchActivationRegion`.
  llvm::SmallVector<mlir::Operation *> inner = {};

  FusedOpInterface getFused() const { return fused; }

  /// Fails unless nothing but the consumer uses the result of `fused`.
  mlir::LogicalResult checkOneUser(Refusal &refusal) const;
};

/// Fails, naming them, unless one op alone uses the result of `producer`.
mlir::LogicalResult checkOneUser(mlir::Operation *producer, Refusal &refusal);

/// All the ways to see `consumer` as an epilogue: one for each operand that is
/// the result of a fusion op, the one to prefer first. Empty, with the reason,
/// if there is none.
std::vector<Epilogue> matchEpilogues(mlir::Operation *consumer,
                                     Refusal &refusal);

/// True if `map` reads each element of an operand of type `type` at its own
/// place in the result: the identity, or 0 where a dimension has size 1 in
/// both.
bool isElementForElement(mlir::AffineMap map, mlir::ShapedType type,
                         mlir::ShapedType resultType);

/// value + addend or value - addend, the first thing that happens to the value.
struct AddStep {
  /// The sum that is gone when the addend is folded, and what is left of it:
  /// the value, or the other part of what is added to it.
  ScalarExpr::Node *sum;
  ScalarExpr::Node *rest;
  ScalarExpr::Node *addend;
  bool isNegated;
};
/// All that may be folded: of value + (a + b) these are a + b, a and b.
mlir::FailureOr<llvm::SmallVector<AddStep>>
matchAddSteps(const Epilogue &epilogue, Refusal &refusal);

/// factor * value, value / factor, -value or addend - value, the first thing
/// that happens to the value.
struct ScaleStep {
  ScalarExpr::Node *node;
  /// What the value is multiplied with or divided by; null: it is negated.
  ScalarExpr::Node *factor = nullptr;
  bool divides = false;
  /// What the negated value is added to; null for nothing.
  ScalarExpr::Node *addend = nullptr;
};
mlir::FailureOr<ScaleStep> matchScaleStep(const Epilogue &epilogue,
                                          Refusal &refusal);

/// The largest part of the expression that is an activation of the value.
struct ActivationStep {
  ScalarExpr::Node *node;
  ActivationAttr activation;
};
mlir::FailureOr<ActivationStep> matchActivationStep(const Epilogue &epilogue,
                                                    const FuseOptions &options,
                                                    Refusal &refusal);

/// The greatest group of several element-wise ops behind `fused` that compute
/// an activation of its result together: chains, and diamonds where ops that
/// read the result meet. Nothing outside uses the result or anything in
/// between.
mlir::FailureOr<Epilogue> matchActivationRegion(FusedOpInterface fused,
                                                const FuseOptions &options,
                                                Refusal &refusal);

/// value rounded to a narrower type, the first thing that happens to it.
mlir::FailureOr<ScalarExpr::Node *> matchCastStep(const Epilogue &epilogue,
                                                  Refusal &refusal);

/// Whether `epilogue` may be folded at all under `options`.
mlir::LogicalResult checkMayFold(const Epilogue &epilogue,
                                 const FuseOptions &options, Refusal &refusal);

/// The questions that the laws ask about an epilogue, one each.
mlir::LogicalResult checkHasNoActivation(const Epilogue &epilogue,
                                         Refusal &refusal);
mlir::LogicalResult checkStartsNoActivation(const Epilogue &epilogue,
                                            const FuseOptions &options,
                                            Refusal &refusal);
mlir::LogicalResult checkHasNoResidual(const Epilogue &epilogue,
                                       Refusal &refusal);
mlir::LogicalResult checkKeepsNaN(ActivationAttr activation,
                                  const FuseOptions &options, Refusal &refusal);

/// Fails if what the value runs through first is an activation that only
/// `options` keep from being folded.
mlir::LogicalResult checkActivationAllowed(const Epilogue &epilogue,
                                           const FuseOptions &options,
                                           Refusal &refusal);

/// `addend` as a bias.
mlir::FailureOr<ChannelExpr> matchBias(const Epilogue &epilogue,
                                       ScalarExpr::Node *addend,
                                       const FuseOptions &options,
                                       Refusal &refusal);

/// The first of what is added that is a bias, or a residual. The reason is one
/// about all that is added.
struct BiasStep {
  AddStep step;
  ChannelExpr bias;
};
mlir::FailureOr<BiasStep> matchBiasStep(const Epilogue &epilogue,
                                        const FuseOptions &options,
                                        Refusal &refusal);
struct ResidualStep {
  AddStep step;
  mlir::Value residual;
};
mlir::FailureOr<ResidualStep> matchResidualStep(const Epilogue &epilogue,
                                                const FuseOptions &options,
                                                Refusal &refusal);

/// What the result is scaled with; that of a step that only negates is nothing.
mlir::FailureOr<std::optional<ChannelExpr>>
matchScale(const Epilogue &epilogue, const ScaleStep &step,
           const FuseOptions &options, Refusal &refusal);

/// Succeeds if some law folds the next step of `epilogue`, other users aside.
mlir::LogicalResult checkSomeLawHolds(const Epilogue &epilogue,
                                      const FuseOptions &options,
                                      Refusal &refusal);

/// The number of the result of `op` that can be split off, and folded into
/// `fused` at least in part: nothing else is computed from that of `fused` but
/// through it.
mlir::FailureOr<unsigned> findFirstResult(FusedOpInterface fused,
                                          mlir::linalg::GenericOp op,
                                          const FuseOptions &options,
                                          Refusal &refusal);

/// A copy of `fused` in front of `consumer`, to be changed.
FusedOpInterface cloneFusedOp(mlir::RewriterBase &rewriter,
                              const Epilogue &epilogue);

/// What is left of the consumer when `step` is done by `replacement`, a changed
/// copy of the fusion op: nothing but the reshapes if the step was all it did.
/// In the place of the step is `rest`, or the result of `replacement` if null.
mlir::Value buildRest(mlir::RewriterBase &rewriter, const Epilogue &epilogue,
                      ScalarExpr::Node *step, FusedOpInterface replacement,
                      ScalarExpr::Node *rest = nullptr);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_ANALYSIS_EPILOGUE_H
