//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeInBuffer.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSEPARATEDESTINATIONS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Empty tensors
//===----------------------------------------------------------------------===//

/// Gives each op in the block of `fill` that adds to it one of its own, rather
/// than a copy.
static void separateUses(linalg::FillOp fill,
                         const bufferization::AnalysisState &state) {
  if (fill->use_empty() || fill->hasOneUse())
    return;
  OpBuilder builder(fill);
  for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (!op || !op.isDpsInit(&use) || op->getBlock() != fill->getBlock() ||
        !state.bufferizesToMemoryRead(use))
      continue;
    builder.setInsertionPoint(op);
    use.set(builder.clone(*fill)->getResult(0));
  }
  if (fill->use_empty())
    fill->erase();
}

/// Gives each use of `empty` as a destination a tensor of its own, in front of
/// the op that uses it and outside of the loops that `empty` is outside of.
static void separateUses(tensor::EmptyOp empty) {
  OpBuilder builder(empty);
  for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
    auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    if (op && op.isDpsInput(&use))
      continue; // tells its shape only
    Operation *place =
        empty->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (!place)
      continue; // in another block, which is not known to run once
    builder.setInsertionPoint(place);
    use.set(builder.clone(*empty)->getResult(0));
  }
  if (empty->use_empty())
    empty->erase();
}

//===----------------------------------------------------------------------===//
// Tensors with many readers
//===----------------------------------------------------------------------===//

/// A tensor with more readers is divided among as many at a time.
static constexpr size_t manyReaders = 64;

/// Whether nothing but the uses of `value` can read or write its buffer, as
/// long as it is used.
static bool hasOwnBuffer(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<FunctionOpInterface>(arg.getOwner()->getParentOp()) &&
           arg.getOwner()->isEntryBlock();
  return value.getDefiningOp<arith::ConstantOp>() ||
         getComputationInEmpty(value);
}

/// Whether bufferization makes of `use` no more than a read, of a slice or of
/// all.
static bool isRead(OpOperand &use, const bufferization::AnalysisState &state) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner()))
    return llvm::all_of(slice->getUses(),
                        [&](OpOperand &use) { return isRead(use, state); });
  return !isa<SubsetInsertionOpInterface>(use.getOwner()) &&
         isa<DestinationStyleOpInterface>(use.getOwner()) &&
         !state.bufferizesToMemoryWrite(use) &&
         state.getAliasingValues(use).getNumAliases() == 0;
}

/// Divides the uses of `value`, which are all reads, among tensors that the
/// analysis takes as separate. They are one buffer, which nothing writes to.
static void divideReaders(Value value,
                          const bufferization::AnalysisState &state) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getEncoding() || !value.hasNUsesOrMore(manyReaders + 1) ||
      !hasOwnBuffer(value) ||
      !llvm::all_of(value.getUses(),
                    [&](OpOperand &use) { return isRead(use, state); }))
    return;
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(value.getUses(), [](OpOperand &use) { return &use; });
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value buffer = bufferization::ToBufferOp::create(
      builder, value.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), value,
      /*readOnly=*/true);
  Value tensor;
  for (auto [i, use] : llvm::enumerate(uses)) {
    if (i % manyReaders == 0)
      tensor = bufferization::ToTensorOp::create(builder, value.getLoc(), type,
                                                 buffer, /*restrict=*/true,
                                                 /*writable=*/false);
    use->set(tensor);
  }
}

//===----------------------------------------------------------------------===//
// Chains of insertions
//===----------------------------------------------------------------------===//

/// Chains of fewer insertions are left to the analysis of bufferization, which
/// avoids more copies. Its time grows with the fourth power of this number.
static constexpr size_t longChain = 16;

