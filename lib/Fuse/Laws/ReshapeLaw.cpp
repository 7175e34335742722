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

/// True if `operand` is the result of a fusion op whose output channel is split
/// into several dimensions, as with depthwise convolutions with a multiplier.
static bool isSplitChannel(OpOperand *operand) {
  Value value = operand->get();
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto fused = value.getDefiningOp<FusedOpInterface>();
  if (!fused)
    return false;
  Refusal ignored = Refusal::unread();
  FailureOr<SplitChannel> channel =
      matchSplitResult(fused, /*areUnitsParts=*/false, ignored);
  return succeeded(channel) && channel->tensor == operand->get() &&
         !readsChannelPart(*channel);
}

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
  populateChannelPartsLaw(patterns, FuseOptions());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
}
