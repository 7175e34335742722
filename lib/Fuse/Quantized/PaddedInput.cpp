//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "Laws.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fusion;

namespace {
struct FoldedPadding {
  Padding padding;
  int32_t zeroPoint;
  /// Added to the bias for another zero point; empty if it stays.
  std::vector<int32_t> correction;
};
} // namespace

/// The sum of the filter of each output channel, which wraps as `factor` times
/// it does.
static FailureOr<std::vector<int32_t>>
sumFilter(QuantizedConvBiasActOp op, int64_t factor, Refusal &refusal) {
  FailureOr<std::vector<int64_t>> filter =
      evaluateIntegers(op.getFilter(), refusal);
  if (failed(filter))
    return failure();
  ArrayRef<int64_t> shape =
      cast<ShapedType>(op.getFilter().getType()).getShape();
  int64_t channel = op.getFilterChannelDim();
  int64_t stride = computeStrides(shape)[channel];
  std::vector<int64_t> sums(shape[channel], 0);
  for (auto [i, number] : llvm::enumerate(*filter))
    sums[static_cast<int64_t>(i) / stride % shape[channel]] += number;
  std::vector<int32_t> numbers;
  for (int64_t sum : sums)
    numbers.push_back(static_cast<int32_t>(sum * factor));
  return numbers;
}

/// The padding of the input of `op`. If it is no zero point, it becomes one:
/// with z the number, (x - zx) * w = (x - z) * w + (z - zx) * w.
static FailureOr<FoldedPadding> matchPadding(QuantizedConvBiasActOp op,
                                             Refusal &refusal) {
  std::optional<Padding> padding = findPadding(op.getInput());
  if (!padding)
    return refusal.because("'input' is not padded");
  int32_t zeroPoint = op.getInputZeroPoint();
  // The constant is read with a sign, whatever its bits mean.
  auto expected = static_cast<int8_t>(zeroPoint);
  Refusal otherNumber;
  if (succeeded(checkPadIsFoldable(op, *padding, otherNumber, expected)))
    return FoldedPadding{*padding, zeroPoint, {}};
  ByteRange range(/*isUnsigned=*/false);
  if (!padding->number || !range.contains(*padding->number))
    return refusal.because(otherNumber.str());
  auto number = static_cast<int32_t>(*padding->number);
  if (failed(checkPadIsFoldable(op, *padding, refusal, number)))
    return failure();
  auto isZero = [](int64_t pad) { return pad == 0; };
  if (!llvm::all_of(op.getPadLow(), isZero) ||
      !llvm::all_of(op.getPadHigh(), isZero))
    return refusal.because(otherNumber.str(), ", as the op pads already");
  if (op.getBias() && !getElementTypeOrSelf(op.getBias()).isInteger(32))
    return refusal.because(otherNumber.str(), ", and the bias is in f32");
  if (op.getInputUnsigned())
    number = static_cast<uint8_t>(number);
  Refusal notConstant;
  FailureOr<std::vector<int32_t>> correction =
      sumFilter(op, number - zeroPoint, notConstant);
  if (failed(correction))
    return refusal.because(otherNumber.str(),
                           ", and the filter is not "
                           "constant: ",
                           notConstant.str());
  return FoldedPadding{*padding, number, std::move(*correction)};
}

LogicalResult fusion::explainPaddedInput(FusedOpInterface op,
                                         const FuseOptions &,
                                         Refusal &refusal) {
  auto conv = dyn_cast<QuantizedConvBiasActOp>(op.getOperation());
  std::optional<Padding> padding =
      conv ? findPadding(conv.getInput()) : std::nullopt;
  if (!padding)
    return conv ? checkNoPaddedGroups(conv.getInput(), refusal) : success();
  // No op pads with what only a call knows: it is a copy of the input.
  if (!padding->number)
    return success();
  if (failed(matchPadding(conv, refusal)))
    return failure();
  return refusal.because("'", padding->op->getName(),
                         "' of the input can be folded; "
                         "'fusion-fuse-quantized' has not run");
}

namespace {
struct PaddedInputLaw : public OpRewritePattern<QuantizedConvBiasActOp> {
  // Before a bias in f32 stands in the way.
  PaddedInputLaw(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/4) {}

  LogicalResult matchAndRewrite(QuantizedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<FoldedPadding> match = matchPadding(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    const Padding &padding = match->padding;
    SmallVector<int64_t> low(op.getPadLow()), high(op.getPadHigh());
    for (auto [i, dim] :
         llvm::enumerate(op.getInputLayout().getSpatialPositions())) {
      low[i] += *getConstantIntValue(padding.low[dim]);
      high[i] += *getConstantIntValue(padding.high[dim]);
    }
    Value bias = op.getBias();
    if (!match->correction.empty()) {
      Value correction = emitVector(rewriter, op.getLoc(), match->correction);
      bias = bias ? emitVectorSum(rewriter, op.getLoc(), bias, correction)
                  : correction;
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().assign(padding.source);
      op.setPadLow(low);
      op.setPadHigh(high);
      op.setInputZeroPoint(match->zeroPoint);
      op.getBiasMutable().assign(bias ? ValueRange(bias) : ValueRange());
    });
    return success();
  }
};
} // namespace

void fusion::populatePaddedInputLaw(RewritePatternSet &patterns,
                                    const FuseOptions &) {
  patterns.add<PaddedInputLaw>(patterns.getContext());
  populatePaddedGroupsPatterns(patterns);
}
