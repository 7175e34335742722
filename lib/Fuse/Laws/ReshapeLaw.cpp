//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Fuse/Laws.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"

using namespace mlir;
using namespace fusion;

/// True if `operand` is the result of a fusion op whose output channel is split
/// into several dimensions, as with depthwise convolutions with a multiplier.
static bool isSplitChannel(OpOperand *operand) {
  auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  if (!expand || !expand->hasOneUse())
    return false;
  auto fused = expand.getSrc().getDefiningOp<FusedOpInterface>();
  if (!fused || !fused->hasOneUse())
    return false;
  int64_t channel = fused.getOutputChannelDim();
  return llvm::count_if(expand.getReassociationIndices()[channel],
                        [&](int64_t dim) {
                          return expand.getResultType().getDimSize(dim) != 1;
                        }) > 1;
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
