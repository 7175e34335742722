//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions that Epilogue.pdll declares. If a constraint does not
// hold, it reports the reason as the match failure of the root.

#include "EpilogueConstraints.h"
#include "FusionDialect/Utils/Materialize.h"
#include "FusionDialect/Utils/ReplayViews.h"
#include "LawSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

using Node = ScalarExpr::Node;

FailureOr<Epilogue> fusion::findEpilogue(Operation *root, Value fused,
                                         Refusal &refusal) {
  for (Epilogue &epilogue : matchEpilogues(root, refusal))
    if (epilogue.getFused()->getResult(0) == fused)
      return std::move(epilogue);
  return refusal.because("root does not read the result of the fusion op");
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

static LogicalResult addsToFusedOp(PatternRewriter &rewriter,
                                   PDLResultList &results,
                                   ArrayRef<PDLValue> args) {
  auto *root = args[0].cast<Operation *>();
  Refusal refusal;
  for (Epilogue &epilogue : matchEpilogues(root, refusal)) {
    if (failed(matchAddSteps(epilogue, refusal)))
      continue;
    results.push_back(Value(epilogue.getFused()->getResult(0)));
    return success();
  }
  return refusal.notify(rewriter, root);
}

static LogicalResult appliesActivation(PatternRewriter &rewriter,
                                       PDLResultList &results,
                                       ArrayRef<PDLValue> args,
                                       const FuseOptions &options) {
  auto *root = args[0].cast<Operation *>();
  Refusal refusal;
  for (Epilogue &epilogue : matchEpilogues(root, refusal)) {
    FailureOr<ActivationStep> step =
        matchActivationStep(epilogue, options, refusal);
    if (failed(step))
      continue;
    results.push_back(Value(epilogue.getFused()->getResult(0)));
    results.push_back(Attribute(step->activation));
    return success();
  }
  return refusal.notify(rewriter, root);
}

static LogicalResult roundsFusedOp(PatternRewriter &rewriter,
                                   PDLResultList &results,
                                   ArrayRef<PDLValue> args) {
  auto *root = args[0].cast<Operation *>();
  Refusal refusal;
  for (Epilogue &epilogue : matchEpilogues(root, refusal)) {
    if (failed(matchCastStep(epilogue, refusal)))
      continue;
    results.push_back(Value(epilogue.getFused()->getResult(0)));
    return success();
  }
  return refusal.notify(rewriter, root);
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

/// -value, of a tensor<Cxf32>.
static Value negate(OpBuilder &builder, Location loc, Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc,
        constant.mapValues(builder.getF32Type(), [](const APFloat &number) {
          return (-number).bitcastToAPInt();
        }));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      builder.getF32Type());
  return linalg::NegFOp::create(builder, loc, value, empty).getResult(0);
}

OpFoldResult fusion::getChannels(OpBuilder &builder, Location loc,
                                 FusedOpInterface op) {
  return tensor::getMixedSize(builder, loc, op.getInit(),
                              op.getOutputChannelDim());
}

void fusion::addToBias(OpBuilder &builder, Location loc, FusedOpInterface op,
                       Value addend) {
  if (Value bias = op.getBias()) {
    Value empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, bias),
        builder.getF32Type());
    addend =
        linalg::AddOp::create(builder, loc, ValueRange{bias, addend}, empty)
            .getResult(0);
  }
  op.getBiasMutable().assign(addend);
}

static Value withBias(PatternRewriter &rewriter, Operation *root, Value fused,
                      const FuseOptions &options) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  auto [step, addend] = *matchBiasStep(epilogue, options, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  rewriter.setInsertionPoint(replacement);
  Location loc = root->getLoc();
  Value bias = materialize(rewriter, loc, addend,
                           getChannels(rewriter, loc, replacement));
  if (step.isNegated)
    bias = negate(rewriter, loc, bias);
  addToBias(rewriter, loc, replacement, bias);
  rewriter.setInsertionPoint(root);
  return buildRest(rewriter, epilogue, step.sum, replacement, step.rest);
}

