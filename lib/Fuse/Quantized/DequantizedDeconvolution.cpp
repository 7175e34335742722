//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A transposed convolution of dequantised operands becomes convolutions, whose
// operands then are read as integers.

#include "FusionDialect/Fuse/SplitDeconvolution.h"
#include "IntegerSources.h"
#include "Laws.h"

using namespace mlir;
using namespace fusion;

/// Fails unless the convolutions that `op` is split into can be computed on
/// integers.
static LogicalResult checkOperands(FusedDeconvBiasActOp op, Refusal &refusal) {
  if (!hasIntegerOperand(op))
    return refusal.because("no operand is dequantised");
  if (failed(checkSources(op, /*isInputIntegers=*/false, refusal)))
    return failure();
  if (op.getActivationAttr() && op.getNanMode() != NaNMode::Fast)
    return refusal.because(
        "unsupported: nan-mode=propagate of an activation on integers");
  return success();
}

/// Other ops absorb a transpose of the result, and a dequantised number is
/// never infinite.
static SplitDeconvolutionOptions getSplitOptions(FusedDeconvBiasActOp op) {
  return {op.getOutputLayout().getChannelsLast(), /*mayFillKernel=*/true};
}

LogicalResult fusion::explainDequantizedDeconvolution(FusedOpInterface op,
                                                      const FuseOptions &,
                                                      Refusal &refusal) {
  auto deconvolution = dyn_cast<FusedDeconvBiasActOp>(op.getOperation());
  if (!deconvolution || !hasIntegerOperand(op))
    return success();
  if (failed(checkOperands(deconvolution, refusal)) ||
      failed(
          checkSplit(deconvolution, getSplitOptions(deconvolution), refusal)))
    return failure();
  return refusal.because("dequantised operands can be read as integers; "
                         "'fusion-fuse-quantized' has not run");
}

namespace {
struct DequantizedDeconvolutionLaw
    : public OpRewritePattern<FusedDeconvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedDeconvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    if (failed(checkOperands(op, refusal)) ||
        failed(splitDeconvolution(rewriter, op, getSplitOptions(op), refusal)))
      return refusal.notify(rewriter, op);
    return success();
  }
};
} // namespace

void fusion::populateDequantizedDeconvolutionLaw(RewritePatternSet &patterns,
                                                 const FuseOptions &) {
  patterns.add<DequantizedDeconvolutionLaw>(patterns.getContext());
}
