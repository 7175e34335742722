//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions of the scale and batch norm laws, which Epilogue.pdll
// declares.

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Utils/Materialize.h"
#include "LawSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

static LogicalResult scalesFusedOp(PatternRewriter &rewriter,
                                   PDLResultList &results,
                                   ArrayRef<PDLValue> args) {
  auto *root = args[0].cast<Operation *>();
  Refusal refusal;
  for (Epilogue &epilogue : matchEpilogues(root, refusal)) {
    if (failed(matchScaleStep(epilogue, refusal)))
      continue;
    results.push_back(Value(epilogue.getFused()->getResult(0)));
    return success();
  }
  return refusal.notify(rewriter, root);
}

/// Whether the scale of `epilogue` has a square root, as that of a batch norm.
/// Fails if it is no scale that can be folded.
static FailureOr<bool> isNormalization(const Epilogue &epilogue,
                                       const FuseOptions &options,
                                       Refusal &refusal) {
  FailureOr<ScaleStep> step = matchScaleStep(epilogue, refusal);
  if (failed(step))
    return failure();
  FailureOr<std::optional<ChannelExpr>> scale =
      matchScale(epilogue, *step, options, refusal);
  if (failed(scale))
    return failure();
  return *scale && (**scale).hasSquareRoot();
}

/// Multiplies `tensor` with, or divides it by, `scale`, a tensor<Cxf32>, along
/// dimension `dim`, in f32.
static Value scaleAlong(OpBuilder &builder, Location loc, Value tensor,
                        int64_t dim, Value scale, bool divides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type f32 = builder.getF32Type();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), f32);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  auto buildBody = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value value = args[0];
    if (value.getType() != f32)
      value = arith::ExtFOp::create(b, loc, f32, value);
    value = divides ? arith::DivFOp::create(b, loc, value, args[1]).getResult()
                    : arith::MulFOp::create(b, loc, value, args[1]).getResult();
    linalg::YieldOp::create(b, loc, value);
  };
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), ValueRange{tensor, scale}, empty,
             ArrayRef<AffineMap>{identity, identity.getSubMap(dim), identity},
             iterators, buildBody)
      .getResult(0);
}

/// Scales the filter of `op`. If a transpose makes the filter, the source is
/// scaled, so that the transpose law still sees the transpose.
static Value scaleFilter(OpBuilder &builder, Location loc, FusedOpInterface op,
                         Value scale, bool divides) {
  Value filter = op.getFilter();
  int64_t dim = op.getFilterChannelDim();
  auto transpose = matchTranspose(filter.getDefiningOp());
  if (!transpose)
    return scaleAlong(builder, loc, filter, dim, scale, divides);
  auto &[source, permutation] = *transpose;
  Value scaled =
      scaleAlong(builder, loc, source, permutation[dim], scale, divides);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, scaled);
  applyPermutationToVector(sizes, permutation);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  return linalg::TransposeOp::create(builder, loc, scaled, empty, permutation)
      ->getResult(0);
}

/// The vector to scale with: -1 for each channel if `scale` is none.
static Value materializeScale(OpBuilder &builder, Location loc,
                              const std::optional<ChannelExpr> &scale,
                              OpFoldResult channels) {
  if (scale)
    return materialize(builder, loc, *scale, channels);
  return materialize(builder, loc, ChannelVector{Value(), std::nullopt, -1.0},
                     channels);
}

/// Notes on `op` what was folded into its filter and bias, where it does not
/// show. A batch norm's square root stands for its gamma, too.
static void recordFolded(FusedOpInterface op, bool isNormalization) {
  if (isNormalization)
    op->setAttr(kFoldedAttr, StringAttr::get(op->getContext(), "bn"));
  else if (!op->hasAttr(kFoldedAttr))
    op->setAttr(kFoldedAttr, StringAttr::get(op->getContext(), "scale"));
}

static Value withScale(PatternRewriter &rewriter, Operation *root, Value fused,
                       const FuseOptions &options) {
  Refusal refusal;
  Epilogue epilogue = *findEpilogue(root, fused, refusal);
  ScaleStep step = *matchScaleStep(epilogue, refusal);
  std::optional<ChannelExpr> factor =
      *matchScale(epilogue, step, options, refusal);
  FusedOpInterface op = cloneFusedOp(rewriter, epilogue);
  rewriter.setInsertionPoint(op);
  Location loc = root->getLoc();
  OpFoldResult channels = getChannels(rewriter, loc, op);
  Value scale = materializeScale(rewriter, loc, factor, channels);
  op.getFilterMutable().set(
      scaleFilter(rewriter, loc, op, scale, step.divides));
  if (Value bias = op.getBias())
    op.getBiasMutable().assign(
        scaleAlong(rewriter, loc, bias, 0, scale, step.divides));
  if (Value residual = op.getResidual())
    op.getResidualMutable().assign(scaleAlong(rewriter, loc, residual,
                                              op.getOutputChannelDim(), scale,
                                              step.divides));
  if (step.addend)
    addToBias(rewriter, loc, op,
              materialize(rewriter, loc,
                          *matchBias(epilogue, step.addend, options, refusal),
                          channels));
  recordFolded(op, factor && factor->hasSquareRoot());
  rewriter.setInsertionPoint(root);
  return buildRest(rewriter, epilogue, step.node, op);
}

void fusion::registerScaleConstraints(PDLPatternModule &patterns,
                                      const FuseOptions &options) {
  patterns.registerConstraintFunction("ScalesFusedOp", scalesFusedOp);
  patterns.registerConstraintFunction(
      "IsNormalization",
      onEpilogue([options](const Epilogue &epilogue,
                           Refusal &refusal) -> LogicalResult {
        FailureOr<bool> isNorm = isNormalization(epilogue, options, refusal);
        if (failed(isNorm))
          return failure();
        if (!*isNorm)
          return refusal.because("scale has no square root");
        return success();
      }));
  patterns.registerConstraintFunction(
      "IsPlainScale", onEpilogue([options](const Epilogue &epilogue,
                                           Refusal &refusal) -> LogicalResult {
        FailureOr<bool> isNorm = isNormalization(epilogue, options, refusal);
        if (failed(isNorm))
          return failure();
        if (*isNorm)
          return refusal.because("scale is that of a batch norm");
        return success();
      }));
  patterns.registerRewriteFunction(
      "WithScale",
      [options](PatternRewriter &rewriter, Operation *root, Value fused) {
        return withScale(rewriter, root, fused, options);
      });
}
