//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

LogicalResult fusion::checkPadIsFoldable(FusedConvBiasActOp op,
                                         tensor::PadOp pad, Refusal &refusal) {
  Value padding = pad.getConstantPaddingValue();
  if (!padding)
    return refusal.because("'tensor.pad' pads with a value that is computed, "
                           "expected 0");
  FloatAttr number;
  if (!matchPattern(padding, m_Constant(&number)))
    return refusal.because("'tensor.pad' pads with a value known only at run "
                           "time, expected 0");
  if (!number.getValue().isZero())
    return refusal.because("'tensor.pad' pads with ", number.getValueAsDouble(),
                           ", expected 0");
  SmallVector<OpFoldResult> low = pad.getMixedLowPad();
  SmallVector<OpFoldResult> high = pad.getMixedHighPad();
  for (auto [i, letter] : llvm::enumerate(op.getInputLayout())) {
    std::optional<int64_t> before = getConstantIntValue(low[i]);
    std::optional<int64_t> after = getConstantIntValue(high[i]);
    if (!before || !after)
      return refusal.because("unsupported: 'tensor.pad' pads dimension ", i,
                             " by an amount known only at run time");
    bool isSpatial = letter != 'n' && letter != 'c';
    if (!isSpatial && (*before != 0 || *after != 0))
      return refusal.because("'tensor.pad' pads dimension ", i, " of layout \"",
                             op.getInputLayout(), "\", which is not spatial");
    if (*before < 0 || *after < 0)
      return refusal.because("unsupported: 'tensor.pad' crops dimension ", i);
  }
  return success();
}

namespace {

// law: fused(pad(x, 0), w)  ->  fused(x, w, pad)
struct PadLaw : public OpRewritePattern<FusedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<tensor::PadOp>();
    if (!pad)
      return rewriter.notifyMatchFailure(op, "'input' is not padded");
    Refusal refusal;
    if (failed(checkPadIsFoldable(op, pad, refusal)))
      return refusal.notify(rewriter, op);
    SmallVector<int64_t> low(op.getPadLow()), high(op.getPadHigh());
    StringRef letters = getSpatialLetters(op.getSpatialRank());
    for (auto [i, dim] :
         llvm::enumerate(getPositions(op.getInputLayout(), letters))) {
      low[i] += *getConstantIntValue(pad.getMixedLowPad()[dim]);
      high[i] += *getConstantIntValue(pad.getMixedHighPad()[dim]);
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(pad.getSource());
      op.setPadLow(low);
      op.setPadHigh(high);
    });
    return success();
  }
};

} // namespace

void fusion::populatePadLawPatterns(RewritePatternSet &patterns) {
  patterns.add<PadLaw>(patterns.getContext());
}
