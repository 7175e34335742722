//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "NewResult.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

FailureOr<Dequantization> fusion::matchResidual(Value residual,
                                                Refusal &refusal) {
  Refusal reason;
  FailureOr<Dequantization> match = Dequantization::match(residual, reason);
  if (failed(match))
    return refusal.because("residual is not dequantised: ", reason.str());
  if (match->dim)
    return refusal.because("scale of the residual varies along dimension ",
                           *match->dim, ", expected one number");
  if (!isNormalInF32(match->scale[0]))
    return refusal.because("unsupported: the scale ", match->scale[0],
                           " of the residual is no f32");
  return match;
}

/// The residual of an op on integers, if it is in f32; else null.
static Value getFloatResidual(FusedOpInterface op) {
  Value residual =
      isa<QuantizedOpInterface>(op.getOperation()) ? op.getResidual() : Value();
  return residual && getElementTypeOrSelf(residual).isF32() ? residual
                                                            : Value();
}

/// The factor of `residual`, and what it multiplies.
static std::pair<Value, double> splitFactor(Value residual) {
  double factor = 1.0;
  while (auto op = residual.getDefiningOp<linalg::LinalgOp>()) {
    std::optional<ScaledTensor> scaled = matchConstantScale(op);
    if (!scaled || !llvm::all_equal(scaled->factors) ||
        !(scaled->factors[0] > 0.0))
      break;
    factor *= scaled->factors[0];
    residual = scaled->tensor;
  }
  return {residual, factor};
}

Value fusion::skipFactors(Value residual) {
  return splitFactor(residual).first;
}

static bool isPowerOfTwo(double number) {
  int exponent;
  return std::frexp(number, &exponent) == 0.5;
}

/// Reads `residual` behind factors, too, which a scale of the sum becomes.
static FailureOr<Dequantization>
matchScaledResidual(Value residual, QuantRounding rounding, Refusal &refusal) {
  auto [tensor, factor] = splitFactor(residual);
  FailureOr<Dequantization> match = matchResidual(tensor, refusal);
  if (failed(match))
    return failure();
  if (rounding == QuantRounding::Exact &&
      !(isPowerOfTwo(match->scale[0]) && isPowerOfTwo(factor)))
    return refusal.because("quant-rounding is exact, and the scale of the "
                           "residual is no power of two");
  match->scale[0] *= factor;
  if (!isNormalInF32(match->scale[0]))
    return refusal.because("unsupported: the scale ", match->scale[0],
                           " of the residual is no f32");
  return match;
}

/// The last op in front of `residual` that moves or computes what is
/// dequantised before; null if there is none.
static Operation *findOpBetween(Value residual) {
  if (readsIntegers(residual))
    return nullptr;
  Operation *last = residual.getDefiningOp();
  while (Operation *op = residual.getDefiningOp()) {
    if (OpOperand *moved = getMovedOperand(op))
      residual = moved->get();
    else if (isa<linalg::LinalgOp>(op) &&
             llvm::any_of(op->getOperands(), readsIntegers))
      return last;
    else
      break;
    if (readsIntegers(residual))
      return last;
  }
  return nullptr;
}

LogicalResult fusion::explainDequantizedResidual(FusedOpInterface op,
                                                 const FuseOptions &options,
                                                 Refusal &refusal) {
  Value residual = getFloatResidual(op);
  if (!residual)
    return success();
  Value tensor = skipFactors(residual);
  StringRef name = "residual";
  if (Operation *between = findOpBetween(tensor))
    return refusal.because("unsupported: '", between->getName().getStringRef(),
                           "' at ", getLocationText(between->getLoc()),
                           " comes between '", name,
                           "' and its dequantisation");
  if (!readsIntegers(tensor))
    return success();
  // If nothing refuses it, the pass may have run with the stricter option.
  for (QuantRounding rounding : {options.quantRounding, QuantRounding::Exact})
    if (failed(matchScaledResidual(residual, rounding, refusal)))
      return failure();
  return refusal.because("dequantised residual can be read as integers; "
                         "'fusion-fuse-quantized' has not run");
}

namespace {
struct DequantizedResidualLaw
    : public OpInterfaceRewritePattern<QuantizedOpInterface> {
  // Before the result is quantised, whose scale goes into that of a residual.
  DequantizedResidualLaw(MLIRContext *context, QuantRounding rounding)
      : OpInterfaceRewritePattern(context, /*benefit=*/3), rounding(rounding) {}

  LogicalResult matchAndRewrite(QuantizedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value residual =
        getFloatResidual(cast<FusedOpInterface>(op.getOperation()));
    if (!residual)
      return rewriter.notifyMatchFailure(op, "there is no residual in f32");
    Refusal refusal;
    FailureOr<Dequantization> match =
        matchScaledResidual(residual, rounding, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    rewriter.modifyOpInPlace(op, [&] { setResidual(op, *match); });
    return success();
  }

  QuantRounding rounding;
};
} // namespace

void fusion::populateDequantizedResidualLaw(RewritePatternSet &patterns,
                                            const FuseOptions &options) {
  patterns.add<DequantizedResidualLaw>(patterns.getContext(),
                                       options.quantRounding);
}
