//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/AffineRounding.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Utils/EmitElementwise.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "NumberRange.h"
#include "RunTimeDequantization.h"
#include "RunTimeZeroPoint.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// An op that moves elements of i32, which are i8 that another op extends.
struct Extension {
  linalg::LinalgOp op;
  Value source;
  std::optional<Padding> padding; ///< by the op that moves
  int64_t number = 0;             ///< to pad the i8 with, as its bits
  /// The number to pad with in place of it, if only a call knows that.
  std::optional<UniformScalar> runTimeNumber = std::nullopt;
};
} // namespace

/// The tensor whose elements `op` moves, or which it surrounds.
static Value getMovedTensor(Operation *op) {
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return insert.getSource();
  OpOperand *operand = isa<PoolOp>(op) ? nullptr : getMovedOperand(op);
  return operand ? operand->get() : Value();
}

/// True if nothing but products reads the result of `op`, moved or not.
static bool feedsProducts(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
    auto product = dyn_cast<linalg::LinalgOp>(user);
    return (product && isRaisable(product)) ||
           (getMovedTensor(user) && feedsProducts(user));
  });
}

/// Finds the i8 to pad with in place of `padding` of what `form` computes.
static LogicalResult findNumber(const AffineRounding &form,
                                Extension &extension, Refusal &refusal) {
  if (!extension.padding || !extension.padding->number)
    return refusal.because("it is padded with what is no constant");
  double padded = *extension.padding->number;
  double number = padded - form.offset[0];
  const AffineRounding::Term &term = form.terms[0];
  if (number < term.least || number > term.greatest || padded < form.lower ||
      padded > form.upper)
    return refusal.because("the padding is no number of i8");
  extension.number = static_cast<int64_t>(number);
  return success();
}

/// Reads `op`, which makes i32 of i8 by constants alone.
static FailureOr<Extension> matchKnown(linalg::LinalgOp op,
                                       std::optional<Padding> padding,
                                       bool isPadded, Refusal &refusal) {
  FailureOr<AffineRounding> form = AffineRounding::match(op, refusal);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1 || form->offset.size() != 1 ||
      form->terms[0].factor != AffineRounding::Numbers({1.0}))
    return refusal.because("what is moved is scaled");
  Extension match{op, op->getOperand(form->terms[0].input), padding};
  if (!getElementTypeOrSelf(match.source).isInteger(8))
    return refusal.because("what is moved is not extended from i8");
  if (isPadded && failed(findNumber(*form, match, refusal)))
    return failure();
  return match;
}

/// Reads `op`, which makes i32 of i8 and subtracts `zeroPoint` from it.
static FailureOr<Extension> matchDifference(linalg::LinalgOp op,
                                            const SubtractedNumber &zeroPoint,
                                            std::optional<Padding> padding,
                                            bool isPadded, Refusal &refusal) {
  Operation *extend = zeroPoint.element.getDefiningOp();
  OpOperand *source =
      op.getMatchingOpOperand(cast<BlockArgument>(extend->getOperand(0)));
  if (!op.getMatchingIndexingMap(source).isIdentity() ||
      !op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity())
    return refusal.because("the i8 are not read element for element");
  Extension match{op, source->get(), padding};
  if (!isPadded)
    return match;
  if (!padding || padding->number != 0.0)
    return refusal.because("it is padded with another number than 0");
  Value difference = op.getBlock()->getTerminator()->getOperand(0);
  match.runTimeNumber =
      UniformScalar{op, difference.getDefiningOp()->getOperand(1)};
  ByteRange range(isa<arith::ExtUIOp>(extend));
  if (!getNumberRange(match.runTimeNumber->value).isWithin(range))
    return refusal.because("the zero point is not known to be ", range.least,
                           " to ", range.greatest);
  return match;
}

static FailureOr<Extension> matchExtension(Operation *op, Refusal &refusal) {
  Value moved = getMovedTensor(op);
  if (!moved || !getElementTypeOrSelf(moved).isInteger(32))
    return refusal.because("no op that moves elements of i32");
  auto extend = moved.getDefiningOp<linalg::LinalgOp>();
  if (!extend || !extend->hasOneUse() || !feedsProducts(op))
    return refusal.because("no op extends what products alone read");
  bool isPadded = isa<tensor::PadOp, tensor::InsertSliceOp>(op);
  std::optional<Padding> padding;
  if (isPadded)
    padding = findPadding(op->getResult(0));
  if (padding && padding->source != moved)
    return refusal.because("what is padded is reshaped");
  std::optional<SubtractedNumber> zeroPoint = matchSubtractedNumber(extend);
  bool isKnown = !zeroPoint || zeroPoint->isConstant();
  FailureOr<Extension> match =
      isKnown ? matchKnown(extend, padding, isPadded, refusal)
              : matchDifference(extend, *zeroPoint, padding, isPadded, refusal);
  if (failed(match) ||
      failed(checkElementwise({extend, match->source}, refusal)))
    return failure();
  return match;
}

LogicalResult fusion::explainPaddedDifference(linalg::LinalgOp op,
                                              Refusal &refusal) {
  Operation *moving = op->getOperand(0).getDefiningOp();
  while (moving && getMovedTensor(moving)) {
    Operation *source = getMovedTensor(moving).getDefiningOp();
    auto zeroPoint =
        matchSubtractedNumber(dyn_cast_or_null<linalg::LinalgOp>(source));
    if (!zeroPoint || zeroPoint->isConstant()) {
      moving = source;
      continue;
    }
    Refusal reason;
    if (succeeded(matchExtension(moving, reason)))
      return success();
    return refusal.because("unsupported: '", moving->getName().getStringRef(),
                           "' comes between operand 0 and its zero point, "
                           "which is not a constant: ",
                           reason.str());
  }
  return success();
}

namespace {
struct MovedExtensionLaw : public RewritePattern {
  MovedExtensionLaw(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Extension> match = matchExtension(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    Value moved =
        isa<tensor::PadOp, tensor::InsertSliceOp>(op)
            ? pad(rewriter, op, *match)
            : recreateMove(rewriter, op, match->source, {})->getResult(0);
    ElementwiseStep step{match->op, match->source};
    rewriter.replaceOp(op, emitElementwise(rewriter, step, moved));
    return success();
  }

  static Value pad(PatternRewriter &rewriter, Operation *op,
                   const Extension &extension) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Location loc = op->getLoc();
    Value number = extension.runTimeNumber
                       ? extension.runTimeNumber->emitByte(rewriter, loc)
                       : arith::ConstantOp::create(
                             rewriter, loc,
                             rewriter.getI8IntegerAttr(
                                 static_cast<int8_t>(extension.number)));
    auto given = dyn_cast<tensor::PadOp>(op);
    return tensor::PadOp::create(
        rewriter, loc, type.clone(rewriter.getI8Type()), extension.source,
        extension.padding->low, extension.padding->high, number,
        given && given.getNofold());
  }
};
} // namespace

void fusion::populateMovedExtensionLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  patterns.add<MovedExtensionLaw>(patterns.getContext());
}
