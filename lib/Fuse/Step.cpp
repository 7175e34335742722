//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Recognises the first step of an epilogue, for NameSteps.cpp and
// `fusion-explain`.

#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/IR/LocationText.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

// In the order of `Step::Kind`.
static constexpr StringLiteral lawNames[] = {
    "cast", "cast", "activation", "scale", "bn", "bias", "residual"};

static_assert(std::size(lawNames) ==
              static_cast<size_t>(Step::Kind::AddTensor) + 1);

StringRef fusion::getLawName(Step::Kind kind) {
  return lawNames[static_cast<int>(kind)];
}

bool fusion::isStepLawName(StringRef name) {
  return llvm::is_contained(lawNames, name);
}

//===----------------------------------------------------------------------===//
// Conditions on the fusion op
//===----------------------------------------------------------------------===//

LogicalResult fusion::checkTakesSteps(FusedOpInterface fused,
                                      const FuseOptions &options,
                                      Refusal &refusal) {
  bool isOnIntegers = isa<QuantizedOpInterface>(fused.getOperation());
  if (isOnIntegers == options.integers &&
      (!isOnIntegers || fused.getOutputType().getElementType().isF32()))
    return success();
  return refusal.because("'", fused->getName().getStringRef(),
                         "' takes no steps on floats");
}

LogicalResult fusion::checkHasNoActivation(FusedOpInterface fused,
                                           StringRef next, Refusal &refusal) {
  ActivationAttr activation = fused.getActivationAttr();
  if (!activation)
    return success();
  return refusal.because("'", stringifyActivationKind(activation.getKind()),
                         "' comes before the ", next);
}

LogicalResult fusion::checkNothingAfterActivation(FusedOpInterface fused,
                                                  Refusal &refusal) {
  if (!fused.getResidualAfterActivation())
    return success();
  return refusal.because("a residual comes after the activation");
}

LogicalResult fusion::checkHasNoResidual(FusedOpInterface fused,
                                         Refusal &refusal) {
  if (!fused.getResidual())
    return success();
  return refusal.because("there is a residual already");
}

//===----------------------------------------------------------------------===//
// Vectors along the output channel
//===----------------------------------------------------------------------===//

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

