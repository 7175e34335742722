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

/// The integers of 8 bits that `value` is computed from, by ops such as a
/// dequantisation and a relu, which it puts in front of `steps`.
static FailureOr<Value> findIntegers(Value value,
                                     SmallVectorImpl<ElementwiseStep> &steps,
                                     Refusal &refusal) {
  while (getElementTypeOrSelf(value).isF32()) {
    FailureOr<AffineRounding> form = matchOneTensor(value, refusal);
    if (failed(form))
      return failure();
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    value = op->getOperand(form->terms[0].input);
    steps.insert(steps.begin(), {op, value});
  }
  if (!isInteger8(value))
    return refusal.because("not from i8 to f32");
  return value;
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
    Refusal unread = Refusal::unread();
    FailureOr<Dequantization> inner =
        Dequantization::match(outer->source, unread);
    if (succeeded(inner) && isInverse(*inner, *outer) &&
        inner->source.getType() == op->getResult(0).getType()) {
      rewriter.replaceOp(op, inner->source);
      return success();
    }
    SmallVector<ElementwiseStep> steps = {{op, outer->source}};
    FailureOr<Value> integers = findIntegers(outer->source, steps, refusal);
    if (failed(integers))
      return refusal.notify(rewriter, op);
    for (ElementwiseStep step : steps)
      if (failed(checkElementwise(step, refusal)))
        return refusal.notify(rewriter, op);
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(),
                                  emitElementwise(rewriter, steps, *integers),
                                  op->getResult(0).getType()));
    return success();
  }
};
} // namespace

void fusion::populateRequantizationLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  patterns.add<RequantizationLaw>(patterns.getContext());
}
