//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSHARECONCATS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Concatenations that are spelled as insertions
//===----------------------------------------------------------------------===//

/// The only dimension in which `op` inserts less than the full size, at a place
/// that is known; none if it inserts otherwise.
static std::optional<int64_t> getInsertedDim(tensor::InsertSliceOp op) {
  RankedTensorType source = op.getSourceType(), dest = op.getDestType();
  if (source.getRank() != dest.getRank() || !source.hasStaticShape() ||
      !dest.hasStaticShape() || dest.getEncoding() || !op.hasUnitStride() ||
      ShapedType::isDynamicShape(op.getStaticOffsets()))
    return std::nullopt;
  std::optional<int64_t> inserted;
  for (int64_t dim = 0; dim < dest.getRank(); ++dim) {
    if (source.getDimSize(dim) == dest.getDimSize(dim))
      continue;
    if (inserted)
      return std::nullopt;
    inserted = dim;
  }
  return inserted;
}

/// Whether the parts of `insertions` follow each other along `dim`, from the
/// first element to the last one.
static bool fillTensor(ArrayRef<tensor::InsertSliceOp> insertions,
                       int64_t dim) {
  int64_t filled = 0;
  for (tensor::InsertSliceOp op : insertions) {
    if (op.getStaticOffset(dim) != filled)
      return false;
    filled += op.getStaticSize(dim);
  }
  tensor::InsertSliceOp first = insertions.front();
  return filled == first.getDestType().getDimSize(dim);
}

/// Makes one op of insertions into a new tensor, of which `last` is the last
/// one, if they concatenate their sources; else null. TOSA is lowered so. Into
/// another tensor they may be meant for its memory.
static tensor::ConcatOp raiseConcat(RewriterBase &rewriter,
                                    tensor::InsertSliceOp last) {
  std::optional<int64_t> dim = getInsertedDim(last);
  if (!dim)
    return nullptr;
  SmallVector<tensor::InsertSliceOp> insertions = {last};
  auto getBefore = [](tensor::InsertSliceOp op) {
    return op.getDest().getDefiningOp<tensor::InsertSliceOp>();
  };
  for (tensor::InsertSliceOp op = getBefore(last);
       op && op->hasOneUse() && getInsertedDim(op) == dim; op = getBefore(op))
    insertions.push_back(op);
  if (!insertions.back().getDest().getDefiningOp<tensor::EmptyOp>())
    return nullptr;
  SmallVector<tensor::InsertSliceOp> sorted = insertions;
  llvm::sort(sorted, [&](auto left, auto right) {
    return left.getStaticOffset(*dim) < right.getStaticOffset(*dim);
  });
  if (!fillTensor(sorted, *dim))
    return nullptr;
  SmallVector<Value> sources = llvm::map_to_vector(
      sorted, [](tensor::InsertSliceOp op) -> Value { return op.getSource(); });
  rewriter.setInsertionPoint(last);
  auto concat = tensor::ConcatOp::create(rewriter, last.getLoc(),
                                         last.getType(), *dim, sources);
  rewriter.replaceOp(last, concat);
  for (tensor::InsertSliceOp op : llvm::drop_begin(insertions))
    rewriter.eraseOp(op);
  return concat;
}

//===----------------------------------------------------------------------===//
// Concatenations that begin with earlier ones
//===----------------------------------------------------------------------===//

namespace {
/// The concatenations of a block, by their operands.
class Concats {
public:
  /// Lets `op` begin with the longest concatenation before it that has the
  /// first operands of `op`.
  void share(tensor::ConcatOp op) {
    SmallVector<Value> operands(op.getInputs());
    llvm::hash_code hash = llvm::hash_value(op.getDim());
    tensor::ConcatOp longest;
    size_t length = 0;
    for (auto [i, operand] : llvm::enumerate(operands)) {
      hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
      if (i == 0)
        continue; // a concatenation of one tensor is that tensor
      ArrayRef<Value> prefix = ArrayRef(operands).take_front(i + 1);
      if (tensor::ConcatOp other = find(hash, op.getDim(), prefix)) {
        longest = other;
        length = prefix.size();
      }
    }
    byHash[hash].push_back({op, operands});
    if (!longest)
      return;
    SmallVector<Value> rest = {longest.getResult()};
    llvm::append_range(rest, ArrayRef(operands).drop_front(length));
    op.getInputsMutable().assign(rest);
  }

private:
  struct Entry {
    tensor::ConcatOp op;
    /// Those that `op` had at first.
    SmallVector<Value> operands;
  };

  tensor::ConcatOp find(size_t hash, uint64_t dim,
                        ArrayRef<Value> operands) const {
    auto entries = byHash.find(hash);
    if (entries == byHash.end())
      return nullptr;
    for (const Entry &entry : entries->second)
      if (tensor::ConcatOp(entry.op).getDim() == dim &&
          ArrayRef(entry.operands) == operands)
        return entry.op;
    return nullptr;
  }

  DenseMap<size_t, SmallVector<Entry, 1>> byHash;
};
} // namespace

/// Whether an insertion into the result of `op` follows.
static bool isContinued(tensor::InsertSliceOp op) {
  if (!op->hasOneUse())
    return false;
  auto next = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
  return next && next.getDest() == op.getResult();
}

/// Whether `op` begins with another concatenation, or another one with it.
static bool isShared(tensor::ConcatOp op) {
  return op.getInputs().front().getDefiningOp<tensor::ConcatOp>() ||
         llvm::any_of(op->getUses(), [](OpOperand &use) {
           return use.getOperandNumber() == 0 &&
                  isa<tensor::ConcatOp>(use.getOwner());
         });
}

/// Shares the concatenations of `block`. Those that are spelled as insertions
/// and share nothing are spelled so again: bufferization may compute parts that
/// have other users in place there.
static void shareConcats(RewriterBase &rewriter, Block *block) {
  SmallVector<tensor::InsertSliceOp> insertions;
  for (auto op : block->getOps<tensor::InsertSliceOp>())
    if (!isContinued(op))
      insertions.push_back(op);
  SmallVector<tensor::ConcatOp> raised;
  for (tensor::InsertSliceOp op : insertions)
    if (tensor::ConcatOp concat = raiseConcat(rewriter, op))
      raised.push_back(concat);
  Concats concats;
  for (auto op : block->getOps<tensor::ConcatOp>())
    concats.share(op);
  for (tensor::ConcatOp op : raised) {
    if (isShared(op))
      continue;
    rewriter.setInsertionPoint(op);
    // It fails for operands of dynamic sizes alone.
    if (FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
        succeeded(parts))
      rewriter.replaceOp(op, *parts);
  }
}

namespace {
struct ShareConcatsPass
    : public fusion::impl::FusionShareConcatsBase<ShareConcatsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Block *block) { shareConcats(rewriter, block); });
  }
};
} // namespace
