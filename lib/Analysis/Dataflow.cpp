//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace fusion;

SmallVector<Operation *> fusion::getTensorOps(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ops.push_back(op);
    return isa<linalg::LinalgOp, tensor::PadOp>(op) ? WalkResult::skip()
                                                    : WalkResult::advance();
  });
  return ops;
}

llvm::SetVector<Value> fusion::getReadValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

bool fusion::comesFrom(Value value, function_ref<bool(Operation *)> isSource) {
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *op = worklist[i].getDefiningOp();
    if (!op)
      continue;
    if (isSource(op))
      return true;
    Refusal ignored = Refusal::unread();
    if (isView(op) || succeeded(ScalarExpr::match(op, ignored)))
      worklist.insert_range(op->getOperands());
  }
  return false;
}

bool fusion::neverChanges(Value value) {
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *op = worklist[i].getDefiningOp();
    if (op ? !isMemoryEffectFree(op) : !isConstantArgument(worklist[i]))
      return false;
    if (op)
      worklist.insert_range(getReadValues(op));
  }
  return true;
}

OpOperand *fusion::getReadOperand(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  return argument && argument.getOwner() == op.getBlock()
             ? op.getMatchingOpOperand(argument)
             : nullptr;
}

LogicalResult fusion::checkBodySize(linalg::LinalgOp op, Refusal &refusal) {
  constexpr size_t kMost = 1000;
  size_t count = op.getBlock()->getOperations().size();
  if (count <= kMost)
    return success();
  return refusal.because("body of '", op->getName().getStringRef(), "' has ",
                         count, " ops, expected at most ", kMost);
}

/// The first op in the body of `op` that has side effects, or null.
static Operation *findSideEffect(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!isMemoryEffectFree(&inner))
        return &inner;
  return nullptr;
}

LogicalResult fusion::checkNoSideEffects(Operation *op, Refusal &refusal) {
  Operation *effect = findSideEffect(op);
  if (!effect)
    return success();
  return refusal.because("unsupported: '", effect->getName(), "' in '",
                         op->getName(), "' has side effects");
}

LogicalResult fusion::checkRoundsToNearest(Operation *op, Refusal &refusal) {
  auto rounds = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode =
      rounds ? rounds.getRoundingModeAttr() : nullptr;
  if (!mode || mode.getValue() == arith::RoundingMode::to_nearest_even)
    return success();
  return refusal.because("'", op->getName(), "' rounds by '",
                         arith::stringifyRoundingMode(mode.getValue()),
                         "', expected to_nearest_even");
}