/// Whether `op` inserts a part that is known into a tensor whose size is known.
static bool insertsKnownPart(tensor::InsertSliceOp op) {
  return op.getDestType().hasStaticShape() &&
         op.getSourceType().hasStaticShape() &&
         llvm::none_of(op.getStaticOffsets(), ShapedType::isDynamic) &&
         llvm::all_of(op.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

namespace {
/// A tensor that is made by one insertion after the other.
struct Chain {
  /// A tensor.empty, or computed in one.
  Value start;
  SmallVector<tensor::InsertSliceOp> insertions;

  /// Of parts of which no two overlap.
  bool isDisjoint() const;
  /// Rewrites the chain as insertions into a buffer.
  void rewrite(RewriterBase &rewriter);
};
} // namespace

/// The chain that ends with `last`. It is empty if a user of `last` continues
/// it.
static Chain getChain(tensor::InsertSliceOp last) {
  auto continues = [](tensor::InsertSliceOp next, tensor::InsertSliceOp op) {
    return op->hasOneUse() && next.getDest() == op.getResult() &&
           next->getBlock() == op->getBlock() && insertsKnownPart(op);
  };
  Chain chain;
  if (last->hasOneUse())
    if (auto next = dyn_cast<tensor::InsertSliceOp>(*last->user_begin()))
      if (insertsKnownPart(next) && continues(next, last))
        return chain;
  for (tensor::InsertSliceOp op = last; op && insertsKnownPart(op);) {
    chain.insertions.push_back(op);
    chain.start = op.getDest();
    auto before = chain.start.getDefiningOp<tensor::InsertSliceOp>();
    op = before && continues(op, before) ? before : nullptr;
  }
  std::reverse(chain.insertions.begin(), chain.insertions.end());
  return chain;
}

bool Chain::isDisjoint() const {
  auto areDisjoint = [&](int64_t dim) {
    SmallVector<std::pair<int64_t, int64_t>> ranges;
    for (tensor::InsertSliceOp op : insertions)
      ranges.push_back({op.getStaticOffset(dim),
                        op.getStaticOffset(dim) + op.getStaticSize(dim)});
    llvm::sort(ranges);
    return llvm::none_of(llvm::zip(ranges, ArrayRef(ranges).drop_front()),
                         [](auto neighbours) {
                           auto [left, right] = neighbours;
                           return left.second > right.first;
                         });
  };
  tensor::InsertSliceOp first = insertions.front();
  return llvm::any_of(llvm::seq(first.getDestType().getRank()), areDisjoint);
}

static Value createPart(OpBuilder &builder, tensor::InsertSliceOp op,
                        Value buffer) {
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      op.getSourceType().getShape(), cast<MemRefType>(buffer.getType()),
      op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides());
  return memref::SubViewOp::create(builder, op.getLoc(), type, buffer,
                                   op.getMixedOffsets(), op.getMixedSizes(),
                                   op.getMixedStrides());
}

/// The tensors that alias the buffer are in use one after the other: one for
/// each part, whose contents nothing reads behind its insertion, and one of the
/// whole behind the last insertion.
void Chain::rewrite(RewriterBase &rewriter) {
  tensor::InsertSliceOp last = insertions.back();
  Block *block = last->getBlock();
  DestinationStyleOpInterface startOp = getOnlyComputation(start);
  bool disjoint = isDisjoint();
  SmallVector<DestinationStyleOpInterface> computations;
  Operation *place = startOp ? startOp : insertions.front();
  for (tensor::InsertSliceOp op : insertions) {
    DestinationStyleOpInterface computation;
    if (disjoint)
      computation = getOnlyComputation(op.getSource());
    if (computation && (computation->getBlock() != block ||
                        (startOp && computation->isBeforeInBlock(startOp))))
      computation = nullptr;
    computations.push_back(computation);
    if (computation && computation->isBeforeInBlock(place))
      place = computation;
  }
  rewriter.setInsertionPoint(place);
  Value buffer = createBuffer(rewriter, last.getLoc(), last.getDestType());
  if (startOp) {
    computeIn(rewriter, startOp, start, buffer);
    rewriter.setInsertionPointAfter(startOp);
    storeIn(rewriter, startOp.getLoc(), start, buffer);
  }
  for (auto [op, computation] : llvm::zip_equal(insertions, computations)) {
    rewriter.setInsertionPoint(computation ? computation : op);
    Value part = createPart(rewriter, op, buffer);
    if (computation)
      computeIn(rewriter, computation, op.getSource(), part);
    rewriter.setInsertionPoint(op);
    storeIn(rewriter, op.getLoc(), op.getSource(), part);
  }
  rewriter.setInsertionPoint(last);
  rewriter.replaceOp(
      last, createToTensor(rewriter, last.getLoc(), last.getType(), buffer));
  for (tensor::InsertSliceOp op : llvm::drop_begin(llvm::reverse(insertions)))
    rewriter.eraseOp(op);
  auto empty = start.getDefiningOp<tensor::EmptyOp>();
  if (empty && empty->use_empty())
    rewriter.eraseOp(empty);
}

/// Whether `chain` begins with a tensor that is new whenever its block runs.
static bool beginsNew(const Chain &chain) {
  if (!chain.start)
    return false;
  DestinationStyleOpInterface op = getOnlyComputation(chain.start);
  return chain.start.getDefiningOp<tensor::EmptyOp>() ||
         (op && op->getBlock() == chain.insertions.back()->getBlock());
}

namespace {
struct SeparateDestinationsPass
    : public fusion::impl::FusionSeparateDestinationsBase<
          SeparateDestinationsPass> {
  void runOnOperation() override {
    bufferization::BufferizationOptions options;
    bufferization::AnalysisState state(options);
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp op) {
      if (op.hasPureTensorSemantics())
        fills.push_back(op);
    });
    for (linalg::FillOp fill : fills)
      separateUses(fill, state);
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp empty : empties)
      separateUses(empty);
    getOperation()->walk([&](Block *block) {
      for (BlockArgument arg : block->getArguments())
        divideReaders(arg, state);
      for (Operation &op : *block)
        for (Value result : op.getResults())
          divideReaders(result, state);
    });
    SmallVector<Chain> chains;
    getOperation()->walk([&](tensor::InsertSliceOp op) {
      Chain chain = getChain(op);
      if (beginsNew(chain) && chain.insertions.size() >= longChain)
        chains.push_back(std::move(chain));
    });
    IRRewriter rewriter(&getContext());
    for (Chain &chain : chains)
      chain.rewrite(rewriter);
  }
};
} // namespace
