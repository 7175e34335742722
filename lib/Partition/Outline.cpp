//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompositeMatch.h"

using namespace mlir;
using namespace fusion;

/// The position of arguments with `role` among the others.
static int64_t getPosition(StringRef role) {
  constexpr StringLiteral order[] = {"input",    "filter", "bias",  "mean",
                                     "variance", "scale",  "shift", "residual"};
  return llvm::find(order, role) - std::begin(order);
}

func::FuncOp Outliner::createFunction(const CompositeMatch &match,
                                      StringRef composite,
                                      ArrayRef<Value> inputs) {
  OwningOpRef<func::FuncOp> function =
      copyToFunction("fused_" + match.pattern, match.ops.getArrayRef(), inputs,
                     ValueRange(match.result));
  Builder builder(function->getContext());
  function->setPrivate();
  function->setNoInline(true);
  (*function)->setAttr(kCompositeAttr, builder.getStringAttr(composite));
  for (auto [i, input] : llvm::enumerate(inputs))
    function->setArgAttr(i, kRoleArgAttr,
                         builder.getStringAttr(getRole(match, input)));
  if (options.annotateCodegen && !options.merge)
    (*function)->setAttr(kCodegenAttr,
                         builder.getStringAttr(composite.split('.').first));
  return function.release();
}

/// The role of `input` in `match`, which was found before the ops around it
/// were outlined.
StringRef Outliner::getRole(const CompositeMatch &match, Value input) const {
  auto before = original.find(input);
  return match.roles.lookup(before == original.end() ? input : before->second);
}

/// Erases `op`, which is dead, and its users.
static void eraseWithUsers(Operation *op) {
  while (!op->use_empty())
    eraseWithUsers(*op->user_begin());
  op->erase();
}

/// Erases the ops of `match`, and ops in front of it that others do not need.
static void eraseOps(const CompositeMatch &match) {
  SmallPtrSet<Operation *, 8> main(match.main.begin(), match.main.end());
  for (Operation *op : llvm::reverse(match.main))
    eraseWithUsers(op);
  for (Operation *op : llvm::reverse(match.ops))
    if (!main.contains(op) && isOpTriviallyDead(op))
      op->erase();
}

/// The values that `match` uses from outside, by role and then by first use.
SmallVector<Value> Outliner::orderInputs(const CompositeMatch &match) const {
  SmallVector<std::tuple<int64_t, size_t, Value>> order;
  for (Value value : findInputs(match.ops.getArrayRef()))
    order.push_back({getPosition(getRole(match, value)), order.size(), value});
  llvm::sort(order, [](const auto &a, const auto &b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b));
  });
  return llvm::map_to_vector(
      order, [](const auto &entry) { return std::get<2>(entry); });
}

void Outliner::outline(const CompositeMatch &match, StringRef composite) {
  SmallVector<Value> inputs = orderInputs(match);
  Operation *last = match.main.back();
  func::FuncOp function = functions.insertOrFindSame(
      last, createFunction(match, composite, inputs), inputs);
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function, inputs);
  original[call.getResult(0)] = match.result;
  Value result = match.result;
  result.replaceAllUsesWith(call.getResult(0));
  eraseOps(match);
}
