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

std::optional<Dequantization> fusion::matchResidual(Value residual) {
  Refusal refusal = Refusal::unread();
  FailureOr<Dequantization> match = Dequantization::match(residual, refusal);
  if (failed(match) || match->dim)
    return std::nullopt;
  if (!isNormalInF32(match->scale[0]))
    return std::nullopt;
  return *match;
}

namespace {
struct DequantizedResidualLaw
    : public OpInterfaceRewritePattern<QuantizedOpInterface> {
  // Before the result is quantised, whose scale goes into that of a residual.
  DequantizedResidualLaw(MLIRContext *context, QuantRounding rounding)
      : OpInterfaceRewritePattern(context, /*benefit=*/3), rounding(rounding) {}

  LogicalResult matchAndRewrite(QuantizedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value residual = cast<FusedOpInterface>(op.getOperation()).getResidual();
    if (!residual || !getElementTypeOrSelf(residual).isF32())
      return rewriter.notifyMatchFailure(op, "there is no residual in f32");
    std::optional<Dequantization> match = matchResidual(residual);
    if (!match)
      return rewriter.notifyMatchFailure(op, "residual is not dequantised");
    int exponent;
    if (rounding == QuantRounding::Exact &&
        std::frexp(match->scale[0], &exponent) != 0.5)
      return rewriter.notifyMatchFailure(
          op, "quant-rounding is exact, and the scale of the residual is no "
              "power of two");
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
