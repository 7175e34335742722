//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/ConstantAttr.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONDROPTAPS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// One spatial dimension of a convolution.
struct Window {
  int64_t input, kernel, stride, dilation, padLow, padHigh;
};
} // namespace

/// Drops the taps of `window` that read only padding. Returns how many were in
/// front of those that are left.
static FailureOr<int64_t> dropTaps(Window &window, Refusal &refusal) {
  auto &[input, kernel, stride, dilation, padLow, padHigh] = window;
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(kernel))
    return refusal.because("a spatial size is not known");
  int64_t room = input + padLow + padHigh - (kernel - 1) * dilation - 1;
  if (kernel == 0 || room < 0)
    return refusal.because("the kernel or the result is empty");
  // Tap k reads elements k * dilation - padLow to k * dilation - reach, of
  // which one must be 0 or more, and one less than the size of the input.
  int64_t reach = padLow - room / stride * stride;
  int64_t begin = llvm::divideCeil(std::max<int64_t>(reach, 0), dilation);
  int64_t end =
      std::min<int64_t>(llvm::divideCeil(input + padLow, dilation), kernel);
  if (begin >= end)
    return refusal.because("no tap reads an element of the input");
  // A negative pad would cut the image off. The rest behind the last
  // window may grow until there is another one.
  int64_t unread = room % stride;
  int64_t spare = padHigh + stride - 1 - unread;
  begin = std::min(begin, padLow / dilation);
  end = std::max(end, kernel - spare / dilation);
  if (end - begin == kernel)
    return refusal.because("no tap can be dropped");
  padLow -= begin * dilation;
  padHigh = std::max<int64_t>(padHigh - (kernel - end) * dilation, 0);
  kernel = end - begin;
  if (kernel == 1)
    dilation = 1;
  return begin;
}

/// The part of `filter` from `offsets` on. A constant is cut now, and what
/// depends on constants is hoisted. Of anything else the kernel packs what it
/// reads in each call, so that a slice, which is a view, makes it pack less.
static Value sliceFilter(OpBuilder &builder, Location loc, Value filter,
                         ArrayRef<int64_t> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  ElementsAttr elements;
  std::optional<SmallVector<int64_t>> shape = getConstantIntValues(sizes);
  if (shape && matchPattern(filter, m_Constant(&elements)))
    if (ElementsAttr part =
            sliceElements(elements, offsets, *shape, "fusion_sliced"))
      return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(part));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      builder, loc, filter,
      getAsIndexOpFoldResult(builder.getContext(), offsets), sizes, ones);
}

namespace {
template <typename ConvOp> struct DropTaps : public OpRewritePattern<ConvOp> {
  using OpRewritePattern<ConvOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "its operands are buffers");
    SmallVector<int64_t> dilations(op.getDilations()), low(op.getPadLow()),
        high(op.getPadHigh());
    auto type = cast<RankedTensorType>(op.getFilter().getType());
    SmallVector<int64_t> offsets(type.getRank(), 0), shape(type.getShape());
    Refusal refusal;
    for (auto [i, dim] :
         llvm::enumerate(op.getFilterLayout().getSpatialPositions())) {
      char letter = getSpatialLetters(op.getSpatialRank())[i];
      Window window{op.getInputLayout().getDimSize(op.getInput(), letter),
                    shape[dim],
                    op.getStrides()[i],
                    dilations[i],
                    low[i],
                    high[i]};
      FailureOr<int64_t> first = dropTaps(window, refusal);
      if (failed(first))
        continue;
      offsets[dim] = *first;
      shape[dim] = window.kernel;
      dilations[i] = window.dilation;
      low[i] = window.padLow;
      high[i] = window.padHigh;
    }
    if (ArrayRef(shape) == type.getShape())
      return refusal.notify(rewriter, op);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getFilter());
    for (int64_t dim : op.getFilterLayout().getSpatialPositions())
      if (!ShapedType::isDynamic(shape[dim]))
        sizes[dim] = rewriter.getIndexAttr(shape[dim]);
    Value filter =
        sliceFilter(rewriter, op.getLoc(), op.getFilter(), offsets, sizes);
    rewriter.modifyOpInPlace(op, [&] {
      op.getFilterMutable().assign(filter);
      op.setDilations(dilations);
      op.setPadLow(low);
      op.setPadHigh(high);
    });
    return success();
  }
};

struct DropTapsPass : public fusion::impl::FusionDropTapsBase<DropTapsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<DropTaps<FusedConvBiasActOp>, DropTaps<QuantizedConvBiasActOp>>(
            &getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "taps that read only padding")))
      signalPassFailure();
  }
};
} // namespace
