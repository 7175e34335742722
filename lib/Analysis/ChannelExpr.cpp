//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "FusionDialect/Analysis/EvaluateScalar.h"
#include "FusionDialect/Analysis/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

/// The channel vector that `node`, a node without operands, stands for.
static FailureOr<ChannelVector> matchLeaf(const ScalarExpr &expr, Node *node,
                                          std::optional<int64_t> channelDim,
                                          const ChannelVectorOptions &options,
                                          Refusal &refusal) {
  if (node->kind == Kind::Constant)
    return ChannelVector{Value(), std::nullopt, node->constant};
  if (node->kind == Kind::Captured)
    return ChannelVector{node->value, std::nullopt, std::nullopt};
  // linalg-inline-scalar-operands reads a tensor with one element like this.
  if (auto extract = node->value.getDefiningOp<tensor::ExtractOp>())
    return ChannelVector{extract.getTensor(), std::nullopt, std::nullopt};
  return matchChannelVector(expr.getInput(node->input),
                            expr.getInputMap(node->input), channelDim, options,
                            refusal);
}

/// True if `value` is the only element of a tensor from outside.
static bool readsOneElement(Value value) {
  auto extract = value.getDefiningOp<tensor::ExtractOp>();
  return extract &&
         extract.getTensor().getParentBlock() != extract->getBlock() &&
         llvm::all_of(extract.getTensor().getType().getShape(),
                      [](int64_t size) { return size == 1; });
}

FailureOr<ChannelExpr> ChannelExpr::match(const ScalarExpr &expr, Node *node,
                                          std::optional<int64_t> channelDim,
                                          const ChannelVectorOptions &options,
                                          Refusal &refusal) {
  ChannelExpr result(node);
  SmallPtrSet<Node *, 8> cone;
  SmallVector<Node *> worklist{node};
  while (!worklist.empty()) {
    Node *next = worklist.pop_back_val();
    if (cone.insert(next).second && !readsOneElement(next->value))
      worklist.append(next->operands.begin(), next->operands.end());
  }
  for (const std::unique_ptr<Node> &owner : expr.getNodes()) {
    Node *inside = owner.get();
    if (!cone.contains(inside))
      continue;
    result.nodes.push_back(inside);
    if (isComputable(inside->kind))
      continue;
    bool isLeaf = inside->operands.empty() && inside->kind != Kind::Other;
    if (!isLeaf && !readsOneElement(inside->value))
      return refusal.because("unsupported: ", options.role, " is computed by '",
                             inside->value.getDefiningOp()->getName(),
                             "' in the same op");
    if (!isa<FloatType>(getElementTypeOrSelf(inside->value.getType())))
      return refusal.because("unsupported: ", options.role,
                             " is computed from a value of type ",
                             getElementTypeOrSelf(inside->value.getType()));
    FailureOr<ChannelVector> vector =
        matchLeaf(expr, inside, channelDim, options, refusal);
    if (failed(vector))
      return failure();
    result.leaves[inside] = *vector;
  }
  return result;
}

std::optional<Type> ChannelExpr::getNarrowestType() const {
  std::optional<Type> narrowest;
  for (Node *inside : nodes) {
    if (leaves.contains(inside) || inside->kind == Kind::Widen)
      continue;
    Type type = getElementTypeOrSelf(inside->value.getType());
    if (!narrowest ||
        type.getIntOrFloatBitWidth() < narrowest->getIntOrFloatBitWidth())
      narrowest = type;
  }
  return narrowest;
}

static bool isSquareRoot(const Node &node) {
  if (node.kind == Kind::Pow)
    return node.operands[1]->kind == Kind::Constant &&
           std::abs(node.operands[1]->constant) == 0.5;
  return node.kind == Kind::Sqrt || node.kind == Kind::Rsqrt;
}

/// True if a square root computes `value`, element by element.
static bool isComputedBySquareRoot(Value value) {
  if (!value || !value.getDefiningOp())
    return false;
  llvm::SetVector<Operation *> worklist;
  worklist.insert(value.getDefiningOp());
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *op = worklist[i];
    Refusal ignored = Refusal::unread();
    FailureOr<ScalarExpr> expr = ScalarExpr::match(op, ignored);
    if (failed(expr) && !isView(op))
      continue;
    if (succeeded(expr) &&
        llvm::any_of(expr->getNodes(), [](const std::unique_ptr<Node> &node) {
          return isSquareRoot(*node);
        }))
      return true;
    for (Value operand : op->getOperands())
      if (Operation *before = operand.getDefiningOp())
        worklist.insert(before);
  }
  return false;
}

bool ChannelExpr::hasSquareRoot() const {
  return llvm::any_of(nodes, [](Node *node) { return isSquareRoot(*node); }) ||
         llvm::any_of(leaves, [](const auto &leaf) {
           return isComputedBySquareRoot(leaf.second.base);
         });
}
