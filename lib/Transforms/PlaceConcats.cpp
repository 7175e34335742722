//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeInBuffer.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPLACECONCATS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// Concatenations of which each begins with the one before it.
using Chain = SmallVector<tensor::ConcatOp>;
} // namespace

/// The only concatenation that begins with `op`, if loops read `op` besides,
/// which take any strides, and nothing else does; else null.
static tensor::ConcatOp getNext(tensor::ConcatOp op) {
  tensor::ConcatOp next;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    if (user->getBlock() != op->getBlock())
      return nullptr;
    auto concat = dyn_cast<tensor::ConcatOp>(user);
    if (concat && !next && use.getOperandNumber() == 0 &&
        concat.getDim() == op.getDim()) {
      next = concat;
      continue;
    }
    auto loops = dyn_cast<linalg::LinalgOp>(user);
    if (!loops || !loops.isDpsInput(&use))
      return nullptr;
  }
  return next;
}

/// The chain that begins with `first`, as far as it is known where each part
/// lies.
static Chain getChain(tensor::ConcatOp first) {
  Chain chain;
  for (tensor::ConcatOp op = first; op; op = getNext(op)) {
    RankedTensorType type = op.getResultType();
    if (!type.hasStaticShape() || type.getEncoding())
      break;
    chain.push_back(op);
  }
  return chain;
}

/// The op that computes `part` for `concat` alone and may as well compute it
/// with the strides of a part of a buffer; else null.
static DestinationStyleOpInterface getComputation(tensor::ConcatOp concat,
                                                  Value part) {
  DestinationStyleOpInterface op = getOnlyComputation(part);
  bool takesStrides =
      op && isa<FusedOpInterface, linalg::LinalgOp>(op.getOperation());
  return takesStrides && op->getBlock() == concat->getBlock() ? op : nullptr;
}

/// The part of `buffer` of `size` elements from `offset` on along `dim`.
static Value createPart(OpBuilder &builder, Location loc, Value buffer,
                        int64_t dim, int64_t offset, int64_t size) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  offsets[dim] = builder.getIndexAttr(offset);
  sizes[dim] = builder.getIndexAttr(size);
  return memref::SubViewOp::create(builder, loc, buffer, offsets, sizes,
                                   strides);
}

namespace {
/// A tensor that `concat` reads, and its place in the buffer.
struct Part {
  Operation *concat;
  /// In front of `collapse`, if there is one.
  Value tensor;
  DestinationStyleOpInterface computation;
  /// Between the computation and `concat`; may be null.
  tensor::CollapseShapeOp collapse;
  int64_t offset;
  int64_t size;
};

/// A chain that shares a buffer.
class SharedBuffer {
public:
  explicit SharedBuffer(Chain chain);

  /// Whether that saves copies.
  bool isWorthwhile() const {
    return chain.size() > 1 || llvm::any_of(parts, [](const Part &part) {
             return part.computation != nullptr;
           });
  }
  void rewrite(RewriterBase &rewriter);

private:
  void add(tensor::ConcatOp concat, Value tensor);
  void place(RewriterBase &rewriter, const Part &part, Value buffer);

  Chain chain;
  /// Without the concatenations before the last one.
  SmallVector<Part> parts;
  int64_t dim;
  int64_t filled = 0;
};
} // namespace

SharedBuffer::SharedBuffer(Chain links)
    : chain(std::move(links)),
      dim(static_cast<int64_t>(chain.front().getDim())) {
  for (tensor::ConcatOp op : chain)
    for (Value tensor : op.getInputs().drop_front(op == chain.front() ? 0 : 1))
      add(op, tensor);
}

void SharedBuffer::add(tensor::ConcatOp concat, Value tensor) {
  int64_t size = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  Part part{concat,  tensor, getComputation(concat, tensor),
            nullptr, filled, size};
  auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>();
  if (collapse && tensor.hasOneUse())
    if (auto computation = getComputation(concat, collapse.getSrc())) {
      part.tensor = collapse.getSrc();
      part.computation = computation;
      part.collapse = collapse;
    }
  parts.push_back(part);
  filled += size;
}

void SharedBuffer::place(RewriterBase &rewriter, const Part &part,
                         Value buffer) {
  Location loc = part.concat->getLoc();
  rewriter.setInsertionPoint(part.computation ? part.computation : part.concat);
  Value place = createPart(rewriter, loc, buffer, dim, part.offset, part.size);
  // Dimensions of any strides can be split.
  if (tensor::CollapseShapeOp op = part.collapse)
    place =
        memref::ExpandShapeOp::create(rewriter, loc, op.getSrcType().getShape(),
                                      place, op.getReassociationIndices());
  if (part.computation)
    computeIn(rewriter, part.computation, part.tensor, place);
  rewriter.setInsertionPoint(part.concat);
  storeIn(rewriter, loc, part.tensor, place);
}

/// Nothing writes to a part that has been written, so that each concatenation
/// is the beginning of the buffer from then on. A concatenation that is alone
/// may be written over: nothing else reads its parts.
void SharedBuffer::rewrite(RewriterBase &rewriter) {
  tensor::ConcatOp last = chain.back();
  Operation *first = chain.front();
  for (const Part &part : parts)
    if (part.computation && part.computation->isBeforeInBlock(first))
      first = part.computation;
  rewriter.setInsertionPoint(first);
  Value buffer = createBuffer(rewriter, last.getLoc(), last.getResultType());
  for (const Part &part : parts)
    place(rewriter, part, buffer);
  for (tensor::ConcatOp op : chain) {
    rewriter.setInsertionPoint(op);
    Value whole = buffer;
    if (op != last)
      whole = createPart(rewriter, op.getLoc(), buffer, dim, 0,
                         op.getResultType().getDimSize(dim));
    rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
        op, op.getResultType(), whole, /*restrict=*/true,
        /*writable=*/chain.size() == 1);
  }
  for (const Part &part : parts)
    if (part.collapse)
      rewriter.eraseOp(part.collapse);
}

namespace {
struct PlaceConcatsPass
    : public fusion::impl::FusionPlaceConcatsBase<PlaceConcatsPass> {
  void runOnOperation() override {
    SmallVector<Chain> chains;
    DenseSet<Operation *> seen;
    getOperation()->walk([&](tensor::ConcatOp op) {
      if (seen.contains(op))
        return;
      Chain chain = getChain(op);
      seen.insert_range(chain);
      if (!chain.empty())
        chains.push_back(std::move(chain));
    });
    IRRewriter rewriter(&getContext());
    for (Chain &chain : chains) {
      SharedBuffer buffer(std::move(chain));
      if (buffer.isWorthwhile())
        buffer.rewrite(rewriter);
    }
  }
};
} // namespace
