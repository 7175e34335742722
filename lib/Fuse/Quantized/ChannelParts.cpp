//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The output channel of a grouped op may be two dimensions behind a reshape,
// group and channel. The reshape moves behind an op whose other operands vary
// along both of them, in order, or along none.

#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The result of an op on integers whose output channel is in several
/// dimensions.
struct SplitChannel {
  Value result;
  ReassociationIndices dims;
};

/// An operand of an element-wise op, and the map by which it is read.
struct Read {
  Value value;
  AffineMap map;
};
} // namespace

static FailureOr<SplitChannel> matchSplitChannel(linalg::LinalgOp op,
                                                 Refusal &refusal) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
    auto sum = expand ? expand.getSrc().getDefiningOp<FusedOpInterface>()
                      : FusedOpInterface();
    if (!sum || !isa<QuantizedOpInterface>(sum.getOperation()) ||
        !op.getMatchingIndexingMap(operand).isIdentity())
      continue;
    ReassociationIndices dims =
        expand.getReassociationIndices()[sum.getOutputChannelDim()];
    if (dims.size() > 1)
      return SplitChannel{expand.getResult(), dims};
  }
  return refusal.because("no operand has its channel in several dimensions");
}

/// Reads what a broadcast reads in its place.
static Read skipBroadcast(Read read) {
  Operation *op = read.value.getDefiningOp();
  std::optional<Broadcast> broadcast = op ? matchBroadcast(op) : std::nullopt;
  if (!broadcast || !read.map.isIdentity())
    return read;
  std::optional<AffineMap> map = getSourceMap(*broadcast, op->getContext());
  return map ? Read{broadcast->source, *map} : read;
}

/// True if `map` names no dimensions but `dims`, and not all of them in order.
static bool isPart(AffineMap map, ArrayRef<int64_t> dims) {
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return false;
  SmallVector<int64_t> read;
  for (AffineExpr expr : map.getResults())
    read.push_back(cast<AffineDimExpr>(expr).getPosition());
  return read != dims && llvm::all_of(read, [&](int64_t dim) {
           return llvm::is_contained(dims, dim);
         });
}

/// Repeats `part` along those of the channel's dimensions that it lacks, and
/// brings the others into their order.
static Value emitWhole(OpBuilder &builder, Location loc, const Read &part,
                       const SplitChannel &channel) {
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> places(part.map.getNumDims());
  for (auto [i, dim] : llvm::enumerate(channel.dims)) {
    sizes.push_back(tensor::getMixedSize(builder, loc, channel.result, dim));
    places[dim] = builder.getAffineDimExpr(i);
  }
  SmallVector<AffineExpr> read;
  for (AffineExpr expr : part.map.getResults())
    read.push_back(places[cast<AffineDimExpr>(expr).getPosition()]);
  size_t rank = channel.dims.size();
  AffineMap maps[] = {AffineMap::get(rank, 0, read, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(part.value));
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), part.value, empty, maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, args[0]);
             })
      .getResult(0);
}

/// Makes a constant of `whole`, which other laws read, if its numbers are
/// known.
static Value evaluateWhole(OpBuilder &builder, Value whole) {
  auto type = cast<RankedTensorType>(whole.getType());
  Refusal unread = Refusal::unread();
  if (type.getElementType().isF32()) {
    FailureOr<std::vector<double>> numbers = evaluateConstant(whole, unread);
    if (failed(numbers))
      return whole;
    SmallVector<float> elements(numbers->begin(), numbers->end());
    return arith::ConstantOp::create(
        builder, whole.getLoc(),
        DenseElementsAttr::get(type, ArrayRef<float>(elements)));
  }
  if (!type.getElementType().isInteger())
    return whole;
  FailureOr<std::vector<int64_t>> numbers = evaluateIntegers(whole, unread);
  if (failed(numbers))
    return whole;
  unsigned width = type.getElementTypeBitWidth();
  auto elements = llvm::map_to_vector(
      *numbers, [&](int64_t number) { return APInt(width, number, true); });
  return arith::ConstantOp::create(builder, whole.getLoc(),
                                   DenseElementsAttr::get(type, elements));
}

namespace {
struct ChannelPartsLaw : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  // Before the law on reshapes, which leaves such an op alone or hides the
  // broadcast behind a reshape.
  ChannelPartsLaw(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<SplitChannel> channel = matchSplitChannel(op, refusal);
    if (failed(channel))
      return refusal.notify(rewriter, op);
    SmallVector<std::pair<unsigned, Read>> parts;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Read read =
          skipBroadcast({operand->get(), op.getMatchingIndexingMap(operand)});
      if (isPart(read.map, channel->dims))
        parts.emplace_back(operand->getOperandNumber(), read);
    }
    if (parts.empty())
      return rewriter.notifyMatchFailure(
          op, "no operand varies along a part of the channel");
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op.getOperation())
            ? cast<linalg::GenericOp>(op.getOperation())
            : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return rewriter.notifyMatchFailure(op, "op has no generic form");
    rewriter.setInsertionPoint(*generic);
    SmallVector<AffineMap> maps = generic->getIndexingMapsArray();
    SmallVector<unsigned> dims(channel->dims.begin(), channel->dims.end());
    SmallVector<Value> wholes;
    for (auto &[number, part] : parts) {
      wholes.push_back(evaluateWhole(
          rewriter, emitWhole(rewriter, generic->getLoc(), part, *channel)));
      maps[number] = rewriter.getMultiDimIdentityMap(maps[number].getNumDims())
                         .getSubMap(dims);
    }
    rewriter.modifyOpInPlace(*generic, [&] {
      for (auto [part, whole] : llvm::zip_equal(parts, wholes))
        generic->getOperation()->setOperand(part.first, whole);
      generic->setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};
} // namespace

void fusion::populateChannelPartsLaw(RewritePatternSet &patterns,
                                     const FuseOptions &) {
  patterns.add<ChannelPartsLaw>(patterns.getContext());
}