/// Matches `addend` as a bias.
static FailureOr<ChannelExpr> matchBias(const Epilogue &epilogue, Node *addend,
                                        const FuseOptions &options,
                                        Refusal &refusal) {
  // If the result has one pixel, the result of another fusion op could be a
  // bias. But it has the size of a residual, and is not known in advance.
  if (addend->kind == Kind::Input) {
    Value value = epilogue.expr.getInput(addend->input);
    auto type = dyn_cast<ShapedType>(value.getType());
    if (type &&
        type.getShape() == epilogue.getFused().getOutputType().getShape() &&
        comesFrom(value, llvm::IsaPred<FusedOpInterface>))
      return refusal.because("what is added is computed from the result of a "
                             "fusion op and has the shape of the result: a "
                             "residual");
  }
  if (roundsWhenAdded(*addend))
    return refusal.because("adding ", addend->constant,
                           " rounds the result to an integer");
  return matchChannelExpr(epilogue, addend,
                          ChannelVectorOptions{options.allowReshape}, options,
                          refusal);
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// The value, or what it is widened to.
static Node *getSummand(const Epilogue &epilogue) {
  Node *widened = epilogue.getWidened();
  return widened ? widened : epilogue.value;
}

namespace {
/// factor * value, value / factor, -value or addend - value.
struct Scaling {
  Node *node;
  Node *factor = nullptr; ///< null: the value is negated
  bool divides = false;
  Node *addend = nullptr; ///< of the negated value; null for none
};
} // namespace

static FailureOr<Scaling> findScaling(const Epilogue &epilogue,
                                      Refusal &refusal) {
  Node *value = getSummand(epilogue);
  if (value->users.size() != 1)
    return refusal.because("result is read ", value->users.size(),
                           " times by the next op");
  Scaling scaling{value->users.front()};
  ArrayRef<Node *> operands = scaling.node->operands;
  if (scaling.node->kind == Kind::Neg)
    return scaling;
  if (scaling.node->kind == Kind::Mul) {
    scaling.factor = operands[operands[0] == value ? 1 : 0];
    return scaling;
  }
  if (scaling.node->kind == Kind::Div && operands[0] == value) {
    scaling.factor = operands[1];
    scaling.divides = true;
    return scaling;
  }
  if (scaling.node->kind == Kind::Sub && operands[1] == value) {
    scaling.addend = operands[0];
    return scaling;
  }
  return refusal.because("next op does not scale the result");
}

/// Refuses a factor behind an op on integers. Those behind its product alone
/// were folded before it became one.
static LogicalResult checkScalesFloats(const Epilogue &epilogue,
                                       Refusal &refusal) {
  if (!isa<QuantizedOpInterface>(epilogue.getFused().getOperation()))
    return success();
  return refusal.because("unsupported: next op '",
                         epilogue.consumer->getName().getStringRef(), "' at ",
                         getLocationText(epilogue.consumer->getLoc()),
                         " scales the result of an op on integers");
}

/// Refuses the scale of a quantisation where another tensor is added in front
/// of it: an op of its own would scale all of that tensor, and quantise the sum
/// as before.
static LogicalResult checkScalesNoResidual(const Epilogue &epilogue,
                                           Refusal &refusal) {
  if (!epilogue.getFused().getResidual() ||
      !getElementTypeOrSelf(epilogue.consumer->getResult(0)).isInteger(8))
    return success();
  return refusal.because("the scale is that of a quantisation, and there is a "
                         "residual");
}

static FailureOr<Step> matchScale(const Epilogue &epilogue,
                                  const Scaling &scaling,
                                  const FuseOptions &options,
                                  Refusal &refusal) {
  if (failed(checkHasNoActivation(epilogue.getFused(), "scale", refusal)) ||
      failed(checkScalesFloats(epilogue, refusal)) ||
      failed(checkScalesNoResidual(epilogue, refusal)))
    return failure();
  Type type = getElementTypeOrSelf(epilogue.getFused().getFilter().getType());
  if (!type.isF32() && !options.allowContractRounding)
    return refusal.because("the scaled filter would be rounded to ", type,
                           " again, and allow-contract-rounding is off");
  Step step{Step::Kind::Scale, scaling.node};
  step.divides = scaling.divides;
  if (scaling.addend) {
    FailureOr<ChannelExpr> bias =
        matchBias(epilogue, scaling.addend, options, refusal);
    if (failed(bias) && epilogue.hasSizesOfResult(scaling.addend))
      (void)refusal.because("unsupported: result is subtracted from a tensor");
    if (failed(bias))
      return failure();
    step.negatedFrom = std::move(*bias);
  }
  if (!scaling.factor)
    return step;
  FailureOr<ChannelExpr> factor =
      matchChannelExpr(epilogue, scaling.factor,
                       {/*allowReshape=*/true, "scale"}, options, refusal);
  if (failed(factor))
    return failure();
  if (factor->hasSquareRoot())
    step.kind = Step::Kind::Normalize;
  step.vector = std::move(*factor);
  return step;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// value + addend or value - addend.
struct Addition {
  /// The sum that folding the addend removes, and the node that replaces it:
  /// the value, or the other part of the addend.
  Node *sum;
  Node *rest;
  Node *addend;
  bool isNegated;
};
} // namespace

/// Adds `addend`, and the parts of it that are added alone, since a sum has no
/// order.
static void addAdditions(Node *sum, Node *rest, Node *addend, bool isNegated,
                         SmallVectorImpl<Addition> &additions) {
  additions.push_back({sum, rest, addend, isNegated});
  if (addend->users.size() != 1)
    return;
  if (addend->kind == Kind::Add || addend->kind == Kind::Sub)
    addAdditions(addend, addend->operands[0], addend->operands[1],
                 isNegated != (addend->kind == Kind::Sub), additions);
  // Not for a in a - b: without it no node is left.
  if (addend->kind == Kind::Add)
    addAdditions(addend, addend->operands[1], addend->operands[0], isNegated,
                 additions);
}

/// All addends that may be folded: of value + (a + b) these are a + b, a and b.
static FailureOr<SmallVector<Addition>> findAdditions(const Epilogue &epilogue,
                                                      Refusal &refusal) {
  Node *value = getSummand(epilogue);
  if (value->users.size() != 1)
    return refusal.because("result is read ", value->users.size(),
                           " times by the next op");
  Node *sum = value->users.front();
  bool isDifference = sum->kind == Kind::Sub && sum->operands[0] == value;
  if (sum->kind != Kind::Add && !isDifference)
    return refusal.because("next op does not add to the result");
  SmallVector<Addition> additions;
  addAdditions(sum, value, sum->operands[sum->operands[0] == value ? 1 : 0],
               isDifference, additions);
  return additions;
}

/// Matches the addend of `addition` as a residual.
static FailureOr<Value> matchResidual(const Epilogue &epilogue,
                                      const Addition &addition,
                                      const FuseOptions &options,
                                      Refusal &refusal) {
  Node *addend = addition.addend;
  if (isWidenedForRounding(*addend, epilogue))
    addend = addend->operands.front();
  // An addend that would be a bias with other options is no residual either.
  FuseOptions anyReshape = options;
  anyReshape.allowReshape = true;
  Refusal ignored = Refusal::unread();
  if (!options.allowReshape &&
      succeeded(matchBias(epilogue, addend, anyReshape, ignored)) &&
      failed(matchBias(epilogue, addend, options, refusal)))
    return failure();
  if (addend->kind != Kind::Input)
    return refusal.because("unsupported: what is added is computed from a "
                           "tensor by the op that adds it");
  if (addition.isNegated)
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

/// The first addend that is a bias. A refusal speaks of the whole addend.
static FailureOr<Step> matchBiasStep(const Epilogue &epilogue,
                                     ArrayRef<Addition> additions,
                                     const FuseOptions &options,
                                     Refusal &refusal) {
  FusedOpInterface fused = epilogue.getFused();
  if (failed(checkHasNoActivation(fused, "addition", refusal)) ||
      failed(checkAddsNoHalfStep(epilogue, refusal)))
    return failure();
  Refusal ignored = Refusal::unread();
  for (const Addition &addition : additions) {
    bool isWhole = &addition == additions.begin();
    FailureOr<ChannelExpr> bias = matchBias(epilogue, addition.addend, options,
                                            isWhole ? refusal : ignored);
    if (failed(bias))
      continue;
    Step step{Step::Kind::AddChannel, addition.sum, addition.rest};
    step.vector = std::move(*bias);
    step.addend = addition.addend;
    step.isNegated = addition.isNegated;
    return step;
  }
  return failure();
}

/// The same for a residual.
static FailureOr<Step> matchResidualStep(const Epilogue &epilogue,
                                         ArrayRef<Addition> additions,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  bool isAfter = epilogue.getFused().getActivationAttr() != nullptr;
  if (failed(checkHasNoResidual(epilogue.getFused(), refusal)))
    return failure();
  if (isAfter && !options.foldResidualAfterActivation)
    return refusal.because("a residual after the activation is folded last");
  Refusal ignored = Refusal::unread();
  for (const Addition &addition : additions) {
    bool isWhole = &addition == additions.begin();
    FailureOr<Value> residual =
        matchResidual(epilogue, addition, options, isWhole ? refusal : ignored);
    if (failed(residual))
      continue;
    Step step{Step::Kind::AddTensor, addition.sum, addition.rest};
    step.tensor = *residual;
    step.isAfterActivation = isAfter;
    return step;
  }
  return failure();
}

/// A bias, or else a residual.
static FailureOr<Step> matchSum(const Epilogue &epilogue,
                                ArrayRef<Addition> additions,
                                const FuseOptions &options, Refusal &refusal) {
  FailureOr<Step> step = matchBiasStep(epilogue, additions, options, refusal);
  if (succeeded(step))
    return step;
  Refusal notResidual;
  step = matchResidualStep(epilogue, additions, options, notResidual);
  if (succeeded(step))
    return step;
  // The reason of others is that they are no bias.
  if (epilogue.hasSizesOfResult(additions.front().addend))
    refusal = notResidual;
  return failure();
}

//===----------------------------------------------------------------------===//
// Any step
//===----------------------------------------------------------------------===//

FailureOr<Step> fusion::matchScaleOrSum(const Epilogue &epilogue,
                                        const FuseOptions &options,
                                        Refusal &refusal) {
  if (FailureOr<Scaling> scaling = findScaling(epilogue, refusal);
      succeeded(scaling))
    return matchScale(epilogue, *scaling, options, refusal);
  FailureOr<SmallVector<Addition>> additions = findAdditions(epilogue, refusal);
  if (succeeded(additions))
    return matchSum(epilogue, *additions, options, refusal);
  // For example the sum of the result with itself.
  ArrayRef<Node *> users = getSummand(epilogue)->users;
  if (users.size() > 1 && llvm::all_equal(users))
    return failure();
  return epilogue.refuseConsumer(refusal);
}

FailureOr<Step> fusion::matchFirstStep(const Epilogue &epilogue,
                                       const FuseOptions &options,
                                       Refusal &refusal) {
  if (FailureOr<Step> step = matchRounding(epilogue, refusal); succeeded(step))
    return step;
  for (Node *user : epilogue.value->users)
    if (failed(checkRoundsToNearest(user->value.getDefiningOp(), refusal)))
      return failure();
  if (failed(checkNothingAfterActivation(epilogue.getFused(), refusal)))
    return failure();
  if (FailureOr<Step> step = matchActivationStep(epilogue, options, refusal);
      succeeded(step)) {
    if (failed(checkKeepsNaN(step->activation, options, refusal)))
      return failure();
    return step;
  }
  Node *widened = epilogue.getWidened();
  FailureOr<Step> step =
      widened ? matchWidening(epilogue, widened, options, refusal)
              : matchScaleOrSum(epilogue, options, refusal);
  if (succeeded(step))
    return step;
  // If it is a known activation, the options are the reason.
  (void)checkActivationAllowed(epilogue, options, refusal);
  return failure();
}

/// The only op that reads the result of `fused`, directly or behind casts and
/// reshapes; null if there are several.
static Operation *findConsumer(FusedOpInterface fused, Refusal &refusal) {
  Operation *producer = fused;
  while (succeeded(checkOneUser(producer, refusal))) {
    Operation *user = *producer->user_begin();
    if (!isView(user))
      return user;
    producer = user;
  }
  return nullptr;
}

FailureOr<FoundStep> fusion::findNextStep(FusedOpInterface fused,
                                          const FuseOptions &options,
                                          Refusal &refusal) {
  if (failed(checkTakesSteps(fused, options, refusal)))
    return failure();
  if (FailureOr<Epilogue> region =
          matchActivationRegion(fused, options, refusal);
      succeeded(region)) {
    FailureOr<Step> step = matchActivationStep(*region, options, refusal);
    if (failed(step) || failed(checkMayFoldAlone(*region, options, refusal)))
      return failure();
    return FoundStep{std::move(*region), std::move(*step)};
  }
  Operation *consumer = findConsumer(fused, refusal);
  if (!consumer)
    return failure();
  // If the consumer reads several fusion ops, the first that takes it has it,
  // before one that takes it after its activation.
  std::optional<FoundStep> found;
  for (Epilogue &epilogue : matchEpilogues(consumer, options, refusal)) {
    FailureOr<Step> step = matchFirstStep(epilogue, options, refusal);
    // No activation of several ops reads `fused`, which was asked above.
    auto check =
        epilogue.getFused() == fused ? checkMayFoldAlone : checkMayFold;
    if (failed(step) || (found && step->isAfterActivation) ||
        failed(check(epilogue, options, refusal)))
      continue;
    bool isLast = !step->isAfterActivation;
    found.emplace(FoundStep{std::move(epilogue), std::move(*step)});
    if (isLast)
      break;
  }
  if (!found)
    return failure();
  if (found->epilogue.getFused() != fused)
    return refusal.because("next op is folded into another fusion op");
  return std::move(*found);
}
