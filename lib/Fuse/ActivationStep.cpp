//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Recognises an activation as the first step of an epilogue.

#include "FusionDialect/Fuse/Step.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

LogicalResult fusion::checkKeepsNaN(ActivationAttr activation,
                                    const FuseOptions &options,
                                    Refusal &refusal) {
  if (options.nanMode == NaNMode::Fast || activation.propagatesNaN())
    return success();
  return refusal.because("nan-mode=propagate: kernels of '",
                         stringifyActivationKind(activation.getKind()),
                         "' may lose a NaN");
}

/// True if `node` is certain to be NaN if `leaf` is.
static bool keepsNaN(Node *node, Node *leaf) {
  if (node == leaf)
    return true;
  auto keeps = [&](Node *operand) { return keepsNaN(operand, leaf); };
  ArrayRef<Node *> operands = node->operands;
  switch (node->kind) {
  case Kind::Max:
  case Kind::Min:
    if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(
            node->value.getDefiningOp()))
      return llvm::any_of(operands, keeps);
    return llvm::all_of(operands, keeps);
  case Kind::Select: // of either branch
  case Kind::IfNaN:
    return llvm::all_of(operands.take_back(2), keeps);
  case Kind::Pow: // 1 to the power of NaN is 1
    return keeps(operands[0]) && operands[1]->kind == Kind::Constant &&
           operands[1]->constant != 0.0;
  case Kind::Compare:
  case Kind::Other:
    return false;
  default:
    return llvm::any_of(operands, keeps);
  }
}

/// Fails if the ops of `node`, an activation of the value, treat NaN or
/// rounding in a way that `options` do not allow to change.
static LogicalResult checkIsExact(Node *node, const Epilogue &epilogue,
                                  const FuseOptions &options,
                                  Refusal &refusal) {
  if (options.nanMode != NaNMode::Fast && !keepsNaN(node, epilogue.value))
    return refusal.because("nan-mode=propagate: next op may lose a NaN");
  bool isRounded =
      llvm::any_of(ScalarExpr::getCone(node, epilogue.value),
                   [](Node *inside) { return inside->kind == Kind::Narrow; });
  if (isRounded && !options.allowContractRounding)
    return refusal.because("next op rounds on the way, and "
                           "allow-contract-rounding is off");
  return success();
}

FailureOr<Step> fusion::matchActivationStep(const Epilogue &epilogue,
                                            const FuseOptions &options,
                                            Refusal &refusal) {
  FusedOpInterface fused = epilogue.getFused();
  if (failed(checkNothingAfterActivation(fused, refusal)))
    return failure();
  ActivationAttr before = fused.getActivationAttr();
  for (const std::unique_ptr<Node> &node :
       llvm::reverse(epilogue.expr.getNodes())) {
    if (!ScalarExpr::isFunctionOf(node.get(), epilogue.value))
      continue;
    ActivationAttr activation =
        matchActivation(node.get(), epilogue.value, before);
    if (!activation)
      continue;
    // If the options forbid the activation itself, its caller gives the reason.
    if (succeeded(checkKeepsNaN(activation, options, refusal)) &&
        failed(checkIsExact(node.get(), epilogue, options, refusal)))
      return failure();
    Step step{Step::Kind::Activate, node.get()};
    step.activation = activation;
    return step;
  }
  return refusal.because("next op computes no activation that is known");
}

LogicalResult fusion::checkActivationAllowed(const Epilogue &epilogue,
                                             const FuseOptions &options,
                                             Refusal &refusal) {
  Refusal ignored = Refusal::unread();
  if (failed(matchActivationStep(epilogue, FuseOptions(), ignored)))
    return success();
  FailureOr<Step> step = matchActivationStep(epilogue, options, refusal);
  if (failed(step))
    return failure();
  return checkKeepsNaN(step->activation, options, refusal);
}
