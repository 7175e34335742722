//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_STEP_H
#define FUSION_FUSE_STEP_H

#include "FusionDialect/Fuse/Epilogue.h"

namespace fusion {

/// The first step of an epilogue, which one law folds.
struct Step {
  enum class Kind {
    Round,
    Widen, ///< no step: removes a rounding in front of one
    Activate,
    Scale,
    Normalize,
    AddChannel,
    AddTensor
  };
  Kind kind;
  /// The node that the step computes, or that folding it removes.
  ScalarExpr::Node *node;
  /// The node that takes the place of `node`. Null, or the value itself, stands
  /// for the result of the step.
  ScalarExpr::Node *rest = nullptr;
  /// Of Activate: the activation of the fusion op with the step folded.
  ActivationAttr activation = {};
  /// The factor or the addend along the output channel. A scale without one
  /// negates.
  std::optional<ChannelExpr> vector = std::nullopt;
  /// Of Scale and Normalize: the value is divided by `vector`.
  bool divides = false;
  /// Of AddChannel: the node of `vector`.
  ScalarExpr::Node *addend = nullptr;
  /// Of AddChannel: `vector` is subtracted.
  bool isNegated = false;
  /// Of a Scale that negates, or a Widen in front of one: the bias of
  /// `bias - value`.
  std::optional<ChannelExpr> negatedFrom = std::nullopt;
  /// Of AddTensor: the addend, and whether it is added to an activation.
  mlir::Value tensor = nullptr;
  bool isAfterActivation = false;
  /// Of Widen: the step behind it.
  Kind next = Kind::Round;
};

/// The name, for `disable=`, of the law that folds steps of `kind`.
llvm::StringRef getLawName(Step::Kind kind);

/// True if the law called `name` folds steps.
bool isStepLawName(llvm::StringRef name);

/// The first step of `epilogue`, if its law holds. Asks in this order: is it a
/// rounding, an activation, a scale, a bias, a residual? Other users of the
/// result do not matter. A result that is rounded, and widened in front of a
/// step, is not rounded first.
mlir::FailureOr<Step> matchFirstStep(const Epilogue &epilogue,
                                     const FuseOptions &options,
                                     Refusal &refusal);

struct FoundStep {
  Epilogue epilogue;
  Step step;
};

/// The step behind `fused` that a law folds into it. Several ops that are an
/// activation together are one step.
mlir::FailureOr<FoundStep> findNextStep(FusedOpInterface fused,
                                        const FuseOptions &options,
                                        Refusal &refusal);

/// The conditions of the laws on the fusion op, one each. `next` names the step
/// for the reason.
mlir::LogicalResult checkTakesSteps(FusedOpInterface fused,
                                    const FuseOptions &options,
                                    Refusal &refusal);
mlir::LogicalResult checkHasNoActivation(FusedOpInterface fused,
                                         llvm::StringRef next,
                                         Refusal &refusal);
mlir::LogicalResult checkHasNoResidual(FusedOpInterface fused,
                                       Refusal &refusal);
mlir::LogicalResult checkNothingAfterActivation(FusedOpInterface fused,
                                                Refusal &refusal);
mlir::LogicalResult checkKeepsNaN(ActivationAttr activation,
                                  const FuseOptions &options, Refusal &refusal);

/// The largest part of `epilogue` that is an activation of the value, if
/// `options` allow its rounding and its NaN.
mlir::FailureOr<Step> matchActivationStep(const Epilogue &epilogue,
                                          const FuseOptions &options,
                                          Refusal &refusal);

/// A rounding of the value to bf16 or f16.
mlir::FailureOr<Step> matchRounding(const Epilogue &epilogue, Refusal &refusal);

/// A scale, a bias or a residual of the value, or of what it is widened to.
mlir::FailureOr<Step> matchScaleOrSum(const Epilogue &epilogue,
                                      const FuseOptions &options,
                                      Refusal &refusal);

/// The widening of the value to `widened`, if a step comes behind it, in the
/// same op or in the next one.
mlir::FailureOr<Step> matchWidening(const Epilogue &epilogue,
                                    ScalarExpr::Node *widened,
                                    const FuseOptions &options,
                                    Refusal &refusal);

/// True if `addend` widens a tensor to the type in which `epilogue` adds it,
/// and the result is rounded to the type of that tensor.
bool isWidenedForRounding(const ScalarExpr::Node &addend,
                          const Epilogue &epilogue);

/// Fails if the value first runs through an activation that only `options` keep
/// from being folded.
mlir::LogicalResult checkActivationAllowed(const Epilogue &epilogue,
                                           const FuseOptions &options,
                                           Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_STEP_H
