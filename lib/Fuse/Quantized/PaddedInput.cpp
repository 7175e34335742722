//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "Laws.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fusion;

/// The padding of the input of `op`, if it is the zero point.
static FailureOr<Padding> matchPadding(QuantizedConvBiasActOp op,
                                       Refusal &refusal) {
  std::optional<Padding> padding = findPadding(op.getInput());
  if (!padding)
    return refusal.because("'input' is not padded");
  // The constant is read with a sign, whatever its bits mean.
  auto zeroPoint = static_cast<int8_t>(op.getInputZeroPoint());
  if (failed(checkPadIsFoldable(op, *padding, refusal, zeroPoint)))
    return failure();
  return *padding;
}

std::optional<std::string> fusion::explainPaddedInput(FusedOpInterface op) {
  auto conv = dyn_cast<QuantizedConvBiasActOp>(op.getOperation());
  Refusal refusal;
  if (!conv || !findPadding(conv.getInput()) ||
      succeeded(matchPadding(conv, refusal)))
    return std::nullopt;
  return refusal.str().str();
}

namespace {
struct PaddedInputLaw : public OpRewritePattern<QuantizedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Padding> padding = matchPadding(op, refusal);
    if (failed(padding))
      return refusal.notify(rewriter, op);
    SmallVector<int64_t> low(op.getPadLow()), high(op.getPadHigh());
    for (auto [i, dim] :
         llvm::enumerate(op.getInputLayout().getSpatialPositions())) {
      low[i] += *getConstantIntValue(padding->low[dim]);
      high[i] += *getConstantIntValue(padding->high[dim]);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(padding->source);
      op.setPadLow(low);
      op.setPadHigh(high);
    });
    return success();
  }
};
} // namespace

void fusion::populatePaddedInputLaw(RewritePatternSet &patterns) {
  patterns.add<PaddedInputLaw>(patterns.getContext());
}
