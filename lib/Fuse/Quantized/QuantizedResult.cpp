//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "Laws.h"
#include "NewResult.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

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

/// Merges the scale into the operands of `op`, if it may be.
static void mergeScale(FusedOpInterface op, NewResult &result) {
  double factor = result.quantization->scale;
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  Value bias = op.getBias(), residual = op.getResidual();
  if (!mayScale(op.getActivationAttr()))
    return;
  // An f32 residual would take an op more.
  if (residual && !getElementTypeOrSelf(residual).isInteger(8))
    return;
  result.residualScale = quantized.getResidualScale().convertToFloat() * factor;
  if (residual && !isNormalInF32(result.residualScale))
    return;
  if (bias && getElementTypeOrSelf(bias).isF32()) {
    std::optional<std::vector<double>> scaled = scaleConstant(bias, factor);
    if (!scaled)
      return;
    result.bias = std::move(*scaled);
  }
  result.scale = scaleConstant(quantized.getScale(), factor);
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

static FailureOr<NewResult>
matchResult(FusedOpInterface op, QuantRounding rounding, Refusal &refusal) {
  linalg::LinalgOp user = findQuantizingUser(op);
  if (!user)
    return refusal.because("no op quantises the result");
  if (!op->hasOneUse())
    return refusal.because("result has other users besides its quantisation");
  if (user->getBlock() != op->getBlock())
    return refusal.because("result is quantised in another block");
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
  NewResult result;
  result.user = user;
  result.quantization = *quantization;
  mergeScale(op, result);
  result.roundBias(op, rounding);
  result.roundResidualScale(rounding);
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

namespace {
struct QuantizedResultLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  QuantizedResultLaw(MLIRContext *context, QuantRounding rounding)
      : OpInterfaceRewritePattern(context), rounding(rounding) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<NewResult> match = matchResult(op, rounding, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    replaceResult(rewriter, op, *match);
    return success();
  }

  QuantRounding rounding;
};
} // namespace

void fusion::populateQuantizedResultLaw(RewritePatternSet &patterns,
                                        QuantRounding rounding) {
  patterns.add<QuantizedResultLaw>(patterns.getContext(), rounding);
}
