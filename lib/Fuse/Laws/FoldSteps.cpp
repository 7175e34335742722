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

static Value withBias(PatternRewriter &rewriter, Operation *step, Value fused,
                      Value addend) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  if (Value bias = op.getBias())
    addend = emitVectorSum(rewriter, step->getLoc(), bias, addend);
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

static Value withRounding(PatternRewriter &rewriter, Operation *step,
                          Value fused) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  Value init = op.getInit();
  Value empty = tensor::EmptyOp::create(
      rewriter, step->getLoc(),
      tensor::getMixedSizes(rewriter, step->getLoc(), init),
      getElementTypeOrSelf(step->getResult(0)));
  op.getInitMutable().set(empty);
  op->getResult(0).setType(empty.getType());
  return op->getResult(0);
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
}
