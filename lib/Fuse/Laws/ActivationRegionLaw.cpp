//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The activation law for activations that are written in several ops.

#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Laws.h"

using namespace mlir;
using namespace fusion;

namespace {
// law: g(f(fused(x, w)), fused(x, w))  ->  fused(x, w, activation = act)
struct ActivationRegionLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  ActivationRegionLaw(MLIRContext *context, const FuseOptions &options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(FusedOpInterface fused,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Epilogue> epilogue =
        matchActivationRegion(fused, options, refusal);
    if (failed(epilogue) || failed(checkMayFold(*epilogue, options, refusal)))
      return refusal.notify(rewriter, fused);
    ActivationStep step = *matchActivationStep(*epilogue, options, refusal);
    FusedOpInterface replacement = cloneFusedOp(rewriter, *epilogue);
    replacement.setActivationAttr(step.activation);
    rewriter.replaceOp(epilogue->consumer,
                       buildRest(rewriter, *epilogue, step.node, replacement));
    for (Operation *op : llvm::reverse(epilogue->inner))
      rewriter.eraseOp(op);
    return success();
  }

  FuseOptions options;
};
} // namespace

void fusion::populateActivationRegionLawPatterns(RewritePatternSet &patterns,
                                                 const FuseOptions &options) {
  patterns.add<ActivationRegionLaw>(patterns.getContext(), options);
}
