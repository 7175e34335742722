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
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A padding of i32 as one of the i8 that an op extends.
struct Extension {
  linalg::LinalgOp op;
  Value source;
  int64_t number; ///< to pad the i8 with, as its bits
};
} // namespace

static FailureOr<Extension> matchExtension(tensor::PadOp pad,
                                           Refusal &refusal) {
  auto isProduct = [](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && isRaisable(op);
  };
  if (!pad.getResultType().getElementType().isInteger(32) ||
      !llvm::all_of(pad->getUsers(), isProduct))
    return refusal.because("no product of i32 reads the padding");
  std::optional<Padding> padding = findPadding(pad.getResult());
  auto extend = pad.getSource().getDefiningOp<linalg::LinalgOp>();
  if (!padding || !padding->number || !extend || !extend->hasOneUse())
    return refusal.because("no op extends what is padded with a constant");
  FailureOr<AffineRounding> form = AffineRounding::match(extend, refusal);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1 || form->offset.size() != 1 ||
      form->terms[0].factor != AffineRounding::Numbers({1.0}))
    return refusal.because("what is padded is scaled");
  const AffineRounding::Term &term = form->terms[0];
  Value source = extend->getOperand(term.input);
  double number = *padding->number - form->offset[0];
  if (!getElementTypeOrSelf(source).isInteger(8) || number < term.least ||
      number > term.greatest || *padding->number < form->lower ||
      *padding->number > form->upper)
    return refusal.because("the padding is no number of i8");
  return Extension{extend, source, static_cast<int64_t>(number)};
}

namespace {
struct PaddedExtensionLaw : public OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp pad,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Extension> match = matchExtension(pad, refusal);
    if (failed(match))
      return refusal.notify(rewriter, pad);
    Location loc = pad.getLoc();
    Type i8 = rewriter.getI8Type();
    Value number = arith::ConstantOp::create(
        rewriter, loc,
        rewriter.getIntegerAttr(i8, static_cast<int8_t>(match->number)));
    Value padded = tensor::PadOp::create(
        rewriter, loc, pad.getResultType().clone(i8), match->source,
        pad.getMixedLowPad(), pad.getMixedHighPad(), number);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, padded),
        rewriter.getI32Type());
    IRMapping mapping;
    mapping.map(match->source, padded);
    mapping.map(match->op.getDpsInits()[0], empty);
    Operation *copy = rewriter.clone(*match->op, mapping);
    copy->getResult(0).setType(pad.getResultType());
    rewriter.replaceOp(pad, copy);
    return success();
  }
};
} // namespace

void fusion::populatePaddedExtensionLaw(RewritePatternSet &patterns,
                                        const FuseOptions &) {
  patterns.add<PaddedExtensionLaw>(patterns.getContext());
}
