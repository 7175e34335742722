//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The output channel of a grouped op may be two dimensions behind a reshape,
// group and channel. The reshape moves behind an op whose other operands vary
// along both of them, in order, or along none. Here an operand that varies
// along one of them, or along both in another order, becomes one that varies
// along both.

#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "SplitChannel.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// An operand of an element-wise op, and the map by which it is read.
struct Read {
  Value value;
  AffineMap map;
};
} // namespace

/// The view of the result of `op` that alone uses it, or null.
static Operation *findOnlyView(Operation *op) {
  if (!op->hasOneUse() || op->use_begin()->getOperandNumber() != 0)
    return nullptr;
  Operation *user = *op->user_begin();
  return isView(user) ? user : nullptr;
}

/// The dimensions of its result that `view` makes of dimension `dim`, one or
/// several. Those of size 1 count only if `areUnitsParts`.
static std::optional<ReassociationIndices>
splitDim(Operation *view, int64_t dim, bool areUnitsParts) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view)) {
    ReassociationIndices parts = expand.getReassociationIndices()[dim];
    if (llvm::count_if(parts, [&](int64_t part) {
          return areUnitsParts || expand.getResultType().getDimSize(part) != 1;
        }) > 1)
      return parts;
  }
  std::optional<int64_t> moved = trackThroughViews(dim, view);
  if (!moved)
    return std::nullopt;
  return ReassociationIndices{*moved};
}

FailureOr<SplitChannel> fusion::matchSplitResult(FusedOpInterface op,
                                                 bool areUnitsParts,
                                                 Refusal &refusal) {
  ReassociationIndices dims = {op.getOutputChannelDim()};
  Operation *last = op;
  while (Operation *view = dims.size() == 1 ? findOnlyView(last) : nullptr) {
    std::optional<ReassociationIndices> split =
        splitDim(view, dims.front(), areUnitsParts);
    if (!split)
      return refusal.because("a reshape merges the channel with other "
                             "dimensions");
    dims = *split;
    last = view;
  }
  if (dims.size() == 1 || !last->hasOneUse())
    return refusal.because("no reshape alone splits the channel, for one op");
  return SplitChannel{last->getResult(0), dims};
}

/// The element-wise op that reads `value` element for element; null if another
/// op does.
static linalg::LinalgOp findElementwiseReader(Value value) {
  OpOperand &use = *value.use_begin();
  auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
  bool isElementwise = op && op->getNumResults() == 1 && op.isDpsInput(&use) &&
                       op.isAllParallelLoops() &&
                       op.getMatchingIndexingMap(&use).isIdentity();
  return isElementwise ? op : linalg::LinalgOp();
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

/// True if `map` names the dimensions `dims`, in order.
static bool isWhole(AffineMap map, ArrayRef<int64_t> dims) {
  SmallVector<unsigned> whole(dims.begin(), dims.end());
  return map ==
         AffineMap::getMultiDimIdentityMap(map.getNumDims(), map.getContext())
             .getSubMap(whole);
}

/// True if `map` names no dimensions but `dims`, and not all of them in order.
static bool isPart(AffineMap map, ArrayRef<int64_t> dims) {
  return map.isProjectedPermutation() && map.getNumResults() > 0 &&
         !isWhole(map, dims) &&
         llvm::all_of(map.getResults(), [&](AffineExpr expr) {
           return llvm::is_contained(dims,
                                     cast<AffineDimExpr>(expr).getPosition());
         });
}

/// Repeats `part` along those of the channel's dimensions that it lacks, and
/// brings the others into their order. Gives a constant if the numbers are
/// known.
static Value emitWhole(OpBuilder &builder, Location loc, const Read &part,
                       const SplitChannel &channel) {
  if (isWhole(part.map, channel.dims))
    return part.value;
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> places(part.map.getNumDims());
  for (auto [i, dim] : llvm::enumerate(channel.dims)) {
    sizes.push_back(tensor::getMixedSize(builder, loc, channel.tensor, dim));
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
  auto broadcast = linalg::GenericOp::create(
      builder, loc, empty.getType(), part.value, empty, maps, iterators,
      [](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, args[0]);
      });
  return emitEvaluated(builder, broadcast.getResult(0));
}

/// The operands of `op` that vary along a part of `channel`, by their numbers,
/// and those that are broadcasts of the whole.
static SmallVector<std::pair<unsigned, Read>>
findParts(linalg::LinalgOp op, const SplitChannel &channel) {
  SmallVector<std::pair<unsigned, Read>> parts;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Read read =
        skipBroadcast({operand->get(), op.getMatchingIndexingMap(operand)});
    bool isBroadcast = read.value != operand->get();
    if (isPart(read.map, channel.dims) ||
        (isBroadcast && isWhole(read.map, channel.dims)))
      parts.emplace_back(operand->getOperandNumber(), read);
  }
  return parts;
}

