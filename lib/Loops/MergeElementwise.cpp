//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Loops/MergeElementwise.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONMERGEELEMENTWISE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

static bool hasNoEffect(Operation &op) { return isMemoryEffectFree(&op); }

/// Whether an element of the result of `op` takes much longer to compute than
/// to load.
static bool isExpensive(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inner) {
    return isa<arith::DivFOp>(inner) ||
           isa_and_nonnull<math::MathDialect>(inner.getDialect());
  });
}

/// Whether an element of `operand` is read in several iterations. A loop of one
/// iteration, as over a batch of one, repeats nothing.
static bool isBroadcast(OpOperand *operand) {
  auto reader = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (!reader)
    return false;
  AffineMap map = reader.getMatchingIndexingMap(operand);
  SmallVector<int64_t> sizes = reader.getStaticLoopRanges();
  return llvm::any_of(llvm::seq(map.getNumDims()), [&](unsigned dim) {
    return sizes[dim] != 1 && !map.isFunctionOfDim(dim);
  });
}

/// Whether a reduction reads integers of 8 bits as `operand`. They are made
/// faster in a loop of their own, and take little memory.
static bool isReducedByte(OpOperand *operand) {
  auto reader = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  return reader && reader.getNumReductionLoops() > 0 &&
         getElementTypeOrSelf(operand->get()).isInteger(8);
}

/// Whether the op that makes `operand` may become part of its reader.
static bool mayMerge(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  // In a loop it would be computed again in each iteration.
  return producer && producer->hasOneUse() &&
         producer->getBlock() == operand->getOwner()->getBlock() &&
         llvm::all_of(*producer.getBlock(), hasNoEffect) &&
         !(isBroadcast(operand) && isExpensive(producer)) &&
         !isReducedByte(operand) &&
         llvm::none_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return producer.payloadUsesValueFromOperand(&init);
         });
}

/// Whether `op` computes each element from elements. Ops that only move them
/// have better loops as they are.
static bool computesElements(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalg::isElementwise(linalgOp) &&
         !linalgOp.getBlock()->without_terminator().empty();
}

/// Whether `op` may be merged with an op in front of it or behind it.
static bool hasNeighbor(linalg::LinalgOp op) {
  auto merges = [](OpOperand &operand) {
    return computesElements(operand.get().getDefiningOp()) &&
           computesElements(operand.getOwner()) && mayMerge(&operand);
  };
  return llvm::any_of(op->getOpOperands(), merges) ||
         llvm::any_of(op->getUses(), merges);
}

/// Whether `op` only makes wider floats of its input. To make them again costs
/// less than to load them.
static bool onlyWidens(linalg::LinalgOp op) {
  return linalg::isElementwise(op) &&
         llvm::hasSingleElement(op.getBlock()->without_terminator()) &&
         isa<arith::ExtFOp>(op.getBlock()->front());
}

namespace {
/// Makes an op that only widens again wherever it may be merged, as in
/// torch-mlir's variance, which reads an image in f64 twice.
struct WidenForEachReader : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || producer->hasOneUse() || !onlyWidens(producer) ||
          producer->getBlock() != op->getBlock() ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      Operation *copy = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(op, [&] { operand->set(copy->getResult(0)); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no input is a wider float alone");
  }
};

/// Upstream's patterns merge generic ops alone.
struct GeneralizeElementwise
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp>(op) || !computesElements(op) || !hasNeighbor(op))
      return rewriter.notifyMatchFailure(
          op, "no named element-wise op next to another");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};
} // namespace

void fusion::populateMergeElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  linalg::populateElementwiseOpsFusionPatterns(patterns, mayMerge);
  patterns.add<GeneralizeElementwise, WidenForEachReader>(context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
}

namespace {
struct MergeElementwisePass
    : public fusion::impl::FusionMergeElementwiseBase<MergeElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMergeElementwisePatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "element-wise ops")))
      signalPassFailure();
  }
};
} // namespace
