//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewResult.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "Laws.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

linalg::LinalgOp
fusion::findElementwiseUser(FusedOpInterface op, unsigned width,
                            llvm::function_ref<bool(Type)> isWanted) {
  bool isResult = isa<QuantizedOpInterface>(op.getOperation()) &&
                  op->getNumResults() == 1 &&
                  op.getOutputType().getElementType().isInteger(width);
  return isResult ? findElementwiseUser(op, isWanted) : nullptr;
}

linalg::LinalgOp
fusion::findElementwiseUser(FusedOpInterface op,
                            llvm::function_ref<bool(Type)> isWanted) {
  for (Operation *user : op->getUsers()) {
    auto reader = dyn_cast<linalg::LinalgOp>(user);
    if (reader && user->getNumResults() == 1 && reader.isAllParallelLoops() &&
        !isTranspose(user) &&
        isWanted(getElementTypeOrSelf(user->getResult(0))))
      return reader;
  }
  return nullptr;
}

std::optional<Bounds> fusion::matchBounds(ActivationAttr activation) {
  if (!activation)
    return Bounds();
  if (activation.getKind() == ActivationKind::Relu)
    return Bounds{0.0};
  if (activation.getKind() == ActivationKind::Clip)
    return Bounds{activation.getAlpha().convertToFloat(),
                  activation.getBeta().convertToFloat()};
  return std::nullopt;
}

Bounds fusion::getBounds(const Quantization &quantization) {
  Bounds bounds;
  ByteRange range(quantization.isUnsigned);
  if (quantization.lower > range.least)
    bounds.lower =
        (quantization.lower - quantization.zeroPoint) / quantization.scale;
  if (quantization.upper < range.greatest)
    bounds.upper =
        (quantization.upper - quantization.zeroPoint) / quantization.scale;
  return bounds;
}

ActivationAttr fusion::createActivation(MLIRContext *context, Bounds bounds,
                                        const Quantization &quantization,
                                        double factor) {
  ByteRange range(quantization.isUnsigned);
  bool isEndless = std::isinf(bounds.upper);
  if (isEndless && std::isinf(bounds.lower))
    return ActivationAttr();
  if (isEndless && bounds.lower == 0.0)
    return ActivationAttr::get(context, ActivationKind::Relu);
  if (std::isinf(bounds.lower))
    bounds.lower = (range.least - quantization.zeroPoint) / quantization.scale;
  if (isEndless)
    bounds.upper =
        (range.greatest - quantization.zeroPoint) / quantization.scale;
  return ActivationAttr::get(context, ActivationKind::Clip,
                             static_cast<float>(bounds.lower * factor),
                             static_cast<float>(bounds.upper * factor));
}

FailureOr<ActivationAttr> fusion::createActivation(MLIRContext *context,
                                                   Bounds bounds,
                                                   Refusal &refusal) {
  if (std::isinf(bounds.lower) && std::isinf(bounds.upper))
    return ActivationAttr();
  if (bounds.lower == 0.0 && std::isinf(bounds.upper))
    return ActivationAttr::get(context, ActivationKind::Relu);
  if (!std::isfinite(bounds.lower) || !std::isfinite(bounds.upper))
    return refusal.because("unsupported: floats have one bound, ",
                           std::isfinite(bounds.lower) ? bounds.lower
                                                       : bounds.upper);
  return ActivationAttr::get(context, ActivationKind::Clip,
                             static_cast<float>(bounds.lower),
                             static_cast<float>(bounds.upper));
}

