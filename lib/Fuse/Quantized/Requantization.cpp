//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/Utils/EmitElementwise.h"
#include "FusionDialect/Utils/Reorder.h"
#include "Laws.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

/// True if `quantization` gives back the integers that `dequantization` reads.
/// Each is less than 1/2 from the number that is rounded: it is at most 255
/// steps from the zero point, and floats lose much less than the scales may
/// differ here.
static bool isInverse(const Dequantization &dequantization,
                      const Quantization &quantization) {
  ByteRange range(dequantization.isUnsigned);
  return !dequantization.dim &&
         quantization.isUnsigned == dequantization.isUnsigned &&
         quantization.zeroPoint == dequantization.zeroPoint &&
         quantization.lower == range.least &&
         quantization.upper == range.greatest &&
         std::abs(dequantization.scale[0] * quantization.scale - 1.0) < 1e-3;
}

namespace {
struct RequantizationLaw : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Quantization> outer = Quantization::match(op, refusal);
    if (failed(outer))
      return refusal.notify(rewriter, op);
    FailureOr<Dequantization> inner =
        Dequantization::match(outer->source, refusal);
    if (failed(inner))
      return refusal.notify(rewriter, op);
    Value result = op->getResult(0);
    if (isInverse(*inner, *outer) &&
        inner->source.getType() == result.getType()) {
      rewriter.replaceOp(op, inner->source);
      return success();
    }
    ElementwiseStep steps[] = {
        {outer->source.getDefiningOp<linalg::LinalgOp>(), inner->source},
        {op, outer->source}};
    if (failed(checkElementwise(steps[0], refusal)) ||
        failed(checkElementwise(steps[1], refusal)))
      return refusal.notify(rewriter, op);
    rewriter.replaceOp(op,
                       castTo(rewriter, op.getLoc(),
                              emitElementwise(rewriter, steps, inner->source),
                              result.getType()));
    return success();
  }
};
} // namespace

void fusion::populateRequantizationLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  patterns.add<RequantizationLaw>(patterns.getContext());
}
