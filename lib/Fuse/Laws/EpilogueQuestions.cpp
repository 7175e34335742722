//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Predicates on an epilogue, for the laws and for `fusion-explain`.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/IR/LocationText.h"

using namespace mlir;
using namespace fusion;

using Node = ScalarExpr::Node;

LogicalResult fusion::checkHasNoActivation(const Epilogue &epilogue,
                                           Refusal &refusal) {
  ActivationAttr activation = epilogue.getFused().getActivationAttr();
  if (!activation)
    return success();
  Refusal ignored;
  bool adds = succeeded(matchAddSteps(epilogue, ignored));
  return refusal.because("'", stringifyActivationKind(activation.getKind()),
                         "' comes before the ", adds ? "addition" : "scale");
}

LogicalResult fusion::checkHasNoResidual(const Epilogue &epilogue,
                                         Refusal &refusal) {
  if (!epilogue.getFused().getResidual())
    return success();
  return refusal.because("there is a residual already");
}

LogicalResult fusion::checkStartsNoActivation(const Epilogue &epilogue,
                                              const FuseOptions &options,
                                              Refusal &refusal) {
  Refusal ignored;
  FailureOr<ActivationStep> step =
      matchActivationStep(epilogue, options, ignored);
  if (failed(step))
    return success();
  return refusal.because("next op begins activation '",
                         stringifyActivationKind(step->activation.getKind()),
                         "'");
}

/// Matches `node` as a channel expression, unless its rounding forbids that.
static FailureOr<ChannelExpr>
matchChannelExpr(const Epilogue &epilogue, Node *node,
                 const ChannelVectorOptions &vectorOptions,
                 const FuseOptions &options, Refusal &refusal) {
  FailureOr<ChannelExpr> expr = ChannelExpr::match(
      epilogue.expr, node, epilogue.channelDim, vectorOptions, refusal);
  if (failed(expr) && !epilogue.channelDim)
    return refusal.because("a reshape of the result mixes the output channel "
                           "with other dimensions before the ",
                           vectorOptions.role == "bias" ? "addition" : "scale");
  if (failed(expr))
    return failure();
  if (std::optional<Type> narrow = expr->getNarrowestType();
      narrow && !narrow->isF32() && !options.allowContractRounding)
    return refusal.because(vectorOptions.role, " is computed in ", *narrow,
                           ", and allow-contract-rounding is off");
  return expr;
}

FailureOr<ChannelExpr> fusion::matchBias(const Epilogue &epilogue, Node *addend,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  // If the result has one pixel, the result of another fusion op could be a
  // bias. But it has the size of a residual, and is not known in advance.
  if (addend->kind == ScalarExpr::Kind::Input) {
    Value value = epilogue.expr.getInput(addend->input);
    auto type = dyn_cast<ShapedType>(value.getType());
    if (type &&
        type.getShape() == epilogue.getFused().getOutputType().getShape() &&
        comesFrom(value, llvm::IsaPred<FusedOpInterface>))
      return refusal.because("what is added is computed from the result of a "
                             "fusion op and has the shape of the result: a "
                             "residual");
  }
  return matchChannelExpr(epilogue, addend,
                          ChannelVectorOptions{options.allowReshape}, options,
                          refusal);
}

FailureOr<std::optional<ChannelExpr>>
fusion::matchScale(const Epilogue &epilogue, const ScaleStep &step,
                   const FuseOptions &options, Refusal &refusal) {
  Type type = getElementTypeOrSelf(epilogue.getFused().getFilter().getType());
  if (!type.isF32() && !options.allowContractRounding)
    return refusal.because("the scaled filter would be rounded to ", type,
                           " again, and allow-contract-rounding is off");
  if (step.addend && failed(matchBias(epilogue, step.addend, options, refusal)))
    return failure();
  if (!step.factor)
    return std::optional<ChannelExpr>();
  FailureOr<ChannelExpr> factor =
      matchChannelExpr(epilogue, step.factor, {/*allowReshape=*/true, "scale"},
                       options, refusal);
  if (failed(factor))
    return failure();
  return std::optional<ChannelExpr>(std::move(*factor));
}

FailureOr<BiasStep> fusion::matchBiasStep(const Epilogue &epilogue,
                                          const FuseOptions &options,
                                          Refusal &refusal) {
  FailureOr<SmallVector<AddStep>> steps = matchAddSteps(epilogue, refusal);
  if (failed(steps))
    return failure();
  Refusal ignored;
  for (const AddStep &step : *steps) {
    bool isWhole = &step == steps->begin();
    FailureOr<ChannelExpr> bias =
        matchBias(epilogue, step.addend, options, isWhole ? refusal : ignored);
    if (succeeded(bias))
      return BiasStep{step, std::move(*bias)};
  }
  return failure();
}

