//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "Laws.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// The parts of an op that change if its result becomes integers.
struct QuantizedResult {
  linalg::LinalgOp user; ///< the op that quantises
  Quantization quantization;
  /// `scale` and `bias` times the scale of the quantisation; none if this stays
  /// an `output_scale`. The bias is empty if it is not in f32.
  std::optional<std::vector<double>> scale;
  std::vector<double> bias;
  /// The bias in units of the sum, in place of `bias`; empty if it is not one.
  std::vector<int32_t> sumBias;
  ActivationAttr activation;
};
} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Refuses what may give other bits than `quantization` behind the op.
static LogicalResult checkExact(const Quantization &quantization,
                                Refusal &refusal) {
  if (quantization.rounding != Rounding::HalfEven)
    return refusal.because("quant-rounding is exact, and quantisation does not "
                           "round half to even");
  // Rounding is symmetric about 0, and not about another integer.
  if (quantization.zeroPoint != 0)
    return refusal.because("quant-rounding is exact, and the zero point ",
                           quantization.zeroPoint,
                           " may be added to a rounded number");
  int exponent;
  if (std::frexp(quantization.scale, &exponent) != 0.5)
    return refusal.because("quant-rounding is exact, and the scale ",
                           quantization.scale, " is no power of two");
  return success();
}

/// True if act(s * x) = s * act(x) for s > 0, or if the bounds may be scaled.
static bool mayScale(ActivationAttr activation) {
  if (!activation)
    return true;
  switch (activation.getKind()) {
  case ActivationKind::Relu:
  case ActivationKind::LeakyRelu:
  case ActivationKind::Abs:
  case ActivationKind::Clip:
    return true;
  default:
    return false;
  }
}

