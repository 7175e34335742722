//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/IR/ByteRange.h"
#include "Laws.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

/// The input as integers with another sign; `added` goes to the zero point.
static FailureOr<ShiftedIntegers> matchInput(FusedOpInterface op,
                                             Refusal &refusal) {
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  auto producer = op.getInput().getDefiningOp<linalg::LinalgOp>();
  if (!quantized || !producer)
    return refusal.because("no op of linalg computes the input");
  FailureOr<ShiftedIntegers> shifted =
      ShiftedIntegers::match(producer, refusal);
  if (failed(shifted))
    return failure();
  if (shifted->isUnsigned != quantized.getInputUnsigned() &&
      failed(shifted = shifted->withOtherSigns(refusal)))
    return failure();
  if (!shifted->isOneToOne())
    return refusal.because("the input is bounded");
  int64_t zeroPoint = quantized.getInputZeroPoint() - shifted->added;
  if (!ByteRange(shifted->isSourceUnsigned).contains(zeroPoint))
    return refusal.because("unsupported: zero point ", zeroPoint,
                           " of the input");
  return shifted;
}

namespace {
struct ShiftedInputLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<ShiftedIntegers> shifted = matchInput(op, refusal);
    if (failed(shifted))
      return refusal.notify(rewriter, op);
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(shifted->source);
      llvm::TypeSwitch<Operation *>(op)
          .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
              [&](auto quantized) {
                quantized.setInputZeroPoint(quantized.getInputZeroPoint() -
                                            shifted->added);
                quantized.setInputUnsigned(shifted->isSourceUnsigned);
              });
    });
    return success();
  }
};
} // namespace

void fusion::populateShiftedInputLaw(RewritePatternSet &patterns,
                                     const FuseOptions &) {
  patterns.add<ShiftedInputLaw>(patterns.getContext());
}
