//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A kernel reads floats, so that a dequantised image has to be written for it.
// A loop that adds up the image dequantises each element on its way, once
// fusion-merge-elementwise has merged the two.

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/IR/Layout.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// Fails unless `op` adds up the whole of a dequantised image.
static LogicalResult checkSum(PoolOp op, Refusal &refusal) {
  if (op.getPooling() != Pooling::Sum || !readsIntegers(op.getInput()))
    return refusal.because("no sum of dequantised numbers");
  if (failed(Dequantization::match(op.getInput(), refusal)))
    return failure();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  for (auto [i, dim] : llvm::enumerate(op.getLayout().getSpatialPositions()))
    if (op.getKernel()[i] != type.getDimSize(dim) || op.getPadLow()[i] != 0 ||
        op.getPadHigh()[i] != 0)
      return refusal.because("window is not the image: size ",
                             op.getKernel()[i], " in dimension ", dim);
  if (!op.getInput().hasOneUse())
    return refusal.because("the dequantised image has other users");
  return success();
}

/// The dimensions of a tensor of `layout`, whose spatial ones have size 1,
/// grouped so that batch and channel are left.
static SmallVector<ReassociationIndices> groupByChannel(LayoutAttr layout) {
  SmallVector<ReassociationIndices> groups(1);
  bool isNamed = false;
  for (auto [dim, letter] : llvm::enumerate(layout.getLetters())) {
    bool isSpatial = letter != 'n' && letter != 'c';
    if (!isSpatial && isNamed)
      groups.emplace_back();
    isNamed |= !isSpatial;
    groups.back().push_back(static_cast<int64_t>(dim));
  }
  return groups;
}

/// Adds up the spatial dimensions of the input of `op`.
static Value emitSum(OpBuilder &builder, PoolOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> kept;
  SmallVector<utils::IteratorType> iterators;
  for (auto [dim, letter] : llvm::enumerate(op.getLayout().getLetters())) {
    bool isKept = letter == 'n' || letter == 'c';
    iterators.push_back(isKept ? utils::IteratorType::parallel
                               : utils::IteratorType::reduction);
    if (!isKept)
      continue;
    kept.push_back(builder.getAffineDimExpr(dim));
    sizes.push_back(tensor::getMixedSize(builder, loc, op.getInput(), dim));
  }
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(type.getElementType()));
  Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  AffineMap maps[] = {
      builder.getMultiDimIdentityMap(type.getRank()),
      AffineMap::get(type.getRank(), 0, kept, builder.getContext())};
  return linalg::GenericOp::create(
             builder, loc, init.getType(), op.getInput(), init, maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(
                   b, loc,
                   arith::AddFOp::create(b, loc, args[1], args[0]).getResult());
             })
      .getResult(0);
}

namespace {
struct SummedImageLaw : public OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    if (failed(checkSum(op, refusal)))
      return refusal.notify(rewriter, op);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op.getResult().getType(), emitSum(rewriter, op),
        groupByChannel(op.getLayout()),
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getInit()));
    return success();
  }
};
} // namespace

void fusion::populateSummedImageLaw(RewritePatternSet &patterns,
                                    const FuseOptions &) {
  patterns.add<SummedImageLaw>(patterns.getContext());
}
