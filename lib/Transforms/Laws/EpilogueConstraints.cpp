//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions that Epilogue.pdll declares. Constraints report why they
// do not hold as the match failure of the root.

#include "FusionDialect/Transforms/EpilogueConstraints.h"
#include "FusionDialect/Transforms/ChannelVector.h"
#include "FusionDialect/Transforms/Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

using Node = ScalarExpr::Node;

/// The epilogue of `root` on the result `fused` of a fusion op.
static FailureOr<Epilogue> findEpilogue(Operation *root, Value fused,
                                        Refusal &refusal) {
  for (Epilogue &epilogue : matchEpilogues(root, refusal))
    if (epilogue.getFused()->getResult(0) == fused)
      return std::move(epilogue);
  return refusal.because("root does not read the result of the fusion op");
}

//===----------------------------------------------------------------------===//
// Questions, shared with fusion-explain
//===----------------------------------------------------------------------===//

LogicalResult fusion::checkHasNoActivation(const Epilogue &epilogue,
                                           Refusal &refusal) {
  ActivationAttr activation = epilogue.getFused().getActivationAttr();
  if (!activation)
    return success();
  return refusal.because("'", stringifyActivationKind(activation.getKind()),
                         "' comes before the addition");
}

LogicalResult fusion::checkHasNoResidual(const Epilogue &epilogue,
                                         Refusal &refusal) {
  if (!epilogue.getFused().getResidual())
    return success();
  return refusal.because("there is a residual already");
}

FailureOr<ChannelVector> fusion::matchBias(const Epilogue &epilogue,
                                           Node *addend,
                                           const FuseOptions &options,
                                           Refusal &refusal) {
  ChannelVectorOptions vectorOptions{options.allowReshape};
  switch (addend->kind) {
  case ScalarExpr::Kind::Input: {
    FailureOr<ChannelVector> vector =
        matchChannelVector(epilogue.expr.getInput(addend->input),
                           epilogue.expr.getInputMap(addend->input),
                           epilogue.channelDim, vectorOptions, refusal);
    if (failed(vector) && !epilogue.channelDim)
      return refusal.because("a reshape of the result mixes the output channel "
                             "with other dimensions before the addition");
    return vector;
  }
  case ScalarExpr::Kind::Constant:
    return ChannelVector{Value(), std::nullopt, addend->constant};
  case ScalarExpr::Kind::Captured:
    return ChannelVector{addend->value, std::nullopt, std::nullopt};
  default:
    return refusal.because("what is added is computed by the same op");
  }
}

FailureOr<Value> fusion::matchResidual(const Epilogue &epilogue,
                                       const AddStep &step,
                                       const FuseOptions &options,
                                       Refusal &refusal) {
  Node *addend = step.addend;
  // What only an option keeps from being a bias is no residual either.
  FuseOptions anyReshape = options;
  anyReshape.allowReshape = true;
  Refusal ignored;
  if (!options.allowReshape &&
      succeeded(matchBias(epilogue, addend, anyReshape, ignored)) &&
      failed(matchBias(epilogue, addend, options, refusal)))
    return failure();
  if (addend->kind != ScalarExpr::Kind::Input)
    return refusal.because("what is added is not an operand of the op");
  if (step.isNegated)
    return refusal.because("unsupported: a tensor is subtracted");
  Value value = epilogue.expr.getInput(addend->input);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto fusedType = epilogue.getFused().getOutputType();
  if (!epilogue.views.empty())
    return refusal.because("unsupported: result is reshaped before a tensor is "
                           "added");
  if (!type || type.getShape() != fusedType.getShape() ||
      !isElementForElement(epilogue.expr.getInputMap(addend->input), type,
                           fusedType))
    return refusal.because("what is added has type ", value.getType(),
                           ", expected the shape of the result (", fusedType,
                           ") read element for element");
  if (type.getElementType() != fusedType.getElementType() &&
      !type.getElementType().isF32())
    return refusal.because("what is added has element type ",
                           type.getElementType(), ", expected ",
                           fusedType.getElementType(), " or f32");
  return value;
}

