//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/ScalarExpr.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

/// Bounds of max(x, lower) and min(x, upper), nested in any order, around a
/// value that is not such a bound itself.
namespace {
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  /// Then taking the maximum with `bound`.
  void raise(double bound) {
    lower = std::max(lower, bound);
    upper = std::max(upper, bound);
  }
  /// Then taking the minimum with `bound`.
  void cap(double bound) {
    lower = std::min(lower, bound);
    upper = std::min(upper, bound);
  }
};
} // namespace

/// The operand of the binary `node` that is a number and the one that is not.
static std::optional<std::pair<Node *, double>> splitConstant(Node *node) {
  if (node->operands.size() != 2)
    return std::nullopt;
  for (unsigned i : {0, 1})
    if (node->operands[i]->kind == Kind::Constant &&
        node->operands[1 - i]->kind != Kind::Constant)
      return {{node->operands[1 - i], node->operands[i]->constant}};
  return std::nullopt;
}

/// Reads `node` as bounds around `leaf`, on top of `bounds`.
static bool matchBounds(Node *node, Node *leaf, Bounds &bounds) {
  if (node == leaf)
    return true;
  if (node->kind != Kind::Max && node->kind != Kind::Min)
    return false;
  auto split = splitConstant(node);
  if (!split || std::isnan(split->second) ||
      !matchBounds(split->first, leaf, bounds))
    return false;
  if (node->kind == Kind::Max)
    bounds.raise(split->second);
  else
    bounds.cap(split->second);
  return true;
}

/// The bounds that an activation applied already puts on its value.
static std::optional<Bounds> getBounds(ActivationAttr activation) {
  Bounds bounds;
  if (!activation)
    return bounds;
  if (activation.getKind() == ActivationKind::Relu) {
    bounds.raise(0.0);
    return bounds;
  }
  if (activation.getKind() == ActivationKind::Clip) {
    bounds.raise(activation.getAlpha().convertToFloat());
    bounds.cap(activation.getBeta().convertToFloat());
    return bounds;
  }
  return std::nullopt;
}

static ActivationAttr matchClip(Node *node, Node *leaf, ActivationAttr before) {
  std::optional<Bounds> bounds = getBounds(before);
  if (!bounds || node == leaf || !matchBounds(node, leaf, *bounds))
    return nullptr;
  MLIRContext *context = leaf->value.getContext();
  if (bounds->lower == 0.0 &&
      bounds->upper == std::numeric_limits<double>::infinity())
    return ActivationAttr::get(context, ActivationKind::Relu);
  return ActivationAttr::get(context, ActivationKind::Clip,
                             static_cast<float>(bounds->lower),
                             static_cast<float>(bounds->upper));
}

static bool isConstant(Node *node, double number) {
  return node->kind == Kind::Constant && node->constant == number;
}

/// -leaf, as a negation, 0 - leaf or leaf * -1.
static bool isNegated(Node *node, Node *leaf) {
  if (node->kind == Kind::Neg)
    return node->operands[0] == leaf;
  if (node->kind == Kind::Sub)
    return isConstant(node->operands[0], 0.0) && node->operands[1] == leaf;
  if (node->kind != Kind::Mul)
    return false;
  auto split = splitConstant(node);
  return split && split->first == leaf && split->second == -1.0;
}

/// 1 / (1 + exp(-leaf))
static bool isSigmoid(Node *node, Node *leaf) {
  if (node->kind != Kind::Div || !isConstant(node->operands[0], 1.0) ||
      node->operands[1]->kind != Kind::Add)
    return false;
  auto split = splitConstant(node->operands[1]);
  return split && split->second == 1.0 && split->first->kind == Kind::Exp &&
         isNegated(split->first->operands[0], leaf);
}

/// leaf * sigmoid(leaf) or leaf / (1 + exp(-leaf))
static bool isSilu(Node *node, Node *leaf) {
  if (node->kind == Kind::Mul)
    return (node->operands[0] == leaf && isSigmoid(node->operands[1], leaf)) ||
           (node->operands[1] == leaf && isSigmoid(node->operands[0], leaf));
  if (node->kind != Kind::Div || node->operands[0] != leaf ||
      node->operands[1]->kind != Kind::Add)
    return false;
  auto split = splitConstant(node->operands[1]);
  return split && split->second == 1.0 && split->first->kind == Kind::Exp &&
         isNegated(split->first->operands[0], leaf);
}

ActivationAttr fusion::matchActivation(Node *node, Node *leaf,
                                       ActivationAttr before) {
  if (ActivationAttr clip = matchClip(node, leaf, before))
    return clip;
  // Activations other than bounds do not compose.
  if (before)
    return nullptr;
  MLIRContext *context = leaf->value.getContext();
  auto isUnary = [&](Kind kind) {
    return node->kind == kind && node->operands[0] == leaf;
  };
  if (isUnary(Kind::Tanh))
    return ActivationAttr::get(context, ActivationKind::Tanh);
  if (isUnary(Kind::Abs))
    return ActivationAttr::get(context, ActivationKind::Abs);
  if (isUnary(Kind::Sqrt))
    return ActivationAttr::get(context, ActivationKind::Sqrt);
  if (isUnary(Kind::Exp))
    return ActivationAttr::get(context, ActivationKind::Exp);
  if (isSigmoid(node, leaf))
    return ActivationAttr::get(context, ActivationKind::Sigmoid);
  if (isSilu(node, leaf))
    return ActivationAttr::get(context, ActivationKind::Swish, 1.0f);
  if (node->kind == Kind::Mul && node->operands[0] == leaf &&
      node->operands[1] == leaf)
    return ActivationAttr::get(context, ActivationKind::Square);
  return nullptr;
}
