//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The roles of a composite's arguments in its pattern. Code generators can use
// them instead of analysing the body.

#include "CompositeMatch.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

namespace {
/// Follows a value through the ops of a match to the op that combines it with
/// the data.
class RoleReader {
public:
  explicit RoleReader(const CompositeMatch &match) : match(match) {}

  StringRef read(Value value);

private:
  StringRef readUse(Operation *user, Value value);
  StringRef readNode(const ScalarExpr &expr, Node *node);
  bool scalesBefore(Operation *op);

  const CompositeMatch &match;
  /// The roles of values that have been read: an op may read a value twice, and
  /// there are too many paths to walk them all.
  DenseMap<Value, StringRef> roles;
};
} // namespace

/// True if an op in front of `op` multiplies the result of the root.
bool RoleReader::scalesBefore(Operation *op) {
  for (Operation *before : match.main) {
    if (before == op)
      return false;
    Refusal ignored = Refusal::unread();
    FailureOr<ScalarExpr> expr = ScalarExpr::match(before, ignored);
    if (succeeded(expr) && before != match.main.front() &&
        llvm::any_of(expr->getNodes(), [](const std::unique_ptr<Node> &node) {
          return node->kind == Kind::Mul || node->kind == Kind::Div;
        }))
      return true;
  }
  return false;
}

/// The role of `node`, an input of `expr`, according to its first use.
StringRef RoleReader::readNode(const ScalarExpr &expr, Node *node) {
  for (Node *user : node->users) {
    switch (user->kind) {
    case Kind::Widen:
    case Kind::Narrow:
      return readNode(expr, user);
    case Kind::Sqrt:
    case Kind::Rsqrt:
    case Kind::Pow:
      return "variance";
    case Kind::Mul:
    case Kind::Div:
      return "scale";
    case Kind::Sub:
      return user->operands[1] == node ? "mean" : "bias";
    case Kind::Add: {
      // Epsilon is added to a variance before the root is taken.
      for (Node *next : user->users)
        if (next->kind == Kind::Sqrt || next->kind == Kind::Rsqrt ||
            next->kind == Kind::Pow)
          return "variance";
      Node *other = user->operands[user->operands[0] == node ? 1 : 0];
      bool isScaled = other->kind == Kind::Mul || other->kind == Kind::Div;
      return isScaled ? "shift" : "bias";
    }
    default:
      break;
    }
  }
  return "";
}

StringRef RoleReader::readUse(Operation *user, Value value) {
  if (isView(user))
    return read(user->getResult(0));
  Refusal ignored = Refusal::unread();
  FailureOr<ScalarExpr> expr = ScalarExpr::match(user, ignored);
  if (failed(expr))
    return user == match.main.front() ? "bias" : "";
  for (OpOperand &operand : user->getOpOperands()) {
    Node *node = operand.get() == value
                     ? expr->getInputNode(operand.getOperandNumber())
                     : nullptr;
    if (!node)
      continue;
    StringRef role = readNode(*expr, node);
    bool isMain = llvm::is_contained(match.main, user);
    if (role == "variance")
      return role;
    // A value that a vector is computed or copied from has the vector's role.
    if (!isMain)
      return read(user->getResult(0));
    if (role == "bias" && scalesBefore(user))
      return "shift";
    return role;
  }
  return "";
}

StringRef RoleReader::read(Value value) {
  if (auto known = roles.find(value); known != roles.end())
    return known->second;
  StringRef first;
  for (Operation *user : value.getUsers()) {
    if (!match.ops.contains(user))
      continue;
    StringRef role = readUse(user, value);
    if (role == "variance")
      return roles[value] = role;
    if (first.empty())
      first = role;
  }
  return roles[value] = first;
}

/// True if `value` has the size of a tensor that it is added to.
static bool isFullSize(Value value, const CompositeMatch &match) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return false;
  return llvm::any_of(match.main, [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), value) &&
           cast<RankedTensorType>(op->getResult(0).getType()).getShape() ==
               type.getShape();
  });
}

/// The value from outside of `match` that the filter is made from.
static Value getFilterSource(Value filter, const CompositeMatch &match) {
  while (filter && match.ops.contains(filter.getDefiningOp())) {
    Operation *op = filter.getDefiningOp();
    auto transpose = matchTranspose(op);
    if (!transpose && !isView(op))
      break;
    filter = transpose ? transpose->first : op->getOperand(0);
  }
  return filter;
}

void fusion::setRoles(CompositeMatch &match, std::optional<RootOperands> root) {
  match.roles.clear();
  bool hasSum = StringRef(match.pattern).contains("_sum");
  // The name of a file's pattern does not tell whether it has a residual.
  bool isFromFile = !match.composite.empty();
  RoleReader reader(match);
  for (Value value : findInputs(match.ops.getArrayRef())) {
    StringRef &role = match.roles[value];
    if (!isa<RankedTensorType>(value.getType()) ||
        getElementTypeOrSelf(value).isIntOrIndex())
      role = isa<FloatType>(value.getType()) ? "scalar" : "size";
    else if (root && value == root->input)
      role = "input";
    else if (root && value == getFilterSource(root->filter, match))
      role = "filter";
    else if (!root)
      role = "input";
    else if (hasSum && isFullSize(value, match))
      role = "residual";
    else
      role = reader.read(value);
    if (isFromFile && role == "bias" && isFullSize(value, match))
      role = "residual";
    if (role.empty())
      role = "other";
  }
}
