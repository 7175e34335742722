//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends write an activation in several ops where it reads its argument
// more than once: x * sigmoid(x), say. They are read as one expression here,
// without being changed: nothing is merged that does not become part of a
// fusion op.

#include "FusionDialect/Transforms/Epilogue.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

// No activation takes more, and every law asks.
static constexpr size_t maxOps = 32;

static bool isRead(const ScalarExpr &expr, const Node *node) {
  return !node->users.empty() || node == expr.getRoot();
}

/// True if `op` reads nothing that varies but `known`, element for element, and
/// does nothing else.
static bool isFunctionOf(Operation *op, const SmallPtrSetImpl<Value> &known,
                         ArrayRef<int64_t> shape) {
  Refusal ignored;
  FailureOr<ScalarExpr> expr = ScalarExpr::match(op, ignored);
  if (failed(expr) || !isMemoryEffectFree(op))
    return false;
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  if (resultType.getShape() != shape)
    return false;
  for (const std::unique_ptr<Node> &node : expr->getNodes())
    if (node->kind == Kind::Captured && isRead(*expr, node.get()))
      return false;
  for (unsigned i = 0, e = expr->getNumInputs(); i != e; ++i) {
    Node *node = expr->getInputNode(i);
    if (!node || node->kind != Kind::Input)
      continue;
    auto type = dyn_cast<RankedTensorType>(expr->getInput(i).getType());
    if (!type || !known.contains(expr->getInput(i)) ||
        !isElementForElement(expr->getInputMap(i), type, resultType))
      return false;
  }
  return true;
}

/// The ops that compute something from `leaf` alone, in order.
static SmallVector<Operation *> findFunctionsOf(Value leaf) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(leaf.getType()).getShape();
  Block *block = leaf.getParentBlock();
  auto isBefore = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  std::set<Operation *, decltype(isBefore)> candidates(isBefore);
  auto addUsers = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (user->getBlock() == block)
        candidates.insert(user);
  };
  SmallVector<Operation *> found;
  SmallPtrSet<Value, 8> known = {leaf};
  addUsers(leaf);
  while (!candidates.empty() && found.size() != maxOps) {
    Operation *op = *candidates.begin();
    candidates.erase(candidates.begin());
    if (!isFunctionOf(op, known, shape))
      continue;
    found.push_back(op);
    known.insert(op->getResult(0));
    addUsers(op->getResult(0));
  }
  return found;
}

/// Those of `ops` from which `last` is computed, it last; none if something
/// else uses them or `leaf`.
static SmallVector<Operation *> findRegion(ArrayRef<Operation *> ops,
                                           Operation *last, Value leaf) {
  SmallPtrSet<Operation *, 8> inside = {last};
  auto isInside = [&](Operation *user) { return inside.contains(user); };
  SmallVector<Operation *> region = {last};
  for (Operation *op : llvm::reverse(ops)) {
    if (op == last || llvm::none_of(op->getUsers(), isInside))
      continue;
    if (!llvm::all_of(op->getUsers(), isInside))
      return {};
    inside.insert(op);
    region.push_back(op);
  }
  if (!llvm::all_of(leaf.getUsers(), isInside))
    return {};
  std::reverse(region.begin(), region.end());
  return region;
}

FailureOr<Epilogue> fusion::matchActivationRegion(FusedOpInterface fused,
                                                  const FuseOptions &options,
                                                  Refusal &refusal) {
  // On memrefs there is no result to follow, and no user.
  if (fused->getNumResults() == 0)
    return refusal.because("result has 0 users: ");
  Value leaf = fused->getResult(0);
  SmallVector<Operation *> views;
  while (leaf.hasOneUse() && isView(*leaf.user_begin()) &&
         leaf.user_begin()->getOperand(0) == leaf) {
    views.push_back(*leaf.user_begin());
    leaf = views.back()->getResult(0);
  }
  SmallVector<Operation *> ops = findFunctionsOf(leaf);
  for (Operation *last : llvm::reverse(ops)) {
    SmallVector<Operation *> region = findRegion(ops, last, leaf);
    if (region.size() < 2)
      continue;
    FailureOr<ScalarExpr> expr = ScalarExpr::match(region, leaf, refusal);
    if (failed(expr))
      return failure();
    region.pop_back();
    Node *value = expr->getInputNode(0);
    if (!value)
      continue;
    Epilogue epilogue{fused,
                      views,
                      last,
                      std::move(*expr),
                      value,
                      std::nullopt,
                      std::move(region)};
    FailureOr<ActivationStep> step =
        matchActivationStep(epilogue, options, refusal);
    if (succeeded(step) && step->node == epilogue.expr.getRoot() &&
        succeeded(checkKeepsNaN(step->activation, options, refusal)))
      return std::move(epilogue);
  }
  return refusal.because("no group of ops behind the result computes an "
                         "activation that is known");
}
