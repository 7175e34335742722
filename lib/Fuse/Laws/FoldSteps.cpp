//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions that Fuse.pdll declares. If a constraint does not hold,
// it reports the reason as the match failure of the fusion op.

#include "FoldSteps.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// Makes a constraint on the result of a fusion op of a predicate on the op.
template <typename Predicate> static auto onFusedOp(Predicate predicate) {
  return [predicate](PatternRewriter &rewriter, Value value) -> LogicalResult {
    auto fused = value.getDefiningOp<FusedOpInterface>();
    if (!fused)
      return rewriter.notifyMatchFailure(value.getLoc(),
                                         "no result of a fusion op");
    Refusal refusal;
    if (failed(predicate(fused, refusal)))
      return refusal.notify(rewriter, fused);
    return success();
  };
}

FusedOpInterface fusion::copyFusedOp(PatternRewriter &rewriter, Operation *step,
                                     Value fused) {
  rewriter.setInsertionPoint(step);
  auto copy = cast<FusedOpInterface>(rewriter.clone(*fused.getDefiningOp()));
  rewriter.setInsertionPoint(copy);
  return copy;
}

/// The bias of `op`, an op on integers, times its scale, plus `addend`, which
/// has f32 elements.
static Value emitFloatBias(OpBuilder &builder, Location loc,
                           QuantizedOpInterface op, Value addend) {
  Value bias = cast<FusedOpInterface>(op.getOperation()).getBias();
  AffineMap each = builder.getMultiDimIdentityMap(1);
  SmallVector<Value> inputs = {addend, bias};
  SmallVector<AffineMap> maps = {each, each};
  if (Value scale = op.getScale()) {
    bool isOne = cast<ShapedType>(scale.getType()).getDimSize(0) == 1;
    inputs.push_back(scale);
    maps.push_back(
        isOne ? AffineMap::get(1, 0, builder.getAffineConstantExpr(0)) : each);
  }
  maps.push_back(each);
  auto scaleAndAdd = [](OpBuilder &b, Location loc, ValueRange args) {
    Value value = arith::SIToFPOp::create(b, loc, args[0].getType(), args[1]);
    if (args.size() == 4)
      value = arith::MulFOp::create(b, loc, value, args[2]);
    linalg::YieldOp::create(
        b, loc, arith::AddFOp::create(b, loc, args[0], value).getResult());
  };
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, addend),
      getElementTypeOrSelf(addend));
  return linalg::GenericOp::create(builder, loc, addend.getType(), inputs,
                                   empty, maps, utils::IteratorType::parallel,
                                   scaleAndAdd)
      .getResult(0);
}

static Value withBias(PatternRewriter &rewriter, Operation *step, Value fused,
                      Value addend) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  Location loc = step->getLoc();
  Value bias = op.getBias();
  if (bias && getElementTypeOrSelf(bias).isInteger(32))
    addend = emitFloatBias(
        rewriter, loc, cast<QuantizedOpInterface>(op.getOperation()), addend);
  else if (bias)
    addend = emitVectorSum(rewriter, loc, bias, addend);
  op.getBiasMutable().assign(addend);
  return op->getResult(0);
}

static Value withResidual(PatternRewriter &rewriter, Operation *step,
                          Value fused, Value addend) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  op.getResidualMutable().assign(addend);
  return op->getResult(0);
}

static Value withResidualAfterActivation(PatternRewriter &rewriter,
                                         Operation *step, Value fused,
                                         Value addend) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  op.getResidualMutable().assign(addend);
  op.setResidualAfterActivation(true);
  return op->getResult(0);
}

static Value withActivation(PatternRewriter &rewriter, Operation *step,
                            Value fused, Attribute activation) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  op.setActivationAttr(cast<ActivationAttr>(activation));
  return op->getResult(0);
}

/// Gives the result of `op` the element type of that of `step`.
static Value withElementType(PatternRewriter &rewriter, Operation *step,
                             FusedOpInterface op) {
  Value init = op.getInit();
  Value empty = tensor::EmptyOp::create(
      rewriter, step->getLoc(),
      tensor::getMixedSizes(rewriter, step->getLoc(), init),
      getElementTypeOrSelf(step->getResult(0)));
  op.getInitMutable().set(empty);
  op->getResult(0).setType(empty.getType());
  return op->getResult(0);
}