static Value withResidual(PatternRewriter &rewriter, Operation *root,
                          Value fused, const FuseOptions &options) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  auto [step, residual] = *matchResidualStep(epilogue, options, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  rewriter.setInsertionPoint(replacement);
  replacement.getResidualMutable().assign(
      revertViews(rewriter, root->getLoc(), epilogue.views, residual));
  rewriter.setInsertionPoint(root);
  return buildRest(rewriter, epilogue, step.sum, replacement, step.rest);
}

static Value withActivation(PatternRewriter &rewriter, Operation *root,
                            Value fused, const FuseOptions &options) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  ActivationStep step = *matchActivationStep(epilogue, options, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  replacement.setActivationAttr(step.activation);
  return buildRest(rewriter, epilogue, step.node, replacement);
}

static Value withRounding(PatternRewriter &rewriter, Operation *root,
                          Value fused) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  Node *step = *matchCastStep(epilogue, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  rewriter.setInsertionPoint(replacement);
  Value init = replacement.getInit();
  Value empty = tensor::EmptyOp::create(
      rewriter, root->getLoc(),
      tensor::getMixedSizes(rewriter, root->getLoc(), init),
      getElementTypeOrSelf(step->value));
  replacement->replaceUsesOfWith(init, empty);
  replacement->getResult(0).setType(empty.getType());
  rewriter.setInsertionPoint(root);
  return buildRest(rewriter, epilogue, step, replacement);
}

void fusion::registerEpilogueConstraints(PDLPatternModule &patterns,
                                         const FuseOptions &options) {
  patterns.registerConstraintFunction(
      "MayFoldInto",
      onEpilogue([options](const Epilogue &epilogue, Refusal &refusal) {
        return checkMayFold(epilogue, options, refusal);
      }));
  patterns.registerConstraintFunction("HasNoActivation",
                                      onEpilogue(checkHasNoActivation));
  patterns.registerConstraintFunction("HasNoResidual",
                                      onEpilogue(checkHasNoResidual));
  patterns.registerConstraintFunction("AddsToFusedOp", addsToFusedOp);
  patterns.registerConstraintFunction(
      "StartsNoActivation",
      onEpilogue([options](const Epilogue &epilogue, Refusal &refusal) {
        return checkStartsNoActivation(epilogue, options, refusal);
      }));
  patterns.registerConstraintFunction(
      "AppliesActivation",
      [options](PatternRewriter &rewriter, PDLResultList &results,
                ArrayRef<PDLValue> args) {
        return appliesActivation(rewriter, results, args, options);
      });
  patterns.registerConstraintFunction("RoundsFusedOp", roundsFusedOp);
  patterns.registerConstraintFunction(
      "AddsChannelVector",
      onEpilogue([options](const Epilogue &epilogue, Refusal &refusal) {
        return matchBiasStep(epilogue, options, refusal);
      }));
  patterns.registerConstraintFunction(
      "AddsSameSizeTensor",
      onEpilogue([options](const Epilogue &epilogue, Refusal &refusal) {
        return matchResidualStep(epilogue, options, refusal);
      }));
  patterns.registerConstraintFunction(
      "KeepsNaN",
      [options](PatternRewriter &rewriter, Operation *root,
                Attribute activation) -> LogicalResult {
        Refusal refusal;
        if (failed(checkKeepsNaN(cast<ActivationAttr>(activation), options,
                                 refusal)))
          return refusal.notify(rewriter, root);
        return success();
      });
  patterns.registerRewriteFunction(
      "WithBias",
      [options](PatternRewriter &rewriter, Operation *root, Value fused) {
        return withBias(rewriter, root, fused, options);
      });
  patterns.registerRewriteFunction(
      "WithResidual",
      [options](PatternRewriter &rewriter, Operation *root, Value fused) {
        return withResidual(rewriter, root, fused, options);
      });
  patterns.registerRewriteFunction(
      "WithActivation", [options](PatternRewriter &rewriter, Operation *root,
                                  Value fused, Attribute) {
        return withActivation(rewriter, root, fused, options);
      });
  patterns.registerRewriteFunction("WithRounding", withRounding);
  registerScaleConstraints(patterns, options);
}
