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

static FailureOr<Dequantization>
matchResidual(Value residual, QuantRounding rounding, Refusal &refusal) {
  FailureOr<Dequantization> match = matchResidual(residual, refusal);
  if (failed(match))
    return failure();
  int exponent;
  if (rounding == QuantRounding::Exact &&
      std::frexp(match->scale[0], &exponent) != 0.5)
    return refusal.because("quant-rounding is exact, and the scale of the "
                           "residual is no power of two");
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
  StringRef name = "residual";
  if (Operation *between = findOpBetween(residual))
    return refusal.because("unsupported: '", between->getName().getStringRef(),
                           "' at ", getLocationText(between->getLoc()),
                           " comes between '", name,
                           "' and its dequantisation");
  if (!readsIntegers(residual))
    return success();
  // If nothing refuses it, the pass may have run with the stricter option.
  for (QuantRounding rounding : {options.quantRounding, QuantRounding::Exact})
    if (failed(::matchResidual(residual, rounding, refusal)))
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
        ::matchResidual(residual, rounding, refusal);
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