/// Matches the addend of `step` as a residual.
static FailureOr<Value> matchResidual(const Epilogue &epilogue,
                                      const AddStep &step,
                                      const FuseOptions &options,
                                      Refusal &refusal) {
  Node *addend = step.addend;
  // An addend that would be a bias with other options is no residual either.
  FuseOptions anyReshape = options;
  anyReshape.allowReshape = true;
  Refusal ignored;
  if (!options.allowReshape &&
      succeeded(matchBias(epilogue, addend, anyReshape, ignored)) &&
      failed(matchBias(epilogue, addend, options, refusal)))
    return failure();
  if (addend->kind != ScalarExpr::Kind::Input)
    return refusal.because("what is added is not an operand of the op");
  if (step.isNegated)
    return refusal.because("unsupported: a tensor is subtracted");
  Value value = epilogue.expr.getInput(addend->input);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto resultType = cast<RankedTensorType>(
      epilogue.expr.getInput(epilogue.value->input).getType());
  if (!llvm::all_of(epilogue.views, canRevertView))
    return refusal.because("unsupported: result is reshaped before a tensor is "
                           "added");
  if (!type || type.getShape() != resultType.getShape() ||
      !isElementForElement(epilogue.expr.getInputMap(addend->input), type,
                           resultType))
    return refusal.because("what is added has type ", value.getType(),
                           ", expected the shape of the result (", resultType,
                           ") read element for element");
  return value;
}

FailureOr<ResidualStep> fusion::matchResidualStep(const Epilogue &epilogue,
                                                  const FuseOptions &options,
                                                  Refusal &refusal) {
  FailureOr<SmallVector<AddStep>> steps = matchAddSteps(epilogue, refusal);
  if (failed(steps))
    return failure();
  Refusal ignored;
  for (const AddStep &step : *steps) {
    bool isWhole = &step == steps->begin();
    FailureOr<Value> residual =
        matchResidual(epilogue, step, options, isWhole ? refusal : ignored);
    if (succeeded(residual))
      return ResidualStep{step, *residual};
  }
  return failure();
}

LogicalResult fusion::checkKeepsNaN(ActivationAttr activation,
                                    const FuseOptions &options,
                                    Refusal &refusal) {
  if (options.nanMode == NaNMode::Fast || activation.propagatesNaN())
    return success();
  return refusal.because("nan-mode=propagate: kernels of '",
                         stringifyActivationKind(activation.getKind()),
                         "' may lose a NaN");
}

/// Succeeds if the scale, bias or residual law folds the next step.
static LogicalResult checkScaleOrSumLawHolds(const Epilogue &epilogue,
                                             const FuseOptions &options,
                                             Refusal &refusal) {
  if (FailureOr<ScaleStep> step = matchScaleStep(epilogue, refusal);
      succeeded(step)) {
    if (failed(checkHasNoActivation(epilogue, refusal)))
      return failure();
    return matchScale(epilogue, *step, options, refusal);
  }
  FailureOr<SmallVector<AddStep>> steps = matchAddSteps(epilogue, refusal);
  if (failed(steps)) {
    // For example the sum of the result with itself.
    ArrayRef<ScalarExpr::Node *> users = epilogue.value->users;
    if (users.size() > 1 && llvm::all_equal(users))
      return failure();
    return refusal.because("next op '",
                           epilogue.consumer->getName().getStringRef(), "' at ",
                           getLocationText(epilogue.consumer->getLoc()),
                           " neither scales nor adds to the result nor is an "
                           "activation that is known");
  }
  if (failed(checkHasNoActivation(epilogue, refusal)))
    return failure();
  if (succeeded(matchBiasStep(epilogue, options, refusal)))
    return success();
  // An addend with the size of the result is meant as a residual.
  Refusal notResidual;
  if (succeeded(checkHasNoResidual(epilogue, notResidual)) &&
      succeeded(matchResidualStep(epilogue, options, notResidual)))
    return success();
  // Only for such an addend the reason is that it is no residual.
  ScalarExpr::Node *addend = steps->front().addend;
  if (addend->kind != ScalarExpr::Kind::Input)
    return failure();
  auto type =
      dyn_cast<ShapedType>(epilogue.expr.getInput(addend->input).getType());
  auto resultType = cast<ShapedType>(epilogue.consumer->getResult(0).getType());
  if (type && type.getShape() == resultType.getShape())
    refusal = notResidual;
  return failure();
}

LogicalResult fusion::checkActivationAllowed(const Epilogue &epilogue,
                                             const FuseOptions &options,
                                             Refusal &refusal) {
  Refusal ignored;
  if (failed(matchActivationStep(epilogue, FuseOptions(), ignored)))
    return success();
  FailureOr<ActivationStep> step =
      matchActivationStep(epilogue, options, refusal);
  if (failed(step))
    return failure();
  return checkKeepsNaN(step->activation, options, refusal);
}

LogicalResult fusion::checkSomeLawHolds(const Epilogue &epilogue,
                                        const FuseOptions &options,
                                        Refusal &refusal) {
  if (succeeded(matchCastStep(epilogue, refusal)))
    return success();
  if (FailureOr<ActivationStep> step =
          matchActivationStep(epilogue, options, refusal);
      succeeded(step))
    return checkKeepsNaN(step->activation, options, refusal);
  if (succeeded(checkScaleOrSumLawHolds(epilogue, options, refusal)))
    return success();
  // If it is a known activation, the options are the reason.
  (void)checkActivationAllowed(epilogue, options, refusal);
  return failure();
}
