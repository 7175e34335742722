//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An expression is an activation if it has the same normal form as the formula
// of the activation. Each activation has one formula, in activations.def; there
// is no list of spellings.

#include "FusionDialect/Analysis/ScalarExpr.h"
#include "NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <map>

using namespace mlir;
using namespace fusion;

using AK = ActivationKind;
using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

/// Applies the formula of `activation` to `x`. The result is unknown if it has
/// no normal form.
static RealFunction applyFormula(ActivationAttr activation,
                                 const RealFunction &x) {
  RealFunction alpha = activation.getAlpha().convertToFloat();
  RealFunction beta = activation.getBeta().convertToFloat();
  switch (activation.getKind()) {
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, keepsNaN,      \
                          formula)                                             \
  case AK::Name:                                                               \
    return formula;
#include "FusionRuntime/activations.def"
  }
  llvm_unreachable("unknown activation");
}

//===----------------------------------------------------------------------===//
// Reading an expression
//===----------------------------------------------------------------------===//

/// The relative difference up to which two numbers count as equal. Front ends
/// round sqrt(2 / pi), 1/6 and the like to the type in which they compute, and
/// the product of two such numbers is off twice: 1e-6 is eight units in the
/// last place of an f32. The tolerances of narrower types are less than the
/// distance of neighbouring numbers.
static double getTolerance(Node *leaf) {
  Type type = getElementTypeOrSelf(leaf->value.getType());
  bool isWidened = llvm::all_of(
      leaf->users, [](Node *user) { return user->kind == Kind::Widen; });
  if (type.isBF16() && !isWidened)
    return 0x1.8p-9;
  if (type.isF16() && !isWidened)
    return 0x1.8p-12;
  return 1e-6;
}

/// True if `node` rounds, or undoes a rounding. The fusion op may round less
/// often, but a rounding to an even narrower type is meant as a quantisation.
static bool isRounding(Node *node) {
  if (node->kind != Kind::Narrow)
    return node->kind == Kind::Widen;
  Type type = getElementTypeOrSelf(node->value.getType());
  return type.isBF16() || type.isF16();
}

namespace {
/// Computes the function of x that a node stands for, where the leaf is
/// `start`: x, or an activation of x that is applied already.
class Reader {
public:
  Reader(Node *leaf, const RealFunction &start)
      : leaf(leaf), start(start), atoms(start.getAtoms()) {}

  RealFunction read(Node *node) {
    if (node == leaf)
      return start;
    auto place = done.find(node);
    if (place == done.end())
      place = done.try_emplace(node, readOp(node)).first;
    return place->second;
  }

private:
  RealFunction readOp(Node *node);
  RealFunction readUnary(Node *node, const RealFunction &a);

  Node *leaf;
  RealFunction start;
  Atoms &atoms;
  std::map<Node *, RealFunction> done;
};
} // namespace

RealFunction Reader::readUnary(Node *node, const RealFunction &a) {
  switch (node->kind) {
  case Kind::Neg:
    return -a;
  case Kind::Abs:
    return abs(a);
  case Kind::Exp:
    return exp(a);
  case Kind::Exp2:
    return exp(a * M_LN2);
  case Kind::Expm1:
    return expm1(a);
  case Kind::Log:
    return log(a);
  case Kind::Log1p:
    return log(1 + a);
  case Kind::Tanh:
    return tanh(a);
  case Kind::Erf:
    return erf(a);
  case Kind::Erfc:
    return 1 - erf(a);
  case Kind::Widen:
  case Kind::Narrow:
    return isRounding(node) ? a : RealFunction(atoms, Form::unknown());
  default:
    break;
  }
  return RealFunction(atoms, Form::unknown());
}

RealFunction Reader::readOp(Node *node) {
  if (node->kind == Kind::Constant)
    return RealFunction(atoms, Form::number(node->constant));
  auto operand = [&](unsigned i) { return read(node->operands[i]); };
  if (node->operands.size() == 1)
    return readUnary(node, operand(0));
  if (llvm::any_of(node->operands,
                   [](Node *operand) { return roundsWhenAdded(*operand); }) &&
      (node->kind == Kind::Add || node->kind == Kind::Sub))
    return RealFunction(atoms, Form::unknown());
  switch (node->kind) {
  case Kind::Add:
    return operand(0) + operand(1);
  case Kind::Sub:
    return operand(0) - operand(1);
  case Kind::Mul:
    return operand(0) * operand(1);
  case Kind::Div:
    return operand(0) / operand(1);
  case Kind::Max:
    return max(operand(0), operand(1));
  case Kind::Min:
    return min(operand(0), operand(1));
  case Kind::Pow:
    return operand(0).power(operand(1));
  case Kind::Select:
    return RealFunction::choose(operand(0), operand(1), operand(2), operand(3));
  case Kind::IfNaN:
    // A function with a normal form is a number for each number x.
    if (operand(0).isKnown())
      return operand(2);
    break;
  default:
    break;
  }
  return RealFunction(atoms, Form::unknown());
}

//===----------------------------------------------------------------------===//
// Recognising
//===----------------------------------------------------------------------===//

namespace {
/// Finds the activation that a function is, by comparing it with the formulas.
class Recogniser {
public:
  Recogniser(MLIRContext *context, const RealFunction &function)
      : context(context), atoms(function.getAtoms()), function(function),
        reached(function.withoutUnreached()) {}