bool fusion::readsChannelPart(const SplitChannel &channel) {
  linalg::LinalgOp op = findElementwiseReader(channel.tensor);
  return op && !findParts(op, channel).empty();
}

namespace {
struct ChannelPartsLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  // Before a step is named.
  ChannelPartsLaw(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(FusedOpInterface fused,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    // On floats the dimensions of size 1 are read as none.
    FailureOr<SplitChannel> channel = matchSplitResult(
        fused, isa<QuantizedOpInterface>(fused.getOperation()), refusal);
    if (failed(channel))
      return refusal.notify(rewriter, fused);
    linalg::LinalgOp op = findElementwiseReader(channel->tensor);
    if (!op)
      return rewriter.notifyMatchFailure(fused, "next op is not element-wise");
    SmallVector<std::pair<unsigned, Read>> parts = findParts(op, *channel);
    if (parts.empty())
      return rewriter.notifyMatchFailure(
          fused, "no operand varies along a part of the channel");
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> generic =
        isa<linalg::GenericOp>(op.getOperation())
            ? cast<linalg::GenericOp>(op.getOperation())
            : linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return rewriter.notifyMatchFailure(fused, "next op has no generic form");
    rewriter.setInsertionPoint(*generic);
    SmallVector<AffineMap> maps = generic->getIndexingMapsArray();
    SmallVector<unsigned> dims(channel->dims.begin(), channel->dims.end());
    SmallVector<Value> wholes;
    for (auto &[number, part] : parts) {
      wholes.push_back(emitWhole(rewriter, generic->getLoc(), part, *channel));
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

/// An accumulator is such an operand as well: the op was raised with it as its
/// residual.
struct ChannelPartsBiasLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  ChannelPartsBiasLaw(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto collapse =
        op.getResidual()
            ? op.getResidual().getDefiningOp<tensor::CollapseShapeOp>()
            : tensor::CollapseShapeOp();
    if (!collapse || op.getResidualAfterActivation() ||
        isa<QuantizedOpInterface>(op.getOperation()))
      return rewriter.notifyMatchFailure(
          op, "no reshape makes a residual in front of the activation");
    SplitChannel channel{
        collapse.getSrc(),
        collapse.getReassociationIndices()[op.getOutputChannelDim()]};
    int64_t rank = collapse.getSrcType().getRank();
    Read part = skipBroadcast(
        {collapse.getSrc(), rewriter.getMultiDimIdentityMap(rank)});
    if (!isPart(part.map, channel.dims) ||
        !getElementTypeOrSelf(part.value).isF32())
      return rewriter.notifyMatchFailure(
          op, "'residual' does not vary along a part of the channel");
    Location loc = collapse.getLoc();
    Value whole = emitWhole(rewriter, loc, part, channel);
    ReassociationIndices all = llvm::to_vector(
        llvm::seq<int64_t>(0, static_cast<int64_t>(channel.dims.size())));
    Value bias = tensor::CollapseShapeOp::create(
        rewriter, loc, whole, SmallVector<ReassociationIndices>{all});
    if (op.getBias())
      bias = emitVectorSum(rewriter, loc, op.getBias(), bias);
    rewriter.modifyOpInPlace(op, [&] {
      op.getBiasMutable().assign(bias);
      op.getResidualMutable().clear();
    });
    return success();
  }
};
} // namespace

void fusion::populateChannelPartsLaw(RewritePatternSet &patterns,
                                     const FuseOptions &) {
  patterns.add<ChannelPartsLaw>(patterns.getContext());
}

void fusion::populateChannelPartsBiasLaw(RewritePatternSet &patterns,
                                         const FuseOptions &options) {
  if (options.allowReshape)
    patterns.add<ChannelPartsBiasLaw>(patterns.getContext());
}
