//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends write an activation in several ops if it reads its argument more
// than once: x * sigmoid(x), say. This file reads such ops as one expression
// without changing them: ops are merged only when they become part of a fusion
// op.

#include "FusionDialect/Fuse/Step.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

// No activation takes more, and every law asks for the regions.
static constexpr size_t maxOps = 32;

static bool isRead(const ScalarExpr &expr, const Node *node) {
  return !node->users.empty() || node == expr.getRoot();
}

/// Reads `op` as an expression if it is an element-wise op without side
/// effects. It must read the values of `known` element for element.
static FailureOr<ScalarExpr> matchReader(Operation *op,
                                         const SmallPtrSetImpl<Value> &known,
                                         Refusal &refusal) {
  FailureOr<ScalarExpr> expr = ScalarExpr::match(op, refusal);
  if (failed(expr))
    return failure();
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  if (!isMemoryEffectFree(op))
    return refusal.because("next op has side effects");
  for (unsigned i = 0, e = expr->getNumInputs(); i != e; ++i) {
    if (!known.contains(expr->getInput(i)))
      continue;
    auto type = cast<RankedTensorType>(expr->getInput(i).getType());
    if (type.getShape() != resultType.getShape())
      return refusal.because("next op has another shape");
    if (expr->getInputNode(i) &&
        !isElementForElement(expr->getInputMap(i), type, resultType))
      return refusal.because("next op reads other elements of the result");
  }
  return expr;
}

/// True if `op` gives one of the values of `known` another shape. Shapes are
/// static, so that the elements of two values of one shape have one order.
static bool isReshapeOf(Operation *op, const SmallPtrSetImpl<Value> &known) {
  auto isStatic = [](Value value) {
    return cast<RankedTensorType>(value.getType()).hasStaticShape();
  };
  return isView(op) && known.contains(op->getOperand(0)) &&
         isStatic(op->getOperand(0)) && isStatic(op->getResult(0));
}

/// True if the values of `known` and constants are all that `expr` reads.
static bool isFunctionOf(const ScalarExpr &expr,
                         const SmallPtrSetImpl<Value> &known) {
  for (const std::unique_ptr<Node> &node : expr.getNodes())
    if (node->kind == Kind::Captured && isRead(expr, node.get()))
      return false;
  for (unsigned i = 0, e = expr.getNumInputs(); i != e; ++i) {
    Node *node = expr.getInputNode(i);
    if (node && node->kind == Kind::Input && !known.contains(expr.getInput(i)))
      return false;
  }
  return true;
}

namespace {
/// `functions` are the ops that compute something from a value alone, and
/// reshapes, in order; `others` compute something from it and from other
/// values.
struct Readers {
  SmallVector<Operation *> functions, others;
};
} // namespace

static Readers findReaders(Value leaf) {
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
  Readers readers;
  SmallPtrSet<Value, 8> known = {leaf};
  addUsers(leaf);
  while (!candidates.empty() && readers.functions.size() != maxOps) {
    Operation *op = *candidates.begin();
    candidates.erase(candidates.begin());
    if (!isReshapeOf(op, known)) {
      Refusal ignored = Refusal::unread();
      FailureOr<ScalarExpr> expr = matchReader(op, known, ignored);
      if (failed(expr))
        continue;
      if (!isFunctionOf(*expr, known)) {
        readers.others.push_back(op);
        continue;
      }
    }
    readers.functions.push_back(op);
    known.insert(op->getResult(0));
    addUsers(op->getResult(0));
  }
  return readers;
}

/// The ops of `ops` that `last` is computed from, then `last`. Empty if another
/// op uses one of them or `leaf`.
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

/// The ops of `readers` of `leaf` that may be the last of an activation, which
/// has the shape of `leaf`. They may compute more, also with other values.
static SmallVector<Operation *> findEnds(const Readers &readers, Value leaf) {
  auto hasItsShape = [&](Operation *op) {
    return !isView(op) &&
           cast<RankedTensorType>(op->getResult(0).getType()).getShape() ==
               cast<RankedTensorType>(leaf.getType()).getShape();
  };
  SmallVector<Operation *> ends(llvm::reverse(readers.functions));
  ends.append(readers.others);
  llvm::erase_if(ends, [&](Operation *op) { return !hasItsShape(op); });
  return ends;
}

/// True if `epilogue.consumer` computes `node`, so that the rest of the
/// consumer can start with it.
static bool isLastStep(const Epilogue &epilogue, Node *node) {
  if (node == epilogue.expr.getRoot())
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(epilogue.consumer);
  // The destination of the rest must not be an op that is folded.
  return linalgOp && node->value.getParentBlock() == linalgOp.getBlock() &&
         llvm::none_of(linalgOp.getDpsInits(), [&](Value init) {
           return llvm::is_contained(epilogue.inner, init.getDefiningOp());
         });
}

FailureOr<Epilogue> fusion::matchActivationRegion(FusedOpInterface fused,
                                                  const FuseOptions &options,
                                                  Refusal &refusal) {
  // On memrefs there is no result to follow.
  if (fused->getNumResults() == 0)
    return refusal.because("result has 0 users: ");
  Value leaf = fused->getResult(0);
  SmallVector<Operation *> views;
  while (leaf.hasOneUse() && isView(*leaf.user_begin()) &&
         leaf.user_begin()->getOperand(0) == leaf) {
    views.push_back(*leaf.user_begin());
    leaf = views.back()->getResult(0);
  }
  return matchActivationRegion(fused, leaf, views, options, refusal);
}

FailureOr<Epilogue> fusion::matchActivationRegion(FusedOpInterface fused,
                                                  Value leaf,
                                                  ArrayRef<Operation *> views,
                                                  const FuseOptions &options,
                                                  Refusal &refusal) {
  Readers readers = findReaders(leaf);
  for (Operation *last : findEnds(readers, leaf)) {
    SmallVector<Operation *> region = findRegion(readers.functions, last, leaf);
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
                      SmallVector<Operation *>(views),
                      last,
                      std::move(*expr),
                      value,
                      std::nullopt,
                      std::move(region)};
    FailureOr<Step> step = matchActivationStep(epilogue, options, refusal);
    if (succeeded(step) && isLastStep(epilogue, step->node) &&
        succeeded(checkKeepsNaN(step->activation, options, refusal)))
      return std::move(epilogue);
  }
  return refusal.because("no group of ops behind the result computes an "
                         "activation that is known");
}
