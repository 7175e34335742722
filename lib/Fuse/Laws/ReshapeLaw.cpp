//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Laws.h"
#include "SplitChannel.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"

using namespace mlir;
using namespace fusion;

/// The fusion op whose result `value` is, directly or behind reshapes; null if
/// it is none.
static FusedOpInterface findFusedOp(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value.getDefiningOp<FusedOpInterface>();
}

/// True if `operand` is the result of a fusion op whose output channel is split
/// into several dimensions, as with depthwise convolutions with a multiplier.
static bool isSplitChannel(OpOperand *operand) {
  FusedOpInterface fused = findFusedOp(operand->get());
  if (!fused)
    return false;
  Refusal ignored = Refusal::unread();
  FailureOr<SplitChannel> channel =
      matchSplitResult(fused, /*areUnitsParts=*/false, ignored);
  return succeeded(channel) && channel->tensor == operand->get() &&
         !readsChannelPart(*channel);
}

/// The loops of `op` along which `operand`, the result of a fusion op, stays
/// the same, if each has one iteration; else none.
static SmallVector<unsigned> findUnitLoops(linalg::LinalgOp op,
                                           OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!map.isProjectedPermutation() || !findFusedOp(operand->get()))
    return {};
  SmallVector<unsigned> loops;
  for (auto [loop, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (map.isFunctionOfDim(loop))
      continue;
    if (size != 1)
      return {};
    loops.push_back(loop);
  }
  return loops;
}

static bool hasEncoding(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getEncoding();
}

namespace {
// law: (f . expand)(fused(x, w))  ->  expand(f(fused(x, w))), where a reshape
//      that adds dimensions of size 1 is merged with f
struct UnitLoopsLaw : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    // Upstream does not reshape tensors with an encoding, and finds that out
    // too late for a pattern.
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        llvm::any_of(op->getOperandTypes(), hasEncoding))
      return rewriter.notifyMatchFailure(op, "the op is not element-wise");
    SmallVector<unsigned> loops;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (loops.empty())
        loops = findUnitLoops(op, operand);
    if (loops.empty())
      return rewriter.notifyMatchFailure(
          op, "no result of a fusion op stays the same along loops of one "
              "iteration alone");
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      return linalg::generalizeNamedOp(rewriter, op);
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *) { return loops; };
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, generic, control);
    if (failed(dropped))
      return rewriter.notifyMatchFailure(op, "upstream keeps the loops");
    rewriter.replaceOp(op, dropped->replacements);
    return success();
  }
};
} // namespace

// law: f(expand(fused(x, w)))  ->  expand(f(fused(x, w)))
// law: f(expand(fused(x, w)), v)  ->  f(expand(fused(x, w)), broadcast(v)),
//      which varies along the whole channel
// law: collapse(expand(x))  ->  the one reshape that both are, as likewise for
//      two of a kind and in the other order
// law: dim(fused(x, w, outs = y))  ->  dim(y), which is no use of the result
void fusion::populateReshapeLawPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, isSplitChannel);
  patterns.add<UnitLoopsLaw>(context);
  populateChannelPartsLaw(patterns, FuseOptions());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
}