/// The tensor that `value` widens, element for element; null for none.
static Value findWidened(Value value) {
  Operation *op = value.getDefiningOp();
  Refusal ignored = Refusal::unread();
  FailureOr<ScalarExpr> expr = failure();
  if (op)
    expr = ScalarExpr::match(op, ignored);
  if (failed(expr) || expr->getRoot()->kind != ScalarExpr::Kind::Widen)
    return nullptr;
  const ScalarExpr::Node *input = expr->getRoot()->operands.front();
  if (input->kind != ScalarExpr::Kind::Input)
    return nullptr;
  Value widened = expr->getInput(input->input);
  auto type = dyn_cast<RankedTensorType>(widened.getType());
  auto wideType = cast<RankedTensorType>(value.getType());
  bool isSame =
      type && type.getShape() == wideType.getShape() &&
      isElementForElement(expr->getInputMap(input->input), type, wideType);
  return isSame ? widened : Value();
}

static Value withRounding(PatternRewriter &rewriter, Operation *step,
                          Value fused) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  // A residual may have the type of the result, which spares its conversion.
  Value narrow = op.getResidual() ? findWidened(op.getResidual()) : Value();
  if (narrow &&
      getElementTypeOrSelf(narrow) == getElementTypeOrSelf(step->getResult(0)))
    op.getResidualMutable().assign(narrow);
  return withElementType(rewriter, step, op);
}

static Value withoutRounding(PatternRewriter &rewriter, Operation *step,
                             Value fused) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  Value residual = op.getResidual();
  // The type of the residual is f32, or the one to which the op rounded.
  if (residual && !getElementTypeOrSelf(residual).isF32())
    op.getResidualMutable().assign(arith::ExtFOp::create(
        rewriter, step->getLoc(),
        cast<RankedTensorType>(residual.getType()).clone(rewriter.getF32Type()),
        residual));
  return withElementType(rewriter, step, op);
}

void fusion::registerFoldSteps(PDLPatternModule &patterns,
                               const FuseOptions &options) {
  patterns.registerConstraintFunction(
      "IsFoldable", onFusedOp([options](FusedOpInterface fused,
                                        Refusal &refusal) -> LogicalResult {
        if (failed(checkTakesSteps(fused, options, refusal)))
          return failure();
        return checkOneUser(fused, refusal);
      }));
  patterns.registerConstraintFunction(
      "HasNoActivation",
      onFusedOp([](FusedOpInterface fused, Refusal &refusal) {
        return checkHasNoActivation(fused, "step", refusal);
      }));
  patterns.registerConstraintFunction(
      "HasActivation",
      onFusedOp([](FusedOpInterface fused, Refusal &refusal) -> LogicalResult {
        if (fused.getActivationAttr())
          return success();
        return refusal.because("there is no activation");
      }));
  patterns.registerConstraintFunction("HasNothingAfterActivation",
                                      onFusedOp(checkNothingAfterActivation));
  patterns.registerConstraintFunction("HasNoResidual",
                                      onFusedOp(checkHasNoResidual));
  patterns.registerConstraintFunction(
      "KeepsNaN",
      [options](PatternRewriter &rewriter, Value fused,
                Attribute activation) -> LogicalResult {
        Refusal refusal;
        if (failed(checkKeepsNaN(cast<ActivationAttr>(activation), options,
                                 refusal)))
          return refusal.notify(rewriter, fused.getDefiningOp());
        return success();
      });
  patterns.registerRewriteFunction("WithBias", withBias);
  patterns.registerRewriteFunction("WithScale", withScale);
  patterns.registerRewriteFunction("WithResidual", withResidual);
  patterns.registerRewriteFunction("WithResidualAfterActivation",
                                   withResidualAfterActivation);
  patterns.registerRewriteFunction("WithActivation", withActivation);
  patterns.registerRewriteFunction("WithRounding", withRounding);
  patterns.registerRewriteFunction("WithoutRounding", withoutRounding);
}