LogicalResult fusion::findActivation(FusedOpInterface op, NewResult &result,
                                     Refusal &refusal) {
  const Quantization &quantization = *result.quantization;
  result.activation = op.getActivationAttr();
  std::optional<Bounds> inner = matchBounds(result.activation);
  Bounds outer = getBounds(quantization);
  Bounds innermost = inner.value_or(Bounds());
  bool isOuterNeeded =
      innermost.lower < outer.lower || innermost.upper > outer.upper;
  if (isOuterNeeded && (!inner || op.getResidualAfterActivation()))
    return refusal.because("unsupported: quantisation bounds ",
                           quantization.lower, " and ", quantization.upper,
                           " behind an activation");
  if (!inner)
    return success();
  Bounds both = *inner;
  if (isOuterNeeded)
    both = {std::max(inner->lower, outer.lower),
            std::min(inner->upper, outer.upper)};
  if (both.lower > both.upper)
    return refusal.because("unsupported: bounds leave one value");
  // Where the result saturates is known of what is quantised alone.
  bool isRelu = both.lower == 0.0 && std::isinf(both.upper);
  if (op.getResidualAfterActivation() && !isRelu &&
      std::isinf(both.lower) != std::isinf(both.upper))
    return refusal.because("unsupported: a residual is added behind an "
                           "activation with one bound, ",
                           std::isinf(both.upper) ? both.lower : both.upper);
  result.activation = createActivation(op->getContext(), both, quantization,
                                       result.scale ? quantization.scale : 1.0);
  return success();
}

std::optional<std::vector<double>> fusion::scaleConstant(Value value,
                                                         double factor) {
  std::vector<double> numbers = {1.0};
  if (value) {
    Refusal refusal = Refusal::unread();
    FailureOr<std::vector<double>> elements = evaluateConstant(value, refusal);
    if (failed(elements))
      return std::nullopt;
    numbers = std::move(*elements);
  }
  for (double &number : numbers)
    number *= factor;
  if (!llvm::all_of(numbers, isNormalInF32))
    return std::nullopt;
  return numbers;
}

/// A move of the value in front of the rounding, in steps of the result, that
/// the rounding of another operand may cause.
static double getTolerance(QuantRounding rounding) {
  return rounding == QuantRounding::Exact ? 0.0 : 1.0 / 32.0;
}

void NewResult::roundBias(FusedOpInterface op, QuantRounding rounding) {
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  Refusal refusal = Refusal::unread();
  if (!scale || bias.empty() ||
      failed(checkSum(op, quantized.getInputZeroPoint(),
                      quantized.getInputUnsigned(), refusal)))
    return;
  const double tolerance = getTolerance(rounding);
  std::vector<int32_t> integers;
  for (auto [i, addend] : llvm::enumerate(bias)) {
    double factor = (*scale)[scale->size() == 1 ? 0 : i];
    double nearest = std::nearbyint(addend / factor);
    // Not of a NaN either, from a scale of 0.
    if (!(std::abs(nearest) < static_cast<double>(biasLimit)) ||
        std::abs(nearest * factor - addend) * outputScale > tolerance)
      return;
    integers.push_back(static_cast<int32_t>(nearest));
  }
  sumBias = std::move(integers);
}

void NewResult::roundResidualScale(QuantRounding rounding) {
  double rounded = fusion::roundResidualScale(residualScale);
  if (255.0 * std::abs(rounded - residualScale) <= getTolerance(rounding))
    residualScale = rounded;
}

/// Makes the result of `op` that of the quantisation.
template <typename Op> static void quantize(Op op, const NewResult &result) {
  const Quantization &quantization = *result.quantization;
  op.setOutputZeroPoint(static_cast<int32_t>(quantization.zeroPoint));
  op.setOutputUnsigned(quantization.isUnsigned);
  double outputScale = result.scale ? result.outputScale : quantization.scale;
  if (outputScale != 1.0)
    op.setOutputScale(APFloat(static_cast<float>(outputScale)));
  if (result.scale && op.getResidual())
    op.setResidualScale(APFloat(static_cast<float>(result.residualScale)));
}

