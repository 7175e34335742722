//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says which op keeps an activation from being folded that only moves what
// convolutions compute. No law moves an activation in front of it.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/LocationText.h"
#include "Laws/FoldSteps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// The tensors whose elements the result of `op` consists of; none if `op`
/// computes others. An activation commutes with such an op, and with a pad if
/// that has the activation of its number.
static SmallVector<Value> getMovedTensors(Operation *op) {
  if (isView(op) || isTranspose(op) ||
      isa<tensor::ExtractSliceOp, tensor::PadOp>(op))
    return {op->getOperand(0)};
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.getInputs();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {insert.getSource(), insert.getDest()};
  return {};
}

/// A use behind `op`, and behind other ops that move elements, by an op that
/// computes; null if there is none.
static OpOperand *findUseBehind(Operation *op) {
  while (!op->use_empty()) {
    OpOperand &use = *op->use_begin();
    op = use.getOwner();
    if (getMovedTensors(op).empty())
      return &use;
  }
  return nullptr;
}

/// True if all elements of `value` have one value, or none that is read.
static bool hasOneNumber(Value value) {
  SplatElementsAttr splat;
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(
             value.getDefiningOp()) ||
         matchPattern(value, m_Constant(&splat));
}

/// True if `value` consists of results of fusion ops for which `takes` is true,
/// and of nothing else that an activation would have to be computed of. Nothing
/// else may read these results, or the ops that move them.
static bool
consistsOfResults(Value value,
                  llvm::function_ref<bool(FusedOpInterface)> takes) {
  Operation *op = value.getDefiningOp();
  if (hasOneNumber(value))
    return true;
  Refusal ignored = Refusal::unread();
  if (!op || failed(checkOneUser(op, ignored)))
    return false;
  if (auto fused = dyn_cast<FusedOpInterface>(op))
    return takes(fused);
  SmallVector<Value> moved = getMovedTensors(op);
  return !moved.empty() && llvm::all_of(moved, [&](Value part) {
    return consistsOfResults(part, takes);
  });
}

LogicalResult fusion::explainMove(FusedOpInterface op, Operation *move,
                                  const FuseOptions &options,
                                  Refusal &refusal) {
  if (getMovedTensors(move).empty())
    return success();
  OpOperand *use = findUseBehind(move);
  if (!use || use->getOwner()->getBlock() != op->getBlock())
    return success();
  Operation *consumer = use->getOwner();
  Refusal ignored = Refusal::unread();
  FailureOr<ScalarExpr> expr = ScalarExpr::match(consumer, ignored);
  if (failed(expr) || failed(checkNoSideEffects(consumer, ignored)))
    return success();
  ScalarExpr::Node *value = expr->getInputNode(use->getOperandNumber());
  if (!value)
    return success();
  Epilogue epilogue{op, {}, consumer, std::move(*expr), value, std::nullopt};
  auto takesActivation = [&](FusedOpInterface fused) {
    epilogue.fused = fused;
    return succeeded(checkTakesSteps(fused, options, ignored)) &&
           succeeded(matchActivationStep(epilogue, FuseOptions(), ignored));
  };
  if (!consistsOfResults(use->get(), takesActivation))
    return success();
  epilogue.fused = op;
  if (failed(checkActivationAllowed(epilogue, options, refusal)))
    return failure();
  return refusal.because("unsupported: '", move->getName(), "' at ",
                         getLocationText(move->getLoc()),
                         " comes between the result and next op '",
                         consumer->getName(), "' at ",
                         getLocationText(consumer->getLoc()));
}