  ActivationAttr recognise();

private:
  /// The activation of these parameters if it equals the function, else null.
  ActivationAttr test(AK kind, double alpha = 0.0, double beta = 0.0);
  ActivationAttr testClip();
  ActivationAttr testWithParameters();
  ActivationAttr testBelowThreshold();

  MLIRContext *context;
  Atoms &atoms;
  const RealFunction &function;
  RealFunction reached;
};
} // namespace

ActivationAttr Recogniser::test(AK kind, double alpha, double beta) {
  if (std::isnan(alpha) || std::isnan(beta))
    return nullptr;
  auto activation = ActivationAttr::get(
      context, kind, static_cast<float>(alpha), static_cast<float>(beta));
  RealFunction x(atoms, atoms.getVariable());
  return applyFormula(activation, x).isSame(reached) ? activation : nullptr;
}

/// The function is x between two bounds, of which one or both may be infinite.
ActivationAttr Recogniser::testClip() {
  ArrayRef<RealFunction::Piece> pieces = function.getPieces();
  double lower = pieces.front().form.getNumber().value_or(
      -std::numeric_limits<double>::infinity());
  double upper = pieces.back().form.getNumber().value_or(
      std::numeric_limits<double>::infinity());
  // A decreasing function is no clip: the bounds of the attribute are ordered.
  if (lower > upper)
    return nullptr;
  auto clip = ActivationAttr::get(context, AK::Clip, static_cast<float>(lower),
                                  static_cast<float>(upper));
  RealFunction x(atoms, atoms.getVariable());
  return applyFormula(clip, x).isSame(function) ? clip : nullptr;
}

/// Activations whose parameters can be read off the function.
ActivationAttr Recogniser::testWithParameters() {
  ArrayRef<RealFunction::Piece> pieces = reached.getPieces();
  const Form &first = pieces.front().form;
  if (pieces.size() == 2) {
    if (auto leaky = test(AK::LeakyRelu, first.getFactor(Atoms::variable)))
      return leaky;
    return test(AK::Elu, atoms.findExpFactor(first));
  }
  if (pieces.size() == 3)
    return test(AK::HardSigmoid, pieces[1].form.getFactor(Atoms::variable),
                pieces[1].form.getConstant());
  std::optional<double> alpha = atoms.findSigmoidFactor(first);
  if (pieces.size() != 1 || !alpha)
    return nullptr;
  if (auto swish = test(AK::Swish, *alpha))
    return swish;
  return test(AK::Swish, -*alpha);
}

/// Softplus or mish up to a threshold, above which x or x * tanh(x) is the same
/// in f32.
ActivationAttr Recogniser::testBelowThreshold() {
  ArrayRef<RealFunction::Piece> pieces = reached.getPieces();
  if (pieces.size() != 2 || pieces[0].upper < 15.0)
    return nullptr;
  RealFunction x(atoms, atoms.getVariable());
  RealFunction above(atoms, pieces[1].form), below(atoms, pieces[0].form);
  if (!above.isSame(x) && !above.isSame(x * tanh(x)))
    return nullptr;
  reached = below;
  ActivationAttr softplus = test(AK::Softplus);
  return softplus ? softplus : test(AK::Mish);
}

ActivationAttr Recogniser::recognise() {
  if (!function.isKnown())
    return nullptr;
  if (auto relu = test(AK::Relu); relu && reached.isSame(function))
    return relu;
  if (auto clip = testClip())
    return clip;
  for (AK kind : getActivationKinds())
    if (kind != AK::Relu && ActivationAttr::getNumParameters(kind) == 0)
      if (auto activation = test(kind))
        return activation;
  if (auto activation = testWithParameters())
    return activation;
  return testBelowThreshold();
}

/// True if `node` is the square root of x. It has no normal form, because it is
/// not defined for every number.
static bool isSqrt(Node *node, Reader &reader, const RealFunction &x) {
  while (isRounding(node))
    node = node->operands[0];
  bool isRoot =
      node->kind == Kind::Sqrt ||
      (node->kind == Kind::Pow && node->operands[1]->kind == Kind::Constant &&
       node->operands[1]->constant == 0.5);
  return isRoot && reader.read(node->operands[0]).isSame(x);
}

ActivationAttr fusion::matchActivation(Node *node, Node *leaf,
                                       ActivationAttr before) {
  // The result of the fusion op keeps its type. No activation takes more steps
  // than these.
  constexpr size_t maxSteps = 64;
  if (node == leaf ||
      getElementTypeOrSelf(node->value.getType()) !=
          getElementTypeOrSelf(leaf->value.getType()) ||
      ScalarExpr::getCone(node, leaf).size() > maxSteps)
    return nullptr;
  MLIRContext *context = leaf->value.getContext();
  Atoms atoms(getTolerance(leaf));
  RealFunction x(atoms, atoms.getVariable());
  Reader reader(leaf, before ? applyFormula(before, x) : x);
  if (!before && isSqrt(node, reader, x))
    return ActivationAttr::get(context, ActivationKind::Sqrt);
  RealFunction function = reader.read(node);
  // An affine function is no activation, unless it is a maximum or minimum: x
  // and numbers are bounds.
  ArrayRef<RealFunction::Piece> pieces = function.getPieces();
  if (pieces.size() == 1 && pieces[0].form.isAffine() &&
      node->kind != Kind::Max && node->kind != Kind::Min)
    return nullptr;
  return Recogniser(context, function).recognise();
}
