//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONREUSERESIDUALS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// So many results at most are written over one another on tensors. The time of
/// bufferization grows with the third power of this number.
static constexpr int longestChain = 8;

/// The tensor that `value` is a reshape of.
static Value getUnshaped(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp>(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

/// Makes the residual of `op` its destination, if that makes no long chain.
/// `chains` has the number of results that are written over up to each result.
static void overwriteTensor(FusedOpInterface op, DenseMap<Value, int> &chains) {
  if (op.getResidual().getType() != op.getInit().getType() ||
      !op.getInit().getDefiningOp<tensor::EmptyOp>())
    return;
  int chain = chains.lookup(getUnshaped(op.getResidual())) + 1;
  if (chain == longestChain)
    return;
  op.getInitMutable().set(op.getResidual());
  chains[op->getResult(0)] = chain;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// The op that allocates what `buffer` is a view of; else null.
static memref::AllocOp getAlloc(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer.getDefiningOp<memref::AllocOp>();
}

/// The op directly behind `op`, but for others that free, that frees `alloc`;
/// else null.
static memref::DeallocOp getDeallocBehind(Operation *op,
                                          memref::AllocOp alloc) {
  while ((op = op->getNextNode())) {
    auto dealloc = dyn_cast<memref::DeallocOp>(op);
    if (!dealloc || dealloc.getMemref() == alloc.getResult())
      return dealloc;
  }
  return nullptr;
}

/// Whether `a` and `b` allocate as many bytes, with the same alignment.
static bool areAlike(memref::AllocOp a, memref::AllocOp b) {
  MemRefType typeA = a.getType(), typeB = b.getType();
  bool haveSameSize =
      typeA == typeB || (typeA.hasStaticShape() && typeB.hasStaticShape() &&
                         typeA.getElementType() == typeB.getElementType() &&
                         typeA.getNumElements() == typeB.getNumElements());
  return haveSameSize && a.getAlignment() == b.getAlignment();
}

/// Whether `op` is the first one that uses the buffer of `alloc`.
static bool isFirstUser(Operation *op, memref::AllocOp alloc) {
  return llvm::all_of(alloc->getUsers(), [&](Operation *user) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    return ancestor && !ancestor->isBeforeInBlock(op);
  });
}

/// Whether an operand of `op` is a view of `alloc`, other than the residual.
static bool readsBesides(FusedOpInterface op, memref::AllocOp alloc) {
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    return &operand != &op.getResidualMutable()[0] &&
           getAlloc(operand.get()) == alloc;
  });
}

/// Lets `op` write to the buffer of its residual, if that is freed behind it.
static void overwriteBuffer(FusedOpInterface op) {
  StringRef mark = bufferization::BufferizationDialect::kManualDeallocation;
  Value residual = op.getResidual();
  auto init = op.getInit().getDefiningOp<memref::AllocOp>();
  memref::AllocOp reused = getAlloc(residual);
  // The mark means that there are no names for the buffer other than views.
  if (!init || !reused || !reused->hasAttr(mark) ||
      residual.getType() != init.getType() || !areAlike(init, reused) ||
      readsBesides(op, reused) || !isFirstUser(op, init))
    return;
  memref::DeallocOp dealloc = getDeallocBehind(op, reused);
  if (!dealloc)
    return;
  dealloc.erase();
  for (Operation *user : llvm::make_early_inc_range(init->getUsers()))
    if (auto last = dyn_cast<memref::DeallocOp>(user))
      last.getMemrefMutable().set(reused);
  if (!init->hasAttr(mark))
    reused->removeAttr(mark);
  init.replaceAllUsesWith(residual);
  init.erase();
}

namespace {
struct ReuseResidualsPass
    : public fusion::impl::FusionReuseResidualsBase<ReuseResidualsPass> {
  void runOnOperation() override {
    // First all, since a rewrite may erase the op that a walk comes to next.
    SmallVector<FusedOpInterface> ops;
    getOperation()->walk([&](FusedOpInterface op) {
      if (mayOverwriteResidual(op))
        ops.push_back(op);
    });
    DenseMap<Value, int> chains;
    for (FusedOpInterface op : ops)
      if (op->getNumResults() == 0)
        overwriteBuffer(op);
      else
        overwriteTensor(op, chains);
  }
};
} // namespace
