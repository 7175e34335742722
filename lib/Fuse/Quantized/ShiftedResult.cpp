//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/RequantizedSum.h"
#include "FusionDialect/IR/ByteRange.h"
#include "Laws.h"
#include "NewResult.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

/// An element-wise op that makes integers of 8 bits of those that `op` does;
/// null if there is none.
static linalg::LinalgOp findUser(FusedOpInterface op) {
  return findElementwiseUser(op, 8,
                             [](Type type) { return type.isInteger(8); });
}

/// Refuses what may give other bits than `shifted` behind the op.
static LogicalResult checkExact(const ShiftedIntegers &shifted, double scale,
                                Refusal &refusal) {
  if (shifted.added != 0)
    return refusal.because("quant-rounding is exact, and ", shifted.added,
                           " is added to a rounded number");
  int exponent;
  if (std::frexp(scale, &exponent) != 0.5)
    return refusal.because("quant-rounding is exact, and the scale ", scale,
                           " is no power of two");
  return success();
}

/// The quantisation of the result of `op` with `shifted` behind it.
static Quantization shift(QuantizedOpInterface op,
                          const ShiftedIntegers &shifted) {
  ByteRange range(shifted.isSourceUnsigned);
  auto clamp = [&](int64_t number) {
    return std::clamp(number + shifted.added, shifted.lower, shifted.upper);
  };
  return Quantization{shifted.source,
                      op.getOutputScale().convertToFloat(),
                      op.getOutputZeroPoint() + shifted.added,
                      clamp(range.least),
                      clamp(range.greatest),
                      shifted.isUnsigned,
                      Rounding::HalfEven};
}

static FailureOr<NewResult>
matchResult(FusedOpInterface op, QuantRounding rounding, Refusal &refusal) {
  linalg::LinalgOp user = findUser(op);
  if (!user)
    return refusal.because("no op shifts the integers of the result");
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (user->getBlock() != op->getBlock())
    return refusal.because("integers are shifted in another block");
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  Refusal reason;
  FailureOr<ShiftedIntegers> shifted = ShiftedIntegers::match(user, reason);
  if (succeeded(shifted) &&
      shifted->isSourceUnsigned != quantized.getOutputUnsigned())
    shifted = shifted->withOtherSigns(reason);
  if (failed(shifted))
    return refusal.because("integers are not shifted: ", reason.str());
  if (shifted->source != op->getResult(0))
    return refusal.because("integers are not shifted: those of another tensor "
                           "are");
  NewResult result;
  result.user = user;
  result.quantization = shift(quantized, *shifted);
  const Quantization &quantization = *result.quantization;
  if (rounding == QuantRounding::Exact &&
      failed(checkExact(*shifted, quantization.scale, refusal)))
    return failure();
  if (!ByteRange(quantization.isUnsigned).contains(quantization.zeroPoint))
    return refusal.because("unsupported: zero point ", quantization.zeroPoint,
                           " of the result");
  if (failed(findActivation(op, result, refusal)))
    return failure();
  return result;
}

LogicalResult fusion::explainShiftedResult(FusedOpInterface op,
                                           const FuseOptions &options,
                                           Refusal &refusal) {
  linalg::LinalgOp user = findUser(op);
  // A sum with another tensor is a loop, as the sum of a residual block is.
  // StableHLO rescales each side in an op of its own.
  Refusal unread = Refusal::unread();
  FailureOr<AffineRounding> form = failure();
  if (user)
    form = AffineRounding::match(user, unread, /*mayRoundBetween=*/true);
  if (succeeded(form) && (form->terms.size() > 1 || isSideOfSum(user)))
    return success();
  return explainResultLaw(op, user, options, matchResult, refusal);
}

void fusion::populateShiftedResultLaw(RewritePatternSet &patterns,
                                      const FuseOptions &options) {
  addResultLaw(patterns, options.quantRounding, matchResult,
               "ShiftedResultLaw");
}
