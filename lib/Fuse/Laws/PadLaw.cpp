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
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fusion;

LogicalResult fusion::checkPadIsFoldable(FusedConvBiasActOp op,
                                         const Padding &padding,
                                         Refusal &refusal) {
  std::string name = ("'" + padding.op->getName().getStringRef() + "'").str();
  if (!padding.number)
    return refusal.because(name, " pads with a value that is not constant, "
                                 "expected 0");
  if (*padding.number != 0.0)
    return refusal.because(name, " pads with ", *padding.number,
                           ", expected 0");
  for (auto [i, letter] : llvm::enumerate(op.getInputLayout())) {
    std::optional<int64_t> before = getConstantIntValue(padding.low[i]);
    std::optional<int64_t> after = getConstantIntValue(padding.high[i]);
    if (!before || !after)
      return refusal.because("unsupported: ", name, " pads dimension ", i,
                             " by an amount known only at run time");
    bool isSpatial = letter != 'n' && letter != 'c';
    if (!isSpatial && (*before != 0 || *after != 0))
      return refusal.because(name, " pads dimension ", i, " of layout \"",
                             op.getInputLayout(), "\", which is not spatial");
    if (*before < 0 || *after < 0)
      return refusal.because("unsupported: ", name, " crops dimension ", i);
  }
  return success();
}

namespace {

// law: fused(pad(x, 0), w)  ->  fused(x, w, pad)
struct PadLaw : public OpRewritePattern<FusedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Padding> padding = findPadding(op.getInput());
    if (!padding)
      return rewriter.notifyMatchFailure(op, "'input' is not padded");
    Refusal refusal;
    if (failed(checkPadIsFoldable(op, *padding, refusal)))
      return refusal.notify(rewriter, op);
    SmallVector<int64_t> low(op.getPadLow()), high(op.getPadHigh());
    StringRef letters = getSpatialLetters(op.getSpatialRank());
    for (auto [i, dim] :
         llvm::enumerate(getPositions(op.getInputLayout(), letters))) {
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

void fusion::populatePadLawPatterns(RewritePatternSet &patterns) {
  patterns.add<PadLaw>(patterns.getContext());
}