void fusion::setResidual(QuantizedOpInterface op,
                         const Dequantization &residual) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
          [&](auto quantized) {
            quantized.getResidualMutable().assign(residual.source);
            quantized.setResidualZeroPoint(residual.zeroPoint);
            quantized.setResidualUnsigned(residual.isUnsigned);
            quantized.setResidualScale(
                APFloat(static_cast<float>(residual.scale[0])));
          });
}

/// Makes `op`, a copy, compute `result`.
template <typename Op>
static void setResult(OpBuilder &builder, Op op, const NewResult &result) {
  linalg::LinalgOp user = result.user;
  if (result.quantization && getElementTypeOrSelf(op.getResult()).isInteger(32))
    op->setAttr(kFoldedAttr, builder.getStringAttr(kRequantize));
  op.getInitMutable().set(user.getDpsInits()[0]);
  op.getResult().setType(cast<RankedTensorType>(user->getResult(0).getType()));
  op.setActivationAttr(result.activation);
  if (result.quantization)
    quantize(op, result);
  if (result.residual)
    setResidual(op, *result.residual);
  if (!result.scale)
    return;
  Location loc = op.getLoc();
  op.getScaleMutable().assign(emitVector(builder, loc, *result.scale));
  if (!result.sumBias.empty()) {
    Value addend = emitVector(builder, loc, result.sumBias);
    bool isSummed = op.getBias() && op.getBias().getType() == addend.getType();
    op.getBiasMutable().assign(
        isSummed ? emitVectorSum(builder, loc, op.getBias(), addend) : addend);
  } else if (!result.bias.empty()) {
    op.getBiasMutable().assign(emitVector(builder, loc, result.bias));
  }
}

LogicalResult fusion::refuseNotRun(linalg::LinalgOp user, Refusal &refusal) {
  return refusal.because("next op '", user->getName().getStringRef(), "' at ",
                         getLocationText(user->getLoc()),
                         " can be folded; 'fusion-fuse-quantized' has not run");
}

//===----------------------------------------------------------------------===//
// Laws
//===----------------------------------------------------------------------===//

/// Replaces `op` and the op behind it by one that computes `result`.
static void replaceResult(RewriterBase &rewriter, FusedOpInterface op,
                          const NewResult &result) {
  // The destination of the op behind stands in front of that one.
  rewriter.setInsertionPoint(result.user);
  Operation *copy = rewriter.clone(*op);
  rewriter.setInsertionPoint(copy);
  llvm::TypeSwitch<Operation *>(copy)
      .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
          [&](auto quantized) { setResult(rewriter, quantized, result); });
  rewriter.replaceOp(result.user, copy);
  // A bound between the two, if one is there.
  for (Operation *between : llvm::make_early_inc_range(op->getUsers()))
    rewriter.eraseOp(between);
  rewriter.eraseOp(op);
}

namespace {
struct ResultLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  ResultLaw(MLIRContext *context, QuantRounding rounding, MatchNewResult match,
            StringRef name)
      : OpInterfaceRewritePattern(context), rounding(rounding), match(match) {
    setDebugName(name);
  }

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<NewResult> result = match(op, rounding, refusal);
    if (failed(result))
      return refusal.notify(rewriter, op);
    replaceResult(rewriter, op, *result);
    return success();
  }

  QuantRounding rounding;
  MatchNewResult match;
};
} // namespace

void fusion::addResultLaw(RewritePatternSet &patterns, QuantRounding rounding,
                          MatchNewResult match, StringRef name) {
  patterns.add<ResultLaw>(patterns.getContext(), rounding, match, name);
}

LogicalResult fusion::explainResultLaw(FusedOpInterface op,
                                       linalg::LinalgOp user,
                                       const FuseOptions &options,
                                       MatchNewResult match, Refusal &refusal) {
  if (!user)
    return success();
  // If nothing refuses the op, the pass may have run with the stricter option.
  for (QuantRounding rounding : {options.quantRounding, QuantRounding::Exact})
    if (failed(match(op, rounding, refusal)))
      return failure();
  return refuseNotRun(user, refusal);
}
