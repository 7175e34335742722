//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSPLITSUMS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;
using utils::IteratorType;

namespace {
/// How a reduction becomes one along outer loops and one along inner loops.
struct Split {
  SmallVector<unsigned> order; ///< of the loops of the first one
  SmallVector<unsigned> kept;  ///< those that are loops of the second one
  Operation *combiner;
};
} // namespace

static bool isReduction(linalg::GenericOp op, unsigned loop) {
  return linalg::isReductionIterator(op.getIteratorTypesArray()[loop]);
}

/// The loops along the dimensions of `map`, from the outermost one.
static SmallVector<unsigned> getLoops(AffineMap map) {
  SmallVector<unsigned> loops;
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      loops.push_back(dim.getPosition());
  return loops;
}

/// How many of `loops`, the innermost ones, are reductions; 0 unless there are
/// parallel loops around these, and reductions around those.
static size_t countInner(linalg::GenericOp op, ArrayRef<unsigned> loops) {
  auto reduces = [&](unsigned loop) { return isReduction(op, loop); };
  ArrayRef<unsigned> outer = loops;
  while (!outer.empty() && reduces(outer.back()))
    outer = outer.drop_back();
  return llvm::any_of(outer, reduces) ? loops.size() - outer.size() : 0;
}

/// The first op reads so many elements for each one that it writes, or more.
static constexpr int64_t kLeastOuterIterations = 8;

/// True if the reductions of `loops` but the inner ones have so many
/// iterations, or an unknown number.
static bool isLong(linalg::GenericOp op, ArrayRef<unsigned> loops,
                   size_t numInner) {
  SmallVector<int64_t> sizes =
      cast<linalg::LinalgOp>(op.getOperation()).getStaticLoopRanges();
  int64_t iterations = 1;
  for (unsigned loop : loops.drop_back(numInner)) {
    if (!isReduction(op, loop))
      continue;
    if (ShapedType::isDynamic(sizes[loop]))
      return true;
    iterations *= sizes[loop];
  }
  return iterations >= kLeastOuterIterations;
}

/// The split of a reduction along the last dimensions of an input and others in
/// front of parallel ones.
static FailureOr<Split> match(linalg::GenericOp op, PatternRewriter &rewriter) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() ||
      !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
        return map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return rewriter.notifyMatchFailure(op, "operands are not read in place");
  SmallVector<Operation *, 1> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 || !arith::getNeutralElement(combiners[0]))
    return rewriter.notifyMatchFailure(op, "combines elements otherwise");
  SmallVector<unsigned> loops;
  size_t numInner = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    loops = getLoops(op.getMatchingIndexingMap(input));
    numInner = countInner(op, loops);
    if (numInner > 0)
      break;
  }
  if (numInner == 0)
    return rewriter.notifyMatchFailure(
        op, "no parallel loop is between reductions");
  if (!isLong(op, loops, numInner))
    return rewriter.notifyMatchFailure(op, "outer reductions are short");

  Split split{{}, {}, combiners[0]};
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(loops, loop))
      split.order.push_back(loop);
  llvm::append_range(split.order, loops);
  ArrayRef<unsigned> inner = ArrayRef(loops).take_back(numInner);
  llvm::copy_if(
      split.order, std::back_inserter(split.kept), [&](unsigned loop) {
        return !isReduction(op, loop) || llvm::is_contained(inner, loop);
      });
  return split;
}

/// The results of `map`, of the loops of `op`, in terms of the kept ones.
static AffineMap overKept(AffineMap map, const Split &split) {
  SmallVector<AffineExpr> moved(map.getNumDims());
  for (auto [place, loop] : llvm::enumerate(split.kept))
    moved[loop] = getAffineDimExpr(place, map.getContext());
  return map.replaceDimsAndSymbols(moved, {}, split.kept.size(), 0);
}

/// Copies `input` for each iteration of the kept loops, if it is the same for
/// some of these and for all others: so these may become one. `map` is its map.
static void repeat(OpBuilder &builder, Location loc, const Split &split,
                   ArrayRef<OpFoldResult> sizes, AffineMap kept, Value &input,
                   AffineMap &map) {
  SmallVector<unsigned> loops = getLoops(map);
  if (loops.empty() || loops.size() == sizes.size() ||
      !llvm::all_of(loops, [&](unsigned loop) {
        return llvm::is_contained(split.kept, loop);
      }))
    return;
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, getElementTypeOrSelf(input));
  auto copy = linalg::GenericOp::create(
      builder, loc, empty.getType(), input, empty,
      {overKept(map, split), builder.getMultiDimIdentityMap(sizes.size())},
      SmallVector<IteratorType>(sizes.size(), IteratorType::parallel),
      [](OpBuilder &inner, Location at, ValueRange args) {
        linalg::YieldOp::create(inner, at, args[0]);
      });
  input = copy.getResult(0);
  map = kept;
}

/// Reduces along the outer loops.
static Value reduceOuter(PatternRewriter &rewriter, linalg::GenericOp op,
                         const Split &split) {
  Location loc = op.getLoc();
  SmallVector<Range> ranges =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(rewriter, loc);
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> results;
  for (unsigned loop : split.kept) {
    sizes.push_back(ranges[loop].size);
    results.push_back(rewriter.getAffineDimExpr(loop));
  }
  auto kept = AffineMap::get(op.getNumLoops(), 0, results, op.getContext());
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    operands.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand));
    repeat(rewriter, loc, split, sizes, kept, operands.back(), maps.back());
  }
  maps.push_back(kept);
  auto reordered = inversePermutation(
      AffineMap::getPermutationMap(split.order, op.getContext()));
  for (AffineMap &map : maps)
    map = map.compose(reordered);
  auto iterators = llvm::map_to_vector(split.order, [&](unsigned loop) {
    return llvm::is_contained(split.kept, loop) ? IteratorType::parallel
                                                : IteratorType::reduction;
  });

  Value neutral = arith::ConstantOp::create(
      rewriter, loc, *arith::getNeutralElement(split.combiner));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, neutral.getType());
  Value init =
      linalg::FillOp::create(rewriter, loc, neutral, empty).getResult(0);
  auto outer = linalg::GenericOp::create(rewriter, loc, init.getType(),
                                         operands, init, maps, iterators);
  rewriter.cloneRegionBefore(op.getRegion(), outer.getRegion(),
                             outer.getRegion().begin());
  return outer.getResult(0);
}

/// Reduces `partial` along the inner loops, beginning with the init of `op`.
static Value reduceInner(PatternRewriter &rewriter, linalg::GenericOp op,
                         const Split &split, Value partial) {
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap result = overKept(op.getMatchingIndexingMap(init), split);
  auto iterators = llvm::map_to_vector(split.kept, [&](unsigned loop) {
    return op.getIteratorTypesArray()[loop];
  });
  auto inner = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), partial, init->get(),
      {rewriter.getMultiDimIdentityMap(split.kept.size()), result}, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        Operation *combined = builder.clone(*split.combiner);
        combined->setOperands(args);
        linalg::YieldOp::create(builder, loc, combined->getResults());
      });
  return inner.getResult(0);
}

namespace {
struct SplitSum : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<Split> split = match(op, rewriter);
    if (failed(split))
      return failure();
    Value partial = reduceOuter(rewriter, op, *split);
    rewriter.replaceOp(op, reduceInner(rewriter, op, *split, partial));
    return success();
  }
};

struct SplitSumsPass : public fusion::impl::FusionSplitSumsBase<SplitSumsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitSum>(&getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns), "sums")))
      signalPassFailure();
  }
};
} // namespace
