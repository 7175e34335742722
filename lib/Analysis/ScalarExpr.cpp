//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

double fusion::roundTo(Type type, double number) {
  APFloat rounded(number);
  bool losesInfo;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.convertToDouble();
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static bool roundsToNearest(Operation *op) {
  Refusal ignored = Refusal::unread();
  return succeeded(checkRoundsToNearest(op, ignored));
}

static Kind getKind(Operation *op) {
  if (!roundsToNearest(op))
    return Kind::Other;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddFOp>([](auto) { return Kind::Add; })
      .Case<arith::SubFOp>([](auto) { return Kind::Sub; })
      .Case<arith::MulFOp>([](auto) { return Kind::Mul; })
      .Case<arith::DivFOp>([](auto) { return Kind::Div; })
      .Case<arith::NegFOp>([](auto) { return Kind::Neg; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>([](auto) { return Kind::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp>([](auto) { return Kind::Min; })
      .Case<math::ExpOp>([](auto) { return Kind::Exp; })
      .Case<math::Exp2Op>([](auto) { return Kind::Exp2; })
      .Case<math::ExpM1Op>([](auto) { return Kind::Expm1; })
      .Case<math::LogOp>([](auto) { return Kind::Log; })
      .Case<math::Log1pOp>([](auto) { return Kind::Log1p; })
      .Case<math::TanhOp>([](auto) { return Kind::Tanh; })
      .Case<math::ErfOp>([](auto) { return Kind::Erf; })
      .Case<math::ErfcOp>([](auto) { return Kind::Erfc; })
      .Case<math::AbsFOp>([](auto) { return Kind::Abs; })
      .Case<math::SqrtOp>([](auto) { return Kind::Sqrt; })
      .Case<math::RsqrtOp>([](auto) { return Kind::Rsqrt; })
      .Case<math::PowFOp, math::FPowIOp>([](auto) { return Kind::Pow; })
      .Case<arith::ExtFOp>([](auto) { return Kind::Widen; })
      .Case<arith::TruncFOp>([](auto) { return Kind::Narrow; })
      .Case<arith::CmpFOp>([](auto) { return Kind::Compare; })
      .Default([](auto) { return Kind::Other; });
}

Node *ScalarExpr::create(Kind kind, Value value) {
  nodes.push_back(std::make_unique<Node>());
  Node *node = nodes.back().get();
  node->kind = kind;
  node->value = value;
  return node;
}

static std::optional<double> getNumber(Value value);

static bool isConversion(Operation *op) {
  return isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp>(op) &&
         roundsToNearest(op);
}

/// `number` rounded to the float type `type`.
static std::optional<double> roundNumber(std::optional<double> number,
                                         Type type) {
  if (!number)
    return std::nullopt;
  return roundTo(type, *number);
}

/// The number that `scalar`, in the body of `op`, is for every element; none if
/// it varies.
static std::optional<double> getNumberInBody(Value scalar,
                                             linalg::LinalgOp op) {
  if (OpOperand *operand = getReadOperand(op, scalar))
    return op.isDpsInput(operand) ? getNumber(operand->get()) : std::nullopt;
  Operation *definingOp = scalar.getDefiningOp();
  if (scalar.getParentBlock() != op.getBlock() ||
      definingOp->hasTrait<OpTrait::ConstantLike>())
    return getNumber(scalar);
  if (!isConversion(definingOp))
    return std::nullopt;
  return roundNumber(getNumberInBody(definingOp->getOperand(0), op),
                     scalar.getType());
}

/// The number that `value`, a scalar or each element of a tensor, always is;
/// none if it varies. It may be a constant, filled with one, or converted from
/// one.
static std::optional<double> getNumber(Value value) {
  Attribute attribute;
  if (matchPattern(value, m_Constant(&attribute))) {
    if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
      attribute = splat.getSplatValue<Attribute>();
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return number.getValueAsDouble();
    if (auto number = dyn_cast<IntegerAttr>(attribute))
      return static_cast<double>(number.getValue().getSExtValue());
    return std::nullopt;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tensor::CastOp, tensor::SplatOp, tensor::ExpandShapeOp,
                      tensor::CollapseShapeOp>(op))
    return getNumber(op->getOperand(0));
  if (isConversion(op))
    return roundNumber(getNumber(op->getOperand(0)),
                       getElementTypeOrSelf(value.getType()));
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.isAllParallelLoops() ||
      linalgOp.getNumDpsInits() != 1)
    return std::nullopt;
  return getNumberInBody(linalgOp.getBlock()->getTerminator()->getOperand(0),
                         linalgOp);
}

Node *ScalarExpr::build(Value value) {
  if (Node *node = nodeOf.lookup(value))
    return node;
  Node *node;
  Operation *definingOp = value.getDefiningOp();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool isInside = linalgOp ? value.getParentBlock() == linalgOp.getBlock()
                           : definingOp == op;
  if (std::optional<double> number = getNumber(value)) {
    node = create(Kind::Constant, value);
    node->constant = *number;
  } else if (isInside && definingOp) {
    node = buildOp(definingOp);
  } else {
    node = create(Kind::Captured, value);
  }
  nodeOf[value] = node;
  return node;
}

bool fusion::roundsWhenAdded(const Node &node) {
  return node.kind == Kind::Constant && std::isfinite(node.constant) &&
         std::abs(node.constant) >= (1 << 22);
}

Node *ScalarExpr::buildOp(Operation *definingOp) {
  if (isa<arith::SelectOp>(definingOp))
    if (Node *node = buildSelect(definingOp))
      return node;
  SmallVector<Node *, 3> operands = llvm::map_to_vector<3>(
      definingOp->getOperands(), [&](Value operand) { return build(operand); });
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(definingOp->getRegions(), captured);
  for (Value value : captured)
    operands.push_back(build(value));
  Node *node = create(getKind(definingOp), definingOp->getResult(0));
  node->operands = operands;
  return node;
}

/// True if both are the same node or the same number.
static bool isSame(Node *a, Node *b) {
  return a == b || (a->kind == Kind::Constant && b->kind == Kind::Constant &&
                    a->constant == b->constant);
}

/// Reads a choice by comparison, as a maximum or minimum if it chooses between
/// the two compared values. It does not keep which one is chosen for NaN:
/// `nan_mode` decides about NaN. Null if it is another choice.
Node *ScalarExpr::buildSelect(Operation *definingOp) {
  auto select = cast<arith::SelectOp>(definingOp);
  Node *condition = build(select.getCondition());
  auto compare = condition->value.getDefiningOp<arith::CmpFOp>();
  if (condition->kind != Kind::Compare || !compare)
    return nullptr;
  Node *lhs = condition->operands[0], *rhs = condition->operands[1];
  Node *ifTrue = build(select.getTrueValue());
  Node *ifFalse = build(select.getFalseValue());
  using P = arith::CmpFPredicate;
  P predicate = compare.getPredicate();
  bool isNaN = predicate == P::UNO || predicate == P::UNE;
  bool isNumber = predicate == P::ORD || predicate == P::OEQ;
  if ((isNaN || isNumber) && lhs == rhs) {
    Node *node = create(Kind::IfNaN, select.getResult());
    node->operands = {lhs, isNaN ? ifTrue : ifFalse, isNaN ? ifFalse : ifTrue};
    return node;
  }
  bool greater = predicate == P::OGT || predicate == P::UGT ||
                 predicate == P::OGE || predicate == P::UGE;
  bool less = predicate == P::OLT || predicate == P::ULT ||
              predicate == P::OLE || predicate == P::ULE;
  if (!greater && !less)
    return nullptr;
  if (less)
    std::swap(lhs, rhs);
  bool isMax = isSame(lhs, ifTrue) && isSame(rhs, ifFalse);
  bool isMin = isSame(lhs, ifFalse) && isSame(rhs, ifTrue);
  Node *node = create(isMax   ? Kind::Max
                      : isMin ? Kind::Min
                              : Kind::Select,
                      select.getResult());
  if (!isMax && !isMin)
    node->operands = {lhs, rhs};
  node->operands.append({ifTrue, ifFalse});
  return node;
}

void ScalarExpr::addInput(Value scalar, Value operand, AffineMap map) {
  unsigned number = inputs.size();
  inputs.push_back(operand);
  maps.push_back(map);
  // The operand is the leaf, or the result of an op that has been read before.
  if (Node *node = nodeOf.lookup(operand)) {
    nodeOf.try_emplace(scalar, node);
    inputNodes.push_back(node);
    return;
  }
  // Operands that read the same elements of one tensor share a node.
  for (unsigned other = 0; other != number; ++other)
    if (inputs[other] == operand && maps[other] == map) {
      nodeOf.try_emplace(scalar, inputNodes[other]);
      inputNodes.push_back(inputNodes[other]);
      return;
    }
  Node *node = create(Kind::Input, scalar);
  node->input = number;
  // A number becomes a constant, and needs no operand.
  if (std::optional<double> constant = getNumber(operand)) {
    node->kind = Kind::Constant;
    node->constant = *constant;
  }
  nodeOf.try_emplace(scalar, node);
  inputNodes.push_back(node);
}

/// Makes the operands of an element-wise linalg op inputs.
LogicalResult ScalarExpr::readOperands(linalg::LinalgOp linalgOp,
                                       Refusal &refusal) {
  if (!linalgOp.isAllParallelLoops() || linalgOp.hasIndexSemantics())
    return refusal.because("'", linalgOp->getName().getStringRef(),
                           "' is not element-wise");
  if (failed(checkBodySize(linalgOp, refusal)))
    return failure();
  for (OpOperand &operand : linalgOp->getOpOperands())
    addInput(linalgOp.getMatchingBlockArgument(&operand), operand.get(),
             linalgOp.getMatchingIndexingMap(&operand));
  return success();
}

/// The value that a linalg op yields, or null if the op is not element-wise.
Value ScalarExpr::readLinalgOp(linalg::LinalgOp linalgOp, Refusal &refusal) {
  if (failed(readOperands(linalgOp, refusal)))
    return nullptr;
  auto result = cast<OpResult>(op->getResult(0));
  if (!linalgOp.getIndexingMapMatchingResult(result).isIdentity()) {
    (void)refusal.because("unsupported: result of '",
                          op->getName().getStringRef(), "' is permuted");
    return nullptr;
  }
  return linalgOp.getBlock()->getTerminator()->getOperand(0);
}

/// Reads `nextOp`. Its operands may have nodes in `nodeOf` already.
LogicalResult ScalarExpr::readOp(Operation *nextOp, Refusal &refusal) {
  // A reshape keeps the order of the elements.
  if (Node *node =
          isView(nextOp) ? nodeOf.lookup(nextOp->getOperand(0)) : nullptr) {
    nodeOf[nextOp->getResult(0)] = node;
    return success();
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(nextOp);
  if (nextOp->getNumResults() != 1 ||
      !isa<RankedTensorType>(nextOp->getResult(0).getType()) ||
      (!linalgOp && !OpTrait::hasElementwiseMappableTraits(nextOp)))
    return refusal.because("'", nextOp->getName().getStringRef(),
                           "' is not element-wise");
  op = nextOp;
  Value result = op->getResult(0);
  if (linalgOp) {
    Value yielded = readLinalgOp(linalgOp, refusal);
    if (!yielded)
      return failure();
    nodeOf[result] = build(yielded);
    return success();
  }
  AffineMap identity = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(result.getType()).getRank(), op->getContext());
  for (Value operand : op->getOperands())
    addInput(operand, operand, identity);
  build(result);
  return success();
}

/// Makes `node` the root. Nodes that it does not depend on do not count as
/// users.
void ScalarExpr::setRoot(Node *node) {
  root = node;
  llvm::SmallSetVector<Node *, 16> reached;
  reached.insert(root);
  for (size_t i = 0; i != reached.size(); ++i)
    reached.insert_range(reached[i]->operands);
  for (const std::unique_ptr<Node> &user : nodes)
    if (reached.contains(user.get()))
      for (Node *operand : user->operands)
        operand->users.push_back(user.get());
}

FailureOr<ScalarExpr> ScalarExpr::match(Operation *op, Refusal &refusal) {
  return match(op, /*leaf=*/nullptr, refusal);
}

FailureOr<ScalarExpr> ScalarExpr::match(ArrayRef<Operation *> ops, Value leaf,
                                        Refusal &refusal) {
  ScalarExpr expr;
  if (leaf)
    expr.addInput(leaf, leaf,
                  AffineMap::getMultiDimIdentityMap(
                      cast<RankedTensorType>(leaf.getType()).getRank(),
                      leaf.getContext()));
  for (Operation *op : ops)
    if (failed(expr.readOp(op, refusal)))
      return failure();
  expr.setRoot(expr.nodeOf.lookup(ops.back()->getResult(0)));
  return expr;
}

FailureOr<ScalarExpr> ScalarExpr::matchScalar(linalg::LinalgOp op, Value scalar,
                                              Refusal &refusal) {
  ScalarExpr expr;
  expr.op = op;
  if (failed(expr.readOperands(op, refusal)))
    return failure();
  expr.setRoot(expr.build(scalar));
  return expr;
}

Node *ScalarExpr::getInputNode(unsigned input) const {
  Node *node = inputNodes[input];
  return node->users.empty() && node != root ? nullptr : node;
}

llvm::SmallSetVector<Node *, 8> ScalarExpr::getCone(Node *node, Node *leaf) {
  llvm::SmallSetVector<Node *, 8> cone;
  cone.insert(node);
  for (size_t i = 0; i != cone.size(); ++i)
    if (cone[i] != leaf)
      cone.insert_range(cone[i]->operands);
  return cone;
}

bool ScalarExpr::isFunctionOf(Node *node, Node *leaf) {
  llvm::SmallSetVector<Node *, 8> cone = getCone(node, leaf);
  for (Node *inside : cone) {
    bool isLeaf = inside->kind == Kind::Input || inside->kind == Kind::Captured;
    if (isLeaf && inside != leaf)
      return false;
    // Numbers may be shared with others; the value and the nodes between may
    // not.
    if (inside != node && inside->kind != Kind::Constant &&
        !llvm::all_of(inside->users,
                      [&](Node *user) { return cone.contains(user); }))
      return false;
  }
  return cone.contains(leaf);
}