LogicalResult fusion::checkKeepsNaN(ActivationAttr activation,
                                    const FuseOptions &options,
                                    Refusal &refusal) {
  if (options.nanMode == NaNMode::Fast || activation.propagatesNaN())
    return success();
  return refusal.because("nan-mode=propagate: kernels of '",
                         stringifyActivationKind(activation.getKind()),
                         "' may lose a NaN");
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Wraps a question about the epilogue (root, fused) as a constraint.
template <typename Question> static auto onEpilogue(Question question) {
  return [question](PatternRewriter &rewriter, Operation *root,
                    Value fused) -> LogicalResult {
    Refusal refusal;
    FailureOr<Epilogue> epilogue = findEpilogue(root, fused, refusal);
    if (failed(epilogue) || failed(question(*epilogue, refusal)))
      return refusal.notify(rewriter, root);
    return success();
  };
}

/// Wraps a question about the addend of the epilogue (root, fused).
template <typename Question> static auto onAddend(Question question) {
  return [question](PatternRewriter &rewriter, Operation *root, Value fused,
                    Value) -> LogicalResult {
    Refusal refusal;
    FailureOr<Epilogue> epilogue = findEpilogue(root, fused, refusal);
    if (failed(epilogue))
      return refusal.notify(rewriter, root);
    FailureOr<AddStep> step = matchAddStep(*epilogue, refusal);
    if (failed(step) || failed(question(*epilogue, *step, refusal)))
      return refusal.notify(rewriter, root);
    return success();
  };
}

static LogicalResult addsToFusedOp(PatternRewriter &rewriter,
                                   PDLResultList &results,
                                   ArrayRef<PDLValue> args) {
  auto *root = args[0].cast<Operation *>();
  Refusal refusal;
  for (Epilogue &epilogue : matchEpilogues(root, refusal)) {
    FailureOr<AddStep> step = matchAddStep(epilogue, refusal);
    if (failed(step))
      continue;
    results.push_back(Value(epilogue.getFused()->getResult(0)));
    results.push_back(step->addend->value);
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

/// a + b, of two tensor<Cxf32>.
static Value add(OpBuilder &builder, Location loc, Value a, Value b) {
  Value empty = tensor::EmptyOp::create(builder, loc,
                                        tensor::getMixedSizes(builder, loc, a),
                                        builder.getF32Type());
  return linalg::AddOp::create(builder, loc, ValueRange{a, b}, empty)
      .getResult(0);
}

static Value withBias(PatternRewriter &rewriter, Operation *root, Value fused,
                      const FuseOptions &options) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  AddStep step = *matchAddStep(epilogue, refusal);
  ChannelVector vector = *matchBias(epilogue, step.addend, options, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  rewriter.setInsertionPoint(replacement);
  Location loc = root->getLoc();
  Value bias =
      materialize(rewriter, loc, vector,
                  tensor::getMixedSize(rewriter, loc, replacement.getInit(),
                                       replacement.getOutputChannelDim()));
  if (step.isNegated)
    bias = negate(rewriter, loc, bias);
  if (Value before = replacement.getBias())
    bias = add(rewriter, loc, before, bias);
  replacement.getBiasMutable().assign(bias);
  rewriter.setInsertionPoint(root);
  return buildRest(rewriter, epilogue, step.sum, replacement);
}

static Value withResidual(PatternRewriter &rewriter, Operation *root,
                          Value fused) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  AddStep step = *matchAddStep(epilogue, refusal);
  FusedOpInterface replacement = cloneFusedOp(rewriter, epilogue);
  replacement.getResidualMutable().assign(
      epilogue.expr.getInput(step.addend->input));
  return buildRest(rewriter, epilogue, step.sum, replacement);
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
      "AppliesActivation",
      [options](PatternRewriter &rewriter, PDLResultList &results,
                ArrayRef<PDLValue> args) {
        return appliesActivation(rewriter, results, args, options);
      });
  patterns.registerConstraintFunction("RoundsFusedOp", roundsFusedOp);
  patterns.registerConstraintFunction(
      "IsChannelVector",
      onAddend([options](const Epilogue &epilogue, const AddStep &step,
                         Refusal &refusal) {
        return matchBias(epilogue, step.addend, options, refusal);
      }));
  patterns.registerConstraintFunction(
      "IsSameSizeTensor",
      onAddend([options](const Epilogue &epilogue, const AddStep &step,
                         Refusal &refusal) {
        return matchResidual(epilogue, step, options, refusal);
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
      [options](PatternRewriter &rewriter, Operation *root, Value fused,
                Value) { return withBias(rewriter, root, fused, options); });
  patterns.registerRewriteFunction(
      "WithResidual",
      [](PatternRewriter &rewriter, Operation *root, Value fused, Value) {
        return withResidual(rewriter, root, fused);
      });
  patterns.registerRewriteFunction(
      "WithActivation", [options](PatternRewriter &rewriter, Operation *root,
                                  Value fused, Attribute) {
        return withActivation(rewriter, root, fused, options);
      });
  patterns.registerRewriteFunction("WithRounding", withRounding);
}
