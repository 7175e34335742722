//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Recognises roundings of the result of a fusion op, and conversions that undo
// them in front of a step.

#include "FusionDialect/Fuse/Step.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

/// Fails if the consumer converts its destination to the type of `converted`
/// and goes on computing: its result has the type of the destination.
static LogicalResult checkConvertsInput(const Epilogue &epilogue,
                                        const Node *converted,
                                        Refusal &refusal) {
  auto op = dyn_cast<DestinationStyleOpInterface>(epilogue.consumer);
  if (!op || converted == epilogue.expr.getRoot() ||
      epilogue.value->input < op.getNumDpsInputs())
    return success();
  return refusal.because("unsupported: result is read as a destination");
}

FailureOr<Step> fusion::matchRounding(const Epilogue &epilogue,
                                      Refusal &refusal) {
  Node *value = epilogue.value;
  if (value->users.size() != 1 || value->users.front()->kind != Kind::Narrow)
    return refusal.because("next op does not round the result");
  Node *narrow = value->users.front();
  Type type = getElementTypeOrSelf(narrow->value.getType());
  if (isa<QuantizedOpInterface>(epilogue.getFused().getOperation()))
    return refusal.because("unsupported: the result of an op on integers is "
                           "rounded to ",
                           type);
  if (!type.isBF16() && !type.isF16())
    return refusal.because("unsupported: result rounded to ", type,
                           ", expected bf16 or f16");
  if (failed(checkConvertsInput(epilogue, narrow, refusal)))
    return failure();
  return Step{Step::Kind::Round, narrow};
}

/// The activation of `widened` that some node of `epilogue` is; null for none.
static ActivationAttr findActivation(const Epilogue &epilogue, Node *widened) {
  ActivationAttr before = epilogue.getFused().getActivationAttr();
  for (const std::unique_ptr<Node> &node : epilogue.expr.getNodes())
    if (node.get() != widened && ScalarExpr::isFunctionOf(node.get(), widened))
      if (ActivationAttr found = matchActivation(node.get(), widened, before))
        return found;
  return {};
}

/// The step behind `widened`; of an activation, its kind alone.
static FailureOr<Step> matchStepBehind(const Epilogue &epilogue, Node *widened,
                                       const FuseOptions &options,
                                       Refusal &refusal) {
  if (ActivationAttr activation = findActivation(epilogue, widened)) {
    if (failed(checkKeepsNaN(activation, options, refusal)))
      return failure();
    return Step{Step::Kind::Activate, widened};
  }
  if (widened != epilogue.expr.getRoot())
    return matchScaleOrSum(epilogue, options, refusal);
  FailureOr<Epilogue> next = matchNextEpilogue(epilogue, refusal);
  if (failed(next))
    return failure();
  return matchFirstStep(*next, options, refusal);
}

FailureOr<Step> fusion::matchWidening(const Epilogue &epilogue, Node *widened,
                                      const FuseOptions &options,
                                      Refusal &refusal) {
  FailureOr<Step> behind = matchStepBehind(epilogue, widened, options, refusal);
  if (failed(behind) || failed(checkConvertsInput(epilogue, widened, refusal)))
    return failure();
  Step step{Step::Kind::Widen, widened};
  step.next = behind->kind;
  // It needs a second law, which may be switched off.
  step.negatedFrom = std::move(behind->negatedFrom);
  return step;
}

bool fusion::isWidenedForRounding(const Node &addend,
                                  const Epilogue &epilogue) {
  Node *root = epilogue.expr.getRoot();
  return addend.kind == Kind::Widen &&
         addend.operands.front()->kind == Kind::Input &&
         getElementTypeOrSelf(addend.operands.front()->value.getType()) ==
             getElementTypeOrSelf(root->value.getType());
}
