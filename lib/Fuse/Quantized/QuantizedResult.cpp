//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "NewResult.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

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

/// An op that makes integers of 8 bits of the result of `op`, also behind ops
/// that only move elements: sets `mover` to the first of these. Null if there
/// is none.
static linalg::LinalgOp findQuantizing(Operation *op, Operation *&mover) {
  for (Operation *user : op->getUsers()) {
    if (user->getNumResults() != 1)
      continue;
    auto quantizing = dyn_cast<linalg::LinalgOp>(user);
    if (quantizing && getElementTypeOrSelf(user->getResult(0)).isInteger(8))
      return quantizing;
    if (!getMovedOperand(user))
      continue;
    if (linalg::LinalgOp behind = findQuantizing(user, mover)) {
      mover = user;
      return behind;
    }
  }
  return nullptr;
}

/// The op that bounds the result of `op` from below, by `lower`, behind a
/// residual that `op` adds behind its activation; `op` if there is none.
static Operation *skipLowerBound(FusedOpInterface op, double &lower) {
  lower = -std::numeric_limits<double>::infinity();
  if (!op.getResidualAfterActivation() || !op->hasOneUse())
    return op;
  auto user = dyn_cast<linalg::LinalgOp>(*op->user_begin());
  if (!user || user->getNumResults() != 1 || !user->hasOneUse())
    return op;
  Refusal unread = Refusal::unread();
  FailureOr<AffineRounding> form = AffineRounding::match(user, unread);
  if (failed(form) || form->terms.size() != 1 ||
      form->rounding != Rounding::None || std::isfinite(form->upper))
    return op;
  const AffineRounding::Term &term = form->terms[0];
  if (user->getOperand(term.input) != op->getResult(0) ||
      !llvm::all_of(term.factor, [](double x) { return x == 1.0; }) ||
      isNotZero(form->offset))
    return op;
  lower = form->lower;
  return user;
}

/// Refuses a lower bound at which `quantization` does not saturate. An op makes
/// the least integer of a NaN, as it does of the bound.
static LogicalResult checkBound(FusedOpInterface op, double lower,
                                const Quantization &quantization,
                                Refusal &refusal) {
  if (lower * quantization.scale + quantization.zeroPoint <= quantization.lower)
    return success();
  return checkNothingAfterActivation(op, refusal);
}

static bool hasFloatResult(FusedOpInterface op) {
  return isa<QuantizedOpInterface>(op.getOperation()) &&
         op->getNumResults() == 1 &&
         op.getOutputType().getElementType().isF32();
}

/// The largest magnitude of the result of `op`, whose sum is an i32; infinite
/// if it is not known.
static double getLargestResult(FusedOpInterface op) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  auto largestOf = [](Value constant) {
    double largest = 0.0;
    std::optional<std::vector<double>> numbers = scaleConstant(constant, 1.0);
    if (!numbers)
      return unknown;
    for (double number : *numbers)
      largest = std::max(largest, std::abs(number));
    return largest;
  };
  double largest = std::ldexp(largestOf(quantized.getScale()), 31);
  if (Value bias = op.getBias(); bias && getElementTypeOrSelf(bias).isF32())
    largest += largestOf(bias);
  std::optional<Bounds> bounds = matchBounds(op.getActivationAttr());
  if (!bounds)
    return unknown;
  for (double bound : {bounds->lower, bounds->upper})
    if (std::isfinite(bound))
      largest = std::max(largest, std::abs(bound));
  if (Value residual = op.getResidual()) {
    if (!getElementTypeOrSelf(residual).isInteger(8))
      return unknown;
    // Integers of 8 bits and their zero point are less than 2^8 apart.
    double scale = quantized.getResidualScale().convertToDouble();
    largest += std::ldexp(std::abs(scale), 8);
  }
  // Each of a few steps rounds by at most 2^-24.
  return largest * (1.0 + std::ldexp(1.0, -20));
}

static FailureOr<NewResult>
matchResult(FusedOpInterface op, QuantRounding rounding, Refusal &refusal) {
  Operation *mover = nullptr;
  double lower;
  Operation *last = skipLowerBound(op, lower);
  linalg::LinalgOp user =
      hasFloatResult(op) ? findQuantizing(last, mover) : nullptr;
  if (!user)
    return refusal.because("no op quantises the result");
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (Value residual = op.getResidual();
      residual && isMovedDequantization(skipFactors(residual).getDefiningOp()))
    return refusal.because("residual is going to be integers");
  if (mover)
    return refusal.because("unsupported: '", mover->getName().getStringRef(),
                           "' at ", getLocationText(mover->getLoc()),
                           " comes between the result and its quantisation");
  if (user->getBlock() != op->getBlock())
    return refusal.because("result is quantised in another block");
  Refusal reason;
  FailureOr<Quantization> quantization =
      Quantization::match(user, reason, getLargestResult(op));
  if (failed(quantization))
    return refusal.because("result is not quantised: ", reason.str());
  if (quantization->source != last->getResult(0))
    return refusal.because("result is not quantised: another tensor is");
  if (failed(checkBound(op, lower, *quantization, refusal)))
    return failure();
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

LogicalResult fusion::explainQuantizedResult(FusedOpInterface op,
                                             const FuseOptions &options,
                                             Refusal &refusal) {
  Operation *mover = nullptr;
  double lower;
  linalg::LinalgOp user = hasFloatResult(op)
                              ? findQuantizing(skipLowerBound(op, lower), mover)
                              : nullptr;
  return explainResultLaw(op, user, options, matchResult, refusal);
}

void fusion::populateQuantizedResultLaw(RewritePatternSet &patterns,
                                        const FuseOptions &options) {
  addResultLaw(patterns, options.quantRounding, matchResult,
               "QuantizedResultLaw");
}