/// The elements of `value` times `factor`; 1 where there is no value. None if
/// they are not known or leave f32.
static std::optional<std::vector<double>> scaleConstant(Value value,
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

/// Merges the scale into the operands of `op`, if it may be.
static void mergeScale(FusedOpInterface op, QuantizedResult &result) {
  double factor = result.quantization.scale;
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  Value bias = op.getBias(), residual = op.getResidual();
  if (!mayScale(op.getActivationAttr()))
    return;
  // An f32 residual would take an op more.
  if (residual && !getElementTypeOrSelf(residual).isInteger(8))
    return;
  if (residual &&
      !isNormalInF32(quantized.getResidualScale().convertToFloat() * factor))
    return;
  if (bias && getElementTypeOrSelf(bias).isF32()) {
    std::optional<std::vector<double>> scaled = scaleConstant(bias, factor);
    if (!scaled)
      return;
    result.bias = std::move(*scaled);
  }
  result.scale = scaleConstant(quantized.getScale(), factor);
}

/// Makes the bias a part of the sum, if that moves the value in front of the
/// rounding by at most 1/32 of a step. Kernels sum up a bias in i32
/// for nothing, and need a step more for one in f32.
static void roundBias(FusedOpInterface op, QuantRounding rounding,
                      QuantizedResult &result) {
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  Refusal refusal = Refusal::unread();
  if (!result.scale || result.bias.empty() ||
      failed(checkSum(op, quantized.getInputZeroPoint(),
                      quantized.getInputUnsigned(), refusal)))
    return;
  const double tolerance = rounding == QuantRounding::Exact ? 0.0 : 1.0 / 32.0;
  std::vector<int32_t> integers;
  for (auto [i, bias] : llvm::enumerate(result.bias)) {
    double scale = (*result.scale)[result.scale->size() == 1 ? 0 : i];
    double nearest = std::nearbyint(bias / scale);
    // Not of a NaN either, from a scale of 0.
    if (!(std::abs(nearest) < static_cast<double>(biasLimit)) ||
        std::abs(nearest * scale - bias) > tolerance)
      return;
    integers.push_back(static_cast<int32_t>(nearest));
  }
  result.sumBias = std::move(integers);
}

namespace {
/// An activation that is min(max(x, lower), upper).
struct Bounds {
  double lower = -infinity, upper = infinity;
};
} // namespace

/// None if `activation` is of another kind.
static std::optional<Bounds> matchBounds(ActivationAttr activation) {
  if (!activation)
    return Bounds();
  if (activation.getKind() == ActivationKind::Relu)
    return Bounds{0.0};
  if (activation.getKind() == ActivationKind::Clip)
    return Bounds{activation.getAlpha().convertToFloat(),
                  activation.getBeta().convertToFloat()};
  return std::nullopt;
}

/// Bounds that `quantization` has besides those of its type, on the value in
/// front of it.
static Bounds getBounds(const Quantization &quantization) {
  Bounds bounds;
  int64_t least = quantization.isUnsigned ? 0 : -128;
  if (quantization.lower > least)
    bounds.lower =
        (quantization.lower - quantization.zeroPoint) / quantization.scale;
  if (quantization.upper < least + 255)
    bounds.upper =
        (quantization.upper - quantization.zeroPoint) / quantization.scale;
  return bounds;
}

/// The activation that is `bounds`, of a value that is scaled by `factor`. In
/// place of no bound it has one at which the result saturates.
static ActivationAttr createActivation(MLIRContext *context, Bounds bounds,
                                       const Quantization &quantization,
                                       double factor) {
  double least = quantization.isUnsigned ? 0.0 : -128.0;
  bool isEndless = std::isinf(bounds.upper);
  if (isEndless && std::isinf(bounds.lower))
    return ActivationAttr();
  if (isEndless && bounds.lower == 0.0)
    return ActivationAttr::get(context, ActivationKind::Relu);
  if (std::isinf(bounds.lower))
    bounds.lower = (least - quantization.zeroPoint) / quantization.scale;
  if (isEndless)
    bounds.upper =
        (least + 255.0 - quantization.zeroPoint) / quantization.scale;
  return ActivationAttr::get(context, ActivationKind::Clip,
                             static_cast<float>(bounds.lower * factor),
                             static_cast<float>(bounds.upper * factor));
}

/// Finds the activation of the op on integers.
static LogicalResult findActivation(FusedOpInterface op,
                                    QuantizedResult &result, Refusal &refusal) {
  const Quantization &quantization = result.quantization;
  result.activation = op.getActivationAttr();
  std::optional<Bounds> inner = matchBounds(result.activation);
  Bounds outer = getBounds(quantization);
  bool isOuterNeeded = (inner ? inner->lower : -infinity) < outer.lower ||
                       (inner ? inner->upper : infinity) > outer.upper;
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
  result.activation = createActivation(op->getContext(), both, quantization,
                                       result.scale ? quantization.scale : 1.0);
  return success();
}

/// An op that makes integers of 8 bits of the f32 result of `op`; null if there
/// is none.
static linalg::LinalgOp findQuantizingUser(FusedOpInterface op) {
  if (!isa<QuantizedOpInterface>(op.getOperation()) ||
      op->getNumResults() != 1 || !op.getOutputType().getElementType().isF32())
    return nullptr;
  for (Operation *user : op->getUsers()) {
    auto quantizing = dyn_cast<linalg::LinalgOp>(user);
    if (quantizing && user->getNumResults() == 1 &&
        getElementTypeOrSelf(user->getResult(0)).isInteger(8))
      return quantizing;
  }
  return nullptr;
}

static FailureOr<QuantizedResult>
matchResult(FusedOpInterface op, QuantRounding rounding, Refusal &refusal) {
  linalg::LinalgOp user = findQuantizingUser(op);
  if (!user)
    return refusal.because("no op quantises the result");
  if (!op->hasOneUse())
    return refusal.because("result has other users besides its quantisation");
  Refusal reason;
  FailureOr<Quantization> quantization = Quantization::match(user, reason);
  if (failed(quantization))
    return refusal.because("result is not quantised: ", reason.str());
  if (rounding == QuantRounding::Exact &&
      failed(checkExact(*quantization, refusal)))
    return failure();
  if (!isNormalInF32(quantization->scale))
    return refusal.because("unsupported: the scale ", quantization->scale,
                           " is no f32");
  QuantizedResult result{user, *quantization, std::nullopt, {}, {}, {}};
  mergeScale(op, result);
  roundBias(op, rounding, result);
  if (failed(findActivation(op, result, refusal)))
    return failure();
  return result;
}

std::optional<std::string>
fusion::explainQuantizedResult(FusedOpInterface op, QuantRounding rounding) {
  Refusal refusal;
  if (!findQuantizingUser(op) || succeeded(matchResult(op, rounding, refusal)))
    return std::nullopt;
  return refusal.str().str();
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Makes `op`, a copy, compute `result`.
template <typename Op>
static void quantize(OpBuilder &builder, Op op, const QuantizedResult &result) {
  const Quantization &quantization = result.quantization;
  linalg::LinalgOp user = result.user;
  op.getInitMutable().set(user.getDpsInits()[0]);
  op.getResult().setType(cast<RankedTensorType>(user->getResult(0).getType()));
  op.setOutputZeroPoint(static_cast<int32_t>(quantization.zeroPoint));
  op.setOutputUnsigned(quantization.isUnsigned);
  op.setActivationAttr(result.activation);
  auto factor = static_cast<float>(quantization.scale);
  if (!result.scale) {
    op.setOutputScale(APFloat(factor));
    return;
  }
  op.getScaleMutable().assign(emitVector(builder, op.getLoc(), *result.scale));
  if (!result.sumBias.empty())
    op.getBiasMutable().assign(
        emitVector(builder, op.getLoc(), result.sumBias));
  else if (!result.bias.empty())
    op.getBiasMutable().assign(emitVector(builder, op.getLoc(), result.bias));
  if (op.getResidual())
    op.setResidualScale(
        APFloat(op.getResidualScale().convertToFloat() * factor));
}

namespace {
struct QuantizedResultLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  QuantizedResultLaw(MLIRContext *context, QuantRounding rounding)
      : OpInterfaceRewritePattern(context), rounding(rounding) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<QuantizedResult> match = matchResult(op, rounding, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    // The destination of the op that quantises stands in front of that one.
    rewriter.setInsertionPoint(match->user);
    Operation *copy = rewriter.clone(*op);
    rewriter.setInsertionPoint(copy);
    llvm::TypeSwitch<Operation *>(copy)
        .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
            [&](auto quantized) { quantize(rewriter, quantized, *match); });
    rewriter.replaceOp(match->user, copy);
    rewriter.eraseOp(op);
    return success();
  }

  QuantRounding rounding;
};
} // namespace

void fusion::populateQuantizedResultLaw(RewritePatternSet &patterns,
                                        QuantRounding rounding) {
  patterns.add<QuantizedResultLaw>(patterns.getContext(), rounding);
}
