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

static FailureOr<Extension> matchExtension(Operation *op, Refusal &refusal) {
  Value moved = getMovedTensor(op);
  if (!moved || !getElementTypeOrSelf(moved).isInteger(32))
    return refusal.because("no op that moves elements of i32");
  auto extend = moved.getDefiningOp<linalg::LinalgOp>();
  if (!extend || !extend->hasOneUse() || !feedsProducts(op))
    return refusal.because("no op extends what products alone read");
  FailureOr<AffineRounding> form = AffineRounding::match(extend, refusal);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1 || form->offset.size() != 1 ||
      form->terms[0].factor != AffineRounding::Numbers({1.0}))
    return refusal.because("what is moved is scaled");
  Extension match{extend, extend->getOperand(form->terms[0].input), {}};
  if (!getElementTypeOrSelf(match.source).isInteger(8))
    return refusal.because("what is moved is not extended from i8");
  if (failed(checkElementwise({extend, match.source}, refusal)))
    return failure();
  if (!isa<tensor::PadOp, tensor::InsertSliceOp>(op))
    return match;
  match.padding = findPadding(op->getResult(0));
  if (match.padding && match.padding->source != moved)
    return refusal.because("what is padded is reshaped");
  if (failed(findNumber(*form, match, refusal)))
    return failure();
  return match;
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
    TypedAttr number =
        rewriter.getI8IntegerAttr(static_cast<int8_t>(match->number));
    Value moved;
    if (isa<tensor::InsertSliceOp>(op))
      moved = pad(rewriter, op, *match, number);
    else
      moved = recreateMove(rewriter, op, match->source, number)->getResult(0);
    ElementwiseStep step{match->op, match->source};
    rewriter.replaceOp(op, emitElementwise(rewriter, step, moved));
    return success();
  }

  static Value pad(PatternRewriter &rewriter, Operation *op,
                   const Extension &extension, TypedAttr number) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Location loc = op->getLoc();
    Value constant = arith::ConstantOp::create(rewriter, loc, number);
    return tensor::PadOp::create(rewriter, loc, type.clone(number.getType()),
                                 extension.source, extension.padding->low,
                                 extension.padding->high, constant);
  }
};
} // namespace

void fusion::populateMovedExtensionLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  patterns.add<MovedExtensionLaw>(patterns.getContext());
}
